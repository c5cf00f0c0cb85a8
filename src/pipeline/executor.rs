//! Work of the rooms above, done on threads.

use std::convert::Infallible;

use super::{run, workers::Workers};
use crate::collection::segment::Executor;

impl Executor for Workers {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        let mut results = Vec::with_capacity(items.len());
        let add = |result| {
            results.push(result);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = run::run(self, |push| items.into_iter().try_for_each(push), work, add);
        results
    }
}
