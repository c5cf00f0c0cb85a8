//! The gate before every output: nothing is written over what is read, nor over a database.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use super::paths::{FileId, identity, stdin_identity, stdout_identity};
use crate::{pgn::source::Source, store::Database};

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
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The run reads these sources.
    pub fn of<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Self {
        let mut inputs = Self::default();
        for source in sources {
            match source {
                Source::File(path) | Source::Part(path, _) => inputs.add(path),
                Source::Stdin => inputs.0.extend(stdin_identity()),
            }
        }
        inputs
    }

    /// The run reads this file as well, if it is there.
    pub fn add(&mut self, path: &Path) {
        self.0.extend(identity(path));
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
        if identity(output).is_some_and(|id| self.0.contains(&id)) {
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
#[must_use]
pub fn is_database(path: &Path) -> bool {
    let mut start = Vec::new();
    let mut read = || -> io::Result<usize> { File::open(path)?.take(16).read_to_end(&mut start) };
    // Anything but a regular file may have no end.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file && read().is_ok() && Database::is_sqlite(&start)
}
