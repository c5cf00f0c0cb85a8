//! Long work that the keyboard can interrupt.

use std::{
    any::Any,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use pyo3::{exceptions::PyRuntimeError, prelude::*};

/// How often the calling thread looks for an interruption.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Whether the work that a thread does is still wanted.
pub(crate) struct Wanted(AtomicBool);

impl Wanted {
    /// # Errors
    ///
    /// If it was interrupted. The exception itself is raised by the calling thread.
    pub(crate) fn check(&self) -> PyResult<()> {
        match self.0.load(Ordering::Relaxed) {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err("interrupted")),
        }
    }
}

/// Does work on a thread of its own, with the interpreter lock free, so that Python can handle
/// signals meanwhile.
///
/// # Errors
///
/// What `work` returns, or the exception of a signal.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Wanted) -> PyResult<T> + Send,
) -> PyResult<T> {
    let wanted = Wanted(AtomicBool::new(true));
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(&wanted));
        let mut signal = Ok(());
        let mut pause = Duration::from_millis(1);
        while signal.is_ok() && !worker.is_finished() {
            py.detach(|| thread::sleep(pause));
            pause = (2 * pause).min(INTERVAL);
            signal = py.check_signals();
        }
        wanted.0.store(signal.is_ok(), Ordering::Relaxed);
        let done = py.detach(|| worker.join());
        signal?;
        done.unwrap_or_else(|payload| Err(panicked(payload.as_ref())))
    })
}

/// A panic as an exception.
pub(crate) fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    PyRuntimeError::new_err(format!("this is a bug in eco_openings: {text}"))
}
