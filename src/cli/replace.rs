//! Files that take the place of others when they are whole.
//!
//! What is written goes into a temporary file in the folder of its target, which its process keeps locked. A
//! run that finds one that nobody has locked any more removes it: whoever wrote it was killed. The
//! operating system gives the lock up with the process, so no number of a process can be mistaken.

use std::{
    fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::NamedTempFile;

const PREFIX: &str = ".eco-out-";
const SUFFIX: &str = ".tmp";

/// How often a name is tried that a clean-up took for stale before it was locked.
const ATTEMPTS: usize = 10;

/// A file on its way to its place; without [`commit`](Self::commit) it is gone.
pub(super) struct Replacement {
    target: PathBuf,
    way: Way,
}

enum Way {
    /// A file that takes the place.
    File(NamedTempFile),
    /// What is there is no file, but a pipe or a device, and is written to as it is.
    Straight(File),
}

/// What others may do with a file before it is in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// What they usually may.
    Usual,
    /// Nothing.
    Private,
}

impl Replacement {
    /// A new file for that place. A link is followed to where it leads. What is there must be
    /// writable, as if it were written to.
    pub(super) fn new(target: &Path) -> io::Result<Self> {
        let there = OpenOptions::new().write(true).open(target);
        match (there, fs::metadata(target)) {
            (Ok(file), Ok(metadata)) if !metadata.is_file() => {
                Ok(Self { target: target.to_owned(), way: Way::Straight(file) })
            }
            (Err(error), Ok(_)) => Err(error),
            _ => Self::beside(destination(target), Access::Usual),
        }
    }

    /// A new file for the place of another, which only its owner may see until it is there.
    pub(super) fn of(original: &Original) -> Result<Self, Refusal> {
        let made = Self::beside(original.path.clone(), Access::Private).map_err(Refusal::Folder)?;
        if let Way::File(file) = &made.way {
            original.give_owner_to(file.as_file())?;
        }
        Ok(made)
    }

    fn beside(target: PathBuf, access: Access) -> io::Result<Self> {
        let folder = folder_of(&target).to_owned();
        remove_litter(&folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if access == Access::Usual {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        for _ in 0..ATTEMPTS {
            let file = builder.tempfile_in(&folder).map_err(without_path)?;
            // Where there are no locks there is no clean-up either.
            let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && is_same(file.as_file(), file.path()) {
                return Ok(Self { target, way: Way::File(file) });
            }
        }
        Err(io::Error::other("temporary files are removed as soon as they are made"))
    }

    /// The file, to be written to.
    pub(super) fn file(&self) -> io::Result<File> {
        match &self.way {
            Way::File(file) => file.as_file().try_clone(),
            Way::Straight(file) => file.try_clone(),
        }
    }

    /// Puts the file in its place. What is changed in place is on the disk before that, since it is the
    /// only copy; other outputs can be made again.
    pub(super) fn commit(self, original: Option<&Original>) -> io::Result<()> {
        let Way::File(temporary) = self.way else { return Ok(()) };
        let file = temporary.as_file();
        match (original, fs::metadata(&self.target)) {
            (Some(original), _) => {
                original.give_to(file)?;
                file.sync_all()?;
            }
            (None, Ok(replaced)) => file.set_permissions(replaced.permissions())?,
            (None, Err(_)) => {}
        }
        let file = temporary.persist(&self.target).map_err(|error| error.error)?;
        if original.is_some() {
            sync_folder(folder_of(&self.target))?;
        }
        drop(file);
        Ok(())
    }
}

/// The error without the name of a file that nobody has named.
fn without_path(error: io::Error) -> io::Error {
    let told = error.to_string();
    match told.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// Where a name leads, links followed, also to a file that is not there yet.
pub(super) fn destination(path: &Path) -> PathBuf {
    let beyond = |path: &Path| fs::read_link(path).map(|link| folder_of(path).join(link));
    let last = beyond(path).unwrap_or_else(|_| path.to_owned());
    let named = |path: &Path| Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(&last).ok().or_else(|| named(&last)).unwrap_or(last)
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
    #[error("belongs to somebody else, and would be yours; name an output with -o")]
    Owner,
    #[error("in use: another run, or another program, has locked it")]
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
        // Who may not write to a file may not replace it either.
        let lock = OpenOptions::new().read(true).write(true).open(&path).map_err(|error| {
            match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Refusal::Protected
                }
                _ => Refusal::Io(error),
            }
        })?;
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Refusal::Locked);
        }
        if !is_same(&lock, &path) {
            return Err(Refusal::Changed);
        }
        Ok(Self { path, metadata, accessed, _lock: lock })
    }

    /// That nobody has changed it since.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let now = fs::metadata(&self.path)?;
        let state = |m: &Metadata| (m.len(), m.modified().ok());
        let is_same = is_same(&self._lock, &self.path) && state(&now) == state(&self.metadata);
        if is_same { Ok(()) } else { Err(Refusal::Changed) }
    }

    #[cfg(unix)]
    fn give_owner_to(&self, file: &File) -> Result<(), Refusal> {
        use std::os::unix::fs::{MetadataExt, fchown};
        let (owner, group) = (self.metadata.uid(), self.metadata.gid());
        let has = |made: &Metadata| (made.uid(), made.gid()) == (owner, group);
        if has(&file.metadata()?) {
            return Ok(());
        }
        // Only root may give files away; the group may be one of the user's.
        fchown(file, Some(owner), Some(group)).map_err(|_| Refusal::Owner)
    }

    #[cfg(not(unix))]
    fn give_owner_to(&self, _: &File) -> Result<(), Refusal> {
        Ok(())
    }

    /// Gives extended attributes, an access list among them, to the file that takes its place.
    #[cfg(unix)]
    fn give_attributes_to(&self, file: &File) -> io::Result<()> {
        use xattr::FileExt;
        // A file system may have none.
        let Ok(names) = xattr::list(&self.path) else { return Ok(()) };
        // Those of `security` are for the system to set.
        for name in names.filter(|name| !name.as_encoded_bytes().starts_with(b"security.")) {
            if let Some(value) = xattr::get(&self.path, &name)? {
                file.set_xattr(&name, &value)?;
            }
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn give_attributes_to(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    /// Gives permissions, attributes and time of access to the file that takes its place.
    fn give_to(&self, file: &File) -> io::Result<()> {
        self.give_attributes_to(file)?;
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
