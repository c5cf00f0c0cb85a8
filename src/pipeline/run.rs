//! Feeder, work and sink; and a sink that adds items of its own.

use super::workers::Workers;
use crate::executor::Feed;

/// Runs `work` on every item that `feed` pushes, on all threads of `workers`, and hands the results
/// to `sink` in the order of the items.
///
/// `feed` and `sink` run on the calling thread. So does `work`, when enough items wait for the
/// others. Only a few items per thread are under way at a time, so memory does not grow with the
/// number of items.
///
/// Work begins in the order of the items. So work on one item may wait for something that work on
/// an earlier one does: the earliest of those under way never waits.
///
/// # Errors
///
/// What `feed` returns; the results of the items before have then gone to `sink`. What `sink`
/// returns; it is not called again, and what is pushed after that is dropped. An error of `sink`
/// reaches `feed` through [`push`](Feed), which passes it on with `?`.
///
/// # Panics
///
/// If `work`, `feed` or `sink` does, with the same payload.
pub fn run<T: Send, R: Send, E>(
    workers: &Workers,
    feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
    work: impl Fn(T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    run_with_more(workers, feed, work, |result, _| result.map_or(Ok(()), &mut sink))
}

/// As [`run`], with a sink that may add items, on which the workers work as on those that are fed:
/// so it gathers results to larger tasks. Neither kind of work waits for the other. After the last
/// result, and those of all added items, the sink is given `None`, and may add the last.
///
/// # Errors
///
/// As of [`run`].
///
/// # Panics
///
/// As [`run`].
pub fn run_with_more<T: Send, R: Send, E>(
    workers: &Workers,
    feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
    work: impl Fn(T) -> R + Sync,
    sink: impl FnMut(Option<R>, &mut Vec<T>) -> Result<(), E>,
) -> Result<(), E> {
    #[cfg(feature = "parallel")]
    if let Some(pool) = workers.pool() {
        return super::parallel::run(pool, feed, work, sink);
    }
    // Nothing else is needed of them.
    let _ = workers;
    sequential(feed, work, sink)
}

fn sequential<T, R, E>(
    feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
    work: impl Fn(T) -> R,
    mut sink: impl FnMut(Option<R>, &mut Vec<T>) -> Result<(), E>,
) -> Result<(), E> {
    let mut has_failed = false;
    let mut hand_on = |result: Option<R>| {
        let mut added = Vec::new();
        sink(result, &mut added)?;
        while !added.is_empty() {
            for item in std::mem::take(&mut added) {
                sink(Some(work(item)), &mut added)?;
            }
        }
        Ok(())
    };
    feed(&mut |item| {
        if has_failed {
            return Ok(());
        }
        let result = hand_on(Some(work(item)));
        has_failed = result.is_err();
        result
    })?;
    if has_failed { Ok(()) } else { hand_on(None) }
}
