//! Outputs under a name: files that replace others only when they are complete, and never one that
//! is read, nor a database.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::{collections::HashSet, io, io::Read};

use crate::new_file::{Access, FileKind, NewFile, folder_of, id_of_stream, kind_of};
pub use crate::new_file::{FileId, identity};
use crate::{pgn::source::Source, store::Database};

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
        match there {
            Ok(file) if kind_of(&file)? != FileKind::File => {
                return Ok(Self { target: target.to_owned(), output: Output::Direct(file) });
            }
            Err(error) if fs::metadata(target).is_ok() => return Err(error),
            Ok(_) | Err(_) => {}
        }
        let target = destination(target);
        let output = Output::Temporary(NewFile::beside(&target, Access::Default)?);
        Ok(Self { target, output })
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

/// The files that a run reads.
#[derive(Debug, Clone, Default)]
pub struct Inputs(HashSet<FileId>);

/// Why an output is not written to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It is a database.
    #[error("{0}: is a database; nothing was written")]
    Database(String),
    /// The run reads it.
    #[error("{0} is an input too; no output may overwrite one")]
    Input(String),
    /// Standard output goes to a file that the run reads.
    #[error("standard output goes to a file that is an input too; name another file")]
    StandardOutput,
}

impl Inputs {
    /// The run reads no files, or holds them in memory before it writes.
    pub fn none() -> Self {
        Self::default()
    }

    /// The run reads these sources.
    pub fn of<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Self {
        let mut inputs = Self::default();
        for source in sources {
            match source {
                Source::File(path) | Source::Part(path, _) => inputs.add(path),
                Source::Stdin => inputs.0.extend(id_of_stream(&io::stdin())),
            }
        }
        inputs
    }

    /// The run reads this file as well, if it is there.
    pub fn add(&mut self, path: &Path) {
        self.0.extend(identity(path).ok());
    }

    /// Whether the run reads this file.
    pub fn contains(&self, path: &Path) -> bool {
        identity(path).is_ok_and(|id| self.0.contains(&id))
    }

    /// Refuses an output that is one of the inputs, or a database.
    ///
    /// # Errors
    ///
    /// If it is.
    pub fn check(&self, output: &Path) -> Result<(), Refused> {
        let name = || output.display().to_string();
        if is_database(output) {
            return Err(Refused::Database(name()));
        }
        if self.contains(output) {
            return Err(Refused::Input(name()));
        }
        Ok(())
    }

    /// Refuses standard output that goes to one of the inputs: the run would read its own rows, and
    /// never end.
    ///
    /// # Errors
    ///
    /// If it does.
    pub fn check_stdout(&self) -> Result<(), Refused> {
        match stdout_identity() {
            Some(id) if self.0.contains(&id) => Err(Refused::StandardOutput),
            _ => Ok(()),
        }
    }
}

/// Whether a file is an SQLite database.
pub fn is_database(path: &Path) -> bool {
    let mut start = Vec::new();
    let mut read = || -> io::Result<usize> { File::open(path)?.take(16).read_to_end(&mut start) };
    // Anything but a regular file may have no end.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file && read().is_ok() && Database::is_sqlite(&start)
}

/// Where a path leads, links followed, also to a file that does not exist yet.
pub fn destination(path: &Path) -> PathBuf {
    let beyond = |path: &Path| fs::read_link(path).map(|link| folder_of(path).join(link));
    let last = beyond(path).unwrap_or_else(|_| path.to_owned());
    let named = |path: &Path| Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(&last).ok().or_else(|| named(&last)).unwrap_or(last)
}

/// The identity of the regular file that standard output goes to, if it does.
pub fn stdout_identity() -> Option<FileId> {
    id_of_stream(&io::stdout())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::new_file::kind_at;

    #[test]
    fn a_device_is_written_to_and_stays() {
        let device = Path::new(if cfg!(windows) { "NUL" } else { "/dev/null" });
        let replacement = Replacement::new(device, &Inputs::none()).unwrap();
        assert!(matches!(replacement.output, Output::Direct(_)));
        replacement.file().unwrap().write_all(b"gone").unwrap();
        replacement.commit().unwrap();
        assert_eq!(kind_at(device).unwrap(), FileKind::Nowhere);
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
