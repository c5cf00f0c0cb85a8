//! The letters that stand for the pieces in other languages.
//!
//! Sources: section 17 of the PGN standard ("Alternative chesspiece identifier letters", S. J.
//! Edwards, 1994) for all languages in its table. The FIDE Handbook leaves the letters to the
//! language of the player (Laws of Chess, appendix C). For the languages that the table lacks:
//!
//! * Russian and Greek: the table of letters in "Περιγραφική σκακιστική γραφή" of the Greek
//!   Wikipedia; for Greek also <https://chess.gitsis.eu/algebraic.html>. Greek books write the
//!   files as α to θ, which are not read here.
//! * Turkish: <http://satranc.gleefulgames.com/kurallar/oyunlarin-yazilmasi.html>.
//! * Ukrainian: the Laws of Chess as the school of V. Ivanchuk prints them, appendix Є,
//!   <http://shkolaivanchuka.com.ua/index.php?p=school_e>.
//!
//! All read in November 2026.

use std::{fmt, str::FromStr};

/// A language, by the letters that it has for the pieces.
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
    /// R D T B C
    Portuguese,
    /// K H W G S
    Polish,
    /// K D V S J
    Czech,
    /// K V B F H
    Hungarian,
    /// K D T L S
    Swedish,
    /// K D T L S
    Danish,
    /// K D T L S
    Norwegian,
    /// K D T L R
    Finnish,
    /// Ş V K F A
    Turkish,
    /// Ρ Β Π Α Ι, in Greek letters
    Greek,
    /// Кр Ф Т С К
    Ukrainian,
}

impl Language {
    /// The codes of all languages, for messages.
    fn codes() -> String {
        Self::ALL.iter().map(|language| language.code()).collect::<Vec<_>>().join(", ")
    }

    /// All languages.
    pub const ALL: &[Self] = &[
        Self::English,
        Self::Dutch,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Russian,
        Self::Portuguese,
        Self::Polish,
        Self::Czech,
        Self::Hungarian,
        Self::Swedish,
        Self::Danish,
        Self::Norwegian,
        Self::Finnish,
        Self::Turkish,
        Self::Greek,
        Self::Ukrainian,
    ];

    /// Its ISO 639-1 code, such as `de`.
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
            Self::Portuguese => "pt",
            Self::Polish => "pl",
            Self::Czech => "cs",
            Self::Hungarian => "hu",
            Self::Swedish => "sv",
            Self::Danish => "da",
            Self::Norwegian => "nb",
            Self::Finnish => "fi",
            Self::Turkish => "tr",
            Self::Greek => "el",
            Self::Ukrainian => "uk",
        }
    }

    /// Its English name.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Dutch => "Dutch",
            Self::German => "German",
            Self::French => "French",
            Self::Spanish => "Spanish",
            Self::Italian => "Italian",
            Self::Russian => "Russian",
            Self::Portuguese => "Portuguese",
            Self::Polish => "Polish",
            Self::Czech => "Czech",
            Self::Hungarian => "Hungarian",
            Self::Swedish => "Swedish",
            Self::Danish => "Danish",
            Self::Norwegian => "Norwegian",
            Self::Finnish => "Finnish",
            Self::Turkish => "Turkish",
            Self::Greek => "Greek",
            Self::Ukrainian => "Ukrainian",
        }
    }

    /// The letters, each with the English letter of its piece. A letter that begins with another
    /// one comes before that.
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
            Self::Portuguese => {
                &[("R", 'K'), ("D", 'Q'), ("T", 'R'), ("B", 'B'), ("C", 'N'), ("P", 'P')]
            }
            Self::Polish => {
                &[("K", 'K'), ("H", 'Q'), ("W", 'R'), ("G", 'B'), ("S", 'N'), ("P", 'P')]
            }
            Self::Czech => {
                &[("K", 'K'), ("D", 'Q'), ("V", 'R'), ("S", 'B'), ("J", 'N'), ("P", 'P')]
            }
            Self::Hungarian => {
                &[("K", 'K'), ("V", 'Q'), ("B", 'R'), ("F", 'B'), ("H", 'N'), ("G", 'P')]
            }
            Self::Swedish | Self::Danish | Self::Norwegian => {
                &[("K", 'K'), ("D", 'Q'), ("T", 'R'), ("L", 'B'), ("S", 'N'), ("B", 'P')]
            }
            Self::Finnish => {
                &[("K", 'K'), ("D", 'Q'), ("T", 'R'), ("L", 'B'), ("R", 'N'), ("P", 'P')]
            }
            Self::Turkish => &[("Ş", 'K'), ("V", 'Q'), ("K", 'R'), ("F", 'B'), ("A", 'N')],
            Self::Greek => &[("Ρ", 'K'), ("Β", 'Q'), ("Π", 'R'), ("Α", 'B'), ("Ι", 'N')],
            Self::Ukrainian => {
                &[("Кр", 'K'), ("Ф", 'Q'), ("Т", 'R'), ("С", 'B'), ("К", 'N'), ("п", 'P')]
            }
        }
    }

    /// A move in standard notation with the letters of this language.
    ///
    /// ```
    /// use eco::chess::Language;
    ///
    /// assert_eq!(Language::German.translated("Nf3+"), "Sf3+");
    /// assert_eq!(Language::German.translated("e8=Q"), "e8=D");
    /// ```
    #[must_use]
    pub fn translated(self, san: &str) -> String {
        let letter = |c: char| {
            let known = self.letters().iter().find(|(_, piece)| *piece == c && c != 'P');
            known.map_or_else(|| c.to_string(), |(letter, _)| (*letter).to_owned())
        };
        san.chars().map(letter).collect()
    }

    /// The English letter of the piece that a text begins with, and the rest of the text.
    pub(super) fn piece(self, text: &str) -> Option<(char, &str)> {
        let mut letters = self.letters().iter();
        letters.find_map(|(letter, piece)| Some((*piece, text.strip_prefix(letter)?)))
    }

    /// The same of a piece that a word begins with in lower case, which `a` to `h` cannot be: they
    /// are files.
    pub(super) fn small_piece(self, word: &str) -> Option<(char, &str)> {
        let first = word.chars().next().filter(|c| c.is_lowercase() && !('a'..='h').contains(c))?;
        let rest = &word[first.len_utf8()..];
        let is_it = |letter: &str| letter.chars().eq(first.to_uppercase());
        let mut letters = self.letters().iter();
        letters.find_map(|(letter, piece)| is_it(letter).then_some((*piece, rest)))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a language that is known here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no language {0:?}; there are {codes}, and their English names", codes = Language::codes())]
pub struct ParseLanguageError(String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Self, ParseLanguageError> {
        let is_it = |language: &Self| {
            text.eq_ignore_ascii_case(language.code()) || text.eq_ignore_ascii_case(language.name())
        };
        Self::ALL.iter().copied().find(is_it).ok_or_else(|| ParseLanguageError(text.to_owned()))
    }
}

/// Prints the letters a pawn can promote to, such as "D, T, L or S".
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

/// Prints the letters of all pieces but the pawn, such as "K D T L S".
pub(super) struct Letters(pub(super) Language);

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.0.letters().iter().filter(|(_, piece)| *piece != 'P');
        let letters: Vec<&str> = pieces.map(|(letter, _)| *letter).collect();
        f.write_str(&letters.join(" "))
    }
}
