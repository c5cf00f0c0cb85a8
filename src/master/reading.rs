//! What the formats have in common: the lines of a text, the openings in them, and what is wrong
//! with a line.

use std::{borrow::Cow, sync::Arc};

use super::{LineLocation, Master, MasterInfo, MasterLine};
use crate::chess::{FenFault, MoveFault, MoveNumber, PositionKey, read_fen};
use crate::opening::{EcoCode, ParseEcoError};
use crate::pgn::{TagFault, decode_text, decode_word};
use crate::{chess::epd::EpdFault, subslice::range_in};

/// A line of a master that is left out, and why. Prints as `a.tsv: line 12: no name`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {reason}")]
#[non_exhaustive]
pub struct LineFault {
    /// The file and the line.
    pub location: LineLocation,
    /// What is wrong with the line.
    #[source]
    pub reason: LineReason,
}

/// What is wrong with a line of a master.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineReason {
    /// It lacks what every opening has.
    #[error("no {what} (expected {expected})")]
    Missing {
        /// What is missing.
        what: &'static str,
        /// What the format asks for.
        expected: &'static str,
    },
    /// The name is empty.
    #[error("no name")]
    NoName,
    /// No opening has the name or the code, which has another name here.
    #[error("no opening is called '{0}'")]
    NoOpening(String),
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
    /// The text does not have the form of the format.
    #[error("not understood (expected {0})")]
    Form(&'static str),
    /// The text is not JSON, or not the object that is needed.
    #[error("{0}")]
    Json(String),
    /// The code is not an ECO code.
    #[error(transparent)]
    Code(#[from] ParseEcoError),
    /// The operations of an EPD cannot be read.
    #[error(transparent)]
    Epd(EpdFault),
    /// The position cannot be read.
    #[error("FEN: {0}")]
    Fen(#[from] FenFault),
    /// The moves cannot be played.
    #[error(transparent)]
    Moves(#[from] LineError),
    /// The moves lead to another position than the one given.
    #[error("the moves lead to {led}, and the line says {said}")]
    LeadsElsewhere {
        /// The position after the moves.
        led: PositionKey,
        /// The position that the master gives.
        said: PositionKey,
    },
}

/// Why moves cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// There are none.
    #[error("no moves")]
    Empty,
    /// One of them cannot be played.
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

impl LineError {
    pub(crate) fn bad_move(number: MoveNumber, word: &[u8], fault: MoveFault) -> Self {
        Self::Move { number, word: decode_word(word), fault }
    }
}

/// Another name, and the opening that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherName {
    /// Where it was read.
    pub location: LineLocation,
    /// The other name.
    pub alias: String,
    /// The name or the code of the opening.
    pub opening: String,
}

/// What files of openings hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The masters: one, unless the files name the master of each opening.
    pub masters: Vec<Master>,
    /// Other names, of openings of any master.
    pub other_names: Vec<OtherName>,
    /// What could not be read.
    pub faults: Vec<LineFault>,
}

impl MasterLine {
    /// An opening of this name, and of this code unless it is empty. The collector knows where it
    /// stands.
    pub(super) fn named(eco: &str, name: &str) -> Result<Self, LineReason> {
        let (eco, name) = (EcoCode::from_text(eco)?, clean(name));
        // The PGN standard's mark for an unknown value names nothing.
        if matches!(&*name, "" | "?") {
            return Err(LineReason::NoName);
        }
        let location = LineLocation { file: Arc::default(), line: 0 };
        Ok(Self { location, eco, name, movetext: None, key: None, aliases: Vec::new() })
    }
}

/// Collects what is read, file after file.
pub(super) struct Collector {
    file: Arc<str>,
    /// The first master is the one that openings belong to unless they name another.
    pub(super) reading: Reading,
}

impl Collector {
    pub(super) fn new(info: MasterInfo) -> Self {
        let masters = vec![Master { info, lines: Vec::new() }];
        let reading = Reading { masters, other_names: Vec::new(), faults: Vec::new() };
        Self { file: Arc::default(), reading }
    }

    pub(super) fn begin_file(&mut self, name: &str) {
        self.file = Arc::from(name);
    }

    pub(super) fn location(&self, line: u32) -> LineLocation {
        LineLocation { file: Arc::clone(&self.file), line }
    }

    /// Adds the opening at `line`, or what is wrong with it.
    pub(super) fn add(&mut self, line: u32, opening: Result<MasterLine, LineReason>) {
        let location = self.location(line);
        match opening {
            Ok(opening) => self.reading.masters[0].lines.push(MasterLine { location, ..opening }),
            Err(reason) => self.reading.faults.push(LineFault { location, reason }),
        }
    }

    /// Adds the opening at `line` to the master that it names.
    pub(super) fn add_to(&mut self, info: MasterInfo, line: u32, opening: MasterLine) {
        let line = MasterLine { location: self.location(line), ..opening };
        let masters = &mut self.reading.masters;
        match masters[1..].iter_mut().find(|master| master.info == info) {
            Some(known) => known.lines.push(line),
            None => masters.push(Master { info, lines: vec![line] }),
        }
    }

    pub(super) fn finish(self) -> Reading {
        let Self { mut reading, .. } = self;
        let masters = &mut reading.masters;
        if masters.len() > 1 && masters[0].lines.is_empty() {
            masters.remove(0);
        }
        if !reading.other_names.is_empty() {
            masters.retain(|master| !master.lines.is_empty());
        }
        reading
    }
}

/// The lines of a file with their numbers from 1, as text, without byte order mark and line ends.
/// Lines that begin with `#` are comments in every format that is read by lines, and are skipped.
pub(super) fn numbered_lines(bytes: &[u8]) -> impl Iterator<Item = (u32, Cow<'_, str>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end + 1)..end]));
    let lines = lines.map(|line| decode_text(line.strip_suffix(b"\r").unwrap_or(line)));
    (1_u32..).zip(lines).filter(|(_, line)| !line.starts_with('#'))
}

/// Counts the lines of a text up to parts of it, which are asked for in order.
pub(super) struct LineCounter<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
}

impl<'t> LineCounter<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line in which a part of the text begins.
    pub(super) fn of(&mut self, part: &[u8]) -> u32 {
        let before = self.at..range_in(part, self.text).start;
        self.at = before.end;
        let between = memchr::memchr_iter(b'\n', &self.text[before]).count();
        self.line += u32::try_from(between).unwrap_or(u32::MAX);
        self.line
    }
}

/// Whether a line begins with an ECO code and a blank.
pub(super) fn starts_with_code(line: &str) -> bool {
    let code = line.split(char::is_whitespace).next().unwrap_or_default();
    code.len() < line.len() && code.parse::<EcoCode>().is_ok()
}

/// The key of a position that a master gives as FEN or EPD.
pub(super) fn read_key(fen: &str) -> Result<PositionKey, FenFault> {
    read_fen(fen.trim().as_bytes()).map(|position| PositionKey::from(&position))
}

/// Whether a text has control characters, which would break the lines and columns of what is
/// printed.
pub(crate) fn has_control(text: &str) -> bool {
    // Most texts have none. Control characters beyond ASCII begin with the byte 0xc2.
    let may_be_control = |byte: u8| byte < b' ' || matches!(byte, 0x7f | 0xc2);
    text.bytes().fold(false, |found, byte| found | may_be_control(byte))
        && text.chars().any(char::is_control)
}

/// A name without control characters and without blanks around it.
pub(crate) fn clean(name: &str) -> String {
    if has_control(name) {
        let clean: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        return clean.trim().to_owned();
    }
    name.trim().to_owned()
}
