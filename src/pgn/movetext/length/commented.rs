//! Moves of which each has a comment before it, as clocks and evaluations make them.
//!
//! Most of such movetext is comments, which are not looked at byte by byte: the brace that ends one
//! is found among the next 64 bytes at once, without a branch that depends on its length.
//!
//! It assumes ` {...} 12. e4 `: a blank before the comment, a [close gap](after_close_gap) after it,
//! and a word that begins with a letter, ends with a digit or a sign of check, and is followed by a
//! blank. Castling and promotions are looked at byte by byte. Anything else ends the skipping, and
//! is left to whoever asks.

use memchr::memchr;

use crate::{
    pgn::movetext::{fast::after_close_gap, is_surely_move, word_at},
    swar::{bits_of, count_alphanumeric},
};

/// The bytes among which the end of a comment is looked for at once.
const NEAR: usize = 64;

/// Skips comments and the moves after them. Returns the number of moves, and the rest, which begins
/// with a blank if a move was skipped.
#[inline(always)]
pub(super) fn skip(text: &[u8]) -> (usize, &[u8]) {
    let (mut moves, mut rest) = (0, text);
    while let Some(after) = skip_move(rest) {
        moves += 1;
        rest = after;
    }
    (moves, rest)
}

#[inline(always)]
fn skip_move(text: &[u8]) -> Option<&[u8]> {
    let [b' ', b'{', comment @ ..] = text else { return None };
    let near: &[u8; NEAR] = comment.first_chunk()?;
    let (lanes, _) = near.as_chunks();
    let lanes: &[[u8; 16]; 4] = lanes.try_into().expect("64 bytes are four times 16");
    let end = match bits_of(lanes, b'}') {
        0 => NEAR + memchr(b'}', &comment[NEAR..])?,
        braces => braces.trailing_zeros() as usize,
    };
    let word = after_close_gap(&comment[end + 1..])?;
    Some(&word[move_length(word)?..])
}

/// The length of the move that these bytes begin with, if a blank follows it.
#[inline(always)]
fn move_length(bytes: &[u8]) -> Option<usize> {
    let eight: &[u8; 8] = bytes.first_chunk()?;
    let len = count_alphanumeric(*eight);
    let end = len + usize::from(eight.get(len) == Some(&b'+'));
    let ends_in_digit = len > 0 && eight[len - 1].is_ascii_digit();
    match ends_in_digit && eight.get(end) == Some(&b' ') {
        true => Some(end),
        false => odd_move_length(bytes),
    }
}

/// The same for other moves, such as castling.
#[cold]
#[inline(never)]
fn odd_move_length(bytes: &[u8]) -> Option<usize> {
    let word = word_at(bytes);
    let is_move = is_surely_move(word) && bytes.get(word.len()) == Some(&b' ');
    is_move.then_some(word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_after_comments_are_skipped() {
        let long = format!(" {{{}}} 1... e5 ", "x".repeat(100));
        let room =
            "{ the comment of a move that is too near the end for this, which looks far ahead }";
        for (text, moves, rest) in [
            (" {[%clk 0:01:00]} 1... e5 ", 1, ""),
            (" { [%eval 0.3] [%clk 0:01:00] } 1... O-O {x} 2. Bb5+ {} Nf6 ", 3, ""),
            (" {x}\n10... exd8=Q+ {\n} a1=N ", 1, "{\n} a1=N "),
            (&long, 1, ""),
            (" {x} 2. N f3 ", 0, "{x} 2. N f3 "),
            (" {x} 1-0 ", 0, "{x} 1-0 "),
            (" {x} 1... e5! ", 0, "{x} 1... e5! "),
            (" {x} 1... e5(e6) ", 0, "{x} 1... e5(e6) "),
            (" {x} (1... e5) ", 0, "{x} (1... e5) "),
            (" {x} $1 e5 ", 0, "{x} $1 e5 "),
            ("{x} 1... e5 ", 0, "{x} 1... e5 "),
            (" e5 ", 0, "e5 "),
        ] {
            let whole = format!("{text}{room}");
            let (found, left) = skip(whole.as_bytes());
            let left = str::from_utf8(left).unwrap().trim_start();
            assert_eq!((found, left), (moves, format!("{rest}{room}").as_str()), "{text:?}");
        }
    }
}
