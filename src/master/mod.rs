//! ECO masters: files of openings with the lines that define them.
//!
//! A master is read into [`MasterLine`]s without playing the moves in them; that is what the
//! catalogue does. What cannot be read is collected as [`LineFault`]s, with the line it stands in,
//! and the rest is read. Each format has a file of its own here, which reads it and writes it:
//! [`MasterFormat`] lists them.

mod eco_json;
mod eco_pgn;
mod ecomast;
mod epd_list;
mod format;
mod lichess_tsv;
mod scid;

use std::{borrow::Cow, fmt, sync::Arc};

use sha2::{Digest, Sha256};

pub use format::{MasterFormat, UnknownFormat};

use crate::{
    chess::{EnPassantMode, FenFault, MoveFault, MoveNumber, PositionKey, epd::EpdFault, read_fen},
    opening::{EcoCode, ParseEcoError},
    pgn::{TagFault, decode_text, told_word},
};

/// What is known of a master besides its lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MasterInfo {
    /// What people call it: `lichess`.
    pub name: String,
    /// Its version, as its makers or its file say; empty if they do not.
    pub version: String,
    /// The day it was last changed, as `YYYY-MM-DD`; empty if it is not known.
    pub date: String,
    /// SHA-256 of the bytes it was read from, in hexadecimal; empty if it was not asked for.
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
    /// Which file it was read from, and its line there, from 1.
    pub place: LinePlace,
    /// The code.
    pub eco: EcoCode,
    /// The full name, without control characters.
    pub name: String,
    /// The moves from the initial position, as PGN movetext; `None` if the opening is a position
    /// that no line is given for.
    pub movetext: Option<String>,
    /// The position it names, if the master says it: en passant square only if a legal capture
    /// exists.
    pub key: Option<PositionKey>,
    /// What it is called elsewhere, as far as the master says.
    pub aliases: Vec<Alias>,
}

/// Another name of an opening, and where it is called so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// Who calls it so.
    pub source: String,
    /// By which code, if that is said.
    pub eco: Option<EcoCode>,
    /// The name.
    pub name: String,
}

/// Where in a master something stands. Prints as `a.tsv: line 12`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePlace {
    /// The name of the file, as the user gave it.
    pub file: Arc<str>,
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
    /// Something that every opening has is not there.
    #[error("no {what} (expected {expected})")]
    Missing {
        /// What is not there.
        what: &'static str,
        /// What the format asks for.
        expected: &'static str,
    },
    /// The name is empty.
    #[error("no name")]
    NoName,
    /// A tag is damaged.
    #[error("tag {name}: {fault}")]
    Tag {
        /// The name of the tag.
        name: String,
        /// What is wrong with it.
        fault: TagFault,
    },
    /// It is a game of another variant of chess.
    #[error("variant {0}: ECO codes are for standard chess")]
    Variant(String),
    /// The text has not the form of the format.
    #[error("not understood (expected {0})")]
    Form(&'static str),
    /// The text is no JSON, or no such object as is needed.
    #[error("{0}")]
    Json(String),
    /// The code is none.
    #[error(transparent)]
    Code(#[from] ParseEcoError),
    /// The operations of an EPD cannot be read.
    #[error(transparent)]
    Epd(EpdFault),
    /// The position cannot be read.
    #[error("FEN: {0}")]
    Fen(#[from] FenFault),
    /// The moves cannot be replayed.
    #[error(transparent)]
    Moves(#[from] LineError),
    /// The moves and the position are those of two openings.
    #[error("the moves lead to {led}, and the line says {said}")]
    LeadsElsewhere {
        /// Where the moves lead.
        led: PositionKey,
        /// What the master says.
        said: PositionKey,
    },
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

/// A file that holds openings.
#[derive(Debug, Clone, Copy)]
pub struct MasterFile<'a> {
    /// What to call it in messages.
    pub name: &'a str,
    /// All of it.
    pub bytes: &'a [u8],
}

/// What files of openings hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The masters: one, unless the files tell of each opening which master it is from.
    pub masters: Vec<Master>,
    /// What could not be read.
    pub faults: Vec<LineFault>,
}

impl LineError {
    pub(crate) fn bad_move(number: MoveNumber, word: &[u8], fault: MoveFault) -> Self {
        Self::Move { number, word: told_word(word), fault }
    }
}

const BUILTIN: [MasterFile<'_>; 5] = [
    MasterFile { name: "a.tsv", bytes: include_bytes!("../../data/openings/a.tsv") },
    MasterFile { name: "b.tsv", bytes: include_bytes!("../../data/openings/b.tsv") },
    MasterFile { name: "c.tsv", bytes: include_bytes!("../../data/openings/c.tsv") },
    MasterFile { name: "d.tsv", bytes: include_bytes!("../../data/openings/d.tsv") },
    MasterFile { name: "e.tsv", bytes: include_bytes!("../../data/openings/e.tsv") },
];

/// The version of the built-in master, which is a day: what its data folder calls it.
const BUILTIN_VERSION: &str = "2026-09-11";

impl Master {
    /// A master of which only this is known.
    pub(crate) fn without_lines(info: &MasterInfo) -> Self {
        Self { info: info.clone(), lines: Vec::new() }
    }

    /// The lichess catalogue that is part of this program; its origin is in `data/openings/`.
    ///
    /// Its fingerprint is left out, since hashing takes longer than reading;
    /// [`builtin_with_fingerprint`](Self::builtin_with_fingerprint) is for those who write it down.
    #[must_use]
    pub fn builtin() -> Self {
        let lines = Self::builtin_lines().flatten().collect();
        Self { info: Self::builtin_info(), lines }
    }

    /// How many lines the built-in master has.
    pub(crate) const BUILTIN_LINES: usize = 3810;

    /// What is known of the built-in master.
    pub(crate) fn builtin_info() -> MasterInfo {
        MasterInfo {
            name: "lichess".to_owned(),
            version: BUILTIN_VERSION.to_owned(),
            date: BUILTIN_VERSION.to_owned(),
            fingerprint: String::new(),
        }
    }

    /// The lines of the built-in master, file by file: who needs them only in passing need not have all
    /// of them in memory at once.
    pub(crate) fn builtin_lines() -> impl Iterator<Item = Vec<MasterLine>> {
        BUILTIN.iter().map(|file| {
            let mut reader = Reader::new(MasterInfo::default());
            reader.begin(file.name);
            lichess_tsv::read(file.bytes, &mut reader);
            debug_assert_eq!(reader.faults, [], "the built-in master has faults");
            reader.masters.swap_remove(0).lines
        })
    }

    /// The files of the built-in master.
    #[must_use]
    pub fn builtin_files() -> &'static [MasterFile<'static>] {
        &BUILTIN
    }

    /// The built-in master with its fingerprint.
    #[must_use]
    pub fn builtin_with_fingerprint() -> Self {
        let mut master = Self::builtin();
        master.info.fingerprint = Self::fingerprint(&BUILTIN);
        master
    }

    /// Reads files of openings as one master, called as `info` says; its fingerprint is worked out.
    ///
    /// The format of each file is told by its content unless `format` says it. Files of
    /// [`MasterFormat::Json`] may tell of each opening which master it is from, and then give
    /// several.
    ///
    /// # Errors
    ///
    /// If a file has none of the formats.
    pub fn read(
        info: MasterInfo,
        files: &[MasterFile<'_>],
        format: Option<MasterFormat>,
    ) -> Result<Reading, UnknownFormat> {
        let mut reader = Reader::new(MasterInfo { fingerprint: Self::fingerprint(files), ..info });
        for file in files {
            let format = format.map_or_else(|| MasterFormat::of(file), Ok)?;
            reader.begin(file.name);
            format.read(file.bytes, &mut reader);
        }
        Ok(reader.finish())
    }

    /// SHA-256 of the bytes of all files, one after the other, in hexadecimal.
    #[must_use]
    pub fn fingerprint(files: &[MasterFile<'_>]) -> String {
        let mut hash = Sha256::new();
        files.iter().for_each(|file| hash.update(file.bytes));
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Where the formats put what they read.
struct Reader {
    file: Arc<str>,
    /// The first is the one that lines belong to unless they say something else.
    masters: Vec<Master>,
    faults: Vec<LineFault>,
}

impl Reader {
    fn new(info: MasterInfo) -> Self {
        let masters = vec![Master { info, lines: Vec::new() }];
        Self { file: Arc::from(""), masters, faults: Vec::new() }
    }

    fn begin(&mut self, file: &str) {
        self.file = Arc::from(file);
    }

    fn place(&self, line: u32) -> LinePlace {
        LinePlace { file: Arc::clone(&self.file), line }
    }

    /// Takes an opening that stands at `line`, or what is wrong with it.
    fn take(&mut self, line: u32, entry: Result<Entry, LineReason>) {
        let place = self.place(line);
        match entry {
            Ok(entry) => self.masters[0].lines.push(entry.at(place)),
            Err(reason) => self.faults.push(LineFault { place, reason }),
        }
    }

    /// The master of which this much is known.
    fn master(&mut self, info: MasterInfo) -> &mut Master {
        let known = self.masters[1..].iter().position(|master| master.info == info);
        let index = known.map_or(self.masters.len(), |index| index + 1);
        if index == self.masters.len() {
            self.masters.push(Master { info, lines: Vec::new() });
        }
        &mut self.masters[index]
    }

    fn finish(mut self) -> Reading {
        if self.masters.len() > 1 && self.masters[0].lines.is_empty() {
            self.masters.remove(0);
        }
        Reading { masters: self.masters, faults: self.faults }
    }
}

/// An opening on its way from a file.
struct Entry {
    eco: EcoCode,
    name: String,
    movetext: Option<String>,
    key: Option<PositionKey>,
    aliases: Vec<Alias>,
}

impl Entry {
    fn new(eco: &str, name: &str) -> Result<Self, LineReason> {
        let (eco, name) = (eco.parse()?, clean(name));
        if name.is_empty() {
            return Err(LineReason::NoName);
        }
        Ok(Self { eco, name, movetext: None, key: None, aliases: Vec::new() })
    }

    fn with_moves(self, movetext: impl Into<String>) -> Self {
        Self { movetext: Some(movetext.into()), ..self }
    }

    fn with_key(self, key: PositionKey) -> Self {
        Self { key: Some(key), ..self }
    }

    fn at(self, place: LinePlace) -> MasterLine {
        let Self { eco, name, movetext, key, aliases } = self;
        MasterLine { place, eco, name, movetext, key, aliases }
    }
}

/// A name without control characters and blanks around it.
pub(crate) fn clean(name: &str) -> String {
    // Nearly all names are clean. Control characters beyond ASCII begin with 0xc2.
    let may_be_control = |byte: u8| byte < b' ' || matches!(byte, 0x7f | 0xc2);
    if name.bytes().fold(false, |found, byte| found | may_be_control(byte)) {
        let clean: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        return clean.trim().to_owned();
    }
    name.trim().to_owned()
}

/// The key of a position that a master gives as FEN or EPD.
fn read_key(fen: &str) -> Result<PositionKey, FenFault> {
    read_fen(fen.trim().as_bytes())
        .map(|position| PositionKey::from_position(&position, EnPassantMode::Legal))
}

/// The lines of a file with their numbers from 1, as text, without byte order mark and line ends.
/// Lines that begin with `#` are comments in every format of lines, and are passed over.
fn numbered_lines(bytes: &[u8]) -> impl Iterator<Item = (u32, Cow<'_, str>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end + 1)..end]));
    let lines = lines.map(|line| decode_text(line.strip_suffix(b"\r").unwrap_or(line)));
    (1_u32..).zip(lines).filter(|(_, line)| !line.starts_with('#'))
}

#[cfg(test)]
mod tests;
