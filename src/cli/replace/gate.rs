//! The gate before every output: nothing is written over what is read, nor over a database.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use eco::{pgn::source::Source, store::Database};

use super::paths::{FileId, identity, stdin_identity, stdout_identity};
use crate::cli::outcome::Failure;

/// The files that a run reads.
#[derive(Debug, Default)]
pub(in crate::cli) struct Inputs(HashSet<FileId>);

impl Inputs {
    /// The run reads no files, or holds them in memory before it writes.
    pub(in crate::cli) fn none() -> Self {
        Self::default()
    }

    /// The run reads these sources.
    pub(in crate::cli) fn of<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Self {
        let identity = |source: &Source| match source {
            Source::File(path) | Source::Part(path, _) => identity(path),
            Source::Stdin => stdin_identity(),
        };
        Self(sources.into_iter().filter_map(identity).collect())
    }

    /// Refuses an output that is one of the inputs, or a database.
    pub(in crate::cli) fn check(&self, output: &Path) -> Result<(), Failure> {
        let name = output.display();
        if is_database(output) {
            return Err(Failure(format!("{name}: is a database; nothing was written")));
        }
        if identity(output).is_some_and(|id| self.0.contains(&id)) {
            return Err(Failure(format!("{name} is an input too; no output may overwrite one")));
        }
        Ok(())
    }

    /// Refuses standard output that goes to one of the inputs: the run would read its own rows, and
    /// never end.
    pub(in crate::cli) fn check_stdout(&self) -> Result<(), Failure> {
        match stdout_identity() {
            Some(id) if self.0.contains(&id) => {
                let what = "standard output goes to a file that is an input too";
                Err(Failure(format!("{what}; name another file")))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a file is an SQLite database.
pub(in crate::cli) fn is_database(path: &Path) -> bool {
    let mut start = Vec::new();
    let mut read = || -> io::Result<usize> { File::open(path)?.take(16).read_to_end(&mut start) };
    // Anything but a regular file may have no end.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file && read().is_ok() && Database::is_sqlite(&start)
}
