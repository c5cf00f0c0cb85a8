//! Files that replace others only when they are complete, and never one that is read. What may be
//! written over is decided in the library; what is changed in place is of the program.

use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::path::{Path, PathBuf};
use std::{io, io::Seek, time::SystemTime};

use eco::new_file::{Access, NewFile, folder_of, is_at, names_of};
pub(super) use eco::replace::{Inputs, Replacement, destination, is_database, stdout_identity};

use super::{interrupt::remove_files_on_signals, outcome::Failure};

/// A new file for that target, or the target itself if it is a pipe or a device. An existing target
/// must be writable, and neither one of the inputs nor a database.
pub(super) fn replacement(target: &Path, inputs: &Inputs) -> Result<Replacement, Failure> {
    remove_files_on_signals();
    Ok(Replacement::new(target, inputs)?)
}

/// Says that an output could not be written.
pub(super) fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure(format!("{name}: cannot be written: {error}"))
}

/// Elsewhere a folder is no file.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A file that is to be changed in place, locked against other runs.
pub(super) struct Original {
    path: PathBuf,
    metadata: Metadata,
    /// The open file; its lock is given up with it.
    lock: File,
}

/// Why a file is not changed in place.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
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
    #[cfg(unix)]
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
    /// The run cannot go on, and no other file is changed either.
    #[error("{}", .0.0)]
    Run(Failure),
    #[error("a zip archive is not changed in place; unpack it, or name an output with -o")]
    Archive,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Run(failure)
    }
}

impl Original {
    /// Opens a file, links followed, and locks it.
    ///
    /// # Errors
    ///
    /// If it cannot be replaced.
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        let path = fs::canonicalize(path)?;
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() {
            return Err(Refusal::Special);
        }
        if metadata.permissions().readonly() {
            return Err(Refusal::Protected);
        }
        // A user who may not write to a file may not replace it either.
        let lock = open_locked(&path).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => Refusal::Locked,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Refusal::Protected
            }
            _ => Refusal::Io(error),
        })?;
        let names = names_of(&lock)?;
        if names > 1 {
            return Err(Refusal::Linked(names));
        }
        if !is_at(&lock, &path) {
            return Err(Refusal::Changed);
        }
        Ok(Self { path, metadata, lock })
    }

    /// Checks that nobody has changed it since.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let now = fs::metadata(&self.path)?;
        let is_same = is_at(&self.lock, &self.path)
            && contents(&now) == contents(&self.metadata)
            && changed_at(&now) == changed_at(&self.metadata);
        if is_same { Ok(()) } else { Err(Refusal::Changed) }
    }

    /// A new file to replace it. Only its owner may read that until it is in its place.
    pub(super) fn replacement(&self) -> Result<NewFile, Refusal> {
        remove_files_on_signals();
        let file = NewFile::beside(&self.path, Access::Private).map_err(Refusal::Folder)?;
        self.give_owner_to(file.file())?;
        Ok(file)
    }

    /// Puts a new file in its place, synced to the disk before that, since it is the only copy.
    ///
    /// Another program may change the original as long as the sync takes, so the original is looked
    /// at again right before it is replaced. What a program writes that has it open is found after
    /// that, and the original takes its name again.
    pub(super) fn replace_by(self, new: NewFile) -> Result<(), Refusal> {
        self.replace_synced(new, sync_folder)
    }

    fn replace_synced(
        self,
        new: NewFile,
        sync_folder: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), Refusal> {
        let file = new.file();
        self.give_to(file).and_then(|()| file.sync_all()).map_err(Refusal::Unwritten)?;
        self.check()?;
        if cfg!(windows) {
            // No open file is replaced there, and nobody else could write to this one until now.
            let Self { path, lock, .. } = self;
            drop(lock);
            new.replace().map_err(Refusal::Unwritten)?;
            return sync_folder(folder_of(&path)).map_err(Refusal::Unsynced);
        }
        new.replace().map_err(Refusal::Unwritten)?;
        let synced = sync_folder(folder_of(&self.path)).map_err(Refusal::Unsynced);
        if self.was_written()? {
            let restored = NewFile::beside(&self.path, Access::Private)?;
            self.give_owner_to(restored.file())?;
            self.copy_to(restored.file())?;
            restored.replace()?;
            return Err(Refusal::Changed);
        }
        synced
    }

    /// Whether another program has written to the file that had the name when this was opened,
    /// which may have lost it by now.
    fn was_written(&self) -> io::Result<bool> {
        Ok(contents(&self.lock.metadata()?) != contents(&self.metadata))
    }

    /// Copies what the file holds now.
    fn copy_to(&self, mut file: &File) -> io::Result<()> {
        let mut from = &self.lock;
        from.rewind()?;
        io::copy(&mut from, &mut file)?;
        self.give_to(file)
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
    fn give_to(&self, file: &File) -> io::Result<()> {
        self.give_attributes_to(file)?;
        file.set_permissions(self.metadata.permissions())?;
        match self.metadata.accessed() {
            Ok(accessed) => file.set_times(FileTimes::new().set_accessed(accessed)),
            Err(_) => Ok(()),
        }
    }
}

/// What changes when somebody writes to a file.
fn contents(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

/// The time that no program can set: it changes even if the time of the last change is set back.
#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> Option<(i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.ctime(), metadata.ctime_nsec()))
}

/// Nobody else can write to a file that is open here.
#[cfg(not(unix))]
fn changed_at(_: &Metadata) -> Option<(i64, i64)> {
    None
}

/// Opens a file so that no other run changes it.
#[cfg(unix)]
fn open_locked(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        // Not every file system has locks.
        Ok(()) | Err(_) => Ok(file),
    }
}

/// Opens a file so that no other program writes to it. A lock would also keep this one from
/// reading it once more.
#[cfg(windows)]
fn open_locked(path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const SHARE_READ: u32 = 1;
    const SHARE_DELETE: u32 = 4;
    const SHARING_VIOLATION: i32 = 32;

    let mut options = OpenOptions::new();
    options.read(true).write(true).share_mode(SHARE_READ | SHARE_DELETE);
    options.open(path).map_err(|error| match error.raw_os_error() {
        Some(SHARING_VIOLATION) => io::ErrorKind::WouldBlock.into(),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn begun(path: &Path) -> (Original, NewFile) {
        fs::write(path, "1. e4 *\n").unwrap();
        let original = Original::open(path).unwrap();
        let replacement = original.replacement().unwrap();
        replacement.file().write_all(b"tagged\n").unwrap();
        (original, replacement)
    }

    #[cfg(unix)]
    #[test]
    fn what_is_appended_before_the_rename_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        original.check().unwrap();
        // While the new file is synced.
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        other.write_all(b"1. d4 *\n").unwrap();
        let refusal = original.replace_by(replacement).unwrap_err();
        assert!(matches!(refusal, Refusal::Changed), "{refusal}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 *\n1. d4 *\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "litter");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_appended_during_the_rename_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        let append = |_: &Path| other.write_all(b"1. d4 *\n");
        let refusal = original.replace_synced(replacement, append).unwrap_err();
        assert!(matches!(refusal, Refusal::Changed), "{refusal}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 *\n1. d4 *\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "litter");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_written_with_its_old_time_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let mut other = OpenOptions::new().write(true).open(&path).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        other.write_all(b"1. d4 *\n").unwrap();
        other.set_modified(modified).unwrap();
        let changed = original.replace_by(replacement).unwrap_err();
        assert!(matches!(changed, Refusal::Changed), "{changed}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. d4 *\n");
    }

    #[test]
    fn a_file_that_was_replaced_is_not_said_to_be_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        let failing = |_: &Path| Err(io::Error::other("disk on fire"));
        let refusal = original.replace_synced(replacement, failing).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "tagged\n");
        let text = refusal.to_string();
        assert!(text.contains("is written") && !text.contains("as it was"), "{text}");
    }
}
