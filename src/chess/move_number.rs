//! The number of a move, as a score sheet gives it.

use std::fmt;

use shakmaty::{Chess, Color, Position};

/// The number of a move and its side, as a score sheet gives them.
///
/// Prints as `12.` for White and `12...` for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    number: u32,
    turn: Color,
}

impl MoveNumber {
    /// The number of the move after `ply` plies from the initial position.
    #[must_use]
    pub(crate) fn after(ply: usize) -> Self {
        Self::next_in(&Chess::default()).later(ply)
    }

    /// The number of the move `plies` plies later.
    #[must_use]
    pub(crate) fn later(self, plies: usize) -> Self {
        let from_white = plies + usize::from(self.turn.is_black());
        let number = self.number.saturating_add(u32::try_from(from_white / 2).unwrap_or(u32::MAX));
        Self { number, turn: Color::from_white(from_white.is_multiple_of(2)) }
    }

    /// The number of the move to be played in `position`.
    #[must_use]
    pub fn next_in(position: &Chess) -> Self {
        Self { number: position.fullmoves().get(), turn: position.turn() }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.turn.is_white() { "." } else { "..." };
        write!(f, "{}{dots}", self.number)
    }
}
