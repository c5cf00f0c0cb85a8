//! Moves of which each has a comment before it, as clocks and evaluations make them.
//!
//! Most of such movetext is comments, which are not looked at byte by byte. The braces that end
//! them are found 64 bytes at a time, and what follows each is judged alone: no load waits for
//! the end of the comment before it.
//!
//! It assumes `{...} 12. e4 {...}`: after a comment a [gap](NextGap), a word that begins with a
//! letter and ends with a digit or a sign of check, a blank, and the next comment. Castling and
//! promotions are looked at byte by byte. What is written otherwise is left to the caller, with all
//! that follows.
//!
//! To skip a move with clock and evaluation takes 5.2 ns. Where each number was read and the word
//! was looked at eight bytes at a time, that was 9.1 ns; looking at all bytes takes half as long
//! again (150 games of lichess over and over, x86-64 with two cores shared with others, 2026-11).
//! Where moves to be played were searched for one after the other, the whole of `eco classify` took
//! 6 % longer (10,024 games of lichess, x86-64 with AVX-512, one thread, 2026-11).
//!
//! Advice for whoever goes on: looking for each comment's end from the end of the move before
//! it takes fewer instructions than looking at all bytes, but twice the time, since each load waits
//! for the last. Instructions decide: a list of all braces, made before they are looked at, spares
//! mispredictions and saves nothing.
//!
//! The gap between a comment and the move after it is ` 12. ` before a move of White and ` 12... `
//! before one of Black, as programs write it. The number of a move gives the gap before the next
//! one too: to compare that with eight bytes takes five instructions; reading a number takes 18.

use std::slice;

use super::fast::after_close_gap;
use super::word::{is_surely_move, word_at};
use crate::chess::PackedSan;
use crate::simd::{BLOCK, Block, Kernel, Simd, bits_of, count_move_bytes};

/// The bytes after a comment that are looked at: a gap, sixteen of a word, a sign and the beginning
/// of a comment have room there.
const NEAR: usize = 32;

/// Skips comments and the moves after them. Returns the number of moves, and the rest, which begins
/// with the blank before a comment if a move was skipped.
#[inline(always)]
pub(super) fn skip<S: Simd>(simd: S, text: &[u8]) -> (usize, &[u8]) {
    let (mut moves, mut end) = (0, 0);
    let mut commented = CommentedMoves::new(text);
    while let Some(found) = commented.next(simd) {
        (moves, end) = (moves + 1, found.end);
    }
    (moves, &text[end..])
}

/// Reads comments and skips the moves after them, until there are this number of comments. Returns
/// the rest.
pub(super) struct ReadComments<'a, 'b, T> {
    pub(super) text: &'a [u8],
    pub(super) comments: &'b mut Vec<T>,
    pub(super) most: usize,
}

impl<'a, T: From<&'a [u8]>> Kernel for ReadComments<'a, '_, T> {
    type Output = &'a [u8];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> &'a [u8] {
        let Self { text, comments, most } = self;
        let mut end = 0;
        let mut commented = CommentedMoves::new(text);
        // Most lines have a comment after the first move too.
        commented.gap = NextGap(1);
        while comments.len() < most {
            let Some(found) = commented.next(simd) else { break };
            // Without the blank and the braces.
            comments.push(T::from(&text[end + 2..found.comment_end - 1]));
            end = found.end;
        }
        &text[end..]
    }
}

/// Reads the moves after comments, up to one that is not [packed](PackedSan::of_move). Returns
/// their number, and how many bytes they take with the comments before them.
#[inline(always)]
pub(super) fn read_moves<S: Simd>(simd: S, text: &[u8], moves: &mut [PackedSan]) -> (usize, usize) {
    let (mut read, mut taken) = (0, 0);
    let mut commented = CommentedMoves::new(text);
    for place in moves {
        let Some(found) = commented.next(simd) else { break };
        let Some(san) = PackedSan::of_move(found.eight, found.length) else { break };
        *place = san;
        (read, taken) = (read + 1, found.end);
    }
    (read, taken)
}

/// The moves that have a comment before and after them, up to the first that is written otherwise.
struct CommentedMoves<'a> {
    text: &'a [u8],
    /// The blocks that nobody has looked at.
    blocks: slice::Iter<'a, Block>,
    /// Where they begin.
    at: usize,
    /// The closing braces that are left of the last block. The first ends the comment that is open.
    braces: u64,
    gap: NextGap,
}

/// A move with a comment before and after it.
struct CommentedMove {
    /// Where the comment before it ends in the text.
    comment_end: usize,
    /// Bytes from its first one on.
    eight: [u8; 8],
    length: usize,
    /// Where it ends in the text.
    end: usize,
}

impl<'a> CommentedMoves<'a> {
    #[inline(always)]
    fn new(text: &'a [u8]) -> Self {
        let text = if matches!(text, [b' ', b'{', ..]) { text } else { b"" };
        let blocks = text.as_chunks().0.iter();
        Self { text, blocks, at: 0, braces: 0, gap: NextGap::UNKNOWN }
    }

    #[inline(always)]
    fn next<S: Simd>(&mut self, simd: S) -> Option<CommentedMove> {
        while self.braces == 0 {
            self.braces = bits_of(simd, self.blocks.next()?, b'}');
            self.at += BLOCK;
        }
        // A comment is open here: its first brace that closes ends it.
        let comment_end = self.at - BLOCK + self.braces.trailing_zeros() as usize + 1;
        self.braces &= self.braces - 1;
        let near: &[u8; NEAR] = self.text.get(comment_end..)?.first_chunk()?;
        let (start, next) = self.gap.read(near)?;
        // It is no longer, and now the compiler knows that no index is out of bounds.
        let start = start % (MAX_LENGTH + 1);
        // No closure: it would not be compiled for the machine's vectors, and so not inlined.
        let end = match move_end(simd, near, start) {
            Some(end) => end,
            None => odd_move_end(near, start)?,
        };
        self.gap = next;
        let eight = *near[start..].first_chunk()?;
        Some(CommentedMove { comment_end, eight, length: end - start, end: comment_end + end })
    }
}

/// Where the move ends that begins at `start`, if a comment follows it.
#[inline(always)]
fn move_end<S: Simd>(simd: S, bytes: &[u8; NEAR], start: usize) -> Option<usize> {
    let end = start + count_move_bytes(simd, bytes[start..].first_chunk()?);
    // The byte before the word is no digit, if the word is empty.
    let ends_in_digit = bytes[end.wrapping_sub(1) % NEAR].is_ascii_digit();
    // A letter, a sign such as `@`, or a byte from 0xc0 on. A word of them with a digit is a move.
    let begins = bytes[start] & 0x40 != 0;
    let end = end + usize::from(bytes[end] == b'+');
    let has_comment = bytes.get(end..end + 2) == Some(b" {");
    if ends_in_digit && begins && has_comment { Some(end) } else { None }
}

/// As [`move_end`], for other moves, such as castling.
#[cold]
#[inline(never)]
fn odd_move_end(bytes: &[u8; NEAR], start: usize) -> Option<usize> {
    let word = word_at(&bytes[start..]);
    let end = start + word.len();
    (is_surely_move(word) && matches!(bytes[end..], [b' ', b'{', ..])).then_some(end)
}

/// A gap is at most that long.
const MAX_LENGTH: usize = 7;

/// Moves up to this number have two digits.
const MOVES: usize = 99;

/// The gap that comes next, by the ply of its move.
#[derive(Clone, Copy)]
struct NextGap(u8);

/// A gap, as the low bytes of eight that are loaded together.
#[derive(Clone, Copy)]
struct Gap {
    bytes: u64,
    mask: u64,
    length: usize,
}

/// The gaps by ply. As many as an index of one byte can name, so that it needs no check.
static GAPS: [Gap; 1 << u8::BITS] = {
    let mut gaps = [Gap::NONE; 1 << u8::BITS];
    let mut ply = 0;
    while ply < 2 * MOVES {
        gaps[ply] = Gap::of(ply);
        ply += 1;
    }
    gaps
};

impl Gap {
    /// What no bytes are.
    const NONE: Self = Self { bytes: 1, mask: 0, length: 0 };

    /// The gap before the move of this ply, counted from 0.
    const fn of(ply: usize) -> Self {
        let number = ply / 2 + 1;
        let mut gap = Self { bytes: 0, mask: 0, length: 0 }.with(b' ');
        if number >= 10 {
            gap = gap.with(b'0' + (number / 10) as u8);
        }
        gap = gap.with(b'0' + (number % 10) as u8).with(b'.');
        if ply % 2 == 1 {
            gap = gap.with(b'.').with(b'.');
        }
        gap.with(b' ')
    }

    const fn with(self, byte: u8) -> Self {
        let shift = u8::BITS as usize * self.length;
        Self {
            bytes: self.bytes | (byte as u64) << shift,
            mask: self.mask | 0xff << shift,
            length: self.length + 1,
        }
    }
}

impl NextGap {
    /// Any gap.
    const UNKNOWN: Self = Self(u8::MAX);

    /// The length of the gap that these bytes begin with, at most [`MAX_LENGTH`], and what gap
    /// comes after its move. A letter need not follow.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8; 32]) -> Option<(usize, Self)> {
        let gap = &GAPS[usize::from(self.0)];
        let [first, second, third, fourth, fifth, sixth, seventh, eighth, ..] = *bytes;
        let eight = [first, second, third, fourth, fifth, sixth, seventh, eighth];
        match u64::from_le_bytes(eight) & gap.mask == gap.bytes {
            true => Some((gap.length, Self(self.0.wrapping_add(1)))),
            false => read_other(bytes),
        }
    }
}

/// As [`NextGap::read`], for any close gap.
#[inline(never)]
fn read_other(bytes: &[u8; 32]) -> Option<(usize, NextGap)> {
    let length = bytes.len() - after_close_gap(bytes)?.len();
    let number = &bytes[1..length];
    let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, dots) = number.split_at(digits);
    let number = digits.iter().fold(0, |number, digit| 10 * number + (digit - b'0'));
    let is_of_black = matches!(dots, [b'.', b'.', b'.', ..]);
    let next = match number {
        0 => NextGap::UNKNOWN,
        _ => NextGap(2 * (number - 1) + u8::from(is_of_black) + 1),
    };
    Some((length, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::run_with_all;

    #[derive(Clone)]
    struct Skip<'a>(&'a [u8]);

    impl<'a> Kernel for Skip<'a> {
        type Output = (usize, &'a [u8]);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            skip(simd, self.0)
        }
    }

    /// Reads at most this number of comments.
    #[derive(Clone)]
    struct Read<'a>(&'a [u8], usize);

    impl<'a> Kernel for Read<'a> {
        type Output = (Vec<&'a [u8]>, &'a [u8]);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let Self(text, most) = self;
            let mut comments = Vec::new();
            let rest = ReadComments { text, comments: &mut comments, most }.run(simd);
            (comments, rest)
        }
    }

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
            (" {x} 1... e;5 {", 0, " {x} 1... e;5 {"),
            (" {x} 1... e?5 {", 0, " {x} 1... e?5 {"),
            (" {x} 1... e{5 {", 0, " {x} 1... e{5 {"),
            (" {x} 1... e=5 {", 1, " {"),
            (" {x} 1... 5 {", 0, " {x} 1... 5 {"),
            (" {x} 1... e[5 {", 0, " {x} 1... e[5 {"),
            (" {x} 1... [5]7 {", 0, " {x} 1... [5]7 {"),
            (" {x} 1... +5 {", 0, " {x} 1... +5 {"),
            (" {x} 1...  {", 0, " {x} 1...  {"),
            (" {x} 1... N {", 0, " {x} 1... N {"),
            (" {x} 1... e1234567890123456 {", 1, " {"),
            (
                " {x} 1... e12345678901234567890123456 {",
                0,
                " {x} 1... e12345678901234567890123456 {",
            ),
            (" {x} 99. e4 {x} 99... e5 {x} 1. d4+ {", 3, " {"),
            (" {x} 99... e4 {x} 100. e5 {", 1, " {x} 100. e5 {"),
            ("{x} 1... e5", 0, "{x} 1... e5"),
            (" e5", 0, " e5"),
        ] {
            let whole = format!("{text}{room}");
            let (found, left) = run_with_all(&Skip(whole.as_bytes()));
            let left = String::from_utf8_lossy(left).into_owned();
            assert_eq!((found, &*left), (moves, &*format!("{rest}{room}")), "{text:?}");
            for most in [moves + 1, moves, moves.saturating_sub(1)] {
                let (comments, left) = run_with_all(&Read(whole.as_bytes(), most));
                assert_eq!(comments.len(), moves.min(most), "{text:?}");
                assert_eq!(left == format!("{rest}{room}").as_bytes(), most >= moves, "{text:?}");
                let mut after = &*whole;
                for comment in comments {
                    let comment = format!(" {{{}}}", String::from_utf8_lossy(comment));
                    after = after.strip_prefix(&*comment).expect("a comment comes first");
                    after = &after[after.find(" {").expect("a comment comes next")..];
                }
            }
        }
    }

    fn bytes(text: &str) -> [u8; 32] {
        format!("{text:32}").as_bytes().try_into().unwrap()
    }

    #[test]
    fn the_gap_after_a_move_is_known() {
        for ply in 0..2 * MOVES {
            let dots = if ply % 2 == 0 { "." } else { "..." };
            let gap = format!(" {}{dots} ", ply / 2 + 1);
            let (length, next) = NextGap::UNKNOWN.read(&bytes(&format!("{gap}e4 {{"))).unwrap();
            assert_eq!((length, usize::from(next.0)), (gap.len(), ply + 1), "{gap:?}");
            let (length, next) = NextGap(ply as u8).read(&bytes(&format!("{gap}e4 {{"))).unwrap();
            assert_eq!((length, usize::from(next.0)), (gap.len(), ply + 1), "{gap:?}");
            assert!(length <= MAX_LENGTH);
        }
    }

    #[test]
    fn other_gaps_are_read() {
        for (text, length, next) in [
            (" e5", Some(1), u8::MAX),
            ("\ne5", Some(1), u8::MAX),
            (" 7.e4", Some(3), 13),
            (" 7...e4", Some(5), 14),
            (" 12.. e4", None, 0),
            (" 100. e4", None, 0),
            ("  e4", None, 0),
            (" 1-0", None, 0),
        ] {
            for from in [NextGap::UNKNOWN, NextGap(0), NextGap(198), NextGap(254)] {
                let read = from.read(&bytes(text)).map(|(length, next)| (length, next.0));
                assert_eq!(read, length.map(|length| (length, next)), "{text:?}");
            }
        }
    }
}
