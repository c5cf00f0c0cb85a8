//! New files that take their place when they are complete.
//!
//! The new file is a temporary one in the folder of its target, locked by its process. A run that
//! finds one without a lock removes it: the process that wrote it was killed. The operating system
//! gives up the lock with the process, so no process id can be mistaken for another.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{
    original::{Original, Refusal},
    paths::{destination, folder_of, is_at},
};

const PREFIX: &str = ".eco-out-";
const SUFFIX: &str = ".tmp";

/// How often a new temporary file is tried, if another run removes it as stale before it is locked.
const ATTEMPTS: usize = 10;

/// A file that replaces another on [`commit`](Self::commit). Without that it is removed.
pub(in crate::cli) struct Replacement {
    target: PathBuf,
    output: Output,
}

enum Output {
    /// A file that takes the place of the target.
    Temporary(NamedTempFile),
    /// The target itself, because it is a pipe or a device.
    Direct(File),
}

/// What other users may do with a file before it is in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// As with any new file.
    Default,
    /// Nothing.
    Private,
}

impl Replacement {
    /// A new file for that target. Links are followed. An existing target must be writable, as if
    /// it were written to.
    pub(in crate::cli) fn new(target: &Path) -> io::Result<Self> {
        let there = OpenOptions::new().write(true).open(target);
        match (there, fs::metadata(target)) {
            (Ok(file), Ok(metadata)) if !metadata.is_file() => {
                Ok(Self { target: target.to_owned(), output: Output::Direct(file) })
            }
            (Err(error), Ok(_)) => Err(error),
            _ => Self::beside(destination(target), Access::Default),
        }
    }

    /// A new file to replace another. Only its owner may read it until it is in its place.
    pub(in crate::cli) fn of(original: &Original) -> Result<Self, Refusal> {
        let made = Self::beside(original.path.clone(), Access::Private).map_err(Refusal::Folder)?;
        if let Output::Temporary(file) = &made.output {
            original.give_owner_to(file.as_file())?;
        }
        Ok(made)
    }

    fn beside(target: PathBuf, access: Access) -> io::Result<Self> {
        let folder = folder_of(&target).to_owned();
        remove_stale(&folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if access == Access::Default {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        for _ in 0..ATTEMPTS {
            let file = builder.tempfile_in(&folder).map_err(without_path)?;
            // Where there are no locks there is no clean-up either.
            let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && is_at(file.as_file(), file.path()) {
                return Ok(Self { target, output: Output::Temporary(file) });
            }
        }
        Err(io::Error::other("temporary files are removed as soon as they are made"))
    }

    /// The file, for writing.
    pub(in crate::cli) fn file(&self) -> io::Result<File> {
        match &self.output {
            Output::Temporary(file) => file.as_file().try_clone(),
            Output::Direct(file) => file.try_clone(),
        }
    }

    /// Puts the file in its place. A file that is changed in place is synced to the disk before
    /// that, since it is the only copy. Other outputs can be made again.
    pub(in crate::cli) fn commit(self, original: Option<&Original>) -> io::Result<()> {
        let Output::Temporary(temporary) = self.output else { return Ok(()) };
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

/// The error without the path of the temporary file, which the user never named.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes the temporary files that killed runs have left in a folder.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            let stale = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if stale.is_some_and(|file| is_at(&file, &path)) {
                // If it cannot be removed, the next run tries again.
                let _ = fs::remove_file(path);
            }
        }
    }
}
