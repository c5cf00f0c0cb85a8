//! Files that are changed in place.

use std::{
    fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError},
    io::{self, Seek},
    path::{Path, PathBuf},
    time::SystemTime,
};

use eco::new_file::is_at;

/// A file that is to be changed in place, locked against other runs.
pub(in crate::cli) struct Original {
    pub(super) path: PathBuf,
    metadata: Metadata,
    accessed: Option<SystemTime>,
    /// The open file; its lock is given up with it.
    lock: File,
}

/// Why a file is not changed in place.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum Refusal {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("no file can be created in its folder: {0}")]
    Folder(io::Error),
    #[error("not a file that can be replaced; name an output with -o")]
    Special,
    #[error("has {0} names (hard links), and would change under one of them only; use -o")]
    Linked(u64),
    #[error("is write-protected")]
    Protected,
    #[error("belongs to another user, and would become yours; name an output with -o")]
    Owner,
    #[error("in use: another run, or another program, has locked it")]
    Locked,
    #[error("was changed by another program meanwhile; it is as that program left it")]
    Changed,
    #[error("cannot be written: {0}; it is as it was")]
    Unwritten(io::Error),
    #[error("is written, but its folder cannot be synced to the disk: {0}")]
    Unsynced(io::Error),
    #[error("a zip archive is not changed in place; unpack it, or name an output with -o")]
    Archive,
}

impl Original {
    /// Opens a file, links followed, and locks it.
    ///
    /// # Errors
    ///
    /// If it cannot be replaced.
    pub(in crate::cli) fn open(path: &Path) -> Result<Self, Refusal> {
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
        // A user who may not write to a file may not replace it either.
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
        if !is_at(&lock, &path) {
            return Err(Refusal::Changed);
        }
        Ok(Self { path, metadata, accessed, lock })
    }

    /// Checks that nobody has changed it since.
    pub(in crate::cli) fn check(&self) -> Result<(), Refusal> {
        let now = fs::metadata(&self.path)?;
        let is_same = is_at(&self.lock, &self.path)
            && contents(&now) == contents(&self.metadata)
            && changed_at(&now) == changed_at(&self.metadata);
        if is_same { Ok(()) } else { Err(Refusal::Changed) }
    }

    /// Whether another program has written to the file that had the name when this was opened,
    /// which may have lost it by now.
    pub(super) fn was_written(&self) -> io::Result<bool> {
        Ok(contents(&self.lock.metadata()?) != contents(&self.metadata))
    }

    /// Copies what the file holds now.
    pub(super) fn copy_to(&self, mut file: &File) -> io::Result<()> {
        let mut from = &self.lock;
        from.rewind()?;
        io::copy(&mut from, &mut file)?;
        self.give_to(file)
    }

    #[cfg(unix)]
    pub(super) fn give_owner_to(&self, file: &File) -> Result<(), Refusal> {
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
    pub(super) fn give_owner_to(&self, _: &File) -> Result<(), Refusal> {
        Ok(())
    }

    /// Copies extended attributes, an access list among them, to the file that replaces it.
    #[cfg(unix)]
    fn give_attributes_to(&self, file: &File) -> io::Result<()> {
        use xattr::FileExt;
        // A file system may have none.
        let Ok(names) = xattr::list(&self.path) else { return Ok(()) };
        // The system sets those of `security`.
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

    /// Copies permissions, attributes and access time to the file that replaces it.
    pub(super) fn give_to(&self, file: &File) -> io::Result<()> {
        self.give_attributes_to(file)?;
        file.set_permissions(self.metadata.permissions())?;
        match self.accessed {
            Some(accessed) => file.set_times(FileTimes::new().set_accessed(accessed)),
            None => Ok(()),
        }
    }
}

/// What changes when somebody writes to a file.
fn contents(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

/// The time that no program can set: it changes even if the time of the last change is set back.
#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed_at(_: &Metadata) {}

#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}
