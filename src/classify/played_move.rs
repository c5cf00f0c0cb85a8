//! A move that was played.

use std::fmt;

use crate::chess::MoveNumber;

/// A move with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayedMove {
    /// Its number on the score sheet.
    pub number: MoveNumber,
    /// The move in standard algebraic notation, `Nf3` or `Qxf7#`.
    pub san: String,
}

/// As on a score sheet: `12. Nf3`, `12... Qxf7#`.
impl fmt::Display for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.san)
    }
}
