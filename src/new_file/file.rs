//! New files, written here or by another library.

use std::path::{Path, PathBuf};
#[cfg(feature = "sqlite")]
use std::{ffi::OsString, fs, time::Duration};
use std::{fs::File, io};

use tempfile::NamedTempFile;
#[cfg(feature = "sqlite")]
use tempfile::TempPath;

use super::without_path;
use super::{ATTEMPTS, Live, PREFIX, SUFFIX, folder_of, holds_lock, live, remove_stale_once};
#[cfg(feature = "sqlite")]
use super::{NEW, with_suffix};

/// A file that takes its name on [`replace`](Self::replace). Without that it is removed.
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
}

/// A path beside its target, for a file that another library writes until it takes the name of the
/// target. Without [`place`](Self::place) the file is removed.
///
/// One process at a time has the path of a target: a lock file beside it, `.eco-NAME.tmp`, says
/// which. The file itself, `.eco-NAME.tmp-new`, is not locked, because locks of the operating
/// system would keep out the library that writes it.
#[cfg(feature = "sqlite")]
#[derive(Debug)]
pub(crate) struct ReservedFile {
    target: PathBuf,
    /// Removed before the lock is.
    file: TempPath,
    _lock: NamedTempFile,
    _live: Live,
}

#[cfg(feature = "sqlite")]
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
#[cfg(feature = "sqlite")]
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
