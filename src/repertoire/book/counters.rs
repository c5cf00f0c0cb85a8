//! The counters of a FEN, which positions of a book do not have.

use std::num::NonZeroU32;

use crate::chess::{Chess, Fen, Position, PositionKey};

/// The counters with which lines begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveCounters {
    /// The half-moves since the last capture or pawn move.
    pub(crate) halfmoves: u32,
    /// The number of the first move.
    pub(crate) fullmoves: NonZeroU32,
}

impl Default for MoveCounters {
    /// Those of the initial position.
    fn default() -> Self {
        Self { halfmoves: 0, fullmoves: NonZeroU32::MIN }
    }
}

impl MoveCounters {
    /// Those of a position.
    pub(crate) fn of(position: &Chess) -> Self {
        Self { halfmoves: position.halfmoves(), fullmoves: position.fullmoves() }
    }

    /// The FEN of a position with these counters.
    pub(crate) fn fen(self, key: &PositionKey) -> Fen {
        Fen::from(key).with_counters(self.halfmoves, self.fullmoves)
    }
}
