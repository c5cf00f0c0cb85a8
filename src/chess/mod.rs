//! Positions, moves and FEN: the door to `shakmaty`, which knows the rules of chess.
//!
//! This room adds the [`PositionKey`], the reading of FEN and EPD ([`fen`],
//! [`epd`]), the reading of moves as files and as people write them ([`read_move`],
//! [`read_typed`]), and messages that say what is wrong with any of these, and where. It knows
//! nothing of PGN, openings or files.
//!
//! Positions, moves, squares and roles are those of [`shakmaty`], whose version is part of the
//! public interface of this crate.

mod board;
pub mod epd;
pub mod fen;
mod key;
mod lan;
mod move_number;
mod packed_san;
mod san;
mod serde_text;
mod typed;
mod uci;
mod words;

pub(crate) use board::Board;
#[cfg(feature = "collection")]
pub(crate) use board::CodedBoard;
pub use epd::Epd;
pub use fen::{FaultClass, FaultKind, Fen, FenFault, FenReading, Forgiven, read_fen};
pub use key::{ParseKeyError, PositionKey, polyglot_hash};
pub use lan::long_algebraic;
pub use move_number::MoveNumber;
pub(crate) use packed_san::PackedSan;
pub(crate) use san::starts_with_figurine;
pub use san::{MoveFault, read_move};
pub(crate) use serde_text::serde_as_text;
pub use shakmaty;
pub use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position, Rank, Role,
    Square,
    san::{San, SanPlus},
};
pub use typed::{CastlingFault, Language, ParseLanguageError, TypedFault, read_typed};
pub use uci::{ParseUciError, UciMove};
pub use words::{end_name, piece_name};

/// Plays the legal move `m` and returns it as SAN with its sign of check or mate.
#[must_use]
pub(crate) fn play_as_san(position: &mut Chess, m: Move) -> SanPlus {
    SanPlus::from_move_and_play_unchecked(position, m)
}

/// The number of pieces on the board, kings and pawns included.
#[cfg(feature = "oracle")]
#[must_use]
pub(crate) fn piece_count(position: &Chess) -> usize {
    position.board().occupied().count()
}
