//! What words of a main line are: moves, results, and what annotators add.

use crate::{chess::starts_with_figurine, pgn::text::decode_text};

/// Words with letters that people write between moves: a novelty, a diagram, en passant, check.
pub(in crate::pgn) const ANNOTATIONS: [&[u8]; 7] = [b"N", b"D", b"e", b"p", b"ep", b"ch", b"mate"];

/// Whether a word begins and ends as nearly all moves do, and as nothing does that is skipped.
pub(super) fn is_surely_move(word: &[u8]) -> bool {
    matches!(word, [b'A'..=b'Z' | b'a'..=b'z', .., b'0'..=b'9' | b'+' | b'O'])
}

/// The bytes up to the first that ends a word.
pub(super) fn word_at(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().position(|b| is_word_end(*b)).unwrap_or(bytes.len());
    &bytes[..len]
}

/// A word, with the square that stands apart from it if it is a figurine.
pub(super) fn with_square<'a>(word: &'a [u8], rest: &'a [u8]) -> &'a [u8] {
    // Without and with a variation selector, which asks for a glyph of text or in colours.
    let is_alone = matches!(word.get(3..), Some([] | [0xef, 0xb8, 0x8e | 0x8f]));
    if !is_alone || !starts_with_figurine(word) {
        return word;
    }
    let square = square_apart(&rest[word.len()..]).unwrap_or(0);
    &rest[..word.len() + square]
}

/// The length of blanks and of the word after them that begins as the target of a move does.
pub(super) fn square_apart(bytes: &[u8]) -> Option<usize> {
    let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let word = word_at(&bytes[blanks..]);
    let is_square = matches!(word, [b'a'..=b'h' | b'x' | b':', .., b'1'..=b'8' | b'+' | b'#']);
    (blanks > 0 && is_square).then_some(blanks + word.len())
}

/// Whether a word has a letter that is not ASCII, or a figurine.
pub(super) fn has_other_letter(word: &[u8]) -> bool {
    let is_letter = |(at, c): (usize, char)| {
        c.is_alphabetic() || c == '\u{fffd}' || starts_with_figurine(&word[at..])
    };
    // Of Latin-1, the index is that of another byte, but no figurine is Latin-1.
    match str::from_utf8(word) {
        Ok(text) => !word.is_ascii() && text.char_indices().any(is_letter),
        Err(_) => decode_text(word).chars().any(char::is_alphabetic),
    }
}

/// A word without what annotators put at its end: punctuation, a sign of an even position, en
/// passant. What is left has none of them, so that it is the same word wherever it is written.
pub(super) fn without_marks<'a>(mut word: &'a [u8], after: &[u8]) -> &'a [u8] {
    if after.starts_with(b".p") {
        word = word.strip_suffix(b"e").unwrap_or(word);
    }
    while let [taken @ .., b'e', b'p'] | [taken @ .., b',' | b'='] = word {
        word = taken;
    }
    word
}

/// The length of what is left of a run in square brackets after its `[`, or 0 if it is not closed:
/// then the bracket alone is skipped, as one that closes nothing is.
///
/// A run may go on over several lines, since programs wrap lines at any blank. It has no other
/// square bracket, which would begin the next run or a tag, and neither a brace nor a `;`, so that
/// whoever looks for comments alone, as the splitter does, finds the same ones.
pub(in crate::pgn) fn bracketed(bytes: &[u8]) -> usize {
    match bytes.iter().position(|b| b"[]{};".contains(b)) {
        Some(end) if bytes[end] == b']' => end + 1,
        _ => 0,
    }
}

/// Whether a byte ends a word, by byte.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let bytes = b" \t\r\x0b\x0c\n{}()[!?$;.*";
    let mut at = 0;
    while at < bytes.len() {
        ends[bytes[at] as usize] = true;
        at += 1;
    }
    ends
};

/// Whether no word has this byte.
pub(super) fn is_word_end(byte: u8) -> bool {
    ENDS_WORD[usize::from(byte)]
}

/// Returns the length of the result at the start of `bytes`, if there is one: `1-0`, `0-1`,
/// `1/2-1/2`, `½-½` with any dash, `1/2` or `*`.
pub(in crate::pgn) fn result_length(bytes: &[u8]) -> Option<usize> {
    let is_end = |rest: &[u8]| rest.first().is_none_or(|b| is_word_end(*b));
    let (white, rest) = match bytes {
        [b'*', ..] => return Some(1),
        [b'1', b'/', b'2', rest @ ..] if is_end(rest) => return Some(3),
        [b'1', b'/', b'2', rest @ ..] => (Points::Half, rest),
        [0xc2, 0xbd, rest @ ..] => (Points::HalfSign, rest),
        [b'1', rest @ ..] => (Points::One, rest),
        [b'0', rest @ ..] => (Points::None, rest),
        _ => return None,
    };
    // A hyphen, an en dash and an em dash.
    let ([b'-', rest @ ..] | [0xe2, 0x80, 0x93 | 0x94, rest @ ..]) = rest else { return None };
    let rest = match (white, rest) {
        (Points::One, [b'0', rest @ ..])
        | (Points::None, [b'1', rest @ ..])
        | (Points::Half, [b'1', b'/', b'2', rest @ ..])
        | (Points::HalfSign, [0xc2, 0xbd, rest @ ..]) => rest,
        _ => return None,
    };
    is_end(rest).then_some(bytes.len() - rest.len())
}

/// What a side has in a result, as it is written.
enum Points {
    None,
    Half,
    HalfSign,
    One,
}

/// How many digits `bytes` begin with.
pub(in crate::pgn) fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_both_sides_points_with_a_dash_between() {
        let points = ["1", "0", "1/2", "½"];
        let is_pair = |white, black| match white {
            "1" => black == "0",
            "0" => black == "1",
            half => half == black,
        };
        for (white, black) in points.into_iter().flat_map(|w| points.map(|b| (w, b))) {
            for (dash, is_dash) in
                [("-", true), ("–", true), ("—", true), ("", false), ("/", false)]
            {
                let result = format!("{white}{dash}{black}");
                let expected = (is_dash && is_pair(white, black)).then_some(result.len());
                assert_eq!(result_length(result.as_bytes()), expected, "{result}");
                assert_eq!(result_length(format!("{result} e4").as_bytes()), expected, "{result}");
                assert_eq!(result_length(format!("{result}0").as_bytes()), None, "{result}0");
            }
        }
        assert_eq!(result_length(b"1/2"), Some(3));
        assert_eq!(result_length(b"1/2 e4"), Some(3));
        assert_eq!(result_length(b"1/23"), None);
        assert_eq!(result_length(b"*1-0"), Some(1));
    }
}
