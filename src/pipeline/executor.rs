//! Work of the rooms above, done on threads.

use super::workers::Workers;
use crate::executor::Executor;

impl Executor for Workers {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        Self::map(self, items, work)
    }
}
