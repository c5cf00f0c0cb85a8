//! From which sides games are seen.

use crate::chess::Color;

/// Whose games are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Perspective<'p> {
    /// Everybody's: from White's side, and in groups of a side (colour, player, opponent) from
    /// both.
    Everybody,
    /// Those of chosen players, who have these colours in the game: both, if they play each other.
    /// Then it counts for each of them.
    Players(&'p [Color]),
}

impl<'p> Perspective<'p> {
    /// That of the players who have these colours; everybody's if there are none.
    #[must_use]
    pub fn of(sides: &'p [Color]) -> Self {
        if sides.is_empty() { Self::Everybody } else { Self::Players(sides) }
    }
}
