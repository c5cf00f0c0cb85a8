//! How games end.

#[cfg(feature = "repertoire")]
use crate::chess::Color;
use crate::pgn::{MainLine, Token};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`, or nothing that is a result.
    Unknown,
}

impl GameResult {
    /// How a game ended: by its tag `Result`, or else by the end of its moves.
    #[must_use]
    #[inline]
    pub(crate) fn of_game<'a>(tag: Option<&[u8]>, end: impl FnOnce() -> Option<&'a [u8]>) -> Self {
        let known = tag.map(Self::read).filter(|result| *result != Self::Unknown);
        known.or_else(|| end().map(Self::read)).unwrap_or(Self::Unknown)
    }

    /// Reads what a tag or the end of a movetext says.
    #[must_use]
    #[inline]
    pub(crate) fn read(text: &[u8]) -> Self {
        match text {
            b"1-0" => Self::WhiteWins,
            b"0-1" => Self::BlackWins,
            b"1/2-1/2" => Self::Draw,
            b"*" => Self::Unknown,
            other => Self::read_plainly(other),
        }
    }

    /// The same by the rules of the movetext, which know more spellings.
    fn read_plainly(text: &[u8]) -> Self {
        let mut tokens = MainLine::from_movetext(text.trim_ascii());
        let Some(Token::Result(result)) = tokens.next() else { return Self::Unknown };
        match result.first() {
            Some(b'0') => Self::BlackWins,
            Some(b'*') | None => Self::Unknown,
            Some(b'1') if result.get(1) != Some(&b'/') => Self::WhiteWins,
            Some(_) => Self::Draw,
        }
    }

    /// As PGN writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The score of a side, in half points.
    #[must_use]
    #[cfg(feature = "repertoire")]
    pub(crate) fn half_points(self, side: Color) -> Option<u8> {
        match self {
            Self::Unknown => None,
            Self::Draw => Some(1),
            won => Some(if (won == Self::WhiteWins) == side.is_white() { 2 } else { 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_from_tags_and_moves() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        for (text, result) in [
            ("1-0", WhiteWins),
            (" 0-1 ", BlackWins),
            ("1/2-1/2", Draw),
            ("1/2", Draw),
            ("*", Unknown),
            ("", Unknown),
            ("won", Unknown),
        ] {
            assert_eq!(GameResult::read(text.as_bytes()), result, "for {text:?}");
            assert_eq!(GameResult::read_plainly(text.as_bytes()), result, "for {text:?}");
        }
    }

    #[test]
    #[cfg(feature = "repertoire")]
    fn a_side_scores_two_half_points_for_a_win() {
        use GameResult::{Draw, Unknown, WhiteWins};
        assert_eq!(WhiteWins.half_points(Color::White), Some(2));
        assert_eq!(WhiteWins.half_points(Color::Black), Some(0));
        assert_eq!(Draw.half_points(Color::Black), Some(1));
        assert_eq!(Unknown.half_points(Color::Black), None);
    }
}
