//! Who does the work.

/// Does work on many items, perhaps on several threads. The rooms below have threads; here, only
/// the work is known.
pub(crate) trait Executor {
    /// The results of `work` on each item, in the order of the items.
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R>;
}

/// Does all work on the calling thread.
#[cfg(test)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OneThread;

#[cfg(test)]
impl Executor for OneThread {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        items.into_iter().map(work).collect()
    }
}
