//! Files that take their place when they are complete.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use super::{
    gate::{Inputs, Refused},
    paths::destination,
};
use crate::new_file::{Access, NewFile};

/// A file that replaces another on [`commit`](Self::commit). Without that it is removed.
///
/// ```
/// use eco::replace::{Inputs, Replacement};
/// use std::{fs, io::Write};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgn");
/// fs::write(&path, "old")?;
/// let replacement = Replacement::new(&path, &Inputs::none())?;
/// replacement.file()?.write_all(b"new")?;
/// assert_eq!(fs::read(&path)?, b"old");
/// replacement.commit()?;
/// assert_eq!(fs::read(&path)?, b"new");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    target: PathBuf,
    output: Output,
}

#[derive(Debug)]
enum Output {
    /// A file that takes the place of the target.
    Temporary(NewFile),
    /// The target itself, because it is a pipe or a device.
    Direct(File),
}

/// Why there is no replacement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The target may not be replaced.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The target cannot be written to, or no file can be made beside it.
    #[error("{name}: cannot be written: {error}")]
    Io {
        /// The target.
        name: String,
        /// The cause.
        error: io::Error,
    },
}

impl Replacement {
    /// A new file for that target. Links are followed. An existing target must be writable, as if
    /// it were written to, and neither one of the inputs nor a database. A pipe or a device is
    /// written to itself.
    ///
    /// # Errors
    ///
    /// If the target may not be replaced, or cannot be written to.
    pub fn new(target: &Path, inputs: &Inputs) -> Result<Self, ReplaceError> {
        inputs.check(target)?;
        Self::open(target).map_err(|error| {
            let name = target.display().to_string();
            ReplaceError::Io { name, error }
        })
    }

    fn open(target: &Path) -> io::Result<Self> {
        let there = OpenOptions::new().write(true).open(target);
        let output = match (there, fs::metadata(target)) {
            (Ok(file), Ok(metadata)) if !metadata.is_file() => Output::Direct(file),
            (Err(error), Ok(_)) => return Err(error),
            _ => {
                let target = destination(target);
                let output = Output::Temporary(NewFile::beside(&target, Access::Default)?);
                return Ok(Self { target, output });
            }
        };
        Ok(Self { target: target.to_owned(), output })
    }

    /// The file, for writing.
    ///
    /// # Errors
    ///
    /// If the process has too many files open.
    pub fn file(&self) -> io::Result<File> {
        match &self.output {
            Output::Temporary(file) => file.file().try_clone(),
            Output::Direct(file) => file.try_clone(),
        }
    }

    /// Puts the file in its place, with the permissions of the file that it replaces. It is not
    /// synced to the disk: such an output can be made again.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed. It is then removed.
    pub fn commit(self) -> io::Result<()> {
        let Output::Temporary(temporary) = self.output else { return Ok(()) };
        if let Ok(replaced) = fs::metadata(&self.target) {
            temporary.file().set_permissions(replaced.permissions())?;
        }
        temporary.replace()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_device_is_written_to_and_stays() {
        if !cfg!(unix) {
            return;
        }
        let device = Path::new("/dev/null");
        let replacement = Replacement::new(device, &Inputs::none()).unwrap();
        assert!(matches!(replacement.output, Output::Direct(_)));
        replacement.file().unwrap().write_all(b"gone").unwrap();
        replacement.commit().unwrap();
        assert!(!fs::metadata(device).unwrap().is_file());
    }

    #[test]
    fn databases_and_inputs_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (db, pgn) = (folder.path().join("x.db"), folder.path().join("x.pgn"));
        fs::write(&db, b"SQLite format 3\0and more").unwrap();
        fs::write(&pgn, "1. e4 *").unwrap();
        let mut inputs = Inputs::none();
        let refusal = Replacement::new(&db, &inputs).unwrap_err();
        assert!(matches!(refusal, ReplaceError::Refused(Refused::Database(_))), "{refusal}");
        Replacement::new(&pgn, &inputs).unwrap();
        inputs.add(&pgn);
        let same = folder.path().join(".").join("x.pgn");
        let refusal = Replacement::new(&same, &inputs).unwrap_err();
        assert!(matches!(refusal, ReplaceError::Refused(Refused::Input(_))), "{refusal}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "litter");
    }
}
