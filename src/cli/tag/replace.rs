//! Files that take the place of others when they are whole.
//!
//! What is written goes into a temporary file in the folder of its target, which its process keeps locked. A
//! run that finds one that nobody has locked any more removes it: whoever wrote it was killed. The
//! operating system gives the lock up with the process, so no number of a process can be mistaken.

use std::{
    fs::{self, File, FileTimes, Metadata, TryLockError},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::NamedTempFile;

const PREFIX: &str = ".eco-tag-";
const SUFFIX: &str = ".tmp";

/// How often a name is tried that a clean-up took for stale before it was locked.
const ATTEMPTS: usize = 10;

/// A file on its way to its place; without [`commit`](Self::commit) it is gone.
pub(super) struct Replacement {
    target: PathBuf,
    file: NamedTempFile,
}

impl Replacement {
    /// A new file for that place. A link is followed to where it leads.
    pub(super) fn new(target: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let folder = folder_of(&target).to_owned();
        remove_litter(&folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        for _ in 0..ATTEMPTS {
            let file = builder.tempfile_in(&folder).map_err(without_path)?;
            // Where there are no locks there is no clean-up either.
            let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && is_same(file.as_file(), file.path()) {
                return Ok(Self { target, file });
            }
        }
        Err(io::Error::other("temporary files are removed as soon as they are made"))
    }

    /// The file, to be written to.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.as_file().try_clone()
    }

    /// Puts the file in its place. What is changed in place is on the disk before that, since it is the
    /// only copy; other outputs can be made again.
    pub(super) fn commit(self, original: Option<&Original>) -> io::Result<()> {
        let file = self.file.as_file();
        match (original, fs::metadata(&self.target)) {
            (Some(original), _) => {
                original.give_to(file)?;
                file.sync_all()?;
            }
            (None, Ok(replaced)) => file.set_permissions(replaced.permissions())?,
            (None, Err(_)) => {}
        }
        let file = self.file.persist(&self.target).map_err(|error| error.error)?;
        if original.is_some() {
            sync_folder(folder_of(&self.target))?;
        }
        drop(file);
        Ok(())
    }
}

/// The error without the name of a file that nobody has named.
fn without_path(error: io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|error| error.source());
    let cause = cause.and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes what runs that were killed have left in a folder.
fn remove_litter(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            let stale = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if stale.is_some_and(|file| is_same(&file, &path)) {
                // It is litter still if it cannot be removed; the next run tries again.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Whether an open file is the one that has this name now.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(file), Ok(named)) => place(file) == place(named),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Which file a name leads to, so that two names of one file are told.
#[cfg(unix)]
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Which file a name leads to, so that two names of one file are told.
#[cfg(not(unix))]
pub(super) fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// A file that is to be changed in place, locked against other runs.
pub(super) struct Original {
    path: PathBuf,
    metadata: Metadata,
    accessed: Option<SystemTime>,
    _lock: File,
}

/// Why a file is not changed in place.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("nothing can be written beside it: {0}")]
    Folder(io::Error),
    #[error("not a file that can be replaced; name an output with -o")]
    Special,
    #[error("has {0} names (hard links), and would change under one of them only; use -o")]
    Linked(u64),
    #[error("is write-protected")]
    Protected,
    #[error("another run is changing it")]
    Locked,
    #[error("was changed by somebody else while it was read; left as it is")]
    Changed,
    #[error("a zip archive is not changed in place; unpack it, or name an output with -o")]
    Archive,
}

impl Original {
    /// Opens a file, links followed, if it can be replaced.
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        let path = fs::canonicalize(path)?;
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() {
            return Err(Refusal::Special);
        }
        let names = names(&metadata);
        if names > 1 {
            return Err(Refusal::Linked(names));
        }
        if metadata.permissions().readonly() {
            return Err(Refusal::Protected);
        }
        let accessed = metadata.accessed().ok();
        let lock = File::open(&path)?;
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Refusal::Locked);
        }
        if !is_same(&lock, &path) {
            return Err(Refusal::Changed);
        }
        Ok(Self { path, metadata, accessed, _lock: lock })
    }

    /// Where it is, links followed.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// That nobody has changed it since.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let now = fs::metadata(&self.path)?;
        let state = |m: &Metadata| (m.len(), m.modified().ok());
        let is_same = is_same(&self._lock, &self.path) && state(&now) == state(&self.metadata);
        if is_same { Ok(()) } else { Err(Refusal::Changed) }
    }

    /// Gives owner, permissions and time of access to the file that takes its place.
    fn give_to(&self, file: &File) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only root may give files away; the group may be one of the user's.
            let (owner, group) = (self.metadata.uid(), self.metadata.gid());
            if fchown(file, Some(owner), Some(group)).is_err() {
                let _ = fchown(file, None, Some(group));
            }
        }
        file.set_permissions(self.metadata.permissions())?;
        match self.accessed {
            Some(accessed) => file.set_times(FileTimes::new().set_accessed(accessed)),
            None => Ok(()),
        }
    }
}

#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}
