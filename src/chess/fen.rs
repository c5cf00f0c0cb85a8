//! Reading a FEN into a position, with an error that names the field and the character.
//!
//! Forgiven, because files in the world have them and `lichess` and python-chess take them:
//! missing move counters, castling rights without king and rook at home, an en passant square
//! that nothing can have made, more pieces than a game can have, an impossible double check.

use std::{fmt, num::NonZeroU32, str::FromStr};

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, PositionError, PositionErrorKinds, Setup,
    fen::LossyFenError,
};

use super::PositionKey;

/// What is wrong with a FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenFault {
    /// It cannot be read.
    #[error("field {number} ({name}), column {column}: found {found}, expected {expected}")]
    Syntax {
        /// 1 to 6.
        number: usize,
        /// What the field is for.
        name: &'static str,
        /// 1-based, counted in bytes from the start of the text.
        column: usize,
        /// The character there, quoted, or "nothing".
        found: Found,
        /// What would have been right.
        expected: &'static str,
    },
    /// It reads, but no game can reach it.
    #[error("impossible position: {0}")]
    Impossible(&'static str),
}

/// The character that stands where a FEN goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found(Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(c) => write!(f, "{c:?}"),
            None => f.write_str("nothing"),
        }
    }
}

const NAMES: [&str; 6] = [
    "placement",
    "side to move",
    "castling rights",
    "en passant square",
    "halfmove clock",
    "move number",
];

/// Reads a FEN of four to six fields as a position of standard chess.
///
/// # Errors
///
/// [`FenFault::Syntax`] for the first character that cannot be right, [`FenFault::Impossible`]
/// for a position that no rule of chess allows (no king, side not to move in check, ...).
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
pub struct Fen(shakmaty::fen::Fen);

impl Fen {
    /// Reads the text of a FEN of four to six fields.
    ///
    /// # Errors
    ///
    /// [`FenFault::Syntax`] for the first character that cannot be right.
    pub fn from_ascii(text: &[u8]) -> Result<Self, FenFault> {
        check_fields(text)?;
        shakmaty::fen::Fen::from_ascii(&normalized(text))
            .map(Self)
            .map_err(|_| syntax(text, 0, 0, "the six fields of a FEN"))
    }

    /// The FEN of a position. `mode` says which en passant squares are written.
    #[must_use]
    pub fn of(position: &Chess, mode: EnPassantMode) -> Self {
        Self(shakmaty::fen::Fen::from_position(position, mode))
    }

    /// The position, if it is one of standard chess.
    ///
    /// # Errors
    ///
    /// [`FenFault::Impossible`], as for [`read_fen`].
    pub fn to_position(&self) -> Result<Chess, FenFault> {
        into_lenient_position(self.0.as_setup().clone())
    }

    /// The key of the position, with the en passant square as it is written.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        PositionKey::from(self.0.as_setup())
    }

    /// The same position with other move counters.
    #[must_use]
    pub fn with_counters(&self, halfmoves: u32, fullmoves: NonZeroU32) -> Self {
        let setup = Setup { halfmoves, fullmoves, ..self.0.as_setup().clone() };
        Self(shakmaty::fen::Fen::try_from_setup(setup).unwrap_or_else(LossyFenError::ignore))
    }

    /// Half-moves since the last capture or pawn move.
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        self.0.as_setup().halfmoves
    }

    /// The number of the move to be played.
    #[must_use]
    pub fn fullmoves(&self) -> NonZeroU32 {
        self.0.as_setup().fullmoves
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Fen {
    type Err = FenFault;

    fn from_str(text: &str) -> Result<Self, FenFault> {
        Self::from_ascii(text.as_bytes())
    }
}

fn normalized(text: &[u8]) -> Vec<u8> {
    text.split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty())
        .collect::<Vec<_>>()
        .join(&b' ')
}

fn syntax(text: &[u8], field: usize, at: usize, expected: &'static str) -> FenFault {
    let found = String::from_utf8_lossy(&text[at.min(text.len())..]).chars().next();
    FenFault::Syntax {
        number: field + 1,
        name: NAMES[field],
        column: at + 1,
        found: Found(found),
        expected,
    }
}

fn check_fields(text: &[u8]) -> Result<(), FenFault> {
    let mut at = 0;
    for field in 0..6 {
        at += text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let len = text[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        let word = &text[at..at + len];
        if word.is_empty() && field >= 4 {
            return Ok(());
        }
        let wrong = match field {
            0 => placement_fault(word),
            1 => word_fault(word, |w| matches!(w, b"w" | b"b"), 0, "w or b"),
            2 => castling_fault(word),
            3 => word_fault(word, is_square_or_dash, 0, "- or a square such as e3"),
            _ => number_fault(word),
        };
        if let Some((offset, expected)) = wrong {
            return Err(syntax(text, field, at + offset, expected));
        }
        at += len;
    }
    let rest = text[at..].iter().position(|b| !b.is_ascii_whitespace());
    rest.map_or(Ok(()), |n| Err(syntax(text, 5, at + n, "the end")))
}

type Wrong = Option<(usize, &'static str)>;

fn word_fault(
    word: &[u8],
    is_right: impl Fn(&[u8]) -> bool,
    at: usize,
    expected: &'static str,
) -> Wrong {
    (!is_right(word)).then_some((at, expected))
}

fn is_square_or_dash(word: &[u8]) -> bool {
    matches!(word, b"-" | [b'a'..=b'h', b'1'..=b'8'])
}

fn placement_fault(word: &[u8]) -> Wrong {
    let (mut ranks, mut files) = (1, 0);
    for (at, byte) in word.iter().enumerate() {
        match byte {
            b'/' if files < 8 => return Some((at, "eight squares in the rank")),
            b'/' if ranks == 8 => return Some((at, "eight ranks")),
            b'/' => (ranks, files) = (ranks + 1, 0),
            b'1'..=b'8' => files += usize::from(byte - b'0'),
            b'p' | b'n' | b'b' | b'r' | b'q' | b'k' => files += 1,
            b'P' | b'N' | b'B' | b'R' | b'Q' | b'K' => files += 1,
            _ => return Some((at, "one of PNBRQKpnbrqk, a digit 1 to 8, or /")),
        }
        if files > 8 {
            return Some((at, "eight squares in the rank"));
        }
    }
    match (ranks, files) {
        (8, 8) => None,
        (8, _) => Some((word.len(), "eight squares in the rank")),
        _ => Some((word.len(), "eight ranks")),
    }
}

fn castling_fault(word: &[u8]) -> Wrong {
    let expected = "- or letters of KQkq";
    if word.is_empty() {
        return Some((0, expected));
    }
    if word == b"-" {
        return None;
    }
    let is_right = |b: &u8| matches!(b, b'K' | b'Q' | b'k' | b'q' | b'A'..=b'H' | b'a'..=b'h');
    let wrong = word.iter().position(|b| !is_right(b))?;
    Some((wrong, expected))
}

fn number_fault(word: &[u8]) -> Wrong {
    if let Some(at) = word.iter().position(|b| !b.is_ascii_digit()) {
        return Some((at, "a number"));
    }
    (word.len() > 4).then_some((4, "a number of at most four digits"))
}

fn into_lenient_position(setup: Setup) -> Result<Chess, FenFault> {
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| FenFault::Impossible(reason(error.kinds())))
}

fn reason(kinds: PositionErrorKinds) -> &'static str {
    const REASONS: [(PositionErrorKinds, &str); 5] = [
        (PositionErrorKinds::EMPTY_BOARD, "empty board"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "more than one king of a colour"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn on rank 1 or 8"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side not to move is in check"),
    ];
    REASONS
        .iter()
        .find(|(kind, _)| kinds.contains(*kind))
        .map_or("against the rules of chess", |(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_real_files_hold_is_read() {
        for fen in [
            "rn1qkbnr/ppp1pppp/8/3p1b2/2P5/1P6/P2PPPPP/RNBQKBNR w KQkq -",
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w KQkq - 0 1 ",
            "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        ] {
            assert!(read_fen(fen.as_bytes()).is_ok(), "{fen}: {:?}", read_fen(fen.as_bytes()));
        }
    }

    #[test]
    fn a_fault_names_field_and_character() {
        for (fen, expected) in [
            ("", "field 1 (placement), column 1: found nothing, expected eight ranks"),
            (
                "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "field 1 (placement), column 17: found '/', expected eight squares in the rank",
            ),
            (
                "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "field 1 (placement), column 14: found 'x', expected one of PNBRQKpnbrqk, \
                 a digit 1 to 8, or /",
            ),
            (
                "8/8/8/8/8/8/8/8 w KX - 0 1",
                "field 3 (castling rights), column 20: found 'X', expected - or letters of KQkq",
            ),
            (
                "8/8/8/8/8/8/8/8 w - e9 0 1",
                "field 4 (en passant square), column 21: found 'e', expected - or a square such as \
                 e3",
            ),
            (
                "8/8/8/8/8/8/8/8 w - - 0 1x",
                "field 6 (move number), column 26: found 'x', expected a number",
            ),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "impossible position: empty board"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "impossible position: a king is missing"),
            (
                "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
                "impossible position: the side not to move is in check",
            ),
        ] {
            let fault = read_fen(fen.as_bytes()).unwrap_err();
            assert_eq!(fault.to_string(), expected, "for {fen:?}");
        }
    }
}
