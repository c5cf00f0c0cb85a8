//! The two sides of a game.

use crate::chess::Color;

/// The index of a side in a pair: White, then Black.
pub(super) fn index_of(color: Color) -> usize {
    usize::from(color.is_black())
}
