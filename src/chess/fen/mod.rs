//! FEN: the text, the position that it describes, and the position that can be played.
//!
//! The ladder of types, from text to key:
//!
//! | type | what it is |
//! | --- | --- |
//! | `&[u8]` | text that is meant as a FEN |
//! | [`FenReading`] | everything about the text: all faults, what was forgiven, the repair |
//! | [`Fen`] | six fields that could be read |
//! | [`Epd`](super::Epd) | a FEN followed by operations, as lists have them |
//! | [`Chess`] | a position that can be played |
//! | [`PositionKey`](super::PositionKey) | a position without its history |
//!
//! Forgiven in reading: everything that [`Forgiven`] lists. Forgiven when a [`Fen`] becomes a
//! position, because files have it, and lichess and python-chess accept it: castling rights without
//! king and rook at home, an en passant square that no pawn has passed, more pieces than a game can
//! have, an impossible double check. [`FenReading`] reports all of these.

mod castling;
mod draft;
mod en_passant;
mod fault;
mod fields;
mod legality;
#[cfg(feature = "serde")]
mod limited;
mod placement;
mod reading;
mod syntax;
#[cfg(feature = "serde")]
mod table;
mod wrapped;

use shakmaty::Chess;

#[cfg(feature = "serde")]
pub use self::table::{FenTable, TableFault};
pub use self::{
    fault::{FaultClass, FaultKind, FenFault, FenField, Forgiven},
    fields::Fen,
    reading::FenReading,
    wrapped::{complete_fen, unwrap_fen},
};
use crate::subslice::range_in;

/// Reads a FEN of four to six fields as a position of standard chess.
///
/// # Errors
///
/// The first [`FenFault`] that makes the text unreadable or the position unplayable (no king, side
/// not to move in check, ...).
///
/// ```
/// use eco::chess::read_fen;
///
/// let fault = read_fen(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1").unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "field 2 (side to move), column 45: found 'x', expected w or b"
/// );
/// ```
pub fn read_fen(text: &[u8]) -> Result<Chess, FenFault> {
    Fen::from_ascii(text)?.to_position()
}

/// Splits a line into the FEN it begins with, of four to six fields, and the rest: moves, or the
/// operations of an EPD. The fifth and sixth word belong to the FEN if they are numbers.
///
/// ```
/// use eco::chess::fen::split_fen;
///
/// let line = "4k3/8/8/8/8/8/8/4K2R w K - 1. O-O";
/// assert_eq!(split_fen(line), ("4k3/8/8/8/8/8/8/4K2R w K -", " 1. O-O"));
/// ```
#[must_use]
pub fn split_fen(line: &str) -> (&str, &str) {
    let mut words = line.split_whitespace();
    let end = |word: &str| range_in(word.as_bytes(), line.as_bytes()).end;
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let fields = words.by_ref().take(4).map(end).last();
    let counters = words.take_while(is_number).take(2).map(end).last();
    line.split_at(counters.or(fields).unwrap_or(line.len()))
}
