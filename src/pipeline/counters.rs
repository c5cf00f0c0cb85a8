//! What workers count, without a result for each block.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The counts of workers: each block is counted into one that no other worker has at that time.
///
/// Which block goes into which depends on chance, so what is counted must add up in any order.
///
/// ```
/// use eco::pipeline::{Counters, Workers, run};
///
/// let counters = Counters::new(|| 0);
/// run(
///     &Workers::default(),
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
    #[must_use]
    pub fn new(new: N) -> Self {
        Self { new, idle: Mutex::new(Vec::new()) }
    }

    /// Counts into one of the counters, or into a new one if all are in use.
    pub fn with<R>(&self, count: impl FnOnce(&mut C) -> R) -> R {
        let idle = self.idle().pop();
        let mut counter = idle.unwrap_or_else(&self.new);
        let result = count(&mut counter);
        self.idle().push(counter);
        result
    }

    /// All counters.
    #[must_use]
    pub fn into_inner(self) -> Vec<C> {
        self.idle.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<C>> {
        // Nothing panics while it is locked.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
