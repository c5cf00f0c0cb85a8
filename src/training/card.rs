//! What is known of a position that is trained, and the answers it is known from.

use super::moment::Moment;
use crate::chess::{PositionKey, UciMove};

/// A position that was asked, and how well its answer is remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The position.
    pub key: PositionKey,
    /// The move that was learned: the last one that was given and in the book, or the main one.
    pub answer: UciMove,
    /// How well it is remembered.
    pub memory: Memory,
    /// When it was asked last.
    pub reviewed: Moment,
    /// When it should be asked again.
    pub due: Moment,
    /// The number of answers since the move was new.
    pub reviews: u32,
    /// The number of wrong ones, apart from the first.
    pub lapses: u32,
}

/// How well a move is remembered, in the model of FSRS.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// The days until the probability of recall has fallen to 90 %.
    pub stability: f32,
    /// How much harder it is than others to remember, from 1 to 10.
    pub difficulty: f32,
}

/// An answer, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The position.
    pub key: PositionKey,
    /// When it was given.
    pub at: Moment,
    /// Whether the move was new: never asked, or not the one that was learned before.
    pub is_first: bool,
    /// How good it was.
    pub rating: Rating,
    /// The move that was to be learned.
    pub answer: UciMove,
    /// The move that was given; `None` if the learner asked for it.
    pub given: Option<UciMove>,
}

/// How good an answer was, in the words of FSRS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rating {
    /// Wrong.
    Again = 1,
    /// Right, with effort.
    Hard,
    /// Right.
    Good,
    /// Right, without effort.
    Easy,
}

impl Rating {
    /// All of them, from 1 to 4.
    pub const ALL: [Self; 4] = [Self::Again, Self::Hard, Self::Good, Self::Easy];

    /// Its number, as databases of flash cards have it.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The rating of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rating| rating.number() == number)
    }

    /// Whether the answer was right.
    #[must_use]
    pub fn is_right(self) -> bool {
        self != Self::Again
    }
}
