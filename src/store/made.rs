//! A file that is removed again unless what it was made for is done.

use std::{fs, path::PathBuf};

/// A new file. It is removed when this is dropped, unless it is [kept](Self::keep).
///
/// Another process that waits for the lock of a file that is removed gets an error from SQLite,
/// which refuses to write to a file that has lost its name.
#[derive(Debug)]
pub(super) struct MadeFile(Option<PathBuf>);

impl MadeFile {
    #[cfg(feature = "repertoire")]
    pub(super) fn new(path: impl Into<PathBuf>) -> Self {
        Self(Some(path.into()))
    }

    #[cfg(feature = "repertoire")]
    pub(super) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for MadeFile {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Nothing can be done about a file that stays.
            let _ = fs::remove_file(path);
        }
    }
}
