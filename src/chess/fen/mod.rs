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

mod draft;
mod fault;
mod legality;
mod rights;
mod table;
mod wrapped;

use std::{fmt, num::NonZeroU32, str::FromStr};

use shakmaty::{Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece};
use shakmaty::{Position, PositionError, Rank, Setup, Square};

use self::draft::{Draft, Repair, decode};
pub use self::fault::{FaultClass, FaultKind, FenFault, FenField, Forgiven};
use self::legality::check_legality;
use self::rights::why_no_en_passant;
use self::rights::{checkers, is_chess960, rights_in_chess960, why_no_castling};
pub use self::table::{FenTable, TableFault};
pub(crate) use self::wrapped::{address_words, is_address};
pub use self::wrapped::{complete_fen, unwrap_fen};
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
pub fn split_fen(line: &str) -> (&str, &str) {
    let mut words = line.split_whitespace();
    let end = |word: &str| range_in(word.as_bytes(), line.as_bytes()).end;
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let fields = words.by_ref().take(4).map(end).last();
    let counters = words.take_while(is_number).take(2).map(end).last();
    line.split_at(counters.or(fields).unwrap_or(line.len()))
}

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
pub struct Fen(pub(in crate::chess) Setup);

impl Fen {
    /// Reads the text of a FEN of four to six fields.
    ///
    /// # Errors
    ///
    /// The first [`FenFault`] of [`FaultClass::Syntax`]; [`FenReading`] has all.
    pub fn from_ascii(text: &[u8]) -> Result<Self, FenFault> {
        let text = decode(text);
        let draft = Draft::read(&text);
        let is_syntax = |fault: &FenFault| fault.class() == FaultClass::Syntax;
        match draft.faults.into_iter().filter(is_syntax).min_by_key(|fault| fault.column) {
            Some(fault) => Err(fault),
            None => Ok(Self(draft.setup)),
        }
    }

    /// The FEN of a position. `mode` decides which en passant squares are written.
    pub fn from_position(position: &Chess, mode: EnPassantMode) -> Self {
        Self(position.to_setup(mode))
    }

    /// The position, if it is one of standard chess. The [module](self) lists what is forgiven.
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
            .map_err(|_| self.why_no_position(CastlingMode::Standard))
    }

    /// The position of Chess960, if it is one. Of the castling rights, `K` and `Q` mean the
    /// outermost rook on that side of the king, and other letters the rook on their file. The same
    /// is forgiven as in standard chess.
    ///
    /// # Errors
    ///
    /// As [`to_position`](Self::to_position), and if king and rook do not stand where a castling
    /// right wants them.
    pub fn to_chess960(&self) -> Result<Chess, FenFault> {
        let castling_rights = rights_in_chess960(&self.0);
        Chess::from_setup(Setup { castling_rights, ..self.0.clone() }, CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|_| self.why_no_position(CastlingMode::Chess960))
    }

    /// Whether its castling rights are those of Chess960, and no game of standard chess has them.
    /// [`to_position`](Self::to_position) drops these.
    pub fn is_chess960(&self) -> bool {
        is_chess960(&self.0)
    }

    /// The first four fields as they are written, the key of a position in any variant of chess.
    pub fn four_fields_text(&self) -> String {
        self.four_fields().to_string()
    }

    fn why_no_position(&self, mode: CastlingMode) -> FenFault {
        let text = self.to_string();
        let mut draft = Draft::read(&text);
        check_legality(&mut draft, mode);
        draft.faults.sort_by_key(|fault| fault.column);
        let forbids = |kind: FaultKind| {
            kind.forbids_play()
                || mode == CastlingMode::Chess960 && kind == FaultKind::CastlingNotAtHome
        };
        let fault = draft.faults.into_iter().find(|fault| forbids(fault.kind));
        fault.expect("what forbids a position is a fault of its FEN")
    }

    /// The same position with other move counters.
    pub fn with_counters(&self, halfmoves: u32, fullmoves: NonZeroU32) -> Self {
        Self(Setup { halfmoves, fullmoves, ..self.0.clone() })
    }

    /// The same position with a square that has this piece, or is empty. Castling rights and an en
    /// passant square that were possible and are not any more, are dropped.
    pub fn with_piece(&self, square: Square, piece: Option<Piece>) -> Self {
        let old = &self.0;
        let mut setup = old.clone();
        match piece {
            Some(piece) => setup.board.set_piece_at(square, piece),
            None => setup.board.discard_piece_at(square),
        }
        let is_right = |setup: &Setup, rook: Square| why_no_castling(setup, rook).is_none();
        setup.castling_rights = (old.castling_rights.into_iter())
            .filter(|rook| is_right(&setup, *rook) || !is_right(old, *rook))
            .collect();
        setup.ep_square = old.ep_square.filter(|passed| {
            why_no_en_passant(&setup, *passed).is_none()
                || why_no_en_passant(old, *passed).is_some()
        });
        Self(setup)
    }

    /// The same position with another en passant square, or none.
    pub fn with_en_passant(&self, square: Option<Square>) -> Self {
        Self(Setup { ep_square: square, ..self.0.clone() })
    }

    /// The square of the king of the side to move, if it is in check and the only one.
    pub fn checked_king(&self) -> Option<Square> {
        let Setup { board, turn, .. } = &self.0;
        board.king_of(*turn).filter(|_| checkers(board, *turn).any())
    }

    /// The number of half-moves before this position, by its move number.
    pub fn ply(&self) -> u64 {
        2 * u64::from(self.0.fullmoves.get() - 1) + u64::from(self.0.turn.is_black())
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.board.piece_at(square)
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.0.turn
    }

    /// The placement of the pieces, as the first field.
    pub fn placement(&self) -> String {
        self.0.board.to_string()
    }

    /// The rooks that may castle. They are as they are written: neither they nor the kings need to
    /// be at home.
    ///
    /// ```
    /// use eco::chess::{Color, Fen, Square};
    ///
    /// let fen: Fen = "r3k2r/8/8/8/8/4P3/8/R3K2R b KQk - 7 31".parse()?;
    /// assert!(fen.castling_rights().contains(Square::A1));
    /// assert!(!fen.castling_rights().contains(Square::A8));
    /// assert_eq!((fen.castling().as_str(), fen.turn()), ("KQk", Color::Black));
    /// assert_eq!((fen.en_passant(), fen.halfmoves(), fen.fullmoves().get()), (None, 7, 31));
    /// # Ok::<(), eco::chess::FenFault>(())
    /// ```
    pub fn castling_rights(&self) -> Bitboard {
        self.0.castling_rights
    }

    /// The castling rights as the third field: `KQkq` or what is left of it, `-` for none, and the
    /// files of the rooks if one of them is in no corner.
    pub fn castling(&self) -> String {
        Castling(self.0.castling_rights).to_string()
    }

    /// The en passant square, as it is written.
    pub fn en_passant(&self) -> Option<Square> {
        self.0.ep_square
    }

    /// The half-moves since the last capture or pawn move.
    pub fn halfmoves(&self) -> u32 {
        self.0.halfmoves
    }

    /// The number of the move to be played.
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

/// Prints castling rights: `KQkq` if all rooks are in the corners, else the files of all rooks, so
/// that the letters are never a mixture of both.
struct Castling(Bitboard);

impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        let are_corners = self.0.is_subset(Bitboard::CORNERS);
        for rank in [Rank::First, Rank::Eighth] {
            for rook in (self.0 & rank).into_iter().rev() {
                let letter = match rook.file() {
                    File::H if are_corners => 'k',
                    File::A if are_corners => 'q',
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

/// The full report on a text that is meant as a FEN.
///
/// ```
/// use eco::chess::{FaultClass, FaultKind, FenReading};
///
/// let reading = FenReading::from_ascii(b"4k3/8/8/8/4P3/8/8/4K3 b K e4 0 1");
/// let kinds: Vec<_> = reading.faults.iter().map(|fault| fault.kind).collect();
/// assert_eq!(kinds, [FaultKind::CastlingNotAtHome, FaultKind::EnPassantOwnSquare]);
/// assert_eq!(reading.class(), Some(FaultClass::Impossible));
/// let repaired = reading.repaired().expect("both have one repair");
/// assert_eq!(repaired.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenReading {
    fen: Option<Fen>,
    /// Every fault, in the order of the text. There are at most 64; [`omitted`](Self::omitted)
    /// counts the rest.
    pub faults: Vec<FenFault>,
    /// The number of faults that [`faults`](Self::faults) leaves out.
    pub omitted: usize,
    /// The deviations from the standard that were read nevertheless.
    pub forgiven: Vec<Forgiven>,
    repaired: Option<Fen>,
}

impl FenReading {
    /// Reads the text and checks everything that can be wrong.
    pub fn from_ascii(text: &[u8]) -> Self {
        Self::from_text(&decode(text), CastlingMode::Standard)
    }

    /// Reads the text as [`from_ascii`](Self::from_ascii) does, with the castling rights of
    /// Chess960.
    pub fn of_chess960(text: &[u8]) -> Self {
        Self::from_text(&decode(text), CastlingMode::Chess960)
    }

    /// The reading with what was taken off its text before.
    #[must_use]
    pub fn after_forgiving(mut self, forgiven: &[Forgiven]) -> Self {
        self.forgiven.splice(0..0, forgiven.iter().copied());
        self
    }

    fn from_text(text: &str, mode: CastlingMode) -> Self {
        let mut draft = Draft::read(text);
        if mode == CastlingMode::Chess960 && draft.knows(&[FenField::Placement]) {
            draft.setup.castling_rights = rights_in_chess960(&draft.setup);
        }
        let fen = draft.is_readable().then(|| Fen(draft.setup.clone()));
        check_legality(&mut draft, mode);
        let is_certain = draft.repair == Repair::Done;
        let repaired = is_certain.then(|| Self::if_sound(Fen(draft.setup), mode)).flatten();
        let (mut faults, omitted, forgiven) = (draft.faults, draft.omitted, draft.forgiven);
        faults.sort_by_key(|fault| fault.column);
        Self { fen, faults, omitted, forgiven, repaired }
    }

    /// A repaired FEN, if its worst fault is odd. Of a text that could not be read, only now is
    /// known what is impossible in it; that is repaired too, if it can be.
    fn if_sound(fen: Fen, mode: CastlingMode) -> Option<Fen> {
        let reading = Self::from_text(&fen.to_string(), mode);
        let is_sound = reading.class() <= Some(FaultClass::Odd);
        if is_sound { Some(fen) } else { reading.repaired }
    }

    /// The six fields, if they could be read; possible or not.
    pub fn fen(&self) -> Option<&Fen> {
        self.fen.as_ref()
    }

    /// The severity of the worst fault; `None` if there is no fault.
    pub fn class(&self) -> Option<FaultClass> {
        self.faults.iter().map(FenFault::class).max()
    }

    /// The FEN that must have been meant, if there are faults and each has exactly one repair. The
    /// placement is trusted: a field that contradicts it is wrong.
    pub fn repaired(&self) -> Option<&Fen> {
        self.repaired.as_ref()
    }

    /// The position, repaired if there are faults; `None` if it cannot be played.
    pub fn to_position(&self) -> Option<Chess> {
        self.repaired().or(self.fen())?.to_position().ok()
    }
}
