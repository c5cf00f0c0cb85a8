//! Positions, moves and FEN: the door to `shakmaty`, which knows the rules of chess.
//!
//! What is ours is the [`PositionKey`], the reading of FEN and EPD ([`fen`], [`epd`]), the reading of
//! moves as files and as people write them ([`read_move`], [`read_typed`]), and the telling of what
//! is wrong with any of these, and where. Nothing here knows of PGN, openings or files.

mod board;
pub mod epd;
pub mod fen;
mod key;
mod move_number;
mod packed_san;
mod san;
mod typed;
mod uci;
mod words;

pub use board::Board;
pub use epd::Epd;
pub use fen::{FaultClass, FaultKind, Fen, FenFault, FenReading, Forgiven, read_fen};
pub use key::{ParseKeyError, PositionKey, polyglot_hash};
pub use move_number::MoveNumber;
pub(crate) use packed_san::PackedSan;
pub use san::{MoveFault, read_move};
pub use shakmaty::{
    CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position, Rank, Role, Square,
    san::{San, SanPlus},
};
pub use typed::{CastlingFault, Language, ParseLanguageError, TypedFault, read_typed};
pub use uci::{ParseUciError, UciMove};

/// Plays `m` and returns it as SAN with its check or mate sign.
#[must_use]
pub fn play_as_san(position: &mut Chess, m: Move) -> SanPlus {
    SanPlus::from_move_and_play_unchecked(position, m)
}

/// How many pieces stand on the board, kings and pawns among them.
#[must_use]
pub fn piece_count(position: &Chess) -> usize {
    position.board().occupied().count()
}
