//! Opening books as Polyglot has them, which many programs read: `.bin`.
//!
//! A file is entries of 16 bytes, highest byte first, ordered by key: the [hash](polyglot_hash) of a
//! position, a move, its weight, and a number for learning. Source: `book_format.html`, which comes
//! with the program `polyglot`.
//!
//! * Castling is written as the king taking its rook. The reader also takes it by the squares of the
//!   king, as some programs write it.
//! * En passant is part of a hash if a pawn of the side to move stands beside the pushed pawn, pinned
//!   or not. A position of a book tells only of captures that are legal; so its moves are written
//!   under each hash with which moves of the book arrive there, and under its own.
//! * A weight is what the program `polyglot` takes, 2 for a win and 1 for a draw of the side to move,
//!   scaled down where that does not fit. Where nothing was scored, weights go down in the order of
//!   the moves: 3, 2, 1. No move has 0, which means deleted.

mod reading;
mod writing;

#[cfg(test)]
mod tests;

pub use reading::{PolyglotBook, PolyglotError, PolyglotReading};
pub use writing::to_polyglot;

use crate::chess::{Chess, EnPassantMode, Move, UciMove, polyglot_hash};

/// How long an entry is.
const ENTRY_BYTES: usize = 16;

/// A move of a position, as a Polyglot book has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolyglotEntry {
    /// The hash of the position.
    pub key: u64,
    /// The move: bits 0 to 5 the square it goes to, 6 to 11 the one it comes from, 12 to 14 what a pawn
    /// becomes, knight 1 to queen 4.
    pub m: u16,
    /// How good it is, or how often it is to be played; 0 for never.
    pub weight: u16,
    /// Room for what a program learns.
    pub learn: u32,
}

impl PolyglotEntry {
    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let [key, move_weight] = [
            self.key,
            u64::from(self.m) << 48 | u64::from(self.weight) << 32 | u64::from(self.learn),
        ];
        (u128::from(key) << 64 | u128::from(move_weight)).to_be_bytes()
    }

    fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self {
            key: (number >> 64) as u64,
            m: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }
}

fn hash_of(position: &Chess) -> u64 {
    polyglot_hash(position, EnPassantMode::PseudoLegal)
}

/// The bits of a move.
fn bits_of(m: Move) -> u16 {
    match m {
        Move::Castle { king, rook } => UciMove::new(king, rook, None).bits(),
        _ => UciMove::of(m).bits(),
    }
}
