//! Ctrl-C: the session ends with a word, and never in the middle of an answer that is being kept.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use tokio::{runtime, signal};

/// What a session has to say at its end. Ctrl-C waits while somebody holds it.
pub(super) struct LastWord<T>(Arc<Mutex<T>>);

impl<T: Send + 'static> LastWord<T> {
    /// From now on Ctrl-C calls `say` with what there is to say then, and ends the process with
    /// success. Where signals cannot be had, Ctrl-C ends it as it ends every program.
    pub(super) fn on_interrupt(initial: T, say: impl FnOnce(&T) + Send + 'static) -> Self {
        let state = Arc::new(Mutex::new(initial));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            if runtime.block_on(signal::ctrl_c()).is_ok() {
                let state = shared.lock().unwrap_or_else(PoisonError::into_inner);
                say(&state);
                std::process::exit(0);
            }
        });
        Self(state)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
