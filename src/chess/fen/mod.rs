//! FEN: text, the position it writes down, and the position that can be played.
//!
//! The ladder of types, from text to key:
//!
//! | type | what it is |
//! | --- | --- |
//! | `&[u8]` | text that is meant as a FEN |
//! | [`FenReading`] | all that can be said of it: every fault, what was forgiven, the repair |
//! | [`Fen`] | six fields that could be read |
//! | [`Epd`](super::Epd) | a FEN with operations behind it, as lists have them |
//! | [`Chess`] | a position that can be played |
//! | [`PositionKey`] | a position without its history |
//!
//! Forgiven in reading: whatever [`Forgiven`] lists. Forgiven where a [`Fen`] becomes a position,
//! because files in the world have it and `lichess` and python-chess take it: castling rights
//! without king and rook at home, an en passant square that nothing can have made, more pieces
//! than a game can have, an impossible double check. [`FenReading`] tells all of these.

mod fault;
mod legality;
mod reading;
mod table;

use std::{fmt, num::NonZeroU32, str::FromStr};

pub use fault::{FaultClass, FaultKind, FenFault, FenField, Forgiven};
use reading::{Draft, decode};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position,
    PositionError, Rank, Setup, Square,
};
pub use table::{FenTable, TableFault};

use super::PositionKey;

/// Reads a FEN of four to six fields as a position of standard chess.
///
/// # Errors
///
/// The first [`FenFault`] that makes it unreadable, or no position that can be played (no king,
/// side not to move in check, ...).
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

/// Cuts a line into the FEN it begins with, of four to six fields, and what stands behind it: moves,
/// or the operations of an EPD. The fifth and sixth field are there if they are numbers.
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
    let end = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize + word.len();
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let fields = words.by_ref().take(4).map(end).last();
    let counters = words.take_while(is_number).take(2).map(end).last();
    line.split_at(counters.or(fields).unwrap_or(line.len()))
}

/// All that can be said of a text that is meant as a FEN.
///
/// ```
/// use eco::chess::{FaultClass, FaultKind, FenReading};
///
/// let reading = FenReading::from_ascii(b"4k3/8/8/8/4P3/8/8/4K3 b K e4 0 1");
/// let kinds: Vec<_> = reading.faults().iter().map(|fault| fault.kind()).collect();
/// assert_eq!(kinds, [FaultKind::CastlingNotAtHome, FaultKind::EnPassantOwnSquare]);
/// assert_eq!(reading.class(), Some(FaultClass::Impossible));
/// let repaired = reading.repaired().expect("both have one repair");
/// assert_eq!(repaired.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenReading {
    fen: Option<Fen>,
    faults: Vec<FenFault>,
    omitted: usize,
    forgiven: Vec<Forgiven>,
    repaired: Option<Fen>,
}

impl FenReading {
    /// Reads the text and looks for everything that can be wrong.
    #[must_use]
    pub fn from_ascii(text: &[u8]) -> Self {
        Self::from_text(&decode(text))
    }

    fn from_text(text: &str) -> Self {
        let mut draft = Draft::read(text);
        let fen = draft.is_readable().then(|| Fen(draft.setup.clone()));
        legality::judge(&mut draft);
        let repaired = draft.repair.is_certain().then_some(Fen(draft.setup)).and_then(Self::healed);
        let (mut faults, omitted, forgiven) = (draft.faults, draft.omitted, draft.forgiven);
        faults.sort_by_key(FenFault::column);
        Self { fen, faults, omitted, forgiven, repaired }
    }

    /// A repaired FEN, if nothing is left in it that is worse than odd. What is impossible about
    /// one that could not be read comes out only now.
    fn healed(fen: Fen) -> Option<Fen> {
        let reading = Self::from_text(&fen.to_string());
        let is_healed = reading.class() <= Some(FaultClass::Odd);
        if is_healed { Some(fen) } else { reading.repaired }
    }

    /// The six fields, if they could be read; possible or not.
    #[must_use]
    pub fn fen(&self) -> Option<&Fen> {
        self.fen.as_ref()
    }

    /// Every fault, in the order of the text; of very many only the first that were found.
    #[must_use]
    pub fn faults(&self) -> &[FenFault] {
        &self.faults
    }

    /// How many more faults there are than [`faults`](Self::faults) tells.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The class of the worst fault; `None` if there is none.
    #[must_use]
    pub fn class(&self) -> Option<FaultClass> {
        self.faults.iter().map(FenFault::class).max()
    }

    /// What was not as it should be, and was read nevertheless.
    #[must_use]
    pub fn forgiven(&self) -> &[Forgiven] {
        &self.forgiven
    }

    /// The FEN that must have been meant, if there are faults and each has one repair only. What
    /// stands on the board is believed: where another field contradicts it, that field is wrong.
    #[must_use]
    pub fn repaired(&self) -> Option<&Fen> {
        self.repaired.as_ref()
    }
}

/// A position as a FEN writes it down: read, but not known to be one that can be played.
///
/// It prints as the six fields of a FEN, in their usual spelling.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fen(Setup);

impl Fen {
    /// Reads the text of a FEN of four to six fields.
    ///
    /// # Errors
    ///
    /// The first [`FenFault`] of [`FaultClass::Syntax`]; [`FenReading`] tells all.
    pub fn from_ascii(text: &[u8]) -> Result<Self, FenFault> {
        let text = decode(text);
        let draft = Draft::read(&text);
        let is_syntax = |fault: &FenFault| fault.class() == FaultClass::Syntax;
        match draft.faults.into_iter().filter(is_syntax).min_by_key(FenFault::column) {
            Some(fault) => Err(fault),
            None => Ok(Self(draft.setup)),
        }
    }

    /// The FEN of a position. `mode` says which en passant squares are written.
    #[must_use]
    pub fn from_position(position: &Chess, mode: EnPassantMode) -> Self {
        Self(position.to_setup(mode))
    }

    pub(super) fn from_setup(setup: Setup) -> Self {
        Self(setup)
    }

    /// The position, if it is one of standard chess. The [module](self) says what is forgiven.
    ///
    /// # Errors
    ///
    /// The first [`FenFault`] that is not forgiven; its column is that of the FEN as it prints.
    pub fn to_position(&self) -> Result<Chess, FenFault> {
        Chess::from_setup(self.0.clone(), CastlingMode::Standard)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|_| self.why_no_position())
    }

    fn why_no_position(&self) -> FenFault {
        let reading = FenReading::from_text(&self.to_string());
        let fault = reading.faults.into_iter().find(|fault| fault.kind().forbids_play());
        fault.expect("what forbids a position is a fault of its FEN")
    }

    /// The key of the position, with the en passant square as it is written.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        PositionKey::from(&self.0)
    }

    /// The same position with other move counters.
    #[must_use]
    pub fn with_counters(&self, halfmoves: u32, fullmoves: NonZeroU32) -> Self {
        Self(Setup { halfmoves, fullmoves, ..self.0.clone() })
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.board.piece_at(square)
    }

    /// Whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.0.turn
    }

    /// The en passant square, as it is written.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.0.ep_square
    }

    /// Half-moves since the last capture or pawn move.
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
    pub(super) fn four_fields(&self) -> FourFields<'_> {
        FourFields(&self.0)
    }
}

/// Prints the first four fields of a FEN.
pub(super) struct FourFields<'a>(&'a Setup);

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

/// Prints castling rights: `KQkq` for those of the corners, else the file of the rook.
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
