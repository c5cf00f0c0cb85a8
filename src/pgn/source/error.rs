//! What is wrong with an input.

use std::io;

/// An input could not be found, opened, or read to its end. Prints as `games.pgn: ` and the fault.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {fault}")]
pub struct SourceError {
    name: String,
    #[source]
    fault: SourceFault,
}

/// What is wrong with an input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceFault {
    /// It does not exist, or it cannot be opened.
    #[error("{0}")]
    Open(#[source] io::Error),
    /// A folder without games.
    #[error("no *.pgn, *.pgn.gz, *.pgn.bz2, *.pgn.xz, *.pgn.zst or *.zip file in this folder")]
    EmptyFolder,
    /// An SQLite file, such as a position database.
    #[error("this is an SQLite file, not PGN")]
    Database,
    /// A format that is not read.
    #[error("{0}")]
    Unsupported(&'static str),
    /// A file of another kind: a NUL byte comes before its first tag pair.
    #[error("not PGN: it has a NUL byte at byte {offset}, before any tag")]
    Binary {
        /// Where the byte is in the input, unpacked.
        offset: u64,
    },
    /// The data end too early or are damaged.
    #[error("cannot be read beyond byte {offset}: {error}; the games before that are done")]
    Broken {
        /// The number of good bytes before the damage, counted in the file as it is stored: of a
        /// compressed file, in compressed bytes.
        offset: u64,
        /// The error of the decoder or of the operating system.
        #[source]
        error: io::Error,
    },
    /// It is not empty, but there is no game in it.
    #[error("no game in it; is it a PGN file?")]
    NoGame,
}

impl SourceFault {
    /// The fault that an error of opening carries, or else the error itself.
    #[cfg(feature = "codecs")]
    pub(in crate::pgn) fn of_open(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(Self::Open)
    }
}

impl SourceError {
    /// An error about the input of that name.
    #[must_use]
    pub fn new(name: impl Into<String>, fault: SourceFault) -> Self {
        Self { name: name.into(), fault }
    }

    /// The name of the input, as [`Source::name`](super::Source::name) gives it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with the input.
    #[must_use]
    pub fn fault(&self) -> &SourceFault {
        &self.fault
    }
}
