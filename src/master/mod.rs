//! ECO masters: files of openings with the lines that define them.
//!
//! A master is read into [`MasterLine`]s. The moves are not played here; the catalogue does that.
//! What cannot be read is collected as [`LineFault`]s with file and line, and the rest is read.
//!
//! Each format has a file here, which reads and writes it. [`MasterFormat`] lists the formats,
//! detects them and chooses between them: a new format is a new file and a new variant.

mod format;
mod reading;

mod eco_json;
mod eco_pgn;
mod ecomast;
mod epd_list;
mod lichess_tsv;
mod other_names;
mod scid;

use std::{fmt, sync::Arc};

use sha2::{Digest, Sha256};

pub use self::format::{MasterFormat, UnknownFormat};
pub use self::other_names::give_other_names;
pub(crate) use self::reading::clean;
pub(crate) use self::reading::has_control;
pub use self::reading::{LineError, LineFault, LineReason, OtherName, Reading};
use crate::chess::PositionKey;
use crate::opening::{EcoCode, Opening};

/// What is known of a master besides its lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct MasterInfo {
    /// What people call it: `lichess`.
    pub name: String,
    /// Its version, as its makers or its file give it; empty if they do not.
    pub version: String,
    /// The day it was last changed, as `YYYY-MM-DD`; empty if it is not known.
    pub date: String,
    /// SHA-256 of the bytes it was read from, in hexadecimal; empty if it was not computed.
    pub fingerprint: String,
}

/// Prints as name and version; as name and date if it has no version.
impl fmt::Display for MasterInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edition = if self.version.is_empty() { &self.date } else { &self.version };
        f.write_str(&self.name)?;
        if edition.is_empty() { Ok(()) } else { write!(f, " {edition}") }
    }
}

/// The lines of an ECO master, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Master {
    /// What is known of it.
    pub info: MasterInfo,
    /// The openings, in the order of the file.
    pub lines: Vec<MasterLine>,
}

/// One opening of a master. It has moves, or the key of a position, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterLine {
    /// Which file it was read from, and its line there.
    pub location: LineLocation,
    /// The code, if the master gives one.
    pub eco: Option<EcoCode>,
    /// The full name, without control characters.
    pub name: String,
    /// The moves from the initial position, as PGN movetext; `None` if the master gives a position
    /// without a line to it.
    pub movetext: Option<String>,
    /// The position it names, if the master gives it: with an en passant square only if a legal
    /// capture exists.
    pub key: Option<PositionKey>,
    /// Its names elsewhere, if the master gives them.
    pub aliases: Vec<Alias>,
}

impl MasterLine {
    /// Its code and its name.
    pub fn opening(&self) -> Opening {
        Opening::new(self.eco, self.name.as_str())
    }
}

/// Another name of an opening.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alias {
    /// Who uses the name.
    pub source: String,
    /// The code that belongs to it, if there is one.
    pub eco: Option<EcoCode>,
    /// The name.
    pub name: String,
}

/// A line of a file. Prints as `a.tsv: line 12`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LineLocation {
    /// The name of the file, as the user gave it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for LineLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}", self.file, self.line)
    }
}

/// A file that holds openings.
#[derive(Debug, Clone, Copy)]
pub struct MasterFile<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// All of its bytes.
    pub bytes: &'a [u8],
}

impl Master {
    /// SHA-256 of the bytes of all files, one after the other, in hexadecimal.
    pub fn fingerprint(files: &[MasterFile<'_>]) -> String {
        let mut hash = Sha256::new();
        files.iter().for_each(|file| hash.update(file.bytes));
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests;
