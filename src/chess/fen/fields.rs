//! The six fields of a FEN, as a value.

use std::{fmt, num::NonZeroU32, str::FromStr};

use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position,
    PositionError, Rank, Setup, Square,
};

use super::{
    draft::{Draft, decode},
    fault::{FaultClass, FenFault},
    legality::check_legality,
};

/// A position as a FEN has it: the text could be read, but the position may be impossible.
///
/// It prints as the six fields of a FEN, in their standard spelling.
///
/// ```
/// use eco::chess::Fen;
///
/// let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K -".parse()?;
/// assert_eq!(fen.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// assert_eq!(fen.key().to_string(), "4k3/8/8/8/8/8/8/4K2R w K -");
/// assert!(fen.to_position().is_ok());
/// # Ok::<(), eco::chess::FenFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fen(Setup);

impl Fen {
    /// Reads the text of a FEN of four to six fields.
    ///
    /// # Errors
    ///
    /// The first [`FenFault`] of [`FaultClass::Syntax`]; [`FenReading`](super::FenReading) has all.
    pub fn from_ascii(text: &[u8]) -> Result<Self, FenFault> {
        let text = decode(text);
        let draft = Draft::read(&text);
        let is_syntax = |fault: &FenFault| fault.class() == FaultClass::Syntax;
        match draft.faults.into_iter().filter(is_syntax).min_by_key(FenFault::column) {
            Some(fault) => Err(fault),
            None => Ok(Self(draft.setup)),
        }
    }

    /// The FEN of a position. `mode` decides which en passant squares are written.
    #[must_use]
    pub fn from_position(position: &Chess, mode: EnPassantMode) -> Self {
        Self(position.to_setup(mode))
    }

    pub(in crate::chess) fn from_setup(setup: Setup) -> Self {
        Self(setup)
    }

    /// The fields as `shakmaty` has them.
    pub(in crate::chess) fn setup(&self) -> &Setup {
        &self.0
    }

    /// The position, if it is one of standard chess. The [module](super) lists what is forgiven.
    ///
    /// # Errors
    ///
    /// The first [`FenFault`] that is not forgiven. Its column counts in the FEN as it prints.
    pub fn to_position(&self) -> Result<Chess, FenFault> {
        Chess::from_setup(self.0.clone(), CastlingMode::Standard)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|_| self.why_no_position())
    }

    fn why_no_position(&self) -> FenFault {
        let text = self.to_string();
        let mut draft = Draft::read(&text);
        check_legality(&mut draft);
        draft.faults.sort_by_key(FenFault::column);
        let fault = draft.faults.into_iter().find(|fault| fault.kind().forbids_play());
        fault.expect("what forbids a position is a fault of its FEN")
    }

    /// The same position with other move counters.
    #[must_use]
    pub fn with_counters(&self, halfmoves: u32, fullmoves: NonZeroU32) -> Self {
        Self(Setup { halfmoves, fullmoves, ..self.0.clone() })
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.board.piece_at(square)
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.0.turn
    }

    /// The en passant square, as it is written.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.0.ep_square
    }

    /// The half-moves since the last capture or pawn move.
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        self.0.halfmoves
    }

    /// The number of the move to be played.
    #[must_use]
    pub fn fullmoves(&self) -> NonZeroU32 {
        self.0.fullmoves
    }

    /// The first four fields, as they are written.
    pub(in crate::chess) fn four_fields(&self) -> FourFields<'_> {
        FourFields(&self.0)
    }
}

/// Prints the first four fields of a FEN.
pub(in crate::chess) struct FourFields<'a>(&'a Setup);

impl fmt::Display for FourFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { board, turn, ep_square, .. } = self.0;
        write!(f, "{board} {} {} ", turn.char(), Castling(self.0.castling_rights))?;
        match ep_square {
            Some(square) => write!(f, "{square}"),
            None => f.write_str("-"),
        }
    }
}

/// Prints castling rights: `KQkq` for rooks in the corners, else the file of the rook.
struct Castling(Bitboard);

impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        for rank in [Rank::First, Rank::Eighth] {
            for rook in (self.0 & rank).into_iter().rev() {
                let letter = match rook.file() {
                    File::H => 'k',
                    File::A => 'q',
                    file => file.char(),
                };
                let is_white = rank == Rank::First;
                write!(f, "{}", if is_white { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.four_fields(), self.halfmoves(), self.fullmoves())
    }
}

impl FromStr for Fen {
    type Err = FenFault;

    fn from_str(text: &str) -> Result<Self, FenFault> {
        Self::from_ascii(text.as_bytes())
    }
}
