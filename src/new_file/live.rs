//! What this process has not given its name yet.

use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::temporary::{ATTEMPTS, NEW, with_suffix};

/// The temporary files and folders of this process.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

pub(super) fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder, as long as it may be there.
#[derive(Debug)]
pub(super) struct Live(PathBuf);

impl Live {
    pub(super) fn begin(live: &mut BTreeSet<PathBuf>, path: &Path) -> Self {
        live.insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        live().remove(&self.0);
    }
}

/// Removes what this process has not given its name yet, for a program that is about to end without
/// coming to its own end. Threads that begin or end a new file from now on wait for that.
pub fn remove_all() {
    let live = live();
    live.iter().for_each(|path| remove(path));
    mem::forget(live);
}

/// Removes a temporary file or folder, if it is there.
fn remove(path: &Path) {
    let _ = fs::remove_file(with_suffix(path, NEW));
    if fs::remove_file(path).is_ok() {
        return;
    }
    for _ in 0..ATTEMPTS {
        // While the files of a folder are removed, a thread may write another one.
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
            Ok(()) | Err(_) => return,
        }
    }
}
