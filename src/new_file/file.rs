//! A new file.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{
    live::{Live, live},
    stale::remove_stale_once,
    temporary::{ATTEMPTS, PREFIX, SUFFIX, folder_of, holds_lock, without_path},
};

/// A file that takes its name on [`replace`](Self::replace) or [`place`](Self::place). Without that
/// it is removed.
#[derive(Debug)]
pub struct NewFile {
    target: PathBuf,
    temporary: NamedTempFile,
    /// Given up after the temporary file is gone, or has its name.
    _live: Live,
}

/// Who may read a new file before it has its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// As with any new file.
    Default,
    /// Its owner alone.
    Private,
}

impl NewFile {
    /// A new file in the folder of `target`.
    ///
    /// # Errors
    ///
    /// If no file can be made there.
    pub fn beside(target: &Path, access: Access) -> io::Result<Self> {
        let folder = folder_of(target);
        remove_stale_once(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if access == Access::Default {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = access;
        for _ in 0..ATTEMPTS {
            let mut live = live();
            let temporary = builder.tempfile_in(folder).map_err(without_path)?;
            let _live = Live::begin(&mut live, temporary.path());
            drop(live);
            if holds_lock(temporary.as_file(), temporary.path()) {
                return Ok(Self { target: target.to_owned(), temporary, _live });
            }
        }
        Err(io::Error::other("temporary files are removed as soon as they are made"))
    }

    /// The file, for writing.
    #[must_use]
    pub fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Takes the name, also from an existing file.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. It is then removed.
    pub fn replace(self) -> io::Result<()> {
        self.temporary.persist(&self.target).map(drop).map_err(|error| error.error)
    }

    /// Takes the name, unless there is a file of that name.
    ///
    /// # Errors
    ///
    /// As for [`replace`](Self::replace); `AlreadyExists` if the name is taken.
    pub fn place(self) -> io::Result<()> {
        self.temporary.persist_noclobber(&self.target).map(drop).map_err(|error| error.error)
    }

    /// Makes a file of these bytes, which is on the disk before it has its name.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or there is a file of that name.
    pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
        let file = Self::beside(target, Access::Default)?;
        file.file().write_all(bytes)?;
        file.file().sync_all()?;
        file.place()
    }
}
