//! Plays moves that a person has typed or copied from a book.

use std::{borrow::Cow, fmt};

use super::{MainLine, Token};
use crate::{
    chess::{Chess, Language, MoveNumber, Position, TypedFault, read_typed},
    subslice::range_in,
};

/// Why typed moves could not be played to their end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypedError {
    /// A move cannot be played.
    Move {
        /// Its number on the score sheet.
        number: MoveNumber,
        /// The move as it is written.
        word: String,
        /// Why not.
        fault: TypedFault,
    },
    /// There are moves after a result, which ends the moves.
    AfterResult {
        /// The result.
        result: String,
        /// The first word after it.
        word: String,
    },
    /// The text ends inside a comment.
    OpenComment,
    /// The text ends inside a variation.
    OpenVariation,
}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { number, word, fault } => write!(f, "move {number} {word}: {fault}"),
            Self::AfterResult { result, word } => {
                write!(f, "{word} comes after the result {result}, which ends the moves")
            }
            Self::OpenComment => f.write_str("comment never closed"),
            Self::OpenVariation => f.write_str("variation never closed"),
        }
    }
}

impl std::error::Error for TypedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Move { fault, .. } => Some(fault),
            _ => None,
        }
    }
}

/// The most characters of a word that an error shows. No move is longer.
const MAX_WORD: usize = 40;

/// Plays moves as people type them. Each move is read as [`read_typed`] reads it. Move numbers,
/// comments, NAGs and variations are skipped as in PGN. `visit` is called with the position after
/// each move. Returns the last position.
///
/// # Errors
///
/// The first move that cannot be played, and why; a comment or variation that is not closed; moves
/// after a result.
///
/// ```
/// use eco::{chess::{Chess, Language}, pgn::play_typed};
///
/// let mut count = 0;
/// let end = play_typed(Chess::default(), "1.e4 c5 {!} 2.Pf3 d6", Language::Dutch, |_| count += 1);
/// assert_eq!((end.is_ok(), count), (true, 4));
///
/// let error = play_typed(Chess::default(), "1. e4 e5 2. Nf6", Language::English, |_| {});
/// assert_eq!(
///     error.unwrap_err().to_string(),
///     "move 2. Nf6: it is White's turn, and this is a move of Black"
/// );
/// ```
pub fn play_typed(
    mut position: Chess,
    moves: &str,
    language: Language,
    mut visit: impl FnMut(&Chess),
) -> Result<Chess, TypedError> {
    let is_book_dash = |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
    // Castling and results are recognized by their dashes.
    let plain = moves.contains(is_book_dash).then(|| moves.replace(is_book_dash, "-"));
    let plain = without_brackets(plain.as_deref().unwrap_or(moves));
    let text = plain.as_bytes();
    for token in MainLine::from_movetext(text) {
        let word = match token {
            Token::Move(word) => String::from_utf8_lossy(word),
            Token::Result(result) => {
                let end = range_in(result, text).end;
                return match word_in(&text[end..]) {
                    Some(word) => {
                        let result = String::from_utf8_lossy(result).into_owned();
                        Err(TypedError::AfterResult { result, word })
                    }
                    None => Ok(position),
                };
            }
            Token::OpenComment => return Err(TypedError::OpenComment),
            Token::OpenVariation => return Err(TypedError::OpenVariation),
        };
        let m = read_typed(&position, &word, language).map_err(|fault| {
            let number = MoveNumber::next_in(&position);
            TypedError::Move { number, word: word.chars().take(MAX_WORD).collect(), fault }
        })?;
        position.play_unchecked(m);
        visit(&position);
    }
    Ok(position)
}

/// The first word of a text that would be played. A result is not one.
fn word_in(mut text: &[u8]) -> Option<String> {
    loop {
        match MainLine::from_movetext(text).next()? {
            Token::Move(word) => {
                return Some(String::from_utf8_lossy(word).chars().take(MAX_WORD).collect());
            }
            Token::Result(result) => {
                let end = range_in(result, text).end;
                text = &text[end..];
            }
            Token::OpenComment | Token::OpenVariation => return None,
        }
    }
}

/// The text with `e8/Q` for `e8(Q)`, because a bracket begins a variation.
fn without_brackets(text: &str) -> Cow<'_, str> {
    let mut plain = Cow::Borrowed(text);
    for (at, _) in text.match_indices('(') {
        let is_last_rank = text[..at].ends_with(['1', '8']);
        let Some(end) = text[at..].find(')').filter(|_| is_last_rank) else { continue };
        let piece = &text[at + 1..at + end];
        if (1..=2).contains(&piece.chars().count()) && piece.chars().all(char::is_alphabetic) {
            let plain = plain.to_mut();
            plain.replace_range(at..=at, "/");
            plain.replace_range(at + end..=at + end, " ");
        }
    }
    plain
}
