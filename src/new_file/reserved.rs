//! A new file that another library writes.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::{NamedTempFile, TempPath};

use super::{
    live::{Live, live},
    stale::remove_stale_once,
    temporary::{NEW, PREFIX, SUFFIX, folder_of, holds_lock, with_suffix},
};

/// A path beside its target, for a file that another library writes until it takes the name of the
/// target. Without [`place`](Self::place) the file is removed.
///
/// One process at a time has the path of a target: a lock file beside it, `.eco-NAME.tmp`, says
/// which. The file itself, `.eco-NAME.tmp-new`, is not locked, because locks of the operating
/// system would keep out the library that writes it.
#[derive(Debug)]
pub(crate) struct ReservedFile {
    target: PathBuf,
    /// Removed before the lock is.
    file: TempPath,
    _lock: NamedTempFile,
    _live: Live,
}

impl ReservedFile {
    /// The path for a file that will be `target`, with these bytes to begin with; `None` if there
    /// is such a file by now, since another process may have placed it while this one waited.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if another process has the path for longer than `patience`; if the file cannot
    /// be made.
    pub(crate) fn new(target: &Path, bytes: &[u8], patience: Duration) -> io::Result<Option<Self>> {
        let folder = folder_of(target);
        remove_stale_once(folder);
        let mut name = OsString::from(PREFIX);
        name.push(target.file_name().unwrap_or_default());
        name.push(SUFFIX);
        let (lock, _live) = lock_at(&folder.join(name), patience)?;
        if target.exists() {
            return Ok(None);
        }
        let file = TempPath::try_from_path(with_suffix(lock.path(), NEW))?;
        fs::write(&file, bytes)?;
        Ok(Some(Self { target: target.to_owned(), file, _lock: lock, _live }))
    }

    /// Where the file is until it has its name.
    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    /// The path that it is for.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Gives the file its name, unless there is a file of that name. Nobody may have it open.
    ///
    /// # Errors
    ///
    /// `AlreadyExists` if the name is taken; if the file cannot be renamed. It is then removed.
    pub(crate) fn place(self) -> io::Result<()> {
        self.file.persist_noclobber(&self.target).map_err(|error| error.error)
    }
}

/// The lock file of this path, once no other process has it.
fn lock_at(path: &Path, patience: Duration) -> io::Result<(NamedTempFile, Live)> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut left = patience;
    loop {
        let mut live = live();
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        if holds_lock(&file, path) {
            let lock = NamedTempFile::from_parts(file, TempPath::try_from_path(path)?);
            return Ok((lock, Live::begin(&mut live, path)));
        }
        drop(live);
        left = left.checked_sub(PAUSE).ok_or(io::ErrorKind::WouldBlock)?;
        std::thread::sleep(PAUSE);
    }
}
