//! What is wrong with a line of a master.

use super::line::LineLocation;
use crate::{
    chess::{FenFault, MoveFault, MoveNumber, PositionKey, epd::EpdFault},
    opening::ParseEcoError,
    pgn::{TagFault, decode_word},
};

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

impl LineFault {
    pub(crate) fn new(location: LineLocation, reason: LineReason) -> Self {
        Self { location, reason }
    }
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
