//! What can be wrong with a FEN, and what is forgiven.

use std::{borrow::Cow, fmt};

/// One of the six fields of a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FenField {
    /// Which pieces stand where.
    Placement,
    /// Whose turn it is.
    Side,
    /// Who may still castle where.
    Castling,
    /// The square that a pawn has just passed over.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
}

impl FenField {
    /// All fields, in their order.
    pub const ALL: [Self; 6] = [
        Self::Placement,
        Self::Side,
        Self::Castling,
        Self::EnPassant,
        Self::Halfmoves,
        Self::Fullmoves,
    ];

    /// Its place in a FEN, from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Placement => "placement",
            Self::Side => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::Halfmoves => "halfmove clock",
            Self::Fullmoves => "move number",
        }
    }
}

/// How bad a fault is, from the least to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultClass {
    /// It can be read and played, but something about it is unusual.
    Odd,
    /// It can be read, but no game leads there.
    Impossible,
    /// It cannot be read.
    Syntax,
}

impl FaultClass {
    /// Its name, in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Odd => "odd",
            Self::Impossible => "impossible",
            Self::Syntax => "syntax",
        }
    }
}

macro_rules! fault_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $class:ident $code:literal,)+) => {
        /// The kinds of fault that are told apart.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FaultKind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl FaultKind {
            /// All kinds, syntax first.
            pub const ALL: &[Self] = &[$(Self::$kind,)+];

            /// How bad it is.
            #[must_use]
            pub fn class(self) -> FaultClass {
                match self { $(Self::$kind => FaultClass::$class,)+ }
            }

            /// Its name for programs: lower case, words joined by hyphens. It stays as it is.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)+ }
            }
        }
    };
}

fault_kinds! {
    /// There is no text at all.
    NoText = Syntax "no-text",
    /// A field is not there, and nothing can be taken for it.
    MissingField = Syntax "missing-field",
    /// A character in the placement that is no piece, digit or slash.
    PlacementLetter = Syntax "placement-letter",
    /// A rank that has not eight squares.
    RankLength = Syntax "rank-length",
    /// Not eight ranks.
    RankCount = Syntax "rank-count",
    /// The side to move is neither `w` nor `b`.
    SideLetter = Syntax "side-letter",
    /// A character that is no castling right.
    CastlingLetter = Syntax "castling-letter",
    /// The fourth field is neither a dash nor a square.
    EnPassantText = Syntax "en-passant-text",
    /// A move counter that is no number.
    CounterText = Syntax "counter-text",
    /// Text behind the sixth field.
    Trailing = Syntax "trailing",

    /// There are no pieces.
    EmptyBoard = Impossible "empty-board",
    /// A side has no king.
    MissingKing = Impossible "missing-king",
    /// A side has more than one king.
    TooManyKings = Impossible "too-many-kings",
    /// The kings stand side by side.
    KingsTouch = Impossible "kings-touch",
    /// A pawn on rank 1 or 8.
    PawnOnBackRank = Impossible "pawn-on-back-rank",
    /// A side has more than eight pawns.
    TooManyPawns = Impossible "too-many-pawns",
    /// A side has more than sixteen pieces.
    TooManyPieces = Impossible "too-many-pieces",
    /// The side that is not to move is in check. Where it has two kings nothing is said of checks.
    OpponentInCheck = Impossible "opponent-in-check",
    /// A check that no single move can have given.
    ImpossibleCheck = Impossible "impossible-check",
    /// A castling right without king and rook at home.
    CastlingNotAtHome = Impossible "castling-not-at-home",
    /// The en passant square names the square of the pawn itself.
    EnPassantOwnSquare = Impossible "en-passant-own-square",
    /// An en passant square that no pawn has just passed over.
    EnPassantWithoutPawn = Impossible "en-passant-without-pawn",

    /// A side has more promoted pieces than it has lost pawns.
    TooManyPromoted = Odd "too-many-promoted",
    /// The clock counts more half-moves than the game has had.
    ClockBeyondGame = Odd "clock-beyond-game",
    /// The clock runs although a pawn has just moved.
    ClockAfterPawnMove = Odd "clock-after-pawn-move",
    /// The clock has passed the end of the game by the 75-move rule.
    ClockBeyondLimit = Odd "clock-beyond-limit",
    /// Moves are numbered from 1.
    MoveNumberZero = Odd "move-number-zero",
    /// No game has had so many moves.
    MoveNumberLarge = Odd "move-number-large",
}

impl FaultKind {
    /// Whether no game can be played from such a position, by any program.
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

/// One fault of a FEN: where, what was found, and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenFault {
    pub(super) kind: FaultKind,
    pub(super) field: FenField,
    pub(super) column: usize,
    pub(super) found: Box<str>,
    pub(super) expected: Cow<'static, str>,
}

impl FenFault {
    /// What kind of fault it is.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// How bad it is.
    #[must_use]
    pub fn class(&self) -> FaultClass {
        self.kind.class()
    }

    /// The field it is in.
    #[must_use]
    pub fn field(&self) -> FenField {
        self.field
    }

    /// The character it begins at, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What was found, in words or quoted.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What would have been right, in words.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

impl FenFault {
    /// Where it is, what was found and what was expected, without the class.
    #[must_use]
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

/// Something that is not as it should be, but has one meaning only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Forgiven {
    /// More than one blank between fields, or blanks around them.
    Blanks,
    /// Digits side by side in the placement, such as `44` for `8`.
    SplitDigits,
    /// A dash of another kind, or more than one, where `-` was meant.
    Dash,
    /// A dash among castling letters.
    DashAmongLetters,
    /// Castling letters twice or not in the order `KQkq`.
    CastlingOrder,
    /// Castling rights by the file of the rook, as X-FEN and Shredder-FEN have them.
    RookFiles,
    /// No halfmove clock and no move number: 0 and 1.
    NoCounters,
    /// No move number: 1.
    NoMoveNumber,
}

impl Forgiven {
    /// All there is.
    pub const ALL: [Self; 8] = [
        Self::Blanks,
        Self::SplitDigits,
        Self::Dash,
        Self::DashAmongLetters,
        Self::CastlingOrder,
        Self::RookFiles,
        Self::NoCounters,
        Self::NoMoveNumber,
    ];

    /// Its name for programs. It stays as it is.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Blanks => "blanks",
            Self::SplitDigits => "split-digits",
            Self::Dash => "dash",
            Self::DashAmongLetters => "dash-among-letters",
            Self::CastlingOrder => "castling-order",
            Self::RookFiles => "rook-files",
            Self::NoCounters => "no-counters",
            Self::NoMoveNumber => "no-move-number",
        }
    }
}

impl fmt::Display for Forgiven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blanks => "repeated blanks",
            Self::SplitDigits => "digits side by side in the placement",
            Self::Dash => "another dash for -",
            Self::DashAmongLetters => "a dash among castling letters",
            Self::CastlingOrder => "castling letters not in the order KQkq",
            Self::RookFiles => "castling rights by the file of the rook",
            Self::NoCounters => "no move counters: 0 and 1",
            Self::NoMoveNumber => "no move number: 1",
        })
    }
}
