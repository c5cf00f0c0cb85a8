//! The threads that a pipeline runs on, and what they count.

use std::num::NonZeroUsize;
#[cfg(feature = "parallel")]
use std::sync::{Arc, OnceLock};
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "parallel")]
use rayon::ThreadPool;

use crate::executor::{Executor, Feed, lock};

/// Threads for any number of [runs](Executor::run), one after another or at the same time.
///
/// Clones share the threads. They are started by the first run that needs them and end with the
/// last clone.
///
/// ```
/// use std::num::NonZeroUsize;
/// use eco::{executor::Executor, pipeline::Workers};
///
/// let workers = Workers::new(NonZeroUsize::new(4).unwrap());
/// let mut squares = Vec::new();
/// workers.run(
///     |push| (1..=5).try_for_each(|n| push(n)),
///     |n: u32| n * n,
///     |square| {
///         squares.push(square);
///         Ok::<(), std::convert::Infallible>(())
///     },
/// )?;
/// assert_eq!(squares, [1, 4, 9, 16, 25]);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone)]
pub struct Workers {
    threads: NonZeroUsize,
    /// Started when it is first needed; `None` if it cannot be started.
    #[cfg(feature = "parallel")]
    pool: Arc<OnceLock<Option<Arc<ThreadPool>>>>,
}

impl Workers {
    /// This number of threads, the calling one among them; 256 at most. With one thread, where no
    /// others can be started, or without the feature `parallel`, everything runs on the calling
    /// one.
    pub fn new(threads: NonZeroUsize) -> Self {
        Self {
            threads,
            #[cfg(feature = "parallel")]
            pool: Arc::default(),
        }
    }
}

/// As many threads as the machine has cores.
impl Default for Workers {
    fn default() -> Self {
        Self::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

#[cfg(feature = "parallel")]
impl Workers {
    /// The threads of a pool, and the calling one. The pool may serve others as well.
    pub fn from_pool(pool: Arc<ThreadPool>) -> Self {
        let threads = NonZeroUsize::MIN.saturating_add(pool.current_num_threads());
        Self { threads, pool: Arc::new(OnceLock::from(Some(pool))) }
    }

    /// The threads besides the calling one, if there are any.
    pub(super) fn pool(&self) -> Option<&ThreadPool> {
        /// No more threads than this are started.
        const MAX_THREADS: usize = 256;
        let start = || {
            let others = self.threads.get().min(MAX_THREADS) - 1;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(others);
            (others > 0).then(|| pool.build().ok().map(Arc::new)).flatten()
        };
        self.pool.get_or_init(start).as_deref()
    }
}

impl Workers {
    /// As [`run`](Executor::run), with a sink that may add items, on which the workers work as on
    /// those that are fed: so it gathers results to larger tasks. Neither kind of work waits for
    /// the other. After the last result, and those of all added items, the sink is given `None`,
    /// and may add the last.
    ///
    /// # Errors
    ///
    /// As of [`run`](Executor::run).
    ///
    /// # Panics
    ///
    /// As [`run`](Executor::run).
    pub fn run_with_more<T: Send, R: Send, E>(
        &self,
        feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
        work: impl Fn(T) -> R + Sync,
        sink: impl FnMut(Option<R>, &mut Vec<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool() {
            return super::parallel::run(pool, feed, work, sink);
        }
        sequential(feed, work, sink)
    }
}

impl Executor for Workers {
    /// Runs `work` on every item that `feed` pushes, on all threads, and hands the results to
    /// `sink` in the order of the items.
    ///
    /// `feed` and `sink` run on the calling thread. So does `work`, when enough items wait for the
    /// others. Only a few items per thread are under way at a time, so memory does not grow with
    /// the number of items.
    ///
    /// Work begins in the order of the items. So work on one item may wait for something that work
    /// on an earlier one does: the earliest of those under way never waits.
    ///
    /// # Errors
    ///
    /// What `feed` returns; the results of the items before have then gone to `sink`. What `sink`
    /// returns; it is not called again, and what is pushed after that is dropped. An error of
    /// `sink` reaches `feed` through [`push`](Feed), which passes it on with `?`.
    ///
    /// # Panics
    ///
    /// If `work`, `feed` or `sink` does, with the same payload.
    fn run<T: Send, R: Send, E>(
        &self,
        feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
        work: impl Fn(T) -> R + Sync,
        mut sink: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run_with_more(feed, work, |result, _| result.map_or(Ok(()), &mut sink))
    }
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

/// The counts of workers: each block is counted into one that no other worker has at that time.
///
/// Which block goes into which depends on chance, so what is counted must add up in any order.
///
/// ```
/// use eco::{executor::Executor, pipeline::{Counters, Workers}};
///
/// let counters = Counters::new(|| 0);
/// Workers::default().run(
///     |push| (1..=100).try_for_each(|n| push(n)),
///     |n: u64| counters.with(|sum: &mut u64| *sum += n),
///     |()| Ok::<(), std::convert::Infallible>(()),
/// )?;
/// assert_eq!(counters.into_inner().iter().sum::<u64>(), 5050);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug)]
pub struct Counters<C, N> {
    new: N,
    idle: Mutex<Vec<C>>,
}

impl<C, N: Fn() -> C> Counters<C, N> {
    /// Counters that `new` makes.
    pub fn new(new: N) -> Self {
        Self { new, idle: Mutex::new(Vec::new()) }
    }

    /// Counts into one of the counters, or into a new one if all are in use.
    pub fn with<R>(&self, count: impl FnOnce(&mut C) -> R) -> R {
        let idle = lock(&self.idle).pop();
        let mut counter = idle.unwrap_or_else(&self.new);
        let result = count(&mut counter);
        lock(&self.idle).push(counter);
        result
    }

    /// All counters.
    pub fn into_inner(self) -> Vec<C> {
        self.idle.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
impl Workers {
    /// The number of threads, the calling one among them.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.threads
    }
}
