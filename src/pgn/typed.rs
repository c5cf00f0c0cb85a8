//! Plays moves that a person has typed or copied from a book.
//!
//! Between moves a main line skips more than is skipped here: nothing better can be made of a file.
//! A person who types gets an error.

use std::{borrow::Cow, ops::Range};

use super::movetext::{ANNOTATIONS, bracketed, digits, result_length};
use super::{MainLine, Token, annotated::nag_of, text::BYTE_ORDER_MARK};
use crate::chess::{Chess, Language, Move, MoveNumber, Position, TypedFault, read_typed};
use crate::subslice::range_in;

/// Why typed moves could not be played to their end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypedError {
    /// A move cannot be played.
    #[error("column {column}, move {number} {word}: {fault}")]
    Move {
        /// Its number on the score sheet.
        number: MoveNumber,
        /// The character that it begins at, counted from 1.
        column: usize,
        /// The move as it is written.
        word: String,
        /// Why not.
        #[source]
        fault: TypedFault,
    },
    /// There are moves after a result, which ends the moves.
    #[error("column {column}: {word} comes after the result {result}, which ends the moves")]
    AfterResult {
        /// The result.
        result: String,
        /// The character that the first word after it begins at, counted from 1.
        column: usize,
        /// The first word after it.
        word: String,
    },
    /// The text ends inside a comment.
    #[error("comment never closed")]
    OpenComment,
    /// The text ends inside a variation.
    #[error("variation never closed")]
    OpenVariation,
}

impl TypedError {
    /// The error with its column moved by this number of characters, which come before the moves.
    #[must_use]
    pub fn after_columns(mut self, count: usize) -> Self {
        if let Self::Move { column, .. } | Self::AfterResult { column, .. } = &mut self {
            *column += count;
        }
        self
    }
}

/// The most characters of a word that an error shows. No move is longer.
const MAX_WORD: usize = 40;

/// Plays moves as people type them. Each move is read as [`read_typed`] reads it. Move numbers,
/// comments, variations, NAGs, the signs for them and runs in square brackets are skipped as in
/// PGN. `visit` is called with each move and the position after it. Returns the last position.
///
/// # Errors
///
/// The first word that is neither a move that can be played nor anything that is skipped, and why;
/// a comment or variation that is not closed; moves after a result.
///
/// ```
/// use eco::{chess::{Chess, Language}, pgn::play_typed};
///
/// let mut count = 0;
/// let line = "1.e4 c5 {!} 2.Pf3 d6";
/// let end = play_typed(Chess::default(), line, Language::Dutch, |_, _| count += 1);
/// assert_eq!((end.is_ok(), count), (true, 4));
///
/// let error = play_typed(Chess::default(), "1. e4 e5 2. Nf6", Language::English, |_, _| {});
/// assert_eq!(
///     error.unwrap_err().to_string(),
///     "column 13, move 2. Nf6: it is White's turn, and this is a move of Black"
/// );
/// ```
pub fn play_typed(
    position: Chess,
    moves: &str,
    language: Language,
    visit: impl FnMut(Move, &Chess),
) -> Result<Chess, TypedError> {
    let is_book_dash = |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
    // Castling and results are recognized by their dashes. One character replaces another, so
    // columns stay what they are.
    let plain = moves.contains(is_book_dash).then(|| moves.replace(is_book_dash, "-"));
    let text = without_brackets(plain.as_deref().unwrap_or(moves));
    Player { position, text: &text, language, visit }.play()
}

/// Moves that are being played.
struct Player<'t, V> {
    position: Chess,
    text: &'t str,
    language: Language,
    visit: V,
}

impl<V: FnMut(Move, &Chess)> Player<'_, V> {
    fn play(mut self) -> Result<Chess, TypedError> {
        let text = self.text.as_bytes();
        let mut read_to = 0;
        for token in MainLine::from_movetext(text) {
            let range = match token {
                Token::Move(word) => range_in(word, text),
                Token::Result(result) => {
                    let range = range_in(result, text);
                    self.refuse_unknown(read_to, range.start)?;
                    return self.end(range);
                }
                Token::OpenComment => return Err(TypedError::OpenComment),
                Token::OpenVariation => return Err(TypedError::OpenVariation),
            };
            let letter = sign_before(&self.text[read_to..range.start]);
            let gap = self.text[read_to..range.start].trim_end_matches([' ', '\t']).len();
            self.refuse_unknown(read_to, read_to + gap - usize::from(letter.is_some()))?;
            let m = self.read(letter, read_to == 0, range.clone())?;
            self.position.play_unchecked(m);
            (self.visit)(m, &self.position);
            read_to = range.end;
        }
        self.refuse_unknown(read_to, text.len())?;
        Ok(self.position)
    }

    /// Ends the moves with a result. More results may follow, and nothing that would be played.
    fn end(self, first: Range<usize>) -> Result<Chess, TypedError> {
        let text = self.text.as_bytes();
        let mut read_to = first.end;
        loop {
            let word = match MainLine::from_movetext(&text[read_to..]).next() {
                Some(Token::Move(word) | Token::Result(word)) => range_in(word, text),
                Some(Token::OpenComment | Token::OpenVariation) => return Ok(self.position),
                None => text.len()..text.len(),
            };
            self.refuse_unknown(read_to, word.start)?;
            if word.is_empty() {
                return Ok(self.position);
            }
            if result_length(&text[word.start..]) != Some(word.len()) {
                return Err(TypedError::AfterResult {
                    result: self.text[first].to_owned(),
                    column: self.column(word.start),
                    word: self.text[word].chars().take(MAX_WORD).collect(),
                });
            }
            read_to = word.end;
        }
    }

    /// Refuses what stands between two moves and is none of the things that are skipped.
    fn refuse_unknown(&self, from: usize, to: usize) -> Result<(), TypedError> {
        let unknown = first_unknown(&self.text[from..to], from == 0);
        unknown.map_or(Ok(()), |word| {
            let unreadable = TypedFault::Unreadable(self.language);
            Err(self.error(from + word.start, &self.text[from..to][word], unreadable))
        })
    }

    /// Reads the word in `range`. `letter` comes before it and may be its piece; `is_first` says
    /// that no move does.
    fn read(
        &self,
        letter: Option<char>,
        is_first: bool,
        range: Range<usize>,
    ) -> Result<Move, TypedError> {
        let word = &self.text[range.clone()];
        let read = |word: &str| read_typed(&self.position, word, self.language);
        let alone = || read(word).map_err(|fault| self.error(range.start, word, fault));
        let Some(letter) = letter else { return alone() };
        let joined = read(&format!("{letter}{word}"));
        if is_first {
            // There is no move yet that a sign could belong to.
            return joined.map_err(|fault| self.error(range.start, word, fault));
        }
        match (joined, alone()) {
            (Ok(m), Err(_)) => Ok(m),
            (Ok(_), Ok(_)) => {
                let fault = TypedFault::PieceApart { letter, word: word.to_owned() };
                Err(self.error(range.start, word, fault))
            }
            (Err(_), alone) => alone,
        }
    }

    fn column(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    fn error(&self, at: usize, word: &str, fault: TypedFault) -> TypedError {
        TypedError::Move {
            number: MoveNumber::next_in(&self.position),
            column: self.column(at),
            word: word.chars().take(MAX_WORD).collect(),
            fault,
        }
    }
}

/// The text with `e8/Q` for `e8(Q)`, because a bracket begins a variation.
fn without_brackets(text: &str) -> Cow<'_, str> {
    let mut plain = Cow::Borrowed(text);
    for (at, _) in text.match_indices('(') {
        if !text[..at].ends_with(['1', '8']) {
            continue;
        }
        // One or two letters; no more is looked at, so that brackets cost nothing.
        let inside = text[at + 1..].char_indices().take_while(|(_, c)| c.is_alphabetic()).take(3);
        let (count, end) = inside.fold((0, at + 1), |(count, _), (offset, c)| {
            (count + 1, at + 1 + offset + c.len_utf8())
        });
        if (1..=2).contains(&count) && text[end..].starts_with(')') {
            let plain = plain.to_mut();
            plain.replace_range(at..=at, "/");
            plain.replace_range(end..=end, " ");
        }
    }
    plain
}

/// Signs besides those for NAGs: punctuation, and check and mate apart from their move.
const SIGNS: [&str; 9] = [",", ":", "-", "+", "++", "#", "\u{2020}", "\u{2021}", "..."];

/// The letters that are pieces in some language and signs of a move in others: a novelty, a
/// diagram.
const SIGNS_OR_PIECES: [char; 2] = ['N', 'D'];

/// The first word between two moves that has no meaning there. `is_first` says that the text begins
/// the moves. Signs that are letters, such as that of a novelty, have one only after a move: before
/// any, and after the number of the next, they may be a piece whose square is not understood.
fn first_unknown(gap: &str, is_first: bool) -> Option<Range<usize>> {
    let mut rest = gap;
    let mut depth = 0_usize;
    let (mut is_line_start, mut is_after_move) = (is_first, !is_first);
    while let Some(c) = rest.chars().next() {
        let at_line_start = std::mem::replace(&mut is_line_start, c == '\n');
        let is_mark = rest.as_bytes().starts_with(BYTE_ORDER_MARK) && at_line_start;
        let taken = match c {
            '{' => find_end(rest, '}'),
            ';' => find_end(rest, '\n'),
            '%' if at_line_start => find_end(rest, '\n'),
            '[' if bracketed(&rest.as_bytes()[1..]) > 0 => 1 + bracketed(&rest.as_bytes()[1..]),
            '(' => {
                depth += 1;
                1
            }
            ')' if depth > 0 => {
                depth -= 1;
                1
            }
            _ if depth > 0 || is_mark => c.len_utf8(),
            'e' if is_after_move && rest.starts_with("e.p") => 3,
            '.' | '!' | '?' => 1,
            // Castling without its dash is not the number of a move.
            '0'..='9' if !rest.starts_with("00") => {
                is_after_move = false;
                digits(rest.as_bytes())
            }
            '$' => 1 + digits(&rest.as_bytes()[1..]),
            _ if c.is_whitespace() => c.len_utf8(),
            _ => {
                let word = word_at(rest);
                let start = gap.len() - rest.len();
                let is_letters = word.bytes().all(|b| b.is_ascii_alphabetic());
                if !is_sign(word) || is_letters && !is_after_move {
                    return Some(start..start + word.len());
                }
                word.len()
            }
        };
        is_line_start |= rest[..taken].ends_with('\n');
        rest = &rest[taken..];
    }
    None
}

/// The letter at the end of a gap that may be a piece or a sign, if only blanks follow it.
fn sign_before(gap: &str) -> Option<char> {
    let before = gap.trim_end_matches([' ', '\t']);
    let letter = before.chars().next_back().filter(|c| SIGNS_OR_PIECES.contains(c))?;
    let rest = &before[..before.len() - 1];
    (before.len() < gap.len() && !rest.ends_with(char::is_alphanumeric)).then_some(letter)
}

fn is_sign(word: &str) -> bool {
    nag_of(word.as_bytes()).is_some()
        || SIGNS.contains(&word)
        || ANNOTATIONS.contains(&word.as_bytes()) && !matches!(word, "e" | "p")
}

fn word_at(text: &str) -> &str {
    let end =
        text.char_indices().skip(1).find(|(_, c)| c.is_whitespace() || "{}()[!?$;.*".contains(*c));
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// The number of bytes up to a character and with it.
fn find_end(text: &str, c: char) -> usize {
    text.find(c).map_or(text.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_between_moves_is_known() {
        for gap in [
            "",
            " ",
            " 12. ",
            " 1... ",
            "! ",
            " $14 N +- \u{2a72} ",
            " e.p. ",
            ", ",
            " {a \u{65e5}} ",
            " (1. d4 (\u{65e5}) x) ",
            " ;\u{65e5}\n% \u{65e5}\n",
            " mate ",
            " = ",
            " - ",
            "\u{a0}",
            " [%clk 0:01:00] [) \u{65e5}]([)]) ",
        ] {
            assert_eq!(first_unknown(gap, false), None, "{gap:?}");
        }
        assert_eq!(first_unknown("\u{feff}% x", true), Some(3..4));
        assert_eq!(first_unknown("% x", true), None);
    }

    #[test]
    fn anything_else_is_found_with_its_place() {
        for (gap, word) in [
            (" \u{65e5}\u{672c} ", "\u{65e5}\u{672c}"),
            (" & ", "&"),
            (" ) ", ")"),
            (" {a} @@ {b}", "@@"),
            (" \u{a7}! ", "\u{a7}"),
            (" $x", "x"),
            (" % x", "%"),
            (" e ", "e"),
            (" [%clk 0:01", "[%clk"),
            (" [a{]}", "[a"),
            (" 4e", "e"),
            (" e.p. p", "p"),
            (" 4N", "N"),
            (" 4. N +- ", "N"),
            (" ! 12. ch", "ch"),
        ] {
            let found = first_unknown(gap, false).map(|range| &gap[range]);
            assert_eq!(found, Some(word), "{gap:?}");
        }
        for gap in ["N", "ch ", "N 5", "1. D", "mate"] {
            assert!(first_unknown(gap, true).is_some(), "{gap:?}");
        }
    }

    #[test]
    fn a_letter_apart_may_be_a_piece() {
        for (gap, letter) in [
            (" N ", Some('N')),
            ("D\t", Some('D')),
            (" N", None),
            (" +N ", Some('N')),
            (" xN ", None),
            ("", None),
        ] {
            assert_eq!(sign_before(gap), letter, "{gap:?}");
        }
    }
}
