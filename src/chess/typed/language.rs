//! The letters that stand for the pieces in other languages.

use std::{fmt, str::FromStr};

/// Whose letters stand for the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// K Q R B N
    #[default]
    English,
    /// K D T L P
    Dutch,
    /// K D T L S
    German,
    /// R D T F C
    French,
    /// R D T A C
    Spanish,
    /// R D T A C
    Italian,
    /// Кр Ф Л С К
    Russian,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 7] = [
        Self::English,
        Self::Dutch,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Russian,
    ];

    /// Its code in ISO 639, such as `de`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Dutch => "nl",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Italian => "it",
            Self::Russian => "ru",
        }
    }

    /// Its English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Dutch => "Dutch",
            Self::German => "German",
            Self::French => "French",
            Self::Spanish => "Spanish",
            Self::Italian => "Italian",
            Self::Russian => "Russian",
        }
    }

    /// Letters and the pieces they stand for. Where one is the beginning of another, the longer
    /// comes first.
    fn letters(self) -> &'static [(&'static str, char)] {
        match self {
            Self::English => {
                &[("K", 'K'), ("Q", 'Q'), ("R", 'R'), ("B", 'B'), ("N", 'N'), ("P", 'P')]
            }
            Self::Dutch => &[("K", 'K'), ("D", 'Q'), ("T", 'R'), ("L", 'B'), ("P", 'N')],
            Self::German => {
                &[("K", 'K'), ("D", 'Q'), ("T", 'R'), ("L", 'B'), ("S", 'N'), ("B", 'P')]
            }
            Self::French => {
                &[("R", 'K'), ("D", 'Q'), ("T", 'R'), ("F", 'B'), ("C", 'N'), ("P", 'P')]
            }
            Self::Spanish | Self::Italian => {
                &[("R", 'K'), ("D", 'Q'), ("T", 'R'), ("A", 'B'), ("C", 'N'), ("P", 'P')]
            }
            Self::Russian => {
                &[("Кр", 'K'), ("Ф", 'Q'), ("Л", 'R'), ("С", 'B'), ("К", 'N'), ("п", 'P')]
            }
        }
    }

    /// The piece that a text begins with, and the rest.
    pub(super) fn piece(self, text: &str) -> Option<(char, &str)> {
        let mut letters = self.letters().iter();
        letters.find_map(|(letter, piece)| Some((*piece, text.strip_prefix(letter)?)))
    }
}

/// There is no such language here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no language {0:?}; there are en, nl, de, fr, es, it, ru, and their English names")]
pub struct ParseLanguageError(String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Self, ParseLanguageError> {
        let is_it = |language: &Self| {
            text.eq_ignore_ascii_case(language.code()) || text.eq_ignore_ascii_case(language.name())
        };
        Self::ALL.into_iter().find(is_it).ok_or_else(|| ParseLanguageError(text.to_owned()))
    }
}

/// "D, T, L or S": what a pawn can become.
pub(super) struct Promotions(pub(super) Language);

impl fmt::Display for Promotions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.0.letters().iter().filter(|(_, piece)| !matches!(piece, 'K' | 'P'));
        for (index, (letter, piece)) in pieces.enumerate() {
            let before = match (index, piece) {
                (0, _) => "",
                (_, 'N') => " or ",
                _ => ", ",
            };
            write!(f, "{before}{letter}")?;
        }
        Ok(())
    }
}

/// "K D T L S", in the order of their worth.
pub(super) struct Letters(pub(super) Language);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.0.letters().iter().filter(|(_, piece)| *piece != 'P');
        let letters: Vec<&str> = pieces.map(|(letter, _)| *letter).collect();
        f.write_str(&letters.join(" "))
    }
}
