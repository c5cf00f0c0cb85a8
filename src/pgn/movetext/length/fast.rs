//! The fast path for the length of movetext without variations, glyphs and comments to the end of
//! a line.
//!
//! It assumes that words are divided by spaces, dots, line ends and comments in braces, that a
//! letter begins a move, that numbers stand alone, and that a result ends the line. Sixty-four
//! bytes are looked at together, as bit sets; where each move has a comment, that is left to
//! [`commented`] as long as it lasts. `None` means: ask the plain form. That is the answer
//! wherever a byte or a word could mean anything else:
//!
//! * a byte that is no letter, digit or blank, and no sign within a move,
//! * a word that begins with a sign, or with a digit and is neither a number nor a result,
//! * a word that ends in a letter, as the annotations that are skipped do, unless it is castling or
//!   a promotion,
//! * a word that ends in `=`, a sign that is no part of the word before it,
//! * a line that begins with `%`, which is such a byte, and a byte order mark,
//! * a comment without an end.

use crate::pgn::movetext::commented;
use crate::simd::{BLOCK, Block, Simd, bits_of, bits_of_any, bits_of_digits, bits_of_letters};

/// Digits in a row, at most. No game has 1,000 moves.
const MAX_DIGITS: u32 = 3;

/// What the bytes of a block are.
#[derive(Clone, Copy)]
struct Classes {
    letters: u64,
    digits: u64,
    blanks: u64,
}

impl Classes {
    /// Before the movetext.
    const START: Self = Self { letters: 0, digits: 0, blanks: u64::MAX };

    /// The classes of a block. A comment counts as blanks; `is_comment` says whether the block
    /// begins within one, and then whether it ends within one.
    #[inline(always)]
    fn of<S: Simd>(simd: S, block: &Block, is_comment: &mut bool) -> Self {
        let (letters, digits) = (bits_of_letters(simd, block), bits_of_digits(simd, block));
        let blanks = bits_of_any(simd, block, [b' ', b'\n', b'.', b'\r']);
        // Most blocks of a game without comments have no other byte, and so no brace.
        if letters | digits | blanks == u64::MAX && !*is_comment {
            return Self { letters, digits, blanks };
        }
        let opens = bits_of(simd, block, b'{');
        let comments = match opens != 0 || *is_comment {
            true => comments(opens, bits_of(simd, block, b'}'), is_comment),
            false => 0,
        };
        Self { letters: letters & !comments, digits: digits & !comments, blanks: blanks | comments }
    }
}

/// The bytes of comments, braces included, by the braces of a block.
///
/// Where braces open and close by turns, a byte is within a comment if the number of braces up to
/// it is odd. All bytes learn that at once: each takes over from the byte before it, then from the
/// one two before, and so on. Clocks and evaluations come after each move, and going from brace to
/// brace is mispredicted at most of them.
#[inline(always)]
fn comments(opens: u64, closes: u64, is_comment: &mut bool) -> u64 {
    let mut within = opens | closes;
    for count in [1, 2, 4, 8, 16, 32] {
        within ^= within << count;
    }
    let carry = u64::from(*is_comment);
    within ^= carry.wrapping_neg();
    let within_before = within << 1 | carry;
    if opens & within_before | closes & !within_before != 0 {
        return comments_by_turns(opens, closes, is_comment);
    }
    *is_comment = within >> 63 != 0;
    // A brace that closes belongs to its comment.
    within | within_before
}

/// As [`comments`], where a comment has a brace in it, or none is open where one closes.
#[inline(never)]
fn comments_by_turns(opens: u64, closes: u64, is_comment: &mut bool) -> u64 {
    let mut comments = 0;
    // The bytes that are still to be looked at.
    let mut rest = u64::MAX;
    loop {
        if !*is_comment {
            let open = opens & rest;
            if open == 0 {
                return comments;
            }
            // A brace, and all bytes after it.
            rest &= (open & open.wrapping_neg()).wrapping_neg();
        }
        let close = closes & rest;
        *is_comment = close == 0;
        if *is_comment {
            return comments | rest;
        }
        let through = close ^ (close - 1);
        comments |= rest & through;
        rest &= !through;
    }
}

/// The set moved up by `count` bytes, so that each bit stands for an earlier byte; what comes in is
/// of the block before.
#[inline(always)]
fn back(set: u64, before: u64, count: u32) -> u64 {
    set << count | before >> (64 - count)
}

/// The number of moves, and the result after them.
#[inline(always)]
pub(super) fn length<S: Simd>(simd: S, text: &[u8]) -> Option<(usize, Option<&[u8]>)> {
    // What follows begins with a blank, or is the whole.
    let (mut plies, text) = commented::skip(simd, text);
    let mut before = Classes::START;
    let mut is_comment = false;
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let now = Classes::of(simd, block, &mut is_comment);
        let (moves, result) = read(text, index * BLOCK, before, now)?;
        plies += moves;
        if result.is_some() {
            return Some((plies, result));
        }
        before = now;
    }
    // The last word ends at the end, as if a blank followed.
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    let now = Classes::of(simd, &block, &mut is_comment);
    let (moves, result) = read(text, text.len() - rest.len(), before, now)?;
    (result.is_some() || !is_comment).then_some((plies + moves, result))
}

/// Counts the moves that begin in a block, up to the result if there is one.
#[inline(always)]
fn read(
    text: &[u8],
    offset: usize,
    before: Classes,
    now: Classes,
) -> Option<(usize, Option<&[u8]>)> {
    let Classes { letters, digits, blanks } = now;
    let digit = |count| back(digits, before.digits, count);
    let blank = |count| back(blanks, before.blanks, count);
    let begins = !blanks & blank(1);
    let others = !(letters | digits | blanks);
    // What follows a number that stands at the start of a word.
    let runs_on = digit(1) & (blank(2) | digit(2) & (blank(3) | digit(3) & blank(4)));
    let mut odd = !(blanks | digits) & runs_on;
    odd |= begins & others;
    let is_long_number = digits & digit(1) & digit(2) & digit(MAX_DIGITS);
    // The first odd byte may end the line, and then nothing after it counts.
    let (end, result) = match odd {
        0 => (u64::MAX, None),
        _ => {
            let at = odd.trailing_zeros();
            let result = result_at(text, offset + at as usize)?;
            ((1_u64 << at) - 1, Some(result))
        }
    };
    let ends_in_letter = back(letters, before.letters, 1) & blanks & end;
    if is_long_number & end != 0
        || !are_within_moves(text, offset, others & end)
        || !are_castling_or_promotion(text, offset, ends_in_letter)
    {
        return None;
    }
    Some(((begins & letters & end).count_ones() as usize, result))
}

/// The result whose second byte is at `at`, or which is the byte there.
#[inline(never)]
fn result_at(text: &[u8], at: usize) -> Option<&[u8]> {
    if text.get(at) == Some(&b'*') {
        return Some(&text[at..=at]);
    }
    let rest = &text[at.checked_sub(1)?..];
    let length = match rest {
        [b'1', b'-', b'0', ..] | [b'0', b'-', b'1', ..] => 3,
        [b'1', b'/', b'2', b'-', b'1', b'/', b'2', ..] => 7,
        _ => return None,
    };
    // A number of several digits ends in 1 or 0 as well.
    let begins = at < 2 || matches!(text[at - 2], b' ' | b'\n' | b'.' | b'\r');
    let ends = matches!(rest.get(length), None | Some(b' ' | b'\n' | b'\r' | b'\t'));
    (begins && ends).then(|| &rest[..length])
}

/// Whether these bytes may stand within a move. What follows a `=` must be of its word.
#[inline(always)]
fn are_within_moves(text: &[u8], offset: usize, mut set: u64) -> bool {
    while set != 0 {
        let at = offset + set.trailing_zeros() as usize;
        match text[at] {
            b'+' | b'#' | b'-' => {}
            b'=' if text.get(at + 1).is_some_and(|next| !b" \n.\r{".contains(next)) => {}
            _ => return false,
        }
        set &= set - 1;
    }
    true
}

/// Whether the letters before these blanks end castling or a promotion. No annotation that is
/// skipped ends in such a letter.
#[inline(always)]
fn are_castling_or_promotion(text: &[u8], offset: usize, mut set: u64) -> bool {
    while set != 0 {
        let at = offset + set.trailing_zeros() as usize;
        if !matches!(text[at - 1], b'O' | b'Q' | b'R' | b'B') {
            return false;
        }
        set &= set - 1;
    }
    true
}
