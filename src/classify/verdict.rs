//! What is said of a game.

use std::fmt;

use crate::{
    catalogue::{Catalogue, Line},
    chess::{FenFault, MoveFault, MoveNumber, PositionKey},
    master::MasterInfo,
    opening::Opening,
    pgn::{Tag, TagFault, decode_text, told_word},
};

/// What `classify` says of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict<'c> {
    /// The opening, if any position on the way is known.
    pub named: Option<NamedAt<'c>>,
    /// What is wrong with the game, if anything.
    pub error: Option<GameError>,
}

/// A named position that a game came to.
#[derive(Clone, Copy)]
pub struct NamedAt<'c> {
    catalogue: &'c Catalogue,
    line: usize,
    ply: usize,
    is_transposed: bool,
}

impl<'c> NamedAt<'c> {
    pub(super) fn new(
        catalogue: &'c Catalogue,
        line: usize,
        ply: usize,
        is_transposed: bool,
    ) -> Self {
        Self { catalogue, line, ply, is_transposed }
    }

    /// The line of the catalogue that gave the name: the one that the game followed, if it is of
    /// the master that decides here, otherwise the first.
    #[must_use]
    pub fn line(&self) -> &'c Line {
        &self.catalogue.lines()[self.line]
    }

    /// The opening.
    #[must_use]
    pub fn opening(&self) -> &'c Opening {
        &self.line().opening
    }

    /// The master that gave the name.
    #[must_use]
    pub fn master(&self) -> &'c MasterInfo {
        &self.catalogue.masters()[self.line().master]
    }

    /// The position that decided.
    #[must_use]
    pub fn key(&self) -> &'c PositionKey {
        &self.catalogue.positions()[self.position()].key
    }

    /// Which of [`Catalogue::positions`] it is.
    #[must_use]
    pub fn position(&self) -> usize {
        self.line().position
    }

    /// After how many plies from its start the game came there; 0 is the start itself.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Whether the game came there by other moves than every line that the catalogue has for the
    /// position. A game that starts there did not come there by any.
    #[must_use]
    pub fn is_transposed(&self) -> bool {
        self.is_transposed
    }
}

impl fmt::Debug for NamedAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedAt")
            .field("opening", self.opening())
            .field("ply", &self.ply)
            .field("is_transposed", &self.is_transposed)
            .finish_non_exhaustive()
    }
}

impl PartialEq for NamedAt<'_> {
    fn eq(&self, other: &Self) -> bool {
        let place = |named: &Self| (named.line, named.ply, named.is_transposed);
        std::ptr::eq(self.catalogue, other.catalogue) && place(self) == place(other)
    }
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A move of the main line cannot be played.
    #[error("move {number} {word}: {fault}")]
    Move {
        /// Its number on the score sheet, counted from the start position.
        number: MoveNumber,
        /// The move as it is written.
        word: String,
        /// What is wrong with it.
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
        fault: TagFault,
    },
    /// The FEN tag does not give a position.
    #[error("FEN: {0}")]
    Fen(FenFault),
    /// It is a game of another variant of chess.
    #[error("variant {name}: not classified")]
    Variant {
        /// The variant, as the game has it.
        name: String,
    },
    /// The game is longer than what is looked at of one game.
    #[error("longer than {bytes} bytes: the rest was not read")]
    TooLong {
        /// How many bytes were looked at.
        bytes: usize,
    },
}

impl GameError {
    pub(super) fn bad_move(number: MoveNumber, word: &[u8], fault: MoveFault) -> Self {
        Self::Move { number, word: told_word(word), fault }
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
