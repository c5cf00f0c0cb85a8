//! The answer of a classifier: the opening of a game, and what is wrong with the game.

use std::fmt;

use crate::catalogue::{Catalogue, Line};
use crate::chess::{FenFault, MoveFault, MoveNumber, PositionKey};
use crate::pgn::{Game, Tag, TagFault, decode_text, decode_word};
use crate::{master::MasterInfo, opening::Opening};

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

    /// Whether the game may end like this because it was cut.
    fn is_open(&self) -> bool {
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

/// The opening of a game, and what is wrong with the game.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Verdict<'c> {
    /// The last named position of the game, if it has one.
    pub named: Option<NamedAt<'c>>,
    /// What is wrong with the game, if anything.
    pub error: Option<GameError>,
}

impl Verdict<'_> {
    /// No name and no error.
    pub(super) const NONE: Self = Self { named: None, error: None };

    /// Sets the error of a game that only seems whole, or only broken, because it was cut.
    #[inline]
    pub(super) fn note_if_cut(&mut self, game: &Game<'_>) {
        if game.is_cut() && self.error.as_ref().is_none_or(GameError::is_open) {
            self.error = Some(GameError::TooLong { bytes: game.bytes().len() });
        }
    }
}

/// A named position that a game reached.
#[derive(Clone, Copy)]
pub struct NamedAt<'c> {
    pub(super) catalogue: &'c Catalogue,
    pub(super) line: usize,
    pub(super) ply: usize,
    pub(super) is_transposed: bool,
}

impl<'c> NamedAt<'c> {
    /// The line that gave the name: the one that the game followed, if it is of the master that
    /// decides here, otherwise the first.
    pub fn line(&self) -> &'c Line {
        &self.catalogue.lines()[self.line]
    }

    /// The index of that line in [`Catalogue::lines`].
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, classify::Classifier};
    ///
    /// let catalogue = Catalogue::builtin();
    /// let named = Classifier::new(catalogue).classify_movetext(b"1. e4 c5").named.unwrap();
    /// assert_eq!(catalogue.lines()[named.line_index()].opening, *named.opening());
    /// ```
    pub fn line_index(&self) -> usize {
        self.line
    }

    /// The opening.
    #[inline]
    pub fn opening(&self) -> &'c Opening {
        &self.line().opening
    }

    /// The master that gave the name.
    pub fn master(&self) -> &'c MasterInfo {
        &self.catalogue.masters()[self.line().master]
    }

    /// The position.
    pub fn key(&self) -> &'c PositionKey {
        &self.catalogue.positions()[self.position()].key
    }

    /// The index of the position in [`Catalogue::positions`].
    pub(crate) fn position(&self) -> usize {
        self.line().position
    }

    /// The number of plies from the start of the game to the position; 0 is the start itself.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Whether the game reached the position by another move order than every line that the
    /// catalogue has for it. A game that starts there is not transposed.
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
        let facts = |named: &Self| (named.line, named.ply, named.is_transposed);
        std::ptr::eq(self.catalogue, other.catalogue) && facts(self) == facts(other)
    }
}
