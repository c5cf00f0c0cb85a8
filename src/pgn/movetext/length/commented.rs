//! Moves of which each has a comment before it, as clocks and evaluations make them.
//!
//! Most of such movetext is comments, which are not looked at byte by byte. The braces that end
//! them are found 64 bytes at a time, and what follows each is judged alone: no load waits for
//! the end of the comment before it.
//!
//! It assumes `{...} 12. e4 {...}`: after a comment a [close gap](after_close_gap), a word that
//! begins with a letter and ends with a digit or a sign of check, a blank, and the next
//! comment. Castling and promotions are looked at byte by byte. Anything else ends the
//! skipping, and is left to whoever asks.
//!
//! It takes 12 to 14 ns for a move with clock and evaluation, where looking at all bytes takes
//! 18 to 21 (both alone, 150 games of lichess over and over, x86-64 with two cores shared with
//! others, 2026-11).
//!
//! Advice for whoever goes on: looking for each comment's end from the end of the move before
//! it takes fewer instructions than looking at all bytes, but 27 ns, since each load waits for
//! the last.

use crate::{
    pgn::movetext::{fast::after_close_gap, is_surely_move, word_at},
    swar::{bits_of, count_alphanumeric},
};

/// The bytes that are looked at together.
const BLOCK: usize = 64;

/// Skips comments and the moves after them. Returns the number of moves, and the rest, which begins
/// with the blank before a comment if a move was skipped.
#[inline(always)]
pub(super) fn skip(text: &[u8]) -> (usize, &[u8]) {
    let (mut moves, mut rest) = (0, text);
    if !text.starts_with(b" {") {
        return (moves, rest);
    }
    let (blocks, _) = text.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let (lanes, _) = block.as_chunks();
        let lanes: &[[u8; 16]; 4] = lanes.try_into().expect("64 bytes are four times 16");
        let mut braces = bits_of(lanes, b'}');
        while braces != 0 {
            // A comment is open here: its first brace that closes ends it.
            let after = &text[index * BLOCK + braces.trailing_zeros() as usize + 1..];
            let Some(next) = skip_move(after) else { return (moves, rest) };
            moves += 1;
            rest = next;
            braces &= braces - 1;
        }
    }
    (moves, rest)
}

/// What follows a move, if that is a comment.
#[inline(always)]
fn skip_move(after_comment: &[u8]) -> Option<&[u8]> {
    let word = after_close_gap(after_comment)?;
    let rest = &word[move_length(word)?..];
    rest.starts_with(b" {").then_some(rest)
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
    fn moves_between_comments_are_skipped() {
        let long = format!(" {{{}}} 1... e5", "x".repeat(100));
        let room =
            " { a comment that is longer than what is looked at together, so that none ends near }";
        for (text, moves, rest) in [
            (" {[%clk 0:01:00]} 1... e5", 1, ""),
            (" { [%eval 0.3] [%clk 0:01:00] } 1... O-O {x} 2. Bb5+ {} Nf6", 3, ""),
            (" {x}\n10... exd8=Q+ {\n} a1=N", 1, " {\n} a1=N"),
            (&long, 1, ""),
            (" {a {b} e5", 1, ""),
            (" {x} e5 {x} 2. N f3", 1, " {x} 2. N f3"),
            (" {x} 1-0", 0, " {x} 1-0"),
            (" {x} 1... e5!", 0, " {x} 1... e5!"),
            (" {x} 1... e5(e6)", 0, " {x} 1... e5(e6)"),
            (" {x} (1... e5)", 0, " {x} (1... e5)"),
            (" {x} $1 e5", 0, " {x} $1 e5"),
            (" {x} e5 e6", 0, " {x} e5 e6"),
            (" {x} e5{x}", 0, " {x} e5{x}"),
            (" {x}} e5", 0, " {x}} e5"),
            ("{x} 1... e5", 0, "{x} 1... e5"),
            (" e5", 0, " e5"),
        ] {
            let whole = format!("{text}{room}");
            let (found, left) = skip(whole.as_bytes());
            let left = String::from_utf8_lossy(left).into_owned();
            assert_eq!((found, left), (moves, format!("{rest}{room}")), "{text:?}");
        }
    }
}
