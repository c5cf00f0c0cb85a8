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

use crate::quoted::{Quoted, meant};

/// The pieces in the order of the letters of a language. Not every language has one for the pawn.
const PIECES: &str = "KQRBNP";

/// A language in each row: its ISO 639-1 code, and its letters. A letter that begins with another
/// one comes before that.
macro_rules! languages {
    ($($(#[$attribute:meta])* $language:ident $code:literal $first:literal $($letter:literal)+,)+) => {
        /// A language, by the letters that it has for the pieces.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum Language {
            $(#[doc = concat!($first $(, " ", $letter)+)] $(#[$attribute])* $language,)+
        }

        impl Language {
            /// All languages.
            pub const ALL: &[Self] = &[$(Self::$language,)+];

            /// Its ISO 639-1 code, such as `de`.
            pub fn code(self) -> &'static str {
                match self { $(Self::$language => $code,)+ }
            }

            /// Its English name.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$language => stringify!($language),)+ }
            }

            /// The letters, each with the English letter of its piece.
            fn letters(self) -> impl Iterator<Item = (&'static str, char)> {
                let letters: &[&str] = match self {
                    $(Self::$language => &[$first $(, $letter)+],)+
                };
                letters.iter().copied().zip(PIECES.chars())
            }
        }
    };
}

languages! {
    #[default]
    English "en" "K" "Q" "R" "B" "N" "P",
    Dutch "nl" "K" "D" "T" "L" "P",
    German "de" "K" "D" "T" "L" "S" "B",
    French "fr" "R" "D" "T" "F" "C" "P",
    Spanish "es" "R" "D" "T" "A" "C" "P",
    Italian "it" "R" "D" "T" "A" "C" "P",
    Russian "ru" "Кр" "Ф" "Л" "С" "К" "п",
    Portuguese "pt" "R" "D" "T" "B" "C" "P",
    Polish "pl" "K" "H" "W" "G" "S" "P",
    Czech "cs" "K" "D" "V" "S" "J" "P",
    Hungarian "hu" "K" "V" "B" "F" "H" "G",
    Swedish "sv" "K" "D" "T" "L" "S" "B",
    Danish "da" "K" "D" "T" "L" "S" "B",
    Norwegian "nb" "K" "D" "T" "L" "S" "B",
    Finnish "fi" "K" "D" "T" "L" "R" "P",
    Turkish "tr" "Ş" "V" "K" "F" "A",
    Greek "el" "Ρ" "Β" "Π" "Α" "Ι",
    Ukrainian "uk" "Кр" "Ф" "Т" "С" "К" "п",
}

impl Language {
    /// The codes of all languages, for messages.
    fn codes() -> String {
        Self::ALL.iter().map(|language| language.code()).collect::<Vec<_>>().join(", ")
    }

    fn near(text: &str) -> String {
        let names = Self::ALL.iter().flat_map(|language| [language.name(), language.code()]);
        meant(text, names)
    }

    /// Moves in standard notation with the letters of this language.
    ///
    /// ```
    /// use eco::chess::Language;
    ///
    /// assert_eq!(Language::German.translated("Nf3+"), "Sf3+");
    /// assert_eq!(Language::German.translated("e8=Q"), "e8=D");
    /// ```
    pub fn translated(self, san: &str) -> String {
        if self == Self::English {
            return san.to_owned();
        }
        let letter = |c: char| {
            let known = self.letters().find(|(_, piece)| *piece == c && c != 'P');
            known.map_or_else(|| c.to_string(), |(letter, _)| letter.to_owned())
        };
        san.chars().map(letter).collect()
    }

    /// The English letter of the piece that a text begins with, and the rest of the text.
    pub(super) fn piece(self, text: &str) -> Option<(char, &str)> {
        self.letters().find_map(|(letter, piece)| Some((piece, text.strip_prefix(letter)?)))
    }

    /// As [`piece`](Self::piece), of a piece in lower case. `a` to `h` are files, and no pieces.
    pub(super) fn small_piece(self, word: &str) -> Option<(char, &str)> {
        let first = word.chars().next().filter(|c| c.is_lowercase() && !('a'..='h').contains(c))?;
        let rest = &word[first.len_utf8()..];
        let is_it = |letter: &str| letter.chars().eq(first.to_uppercase());
        self.letters().find_map(|(letter, piece)| is_it(letter).then_some((piece, rest)))
    }

    /// The letters of all pieces but the pawn, such as "K D T L S".
    pub(super) fn piece_letters(self) -> String {
        self.letters_but("P").join(" ")
    }

    /// The letters a pawn can promote to, such as "D, T, L or S".
    pub(super) fn promotions(self) -> String {
        let letters = self.letters_but("KP");
        let (last, others) = letters.split_last().expect("a pawn can become four pieces");
        format!("{} or {last}", others.join(", "))
    }

    fn letters_but(self, pieces: &str) -> Vec<&'static str> {
        let others = self.letters().filter(|(_, piece)| !pieces.contains(*piece));
        others.map(|(letter, _)| letter).collect()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a language that is known here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no language {}{}; there are {}, and their English names", Quoted(.0), Language::near(.0), Language::codes())]
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
