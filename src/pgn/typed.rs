//! Moves that somebody has typed or copied from a book, played from a position.

use std::fmt;

use super::{MainLine, Token};
use crate::chess::{Chess, Language, MoveNumber, Position, TypedFault, read_typed};

/// Why typed moves could not be played to their end.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The text ends inside a comment.
    OpenComment,
    /// The text ends inside a variation.
    OpenVariation,
}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { number, word, fault } => write!(f, "move {number} {word}: {fault}"),
            Self::OpenComment => f.write_str("comment never closed"),
            Self::OpenVariation => f.write_str("variation never closed"),
        }
    }
}

impl std::error::Error for TypedError {}

/// So much of a word is told; no move is longer.
const MAX_WORD: usize = 40;

/// Plays moves as people type them: with numbers, comments, NAGs and variations in between, which
/// are passed over as in PGN, and each move as [`read_typed`] reads it. `visit` sees the position
/// after each move.
///
/// # Errors
///
/// The first move that cannot be played, and why.
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
    // Castling and results are told by their dashes.
    let plain = moves.contains(is_book_dash).then(|| moves.replace(is_book_dash, "-"));
    for token in MainLine::from_movetext(plain.as_deref().unwrap_or(moves).as_bytes()) {
        let word = match token {
            Token::Move(word) => String::from_utf8_lossy(word),
            Token::Result(_) => break,
            Token::OpenComment => return Err(TypedError::OpenComment),
            Token::OpenVariation => return Err(TypedError::OpenVariation),
        };
        let m = read_typed(&position, &word, language).map_err(|fault| {
            let number = MoveNumber::of_next(&position);
            TypedError::Move { number, word: word.chars().take(MAX_WORD).collect(), fault }
        })?;
        position.play_unchecked(m);
        visit(&position);
    }
    Ok(position)
}
