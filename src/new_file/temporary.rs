//! Names and locks of temporary files and folders.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

pub(super) const PREFIX: &str = ".eco-";
pub(super) const SUFFIX: &str = ".tmp";

/// What the name of a reserved file has after that of its lock file.
pub(super) const NEW: &str = "-new";

/// How often a new temporary file is tried, if another run removes it as stale before it is locked.
pub(super) const ATTEMPTS: usize = 10;

/// The name of the lock in a folder that is being written.
pub(super) const LOCK: &str = ".eco-lock";

/// Whether this process has the lock of an open file now, and the file still has this path. If not,
/// another process has taken it for stale, or has removed it.
pub(super) fn holds_lock(file: &File, path: &Path) -> bool {
    // Where there are no locks there is no clean-up either.
    let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    !is_taken && is_at(file, path)
}

/// The folder that a path is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether an open file is the one that has this path now.
#[cfg(unix)]
#[must_use]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::{fs, os::unix::fs::MetadataExt};
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let opened = file.metadata().ok().map(identity);
    opened.is_some() && opened == fs::metadata(path).ok().map(identity)
}

/// Whether an open file is the one that has this path now.
#[cfg(not(unix))]
#[must_use]
pub fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The error without the path of the temporary file, which the user never named.
pub(super) fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// A path with this after its name.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    PathBuf::from(path)
}
