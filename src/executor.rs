//! Who does the work.
//!
//! Most rooms know the work, and not the threads: they are handed an [`Executor`]. The
//! [`Workers`](crate::pipeline::Workers) of a pipeline are one.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is behind a lock. What the locks of this crate hold is whole at any moment, so that it
/// stays what it was if a thread that holds one panics.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does work on many items, perhaps on several threads.
pub trait Executor: Sync {
    /// The results of `work` on each item, in the order of the items.
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R>;

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
        let done = self.map(vec![Either::One(one), Either::Other(other)], |work| match work {
            Either::One(work) => Either::One(work()),
            Either::Other(work) => Either::Other(work()),
        });
        match <[_; 2]>::try_from(done) {
            Ok([Either::One(one), Either::Other(other)]) => (one, other),
            _ => unreachable!("results are in the order of the items"),
        }
    }
}

/// One of two things of different types.
enum Either<A, B> {
    One(A),
    Other(B),
}

/// Does all work on the calling thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneThread;

impl Executor for OneThread {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        items.into_iter().map(work).collect()
    }
}
