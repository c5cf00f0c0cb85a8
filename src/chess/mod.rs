//! Positions, moves and FEN: the door to `shakmaty`, which knows the rules of chess.
//!
//! What is ours is the [`PositionKey`], the reading of FEN and EPD ([`fen`], [`epd`]), the reading of
//! moves as files and as people write them ([`read_move`], [`read_typed`]), and the telling of what
//! is wrong with any of these, and where. Nothing here knows of PGN, openings or files.

mod board;
pub mod epd;
pub mod fen;
mod key;
mod packed_san;
mod san;
mod typed;
mod uci;

pub use board::Board;
pub use epd::Epd;
pub use fen::{FaultClass, FaultKind, Fen, FenFault, FenReading, Forgiven, read_fen};
pub use key::{ParseKeyError, PositionKey, polyglot_hash};
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

/// Where in a game a move stands: the number and side a score sheet gives it.
///
/// Prints as `12.` for White and `12...` for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber {
    number: u32,
    turn: Color,
}

impl MoveNumber {
    /// The number of the move that is played after so many plies from the initial position.
    #[must_use]
    pub fn after(ply: usize) -> Self {
        Self::next_in(&Chess::default()).later(ply)
    }

    /// The number of the move so many plies later.
    #[must_use]
    pub fn later(self, plies: usize) -> Self {
        let from_white = plies + usize::from(self.turn.is_black());
        let number = self.number.saturating_add(u32::try_from(from_white / 2).unwrap_or(u32::MAX));
        Self { number, turn: Color::from_white(from_white.is_multiple_of(2)) }
    }

    /// The number of the move that is to be played in `position`.
    #[must_use]
    pub fn next_in(position: &Chess) -> Self {
        Self { number: position.fullmoves().get(), turn: position.turn() }
    }
}

impl std::fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dots = if self.turn.is_white() { "." } else { "..." };
        write!(f, "{}{dots}", self.number)
    }
}
