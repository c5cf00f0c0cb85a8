//! New folders.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::without_path;
use super::{ATTEMPTS, LOCK, Live, PREFIX, SUFFIX, folder_of, holds_lock, live, remove_stale_once};

/// A folder of files that takes its name, with all of them, on [`place`](Self::place). Without that
/// it is removed.
#[derive(Debug)]
pub struct NewFolder {
    target: PathBuf,
    folder: ScratchFolder,
}

impl NewFolder {
    /// A new folder beside `target`, which must not exist, or be an empty folder.
    ///
    /// # Errors
    ///
    /// If it exists and is something else, or no folder can be made there.
    pub fn beside(target: &Path) -> io::Result<Self> {
        match fs::read_dir(target).map(|mut entries| entries.next().is_some()) {
            Ok(false) => {}
            Ok(true) => return Err(io::Error::new(ErrorKind::DirectoryNotEmpty, "is not empty")),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let folder = folder_of(target);
        fs::create_dir_all(folder)?;
        let folder = ScratchFolder::with_mode(folder, 0o777)?;
        Ok(Self { target: target.to_owned(), folder })
    }

    /// Opens a file in the folder for appending, and creates it if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn append(&self, name: &str) -> io::Result<File> {
        self.folder.append(name)
    }

    /// Takes the name. All files are on the disk before that.
    ///
    /// # Errors
    ///
    /// If a file cannot be brought to the disk, or the folder cannot be renamed. It is then
    /// removed.
    pub fn place(self) -> io::Result<()> {
        let Self { target, folder: ScratchFolder { temporary, lock, live } } = self;
        sync_files(temporary.path())?;
        // Not everywhere does a folder take the place of another.
        match fs::remove_dir(&target) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Where this is not Unix, a folder that has an open file cannot be renamed.
        let lock = cfg!(unix).then_some(lock);
        // The lock file goes along: without it, nobody would remove what a killed run leaves.
        fs::rename(temporary.path(), &target)?;
        // It has another name now, so there is nothing to remove.
        let _ = temporary.keep();
        drop(live);
        fs::remove_file(target.join(LOCK))?;
        drop(lock);
        Ok(())
    }
}

/// A folder for files that only this process needs. It is removed when it is dropped, or, if the
/// process is killed, by the next one that makes such a folder.
#[derive(Debug)]
pub struct ScratchFolder {
    /// Held as long as the folder is used, so that nobody takes it for one of a killed process.
    /// Closed first: on Windows an open file stays in its folder, which could not be removed.
    lock: File,
    temporary: TempDir,
    live: Live,
}

impl ScratchFolder {
    /// A folder that no other user can look into, where the system has temporary files.
    ///
    /// # Errors
    ///
    /// If no folder can be made there.
    pub fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    /// A folder that no other user can look into, in this folder.
    ///
    /// # Errors
    ///
    /// If no folder can be made there.
    pub fn within(folder: &Path) -> io::Result<Self> {
        Self::with_mode(folder, 0o700)
    }

    /// A folder that on Unix has these permissions, as far as the user grants them to new files.
    fn with_mode(folder: &Path, mode: u32) -> io::Result<Self> {
        remove_stale_once(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        for _ in 0..ATTEMPTS {
            let mut all = live();
            let temporary = builder.tempdir_in(folder).map_err(without_path)?;
            let live = Live::begin(&mut all, temporary.path());
            drop(all);
            let path = temporary.path().join(LOCK);
            match File::create_new(&path) {
                Ok(lock) if holds_lock(&lock, &path) => {
                    return Ok(Self { lock, temporary, live });
                }
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                // Another run has removed the folder as stale, or is about to.
                Ok(_) | Err(_) => {}
            }
        }
        Err(io::Error::other("temporary folders are removed as soon as they are made"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Opens one of its files for appending, and creates it if there is none of the name.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn append(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(self.path().join(name))
    }

    /// Moves one of its files to another path of the same file system, where it replaces what is
    /// there.
    ///
    /// # Errors
    ///
    /// If it cannot be moved there.
    pub fn hand_over(&self, name: &str, path: &Path) -> io::Result<()> {
        fs::rename(self.path().join(name), path)
    }
}

/// Waits until the files of a folder, and their names, are on the disk.
fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name != LOCK) {
            // Windows syncs only what may be written.
            OpenOptions::new().append(true).open(path)?.sync_all()?;
        }
    }
    // Elsewhere a folder is no file.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
