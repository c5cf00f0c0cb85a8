//! An entry of a Polyglot file, and how it writes positions and moves.

use crate::chess::{Chess, EnPassantMode, Move, UciMove, polyglot_hash};

/// The length of an entry.
pub(super) const ENTRY_BYTES: usize = 16;

/// A move of a position, as a Polyglot book has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PolyglotEntry {
    /// The hash of the position.
    pub(crate) key: u64,
    /// The move: bits 0 to 5 the square it goes to, 6 to 11 the one it comes from, 12 to 14 what a
    /// pawn becomes, knight 1 to queen 4.
    pub(crate) m: u16,
    /// How good it is, or how often it is to be played; 0 for never.
    pub(crate) weight: u16,
    /// A field for what a program learns.
    pub(crate) learn: u32,
}

impl PolyglotEntry {
    pub(super) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let [key, move_weight] = [
            self.key,
            u64::from(self.m) << 48 | u64::from(self.weight) << 32 | u64::from(self.learn),
        ];
        (u128::from(key) << 64 | u128::from(move_weight)).to_be_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self {
            key: (number >> 64) as u64,
            m: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }
}

pub(super) fn hash_of(position: &Chess) -> u64 {
    polyglot_hash(position, EnPassantMode::PseudoLegal)
}

/// The bits of a move.
pub(super) fn bits_of(m: Move) -> u16 {
    match m {
        Move::Castle { king, rook } => UciMove::new(king, rook, None).bits(),
        _ => UciMove::from_move(m).bits(),
    }
}
