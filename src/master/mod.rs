//! ECO masters: files of openings with the lines that define them.
//!
//! A master is read into [`MasterLine`]s without looking at the chess in them; that is what the
//! catalogue does. What cannot be read is collected as [`LineFault`]s, with the line it stands in,
//! and the rest is read.

mod lichess_tsv;

use std::fmt;

use sha2::{Digest, Sha256};

use crate::{
    chess::{MoveFault, MoveNumber},
    opening::{EcoCode, ParseEcoError},
};

/// The lines of an ECO master, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Master {
    /// What people call it: `lichess`.
    pub name: String,
    /// Its version, as its makers or its file say; empty if they do not.
    pub version: String,
    /// SHA-256 of the bytes it was read from, in hexadecimal.
    pub fingerprint: String,
    /// The openings, in the order of the file.
    pub lines: Vec<MasterLine>,
}

/// One opening of a master.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterLine {
    /// Which file it was read from, and its line there, from 1.
    pub place: LinePlace,
    /// The code.
    pub eco: EcoCode,
    /// The full name.
    pub name: String,
    /// The moves from the initial position, as PGN movetext.
    pub movetext: String,
}

/// Where in a master something stands. Prints as `a.tsv: line 12`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePlace {
    /// The name of the file, as the user gave it.
    pub file: std::sync::Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for LinePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}", self.file, self.line)
    }
}

/// A line of a master that is left out, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct LineFault {
    /// Where it stands.
    pub place: LinePlace,
    /// What is wrong with it.
    pub reason: LineReason,
}

/// What is wrong with a line of a master.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineReason {
    /// A column is missing or empty.
    #[error("no {0} (expected code, name and moves, separated by tabs)")]
    NoColumn(&'static str),
    /// The code is none.
    #[error(transparent)]
    Code(#[from] ParseEcoError),
    /// The moves cannot be replayed.
    #[error(transparent)]
    Moves(#[from] LineError),
}

/// Why a line cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It has no moves.
    #[error("no moves")]
    Empty,
    /// A move in it cannot be played.
    #[error("move {number} {word}: {fault}")]
    Move {
        /// Its number on the score sheet.
        number: MoveNumber,
        /// The move as it is written.
        word: String,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// A comment or a variation is left open.
    #[error("a comment or variation is never closed")]
    Open,
}

const BUILTIN: [(&str, &[u8]); 5] = [
    ("a.tsv", include_bytes!("../../data/openings/a.tsv")),
    ("b.tsv", include_bytes!("../../data/openings/b.tsv")),
    ("c.tsv", include_bytes!("../../data/openings/c.tsv")),
    ("d.tsv", include_bytes!("../../data/openings/d.tsv")),
    ("e.tsv", include_bytes!("../../data/openings/e.tsv")),
];

/// The version of the built-in master: what its data folder calls it.
const BUILTIN_VERSION: &str = "2026-09-11";

impl Master {
    /// The lichess catalogue that is part of this program; its origin is in `data/openings/`.
    #[must_use]
    pub fn builtin() -> Self {
        // Hashing takes longer than reading; `fingerprint` is for those who write it down.
        let (master, faults) =
            Self::read_unhashed("lichess", BUILTIN_VERSION, BUILTIN.iter().copied());
        debug_assert_eq!(faults, [], "the built-in master has faults");
        master
    }

    /// The built-in master with its fingerprint.
    #[must_use]
    pub fn builtin_with_fingerprint() -> Self {
        Self { fingerprint: fingerprint(BUILTIN.iter().copied()), ..Self::builtin() }
    }

    /// Reads files in the format of the lichess catalogue as one master: tab-separated, the
    /// columns `eco`, `name` and `pgn` in any order, named in the first line. Further columns are
    /// passed over.
    ///
    /// Each file is its name, for messages, and its bytes.
    #[must_use]
    pub fn read_tsv<'a>(
        name: &str,
        version: &str,
        files: impl Iterator<Item = (&'a str, &'a [u8])> + Clone,
    ) -> (Self, Vec<LineFault>) {
        let (master, faults) = Self::read_unhashed(name, version, files.clone());
        (Self { fingerprint: fingerprint(files), ..master }, faults)
    }

    fn read_unhashed<'a>(
        name: &str,
        version: &str,
        files: impl Iterator<Item = (&'a str, &'a [u8])>,
    ) -> (Self, Vec<LineFault>) {
        let (mut lines, mut faults) = (Vec::new(), Vec::new());
        for (file, bytes) in files {
            lichess_tsv::read(file, bytes, &mut lines, &mut faults);
        }
        let (name, version) = (name.to_owned(), version.to_owned());
        (Self { name, version, fingerprint: String::new(), lines }, faults)
    }
}

fn fingerprint<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hash = Sha256::new();
    files.for_each(|(_, bytes)| hash.update(bytes));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_folder_says_what_the_data_are() {
        let readme = include_str!("../../data/openings/README.md");
        let master = Master::builtin_with_fingerprint();
        for fact in [
            format!("| lines | {} |", master.lines.len()),
            format!("| version | {} |", master.version),
            format!("`{}`", master.fingerprint),
        ] {
            assert!(readme.contains(&fact), "data/openings/README.md does not say {fact:?}");
        }
    }
}
