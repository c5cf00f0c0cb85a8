//! Opening books as Polyglot has them, which many programs read: `.bin`.
//!
//! A file is entries of 16 bytes, highest byte first, ordered by key: the
//! [hash](crate::chess::polyglot_hash) of a position, a move, its weight, and a number for
//! learning. Source: `book_format.html`, which comes with the program `polyglot`.
//!
//! * Castling is written as the king taking its rook. The reader also takes it by the squares of
//!   the king, as some programs write it.
//! * En passant is part of a hash if a pawn of the side to move stands beside the pushed pawn,
//!   pinned or not. A key of a book has only legal en passant captures, so the moves of a position
//!   are written under each hash with which moves of the book reach it, and under its own.
//! * A weight is what the program `polyglot` takes, 2 for a win and 1 for a draw of the side to
//!   move, scaled down where that does not fit. Where nothing was scored, weights go down in the
//!   order of the moves: 3, 2, 1. A move that always lost has 0, which programs do not play and
//!   readers take for deleted. A prepared move without a game that has a result has 1.

mod entry;
mod reading;
mod writing;

#[cfg(test)]
mod tests;

pub use reading::{PolyglotBook, PolyglotError, PolyglotReading};
pub use writing::to_polyglot;
