//! What is wrong with a game.

use crate::{
    chess::{FenFault, MoveFault, MoveNumber, UciMove},
    pgn::{Tag, TagFault, decode_text, decode_word},
};

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// A move of the main line cannot be played.
    #[error("move {number} {word}: {fault}")]
    Move {
        /// Its number on the score sheet, counted from the start position.
        number: MoveNumber,
        /// The move as written in the game.
        word: String,
        /// What is wrong with it.
        #[source]
        fault: MoveFault,
    },
    /// The game ends inside a comment.
    #[error("comment never closed")]
    OpenComment,
    /// The game ends inside a variation.
    #[error("variation never closed")]
    OpenVariation,
    /// A tag is damaged.
    #[error("tag {name}: {fault}")]
    Tag {
        /// The name of the tag.
        name: String,
        /// What is wrong with it.
        #[source]
        fault: TagFault,
    },
    /// The FEN tag is not a position.
    #[error("FEN: {0}")]
    Fen(#[source] FenFault),
    /// The game is of another variant of chess.
    #[error("variant {name}: not classified")]
    Variant {
        /// The variant, as the game spells it.
        name: String,
    },
    /// The game is longer than the part of one game that is read.
    #[error("longer than {bytes} bytes: the rest was not read")]
    TooLong {
        /// The number of bytes that were read.
        bytes: usize,
    },
}

impl GameError {
    pub(super) fn bad_move(number: MoveNumber, word: &[u8], fault: MoveFault) -> Self {
        // A piece may stand apart from its square.
        let word: Vec<u8> = word.iter().copied().filter(|b| !matches!(b, b' ' | b'\t')).collect();
        Self::Move { number, word: decode_word(&word), fault }
    }

    /// A move that was given by its squares and is not legal.
    pub(super) fn illegal(number: MoveNumber, m: UciMove) -> Self {
        Self::Move { number, word: m.to_string(), fault: MoveFault::Illegal }
    }

    /// Whether the game may end like this because it was cut.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::OpenComment | Self::OpenVariation)
    }
}

impl From<&Tag<'_>> for GameError {
    fn from(tag: &Tag<'_>) -> Self {
        Self::Tag {
            name: decode_text(tag.name).into_owned(),
            fault: tag.fault.unwrap_or(TagFault::NoValue),
        }
    }
}
