//! What a [`Board`] holds.

use shakmaty::{Chess, EnPassantMode};

use crate::chess::key::PositionKey;

/// A position without its history, on which moves can be played.
///
/// It is a [`PositionKey`] with legal en passant squares only, and two counts that follow from it
/// and are asked for after each move: to update them takes less than to count again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(super) key: PositionKey,
    pub(super) piece_count: usize,
    pub(super) home_pawns: u64,
}

impl Default for Board {
    /// The initial position.
    fn default() -> Self {
        Self::from_position(&Chess::default())
    }
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub(crate) fn from_position(position: &Chess) -> Self {
        Self::from_key(PositionKey::from_position(position, EnPassantMode::Legal))
    }

    /// The board of a position that has this key, with legal en passant squares only.
    #[must_use]
    pub(crate) const fn from_key(key: PositionKey) -> Self {
        Self { key, piece_count: key.piece_count(), home_pawns: key.home_pawns() }
    }

    /// The key of the position on the board, with legal en passant squares only.
    #[must_use]
    pub(crate) const fn key(&self) -> &PositionKey {
        &self.key
    }

    /// The number of pieces on the board, kings and pawns included.
    #[must_use]
    pub(crate) fn piece_count(&self) -> usize {
        self.piece_count
    }

    /// As [`PositionKey::home_pawns`].
    #[inline(always)]
    pub(crate) fn home_pawns(&self) -> u64 {
        self.home_pawns
    }
}
