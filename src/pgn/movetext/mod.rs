//! The words of a main line.
//!
//! Comments, variations, NAGs, move numbers and runs in square brackets (`[%clk 0:01:00]`), which
//! some programs write outside of comments, are skipped. The first result ends the line, as the
//! PGN standard has it. Words that annotators add and that are no moves are skipped too: signs
//! (`+-`, `=`, `⩲`), which have neither a letter of any script nor a figurine, and those in
//! [`ANNOTATIONS`].
//!
//! A piece that stands apart from its square is one word with it: a figurine always (`♘ f3`), `N`
//! and `D` only after a move number (`2. N f3`), because they are signs after a move.
//!
//! `mod.rs` and `word.rs` hold the whole meaning. `fast.rs` and `commented.rs` read moves that are
//! written as programs write them, or leave them to the others.

mod commented;
mod fast;
mod length;
mod word;

pub(crate) use length::CountedLine;
pub(super) use word::{ANNOTATIONS, bracketed, digits, result_length};

use std::ops::ControlFlow;

use memchr::memchr;

use self::commented::ReadComments;
use self::word::{
    has_other_letter, is_surely_move, is_word_end, square_apart, with_square, without_marks,
    word_at,
};
use super::text::BYTE_ORDER_MARK;
use crate::chess::PackedSan;
use crate::simd::{self, Simd};

/// What a main line is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A word in the place of a move. It need not be a move.
    Move(&'a [u8]),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`. Nothing follows it.
    Result(&'a [u8]),
    /// A comment that the game ends in. Nothing follows it.
    OpenComment,
    /// A variation that the game ends in. Nothing follows it.
    OpenVariation,
}

/// Room for the moves that [`MainLine::peek_moves`] returns.
#[derive(Debug, Clone)]
pub(crate) struct MoveBuffer([PackedSan; MoveBuffer::CAPACITY]);

impl MoveBuffer {
    /// The most moves that fit.
    pub(crate) const CAPACITY: usize = 16;

    /// The most that are read where each takes longer, since some of those read last are not
    /// needed.
    const FEW: usize = 8;

    pub(crate) const fn new() -> Self {
        Self([PackedSan::NONE; Self::CAPACITY])
    }
}

/// The first moves of a line, as [`MainLine::peek_moves`] returns them, as far as it was asked;
/// [`NONE`](PackedSan::NONE) in the place of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FirstMoves([PackedSan; FirstMoves::COUNT]);

impl FirstMoves {
    const COUNT: usize = 4;

    pub(crate) const NONE: Self = Self([PackedSan::NONE; Self::COUNT]);

    /// Notes moves that come after this number of plies.
    #[inline(always)]
    pub(crate) fn note(&mut self, plies: usize, moves: &[PackedSan]) {
        if plies < Self::COUNT {
            for (place, san) in self.0[plies..].iter_mut().zip(moves) {
                *place = *san;
            }
        }
    }

    /// The moves up to a ply, if all of them were noted.
    #[inline]
    pub(crate) fn up_to(mut self, plies: usize) -> Option<Self> {
        let (first, others) = self.0.split_at_mut_checked(plies)?;
        others.fill(PackedSan::NONE);
        (!first.contains(&PackedSan::NONE)).then_some(self)
    }

    /// Whether these are all of them.
    pub(crate) fn are(&self, moves: &[PackedSan]) -> bool {
        let (first, others) = self.0.split_at(moves.len().min(Self::COUNT));
        first == moves && others.iter().all(|other| *other == PackedSan::NONE)
    }
}

/// The tokens of a main line, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct MainLine<'a> {
    pub(super) rest: &'a [u8],
    pub(super) is_line_start: bool,
}

impl<'a> MainLine<'a> {
    /// The main line in `bytes`. `is_line_start` says whether they begin at the start of a line,
    /// where a `%` hides the line.
    pub(super) fn new(bytes: &'a [u8], is_line_start: bool) -> Self {
        Self { rest: bytes, is_line_start }
    }

    /// The main line of a movetext without tags.
    pub(crate) fn from_movetext(bytes: &'a [u8]) -> Self {
        Self::new(bytes, true)
    }

    pub(super) fn pass(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    fn end(&mut self) {
        self.rest = b"";
    }

    pub(super) fn skip_past(&mut self, byte: u8) -> bool {
        let found = memchr(byte, self.rest);
        match found {
            Some(n) => self.pass(n + 1),
            None => self.end(),
        }
        found.is_some()
    }

    pub(super) fn skip_line(&mut self) {
        self.skip_past(b'\n');
        self.is_line_start = true;
    }

    /// Skips a comment.
    fn skip_comment(&mut self) -> Result<(), Token<'a>> {
        self.pass(1);
        if self.skip_past(b'}') { Ok(()) } else { Err(Token::OpenComment) }
    }

    /// Skips the rest of a variation after its `(`, with those inside it.
    fn skip_variation(&mut self) -> Result<(), Token<'a>> {
        let mut depth = 1_u32;
        while depth > 0 {
            let byte = *self.rest.first().ok_or(Token::OpenVariation)?;
            self.pass(1);
            if std::mem::take(&mut self.is_line_start) && byte == b'%' {
                self.skip_line();
                continue;
            }
            match byte {
                b'(' => depth = depth.saturating_add(1),
                b')' => depth -= 1,
                b'[' => self.pass(bracketed(self.rest)),
                b'{' if !self.skip_past(b'}') => return Err(Token::OpenComment),
                b';' => self.skip_line(),
                b'\n' => self.is_line_start = true,
                _ => {}
            }
        }
        Ok(())
    }

    fn read_result(&mut self) -> Option<Token<'a>> {
        let taken = result_length(self.rest)?;
        let result = &self.rest[..taken];
        self.end();
        Some(Token::Result(result))
    }

    /// Returns the next moves, at most `count`, without taking them from this line, and how many
    /// bytes they take with the gaps before them, for [`after`](Self::after).
    ///
    /// The moves are what the iterator returns, packed; only where a word has in it what ends a
    /// word, as `e4(e5` has, it is packed whole, and cannot be played; so a caller that does not
    /// play the moves must not take such a word for what it says. There may be fewer than `count`,
    /// and then not because the line has no more: the iterator knows.
    #[inline(always)]
    pub(crate) fn peek_moves<'b, S: Simd>(
        &self,
        simd: S,
        buffer: &'b mut MoveBuffer,
        count: usize,
    ) -> (&'b [PackedSan], usize) {
        let (len, taken) = match self.rest {
            [b' ', b'{', ..] => {
                let count = count.min(MoveBuffer::FEW);
                commented::read_moves(simd, self.rest, &mut buffer.0[..count])
            }
            _ => fast::read_moves(simd, self.rest, &mut buffer.0[..count]),
        };
        (&buffer.0[..len], taken)
    }

    /// The line after moves that take this number of bytes.
    #[inline(always)]
    pub(crate) fn after(&self, taken: usize) -> Self {
        Self { rest: &self.rest[taken..], is_line_start: self.is_line_start && taken == 0 }
    }

    /// Reads the first `count` of moves that were just read, in the same way, for the number of
    /// bytes that these take. That is rare, so reading again costs less than keeping where each
    /// ends.
    #[cold]
    #[inline(never)]
    pub(crate) fn peek_again<'b, S: Simd>(
        &self,
        simd: S,
        buffer: &'b mut MoveBuffer,
        count: usize,
    ) -> (&'b [PackedSan], usize) {
        self.peek_moves(simd, buffer, count)
    }

    /// Reads the next move on the fast path.
    #[inline]
    fn read_move(&mut self) -> Option<&'a [u8]> {
        let rest = fast::skip_gap(self.rest, self.is_line_start)?;
        let word = word_at(rest);
        is_surely_move(word).then(|| {
            *self = Self::new(&rest[word.len()..], false);
            word
        })
    }

    /// Skips a number that a dot or a space follows, as most are.
    fn skip_move_number(&mut self) -> bool {
        let rest = self.rest;
        let len = digits(rest);
        let is_number = matches!(rest.get(len), Some(b'.' | b' '));
        self.pass(if is_number { len + 1 } else { 0 });
        is_number
    }

    /// Skips a number that is not a move. Returns `None` if it is one (`0-0`).
    fn skip_number(&mut self) -> Option<()> {
        let rest = self.rest;
        if matches!(rest, [b'0', b'-', b'0', ..] | [b'0', b'0', b'0', b'0', ..]) {
            return None;
        }
        self.pass(digits(rest));
        Some(())
    }

    /// Reads a piece that stands apart from its square, after a move number.
    #[inline(never)]
    fn read_piece_apart(&mut self) -> Option<Token<'a>> {
        let skipped = self.rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'.')).count();
        let [b'N' | b'D', after @ ..] = &self.rest[skipped..] else { return None };
        let taken = 1 + square_apart(after)?;
        let word = &self.rest[skipped..skipped + taken];
        self.pass(skipped + taken);
        Some(Token::Move(word))
    }

    fn read_word(&mut self) -> Option<Token<'a>> {
        let rest = self.rest;
        let word = with_square(word_at(rest), rest);
        self.pass(word.len().max(1));
        if is_surely_move(word) {
            return Some(Token::Move(word));
        }
        let is_null = matches!(word, b"--" | b"@@@@");
        // `ch,` is an annotation, as `ch` is.
        let word = without_marks(word, &rest[word.len()..]);
        let has_letter = word.iter().any(u8::is_ascii_alphanumeric) || has_other_letter(word);
        let is_skipped = ANNOTATIONS.contains(&word) || !(has_letter || is_null);
        (!is_skipped).then_some(Token::Move(word))
    }

    // Out of line, so that the fast path saves no registers for it.
    #[inline(never)]
    fn next_plainly(&mut self) -> Option<Token<'a>> {
        loop {
            if let ControlFlow::Break(token) = self.advance() {
                return token;
            }
        }
    }

    /// Reads comments and passes the moves after them, until there are this number of comments, if
    /// a comment is next and each move has one before and after it, as programs write them.
    pub(super) fn read_comments<T: From<&'a [u8]>>(&mut self, comments: &mut Vec<T>, most: usize) {
        self.rest = simd::run(ReadComments { text: self.rest, comments, most });
    }

    /// Reads a token, or skips one part of what stands before it. Breaks with `None` at the end.
    pub(super) fn advance(&mut self) -> ControlFlow<Option<Token<'a>>> {
        let Some(byte) = self.rest.first().copied() else { return ControlFlow::Break(None) };
        if std::mem::take(&mut self.is_line_start) {
            if byte == b'%' {
                self.skip_line();
                return ControlFlow::Continue(());
            }
            if byte == BYTE_ORDER_MARK[0] && self.rest.starts_with(BYTE_ORDER_MARK) {
                self.pass(BYTE_ORDER_MARK.len());
                self.is_line_start = true;
                return ControlFlow::Continue(());
            }
        }
        let token = match byte {
            b'\n' => {
                self.pass(1);
                self.is_line_start = true;
                None
            }
            b'{' => self.skip_comment().err(),
            b';' => {
                self.skip_line();
                None
            }
            b'(' => {
                self.pass(1);
                let open = self.skip_variation().err();
                if open.is_some() {
                    self.end();
                }
                open
            }
            _ => self.read_token(byte),
        };
        token.map_or(ControlFlow::Continue(()), |token| ControlFlow::Break(Some(token)))
    }

    /// Reads the move or result that begins with `byte`, the next one. Skips anything else that may
    /// stand between moves, except comments and variations.
    #[inline]
    pub(super) fn read_token(&mut self, byte: u8) -> Option<Token<'a>> {
        match byte {
            b'$' => self.pass(1 + digits(&self.rest[1..])),
            b'[' => self.pass(1 + bracketed(&self.rest[1..])),
            b'1'..=b'9' if self.skip_move_number() => return self.read_piece_apart(),
            b'0'..=b'9' | b'*' | 0xc2 => {
                let result = self.read_result();
                let is_number = result.is_none() && byte.is_ascii_digit();
                if result.is_some() || is_number && self.skip_number().is_some() {
                    return result;
                }
                return self.read_word();
            }
            _ if is_word_end(byte) => self.pass(1),
            _ => return self.read_word(),
        }
        None
    }
}

impl<'a> Iterator for MainLine<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        // The fast path is tried once, since it may read a long gap in vain.
        if let Some(word) = self.read_move() {
            return Some(Token::Move(word));
        }
        self.next_plainly()
    }
}

#[cfg(test)]
mod tests;
