//! The end of the interpreter, and its copies.
//!
//! A thread that takes the lock of an interpreter that ends never returns, or brings the process
//! down; so threads of this module ask here first. A process that `fork` makes has none of the
//! threads of the first, so what waits for one there would wait for ever.

use std::sync::{PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use pyo3::{exceptions::PyRuntimeError, prelude::*};

/// Whether the interpreter ends. It is read-locked while a thread uses the interpreter.
static ENDS: RwLock<bool> = RwLock::new(false);

/// How long a thread that uses the interpreter is waited for, if it is in a call that blocks.
const PATIENCE: Duration = Duration::from_secs(2);

/// Takes the interpreter lock on a thread of this module; `None` once the interpreter ends.
pub(crate) fn attach<R>(work: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    let ends = ENDS.read().unwrap_or_else(PoisonError::into_inner);
    if *ends { None } else { Python::try_attach(work) }
}

/// Runs before the interpreter ends: from now on no thread takes its lock.
#[pyfunction]
pub(crate) fn _shut_down(py: Python<'_>) {
    py.detach(|| {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match ENDS.try_write() {
                Ok(mut ends) => {
                    *ends = true;
                    return;
                }
                Err(TryLockError::Poisoned(ends)) => {
                    *ends.into_inner() = true;
                    return;
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    });
}

/// The process that began something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(u32);

impl Process {
    pub(crate) fn current() -> Self {
        Self(std::process::id())
    }

    /// Checks that this is still the process that began it, and not one forked since.
    ///
    /// # Errors
    ///
    /// If it is another one.
    pub(crate) fn check(self, what: &str) -> PyResult<()> {
        if self == Self::current() {
            return Ok(());
        }
        let advice = "in a process made by fork, open it anew, or make the process by spawn: \
                      multiprocessing.get_context('spawn')";
        Err(PyRuntimeError::new_err(format!("this {what} belongs to another process; {advice}")))
    }
}
