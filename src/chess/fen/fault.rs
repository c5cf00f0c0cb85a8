//! What can be wrong with a FEN, and what is forgiven: values with field, column and expectation.

use crate::named::named;
use std::{borrow::Cow, fmt};

named! {
    /// One of the six fields of a FEN.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FenField {
        /// The pieces and their squares.
        Placement = "placement",
        /// The side to move.
        Side = "side to move",
        /// The castling rights that are left.
        Castling = "castling rights",
        /// The square that a pawn has just passed over.
        EnPassant = "en passant square",
        /// The half-moves since the last capture or pawn move.
        Halfmoves = "halfmove clock",
        /// The number of the next move.
        Fullmoves = "move number",
    }
}

impl FenField {
    /// Its number in a FEN, from 1 to 6.
    pub fn number(self) -> usize {
        self as usize + 1
    }
}

named! {
    /// The severity of a fault, from the least to the worst.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FaultClass {
        /// The FEN can be read and played, but something in it is unusual.
        Odd = "odd",
        /// The FEN can be read, but no game leads to its position.
        Impossible = "impossible",
        /// The FEN cannot be read.
        Syntax = "syntax",
    }
}

named! {
    /// The kinds of fault: those of the syntax first, then what is impossible, then what is odd.
    /// Their names are for programs.
    #[non_exhaustive]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FaultKind {
        /// There is no text at all.
        NoText = "no-text",
        /// A field is missing.
        MissingField = "missing-field",
        /// A character in the placement is not a piece, digit or slash.
        PlacementLetter = "placement-letter",
        /// A rank does not have eight squares.
        RankLength = "rank-length",
        /// There are not eight ranks.
        RankCount = "rank-count",
        /// The side to move is neither `w` nor `b`.
        SideLetter = "side-letter",
        /// A character is not a castling right.
        CastlingLetter = "castling-letter",
        /// The fourth field is neither a dash nor a square.
        EnPassantText = "en-passant-text",
        /// A move counter is not a number.
        CounterText = "counter-text",
        /// There is text after the sixth field.
        Trailing = "trailing",

        /// There are no pieces.
        EmptyBoard = "empty-board",
        /// A side has no king.
        MissingKing = "missing-king",
        /// A side has more than one king.
        TooManyKings = "too-many-kings",
        /// The kings stand side by side.
        KingsTouch = "kings-touch",
        /// A pawn stands on rank 1 or 8.
        PawnOnBackRank = "pawn-on-back-rank",
        /// A side has more than eight pawns.
        TooManyPawns = "too-many-pawns",
        /// A side has more than sixteen pieces.
        TooManyPieces = "too-many-pieces",
        /// The side that is not to move is in check. Not reported if that side has two kings.
        OpponentInCheck = "opponent-in-check",
        /// No single move can have given this check.
        ImpossibleCheck = "impossible-check",
        /// King and rook are not on the home squares of a castling right.
        CastlingNotAtHome = "castling-not-at-home",
        /// The castling rights are those of Chess960, not of standard chess.
        Chess960Castling = "chess960-castling",
        /// The en passant square names the square of the pawn itself.
        EnPassantOwnSquare = "en-passant-own-square",
        /// No pawn can have just passed over the en passant square.
        EnPassantWithoutPawn = "en-passant-without-pawn",
        /// A side has more promoted pieces than it has lost pawns.
        TooManyPromoted = "too-many-promoted",

        /// The clock counts more half-moves than the game has.
        ClockBeyondGame = "clock-beyond-game",
        /// The clock runs although a pawn has just moved.
        ClockAfterPawnMove = "clock-after-pawn-move",
        /// The clock has passed the end of the game by the 75-move rule.
        ClockBeyondLimit = "clock-beyond-limit",
        /// The move number is 0; moves are numbered from 1.
        MoveNumberZero = "move-number-zero",
        /// No game has that many moves.
        MoveNumberLarge = "move-number-large",
    }
}

impl FaultKind {
    /// Its severity.
    pub(crate) fn class(self) -> FaultClass {
        match self {
            kind if kind < Self::EmptyBoard => FaultClass::Syntax,
            kind if kind < Self::ClockBeyondGame => FaultClass::Impossible,
            _ => FaultClass::Odd,
        }
    }

    /// Whether no program can play on from such a position.
    pub(super) fn forbids_play(self) -> bool {
        matches!(
            self,
            Self::EmptyBoard
                | Self::MissingKing
                | Self::TooManyKings
                | Self::KingsTouch
                | Self::PawnOnBackRank
                | Self::OpponentInCheck
        )
    }
}

/// One fault of a FEN: where it is, what was found, and what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FenFault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The field it is in.
    pub field: FenField,
    /// The character it begins at, counted from 1.
    pub column: usize,
    /// What was found, in words or quoted.
    pub found: Box<str>,
    /// What was expected, in words.
    pub expected: Cow<'static, str>,
}

impl FenFault {
    /// The severity of its kind.
    pub fn class(&self) -> FaultClass {
        self.kind.class()
    }

    /// The message without the class: where, what was found, what was expected.
    pub fn in_words(&self) -> String {
        let Self { field, column, found, expected, .. } = self;
        let (number, name) = (field.number(), field.name());
        format!("field {number} ({name}), column {column}: found {found}, expected {expected}")
    }
}

impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class() {
            FaultClass::Syntax => {}
            FaultClass::Impossible => f.write_str("impossible position: ")?,
            FaultClass::Odd => f.write_str("odd position: ")?,
        }
        f.write_str(&self.in_words())
    }
}

impl std::error::Error for FenFault {}

macro_rules! forgiven {
    ($($(#[doc = $doc:literal])+ $what:ident = $code:literal $words:literal,)+) => {
        /// A deviation from the FEN standard that is read, because it has one meaning only.
        #[non_exhaustive]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Forgiven {
            $($(#[doc = $doc])+ $what,)+
        }

        impl Forgiven {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$what,)+];

            /// Its name for programs. It never changes.
            pub fn code(self) -> &'static str {
                match self { $(Self::$what => $code,)+ }
            }
        }

        impl fmt::Display for Forgiven {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$what => $words,)+ })
            }
        }
    };
}

forgiven! {
    /// More than one blank between fields, or blanks before or after them.
    Blanks = "blanks" "repeated blanks",
    /// Digits side by side in the placement, such as `44` for `8`.
    SplitDigits = "split-digits" "digits side by side in the placement",
    /// A dash of another kind, or several dashes, instead of `-`.
    Dash = "dash" "another dash for -",
    /// A dash among castling letters.
    DashAmongLetters = "dash-among-letters" "a dash among castling letters",
    /// Castling letters not in the order `KQkq`.
    CastlingOrder = "castling-order" "castling letters not in the order KQkq",
    /// A castling letter given twice.
    CastlingRepeated = "castling-repeated" "a castling letter given twice",
    /// Castling rights given by the file of the rook, as in X-FEN and Shredder-FEN.
    RookFiles = "rook-files" "castling rights by the file of the rook",
    /// No halfmove clock and no move number; 0 and 1 are assumed.
    NoCounters = "no-counters" "no move counters: 0 and 1",
    /// No move number; 1 is assumed.
    NoMoveNumber = "no-move-number" "no move number: 1",
    /// Zeros before a move counter.
    LeadingZeros = "leading-zeros" "zeros before a move counter",
    /// No side to move; White is assumed. Forgiven by [`complete_fen`](super::complete_fen) only.
    NoSide = "no-side" "no side to move: White",
    /// No castling rights; none are assumed. Forgiven by [`complete_fen`](super::complete_fen)
    /// only.
    NoCastling = "no-castling" "no castling rights: none",
    /// No en passant field. Forgiven by [`complete_fen`](super::complete_fen) only.
    NoEnPassant = "no-en-passant" "no en passant square: none",
    /// The tag of a PGN game. Forgiven by [`unwrap_fen`](super::unwrap_fen) only.
    Tag = "tag" "the tag of a game around the FEN",
    /// The address of a page. Forgiven by [`unwrap_fen`](super::unwrap_fen) only.
    Address = "address" "the address of a page around the FEN",
    /// Underscores between fields. Forgiven by [`unwrap_fen`](super::unwrap_fen) only.
    Underscores = "underscores" "underscores between the fields",
}
