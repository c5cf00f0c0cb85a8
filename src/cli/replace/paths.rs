//! Which file a path leads to.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

/// Where a path leads, links followed, also to a file that does not exist yet.
pub(in crate::cli) fn destination(path: &Path) -> PathBuf {
    let beyond = |path: &Path| fs::read_link(path).map(|link| folder_of(path).join(link));
    let last = beyond(path).unwrap_or_else(|_| path.to_owned());
    let named = |path: &Path| Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(&last).ok().or_else(|| named(&last)).unwrap_or(last)
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The identity of the file that a path leads to: the same for two names of one file.
#[cfg(unix)]
pub(in crate::cli) fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// The identity of the file that a path leads to: the same for two names of one file.
#[cfg(not(unix))]
pub(in crate::cli) fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Whether an open file is the one that has this path now.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()));
    opened.is_some() && opened == identity(path)
}

/// Whether an open file is the one that has this path now.
#[cfg(not(unix))]
pub(super) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
