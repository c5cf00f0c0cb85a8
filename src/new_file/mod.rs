//! New files that appear under their name only when they are complete.
//!
//! The new file is a temporary one in the folder of its target, locked by its process. The first
//! new file in a folder removes those without a lock: the processes that wrote them were killed.
//! The operating system gives up the lock with the process, so no process id can be mistaken for
//! another. Folders are searched once in a process, because a run may write thousands of files to
//! one. A program that a signal such as Ctrl-C ends can [remove](remove_all) its own files first.

mod file;
mod folder;
mod identity;

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::{io, io::ErrorKind, mem};

use crate::executor::lock;

#[cfg(feature = "sqlite")]
pub(crate) use self::file::ReservedFile;
pub use self::file::{Access, NewFile};
pub use self::folder::{NewFolder, ScratchFolder};
pub(crate) use self::identity::id_of_stream;
pub use self::identity::{AsStream, FileId, FileKind, identity, is_at, kind_at, kind_of, names_of};

const PREFIX: &str = ".eco-";
const SUFFIX: &str = ".tmp";

/// What the name of a reserved file has after that of its lock file.
const NEW: &str = "-new";

/// How often a new temporary file is tried, if another run removes it as stale before it is locked.
const ATTEMPTS: usize = 10;

/// The name of the lock in a folder that is being written.
const LOCK: &str = ".eco-lock";

/// Whether this process has the lock of an open file now, and the file still has this path. If not,
/// another process has taken it for stale, or has removed it.
fn holds_lock(file: &File, path: &Path) -> bool {
    // Where there are no locks there is no clean-up either.
    let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    !is_taken && is_at(file, path)
}

/// The folder that a path is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file in a folder that has no name, where the system can do that, and is gone with its process.
#[cfg(feature = "sqlite")]
pub(crate) fn nameless_file(folder: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder)
}

/// The error without the path of the temporary file, which the user never named.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// A path with this after its name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    PathBuf::from(path)
}

/// The temporary files and folders of this process.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    lock(&LIVE)
}

/// A temporary file or folder, as long as it may be there.
#[derive(Debug)]
struct Live(PathBuf);

impl Live {
    fn begin(live: &mut BTreeSet<PathBuf>, path: &Path) -> Self {
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

/// The folders that were searched for stale files.
static SEARCHED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// Removes the temporary files that killed runs have left in a folder, once in a process.
fn remove_stale_once(folder: &Path) {
    let mut searched = lock(&SEARCHED);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if searched.get_or_insert_default().insert(folder.clone()) {
        remove_stale(&folder);
    }
}

fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_stale_folder(&entry.path());
        } else if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            let stale = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if stale.is_some_and(|file| is_at(&file, &path)) {
                // If it cannot be removed, the next run tries again.
                let _ = fs::remove_file(with_suffix(&path, NEW));
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Removes a temporary folder, unless its process lives.
fn remove_stale_folder(folder: &Path) {
    let path = folder.join(LOCK);
    match File::open(&path) {
        Ok(lock) if lock.try_lock().is_ok() && is_at(&lock, &path) => {
            let _ = fs::remove_dir_all(folder);
        }
        // Its process has not come to the lock; if it lives, it makes another folder.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let _ = fs::remove_dir(folder);
        }
        Ok(_) | Err(_) => {}
    }
}

#[cfg(test)]
mod tests;
