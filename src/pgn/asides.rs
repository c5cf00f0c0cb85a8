//! What may stand between moves that a person has typed, and what may not.
//!
//! A main line skips more than this: of a file nothing better can be made. A person who types is
//! told.

use std::ops::Range;

use super::{
    glyph::nag_of,
    movetext::{ANNOTATIONS, bracketed},
    text::BYTE_ORDER_MARK,
};

/// Signs besides those for NAGs: punctuation, and check and mate apart from their move.
const SIGNS: [&str; 9] = [",", ":", "-", "+", "++", "#", "\u{2020}", "\u{2021}", "..."];

/// The letters that are pieces in some language and signs of a move in others: a novelty, a
/// diagram.
const SIGNS_OR_PIECES: [char; 2] = ['N', 'D'];

/// The first word between two moves that has no meaning there. `is_first` says that the text begins
/// the moves. Signs that are letters, such as that of a novelty, have one only after a move: before
/// any, and after the number of the next, they may be a piece whose square is not understood.
pub(super) fn first_unknown(gap: &str, is_first: bool) -> Option<Range<usize>> {
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
                digits(rest)
            }
            '$' => 1 + digits(&rest[1..]),
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
pub(super) fn sign_before(gap: &str) -> Option<char> {
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

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
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
