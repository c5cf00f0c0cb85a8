//! Who does the work.
//!
//! Most rooms know the work, and not the threads: they are handed an [`Executor`]. The
//! [`Workers`](crate::pipeline::Workers) of a pipeline are one.

use std::convert::Infallible;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is behind a lock. What the locks of this crate hold is whole at any moment, so that it
/// stays what it was if a thread that holds one panics.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the next item. An error is that of the sink: the feeder should stop and return it.
pub type Feed<'f, T, E> = dyn FnMut(T) -> Result<(), E> + 'f;

/// Does work on many items, perhaps on several threads.
pub trait Executor: Sync {
    /// Does `work` on every item that `feed` pushes, and hands the results to `sink` in the order
    /// of the items. `feed` and `sink` run on the calling thread, while others work.
    ///
    /// # Errors
    ///
    /// What `feed` or `sink` returns.
    fn run<T: Send, R: Send, E>(
        &self,
        feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
        work: impl Fn(T) -> R + Sync,
        sink: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E>;

    /// The results of `work` on each item, in the order of the items.
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        let mut results = Vec::with_capacity(items.len());
        let add = |result| {
            results.push(result);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = self.run(|push| items.into_iter().try_for_each(push), work, add);
        results
    }

    /// The results of two pieces of work.
    ///
    /// ```
    /// use eco::{executor::Executor, pipeline::Workers};
    ///
    /// let (sum, product) = Workers::default().join(|| 3 + 4, || 3 * 4);
    /// assert_eq!((sum, product), (7, 12));
    /// ```
    fn join<A: Send, B: Send>(
        &self,
        one: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let (mut a, mut b) = (None, None);
        let work: Vec<Box<dyn FnOnce() + Send + '_>> =
            vec![Box::new(|| a = Some(one())), Box::new(|| b = Some(other()))];
        self.map(work, |work| work());
        a.zip(b).expect("both are done")
    }
}

/// Does all work on the calling thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneThread;

impl Executor for OneThread {
    fn run<T: Send, R: Send, E>(
        &self,
        feed: impl FnOnce(&mut Feed<'_, T, E>) -> Result<(), E>,
        work: impl Fn(T) -> R + Sync,
        mut sink: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        feed(&mut |item| sink(work(item)))
    }
}
