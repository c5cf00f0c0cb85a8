//! Which file a path leads to.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::new_file::folder_of;

/// Where a path leads, links followed, also to a file that does not exist yet.
pub fn destination(path: &Path) -> PathBuf {
    let beyond = |path: &Path| fs::read_link(path).map(|link| folder_of(path).join(link));
    let last = beyond(path).unwrap_or_else(|_| path.to_owned());
    let named = |path: &Path| Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(&last).ok().or_else(|| named(&last)).unwrap_or(last)
}

pub use identity::{FileId, identity, stdin_identity, stdout_identity};

#[cfg(unix)]
mod identity {
    use std::{
        fs::{self, File, Metadata},
        io::{stdin, stdout},
        os::{
            fd::{AsFd, BorrowedFd},
            unix::fs::MetadataExt,
        },
        path::Path,
    };

    /// Device and inode.
    pub type FileId = (u64, u64);

    fn of(metadata: &Metadata) -> FileId {
        (metadata.dev(), metadata.ino())
    }

    /// The identity of the file that a path leads to: the same for two names of one file.
    pub fn identity(path: &Path) -> Option<FileId> {
        fs::metadata(path).ok().map(|metadata| of(&metadata))
    }

    /// The identity of the regular file that standard output goes to, if it does.
    pub fn stdout_identity() -> Option<FileId> {
        of_stream(stdout().as_fd())
    }

    /// The identity of the regular file that standard input comes from, if it does.
    pub fn stdin_identity() -> Option<FileId> {
        of_stream(stdin().as_fd())
    }

    fn of_stream(stream: BorrowedFd<'_>) -> Option<FileId> {
        let file = File::from(stream.try_clone_to_owned().ok()?);
        file.metadata().ok().filter(Metadata::is_file).map(|metadata| of(&metadata))
    }
}

#[cfg(not(unix))]
mod identity {
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    /// The path without links.
    pub type FileId = PathBuf;

    /// The identity of the file that a path leads to: the same for two names of one file.
    pub fn identity(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok()
    }

    /// Not known here.
    pub fn stdout_identity() -> Option<FileId> {
        None
    }

    /// Not known here.
    pub fn stdin_identity() -> Option<FileId> {
        None
    }
}
