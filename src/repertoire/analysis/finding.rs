//! A finding of [`lint`](super::lint()): what looks wrong, and where.

use std::fmt;

use crate::repertoire::book::NodeId;

/// A kind of finding. Prints as its name in output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// A position has more than one own move.
    Choice,
    /// A line ends on a move of the opponent.
    DeadEnd,
    /// A move that the position does not have would lead to a position of the book: the repertoire
    /// avoids here what it plays elsewhere.
    Transposition,
    /// A prepared own move was never played, though games went on from its position.
    NeverPlayed,
    /// The notes on a move or a position contradict each other.
    Contradiction,
}

impl FindingKind {
    /// All of them.
    pub const ALL: &[Self] =
        &[Self::Choice, Self::DeadEnd, Self::Transposition, Self::NeverPlayed, Self::Contradiction];

    /// The name in output.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::DeadEnd => "dead end",
            Self::Transposition => "transposition",
            Self::NeverPlayed => "never played",
            Self::Contradiction => "contradiction",
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that looks wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The position.
    pub position: NodeId,
    /// The moves in question, as SAN.
    pub moves: Vec<String>,
    /// The details, in words.
    pub detail: String,
}
