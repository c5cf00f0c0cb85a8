//! The fast path for the bytes between moves.
//!
//! It assumes that a letter begins a move, and that only spaces, dots, line ends, move numbers
//! below 100 and closed comments come before it. `None` means: ask the plain reader. That is also
//! the answer where a `%`, a byte order mark or the end of the bytes follows a line end.
//!
//! It saves a third of the instructions of the whole program: 99.5 million instead of 157.0 million
//! for `eco classify -j1 --format tsv` on 5,867 games played over the board (x86-64, callgrind,
//! 2026-11). Where no comments stand between moves, [`read_moves`] finds the words of 64 bytes
//! together, which saves another 5 %.
//!
//! Advice for whoever goes on: nearly all moves of a main line are separated by a [close
//! gap](close_gap), which is decided by the first bytes without a loop. All else is out of line, so
//! that the loop over moves keeps its values in registers.

use memchr::memchr;

use crate::chess::PackedSan;
use crate::simd::{BLOCK, Simd, bits_of, bits_of_any, bits_of_digits, bits_of_letters};

/// As many bytes from each of them on are loaded at once.
const WORD: usize = 8;

/// Reads moves from the first 64 bytes, as if blanks followed the last one, up to the first gap
/// that is not made of spaces, dots, line ends and move numbers below 100, and up to a word that is
/// too long to be packed, has a dot, or does not end as moves do. Only spaces, line ends and
/// carriage returns end a word here. Returns the number of moves, and how many bytes they take with
/// the gaps before them.
///
/// It looks for words in bit sets of all bytes, where each move takes a few instructions only, and
/// none waits for the one before it.
#[inline(always)]
pub(super) fn read_moves<S: Simd>(
    simd: S,
    bytes: &[u8],
    moves: &mut [PackedSan],
) -> (usize, usize) {
    let mut end = [b' '; BLOCK + WORD];
    let window = bytes.first_chunk().unwrap_or_else(|| {
        end[..bytes.len()].copy_from_slice(bytes);
        &end
    });
    let Some(block) = window.first_chunk() else { return (0, 0) };
    let (letters, digits) = (bits_of_letters(simd, block), bits_of_digits(simd, block));
    let (dots, blanks) = (bits_of(simd, block, b'.'), bits_of_any(simd, block, *b" \n\r"));

    // What a word may follow; before the first byte, anything.
    let before_word = (dots | blanks) << 1 | 1;
    let starts = letters & before_word;
    // Each word carries from its start to the blank after it.
    let carried = starts.wrapping_add(!blanks);
    let (ends, within) = (carried & blanks, !(carried | blanks));
    // A digit and a dot, or two digits and a dot, from here on. A number whose dot is not among the
    // bytes counts as odd.
    let is_number = dots >> 1 | digits >> 1 & dots >> 2;
    // What a gap of moves does not have: other characters, and digits that begin no number.
    let odd_gap = !(letters | digits | dots | blanks) | digits & before_word & !is_number;
    // A dot in a word may begin another, and then words and their ends are not as many.
    let odd = odd_gap & !(within | blanks) | dots & within;
    // Words begin before the first odd byte; each end belongs to the start of the same rank.
    let mut starts = starts & odd.wrapping_sub(1) & !odd;
    let mut ends = ends;
    let count = starts.count_ones().min(ends.count_ones()) as usize;
    let (mut read, mut taken) = (0, 0);
    for place in moves.iter_mut().take(count) {
        let (start, end) = (starts.trailing_zeros(), ends.trailing_zeros());
        (starts, ends) = (starts & starts.wrapping_sub(1), ends & ends.wrapping_sub(1));
        let (start, end) = (start as usize % BLOCK, end as usize);
        let Some(eight) = window[start..].first_chunk() else { break };
        let Some(san) = PackedSan::of_move(*eight, end - start) else { break };
        *place = san;
        (read, taken) = (read + 1, end);
    }
    (read, taken)
}

/// Returns the bytes from the next letter on, if only a simple gap comes before it.
#[inline(always)]
pub(super) fn skip_gap(bytes: &[u8], is_line_start: bool) -> Option<&[u8]> {
    match after_close_gap(bytes) {
        Some(rest) => Some(rest),
        None => skip_wide_gap(bytes, is_line_start),
    }
}

/// Returns the bytes after a [close gap](close_gap).
#[inline(always)]
pub(super) fn after_close_gap(bytes: &[u8]) -> Option<&[u8]> {
    Some(&bytes[close_gap(bytes.first_chunk()?)?..])
}

/// Returns the length of a close gap: a space or a line end, then at most a number with its dot (or
/// three before a move of Black) and a space. A letter must follow.
#[inline(always)]
fn close_gap(bytes: &[u8; 16]) -> Option<usize> {
    let [b' ' | b'\n', second, third, fourth, ..] = *bytes else { return None };
    if second.is_ascii_alphabetic() {
        return Some(1);
    }
    let dot = match (second, third, fourth) {
        (b'1'..=b'9', b'.', _) => 2,
        (b'1'..=b'9', b'0'..=b'9', b'.') => 3,
        _ => return None,
    };
    let dots = if bytes[dot + 1] == b'.' && bytes[dot + 2] == b'.' { 3 } else { 1 };
    let gap = dot + dots + usize::from(bytes[dot + dots] == b' ');
    bytes[gap].is_ascii_alphabetic().then_some(gap)
}

/// Skips any number of spaces, dots, line ends, move numbers and comments.
#[inline(never)]
fn skip_wide_gap(mut rest: &[u8], is_line_start: bool) -> Option<&[u8]> {
    let means_more = |rest: &[u8]| matches!(rest.first(), None | Some(b'%' | 0xef));
    if is_line_start && means_more(rest) {
        return None;
    }
    loop {
        rest = match rest {
            [b'A'..=b'Z' | b'a'..=b'z', ..] => return Some(rest),
            [b' ' | b'.', after @ ..] => after,
            [b'1'..=b'9', b'.', after @ ..] | [b'1'..=b'9', b'0'..=b'9', b'.', after @ ..] => after,
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] if !means_more(after) => after,
            [b'{', comment @ ..] => &comment[memchr(b'}', comment)? + 1..],
            _ => return None,
        };
    }
}
