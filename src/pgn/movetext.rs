//! The words of a main line.
//!
//! Comments, variations, NAGs and move numbers are passed over. The first result ends the line, as
//! the PGN standard has it. Words that annotators add and that are no moves are passed over too:
//! those without an ASCII letter (`+-`, `=`) and the few in [`ANNOTATIONS`].

use std::ops::ControlFlow;

use memchr::memchr;

use super::BYTE_ORDER_MARK;
use crate::{chess::PackedSan, swar::find};

/// Words with letters that people write between moves: a novelty, a diagram, en passant, check.
const ANNOTATIONS: [&[u8]; 7] = [b"N", b"D", b"e", b"p", b"ep", b"ch", b"mate"];

/// A hyphen, an en dash and an em dash.
const DASHES: [&[u8]; 3] = [b"-", "–".as_bytes(), "—".as_bytes()];

/// What a main line is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A word in the place of a move; not necessarily one that can be read.
    Move(&'a [u8]),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`. Nothing follows it.
    Result(&'a [u8]),
    /// A comment that the game ends in. Nothing follows it.
    OpenComment,
    /// A variation that the game ends in. Nothing follows it.
    OpenVariation,
}

/// Room for words of a main line that are read before they are played.
#[derive(Debug)]
pub(crate) struct WordsAhead([PackedSan; WordsAhead::MAX]);

impl WordsAhead {
    /// So many words are read ahead at most.
    pub(crate) const MAX: usize = 8;

    pub(crate) const fn new() -> Self {
        Self([PackedSan::NONE; Self::MAX])
    }
}

/// The tokens of a main line, in order.
#[derive(Debug, Clone)]
pub struct MainLine<'a> {
    pub(super) rest: &'a [u8],
    pub(super) is_line_start: bool,
}

impl<'a> MainLine<'a> {
    /// The main line that `bytes` hold. `is_line_start` says whether they begin at the start of a
    /// line, where a `%` hides the line.
    pub(super) fn new(bytes: &'a [u8], is_line_start: bool) -> Self {
        Self { rest: bytes, is_line_start }
    }

    /// The main line of a movetext without tags.
    #[must_use]
    pub fn from_movetext(bytes: &'a [u8]) -> Self {
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

    /// Passes over a comment.
    fn skip_comment(&mut self) -> Result<(), Token<'a>> {
        self.pass(1);
        if self.skip_past(b'}') { Ok(()) } else { Err(Token::OpenComment) }
    }

    /// Passes over a variation whose `(` is behind us, with those inside it.
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

    /// Reads on behind what stands before nearly all moves; `None` if that is not to be known from here.
    #[inline(always)]
    fn pass_usual(&mut self) -> Option<()> {
        self.rest = behind_usual(self.rest, self.is_line_start)?;
        self.is_line_start = false;
        Some(())
    }

    /// Reads so many words ahead, at most [`WordsAhead::MAX`], as far as moves are written as nearly all
    /// are; and what comes behind them. Here they are still the next.
    #[inline]
    pub(crate) fn usual_words<'w>(
        &self,
        ahead: &'w mut WordsAhead,
        count: usize,
    ) -> (&'w [PackedSan], Self) {
        let (mut rest, mut is_line_start) = (self.rest, self.is_line_start);
        let mut len = 0;
        for place in &mut ahead.0[..count] {
            let gap = rest.first_chunk().map_or(0, usual_gap);
            if gap > 0 {
                rest = &rest[gap..];
            } else {
                let Some(behind) = letter_behind_usual(rest, is_line_start) else { break };
                rest = behind;
            }
            is_line_start = false;
            let word = rest.first_chunk().and_then(|eight| PackedSan::split_first(*eight));
            let Some((word, taken)) = word.filter(|(word, _)| word.ends_like_move()) else { break };
            rest = &rest[taken..];
            *place = word;
            len += 1;
        }
        (&ahead.0[..len], Self { rest, is_line_start })
    }

    /// The next move, where it is written as nearly all are.
    #[inline]
    fn read_usual_move(&mut self) -> Option<&'a [u8]> {
        self.pass_usual()?;
        let word = word_at(self.rest);
        is_usual_move(word).then(|| {
            self.pass(word.len());
            word
        })
    }

    /// Passes over a number with a dot or a blank behind it, as most are.
    fn skip_move_number(&mut self) -> bool {
        let rest = self.rest;
        let len = digits(rest);
        let is_number = matches!(rest.get(len), Some(b'.' | b' '));
        self.pass(if is_number { len + 1 } else { 0 });
        is_number
    }

    /// Passes over a number that is not a move; `None` if it is one (`0-0`).
    fn skip_number(&mut self) -> Option<()> {
        let rest = self.rest;
        if [&b"0-0"[..], b"0000"].iter().any(|zeros| rest.starts_with(zeros)) {
            return None;
        }
        self.pass(digits(rest));
        Some(())
    }

    fn read_word(&mut self) -> Option<Token<'a>> {
        let rest = self.rest;
        let word = word_at(rest);
        self.pass(word.len().max(1));
        if is_usual_move(word) {
            return Some(Token::Move(word));
        }
        let is_null = matches!(word, b"--" | b"@@@@");
        let has_letter = word.iter().any(u8::is_ascii_alphanumeric);
        if ANNOTATIONS.contains(&word) || !(has_letter || is_null) {
            return None;
        }
        Some(Token::Move(without_mark(word, &rest[word.len()..])))
    }

    /// Reads a token, or passes over what stands before one; nothing if the line is at its end.
    // Apart, so that reading usual moves saves no registers for it: 2 % of all instructions.
    #[inline(never)]
    fn advance(&mut self) -> ControlFlow<Option<Token<'a>>> {
        let Some(byte) = self.rest.first().copied() else { return ControlFlow::Break(None) };
        if std::mem::take(&mut self.is_line_start) {
            if byte == b'%' {
                self.skip_line();
                return ControlFlow::Continue(());
            }
            if self.rest.starts_with(BYTE_ORDER_MARK) {
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

    /// The move or result that begins with `byte`, which is the next; anything else that stands
    /// between moves is passed over, comments and variations excepted.
    #[inline]
    pub(super) fn read_token(&mut self, byte: u8) -> Option<Token<'a>> {
        match byte {
            b'$' => self.pass(1 + digits(&self.rest[1..])),
            b'1'..=b'9' if self.skip_move_number() => {}
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

/// What comes behind that which stands before nearly all moves: blanks, dots, line ends, comments, and a
/// move number with its dot; or behind some of these, if anything else is among them. `None` if that is
/// not to be known from here.
#[inline(always)]
fn behind_usual(mut rest: &[u8], is_line_start: bool) -> Option<&[u8]> {
    let means_more = |rest: &[u8]| matches!(rest.first(), None | Some(b'%' | 0xef));
    if is_line_start && means_more(rest) {
        return None;
    }
    loop {
        rest = match rest {
            [b'A'..=b'Z' | b'a'..=b'z', ..] => break,
            [b' ' | b'.', after @ ..] => after,
            [b'1'..=b'9', b'.', after @ ..] | [b'1'..=b'9', b'0'..=b'9', b'.', after @ ..] => after,
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] if !means_more(after) => after,
            [b'{', comment @ ..] => match find(comment, b'}') {
                Some(end) => &comment[end + 1..],
                None => break,
            },
            _ => break,
        };
    }
    Some(rest)
}

/// As [`behind_usual`], where a move does not follow closely; `None` also if no letter comes behind it.
#[inline(never)]
fn letter_behind_usual(mut rest: &[u8], mut is_line_start: bool) -> Option<&[u8]> {
    // Clocks and evaluations stand behind each move, or nowhere.
    if let [b' ', b'{', comment @ ..] = rest {
        rest = &comment[find(comment, b'}')? + 1..];
        let gap = rest.first_chunk().map_or(0, usual_gap);
        if gap > 0 {
            return Some(&rest[gap..]);
        }
        is_line_start = false;
    } else if let [b'\r', line_end @ ..] = rest {
        let gap = line_end.first_chunk().map_or(0, usual_gap);
        if gap > 0 {
            return Some(&line_end[gap..]);
        }
    }
    behind_usual(rest, is_line_start)
        .filter(|rest| rest.first().is_some_and(u8::is_ascii_alphabetic))
}

/// How many bytes stand between two moves that follow each other closely: a blank or a line end, and before
/// White's a number with its dot, or three before Black's. 0 if it may be something else.
#[inline(always)]
fn usual_gap(bytes: &[u8; 16]) -> usize {
    let [b' ' | b'\n', second, third, fourth, ..] = *bytes else { return 0 };
    if second.is_ascii_alphabetic() {
        return 1;
    }
    let dot = match (second, third, fourth) {
        (b'1'..=b'9', b'.', _) => 2,
        (b'1'..=b'9', b'0'..=b'9', b'.') => 3,
        _ => return 0,
    };
    let dots = if bytes[dot + 1] == b'.' && bytes[dot + 2] == b'.' { 3 } else { 1 };
    let gap = dot + dots + usize::from(bytes[dot + dots] == b' ');
    if bytes[gap].is_ascii_alphabetic() { gap } else { 0 }
}

/// So begin and end nearly all moves, and nothing that would have to be passed over.
fn is_usual_move(word: &[u8]) -> bool {
    matches!(word, [b'A'..=b'Z' | b'a'..=b'z', .., b'0'..=b'9' | b'+' | b'O'])
}

fn word_at(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().position(|b| is_word_end(*b)).unwrap_or(bytes.len());
    &bytes[..len]
}

fn without_mark<'a>(word: &'a [u8], after: &[u8]) -> &'a [u8] {
    match word {
        [taken @ .., b'e'] if after.starts_with(b".p") => taken,
        [taken @ .., b'e', b'p'] => taken,
        // Punctuation and signs of an even position.
        [taken @ .., b',' | b'='] => taken,
        _ => word,
    }
}

/// By byte: whether it ends a word.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let bytes = b" \t\r\x0b\x0c\n{}()!?$;.*";
    let mut at = 0;
    while at < bytes.len() {
        ends[bytes[at] as usize] = true;
        at += 1;
    }
    ends
};

fn is_word_end(byte: u8) -> bool {
    ENDS_WORD[usize::from(byte)]
}

/// How many bytes the result at the start of `bytes` takes, if there is one.
pub(super) fn result_length(bytes: &[u8]) -> Option<usize> {
    if bytes.first() == Some(&b'*') {
        return Some(1);
    }
    if bytes.strip_prefix(b"1/2").is_some_and(|rest| rest.first().is_none_or(|b| is_word_end(*b))) {
        return Some(3);
    }
    let results = [("1", "0"), ("0", "1"), ("1/2", "1/2"), ("½", "½")];
    results.iter().find_map(|(white, black)| {
        let after = bytes.strip_prefix(white.as_bytes())?;
        let after = DASHES.iter().find_map(|dash| after.strip_prefix(*dash))?;
        let after = after.strip_prefix(black.as_bytes())?;
        let is_whole = after.first().is_none_or(|b| is_word_end(*b));
        is_whole.then_some(bytes.len() - after.len())
    })
}

impl<'a> Iterator for MainLine<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(word) = self.read_usual_move() {
                return Some(Token::Move(word));
            }
            if let ControlFlow::Break(token) = self.advance() {
                return token;
            }
        }
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(movetext: &str) -> Vec<String> {
        MainLine::from_movetext(movetext.as_bytes())
            .map(|token| match token {
                Token::Move(word) => String::from_utf8_lossy(word).into_owned(),
                Token::Result(result) => format!("={}", String::from_utf8_lossy(result)),
                Token::OpenComment => "{".to_owned(),
                Token::OpenVariation => "(".to_owned(),
            })
            .collect()
    }

    #[test]
    fn the_main_line_is_what_remains() {
        for (movetext, expected) in [
            ("", &[][..]),
            ("1. e4 e5 2.Nf3 Nc6", &["e4", "e5", "Nf3", "Nc6"]),
            ("1.e4!? e5?? 2... $14 Nc6 $1$2 Bb5", &["e4", "e5", "Nc6", "Bb5"]),
            ("1. e4 {a (b ; c} e5 ; 2. Nf3 {\n2. Bc4", &["e4", "e5", "Bc4"]),
            ("1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4) 2. c4) e5", &["e4", "e5"]),
            ("1. e4 (1. d4 ; )\n% )\n) e5 ) Nf3", &["e4", "e5", "Nf3"]),
            ("% 1. d4\n1. e4\n% 1... c5\ne5", &["e4", "e5"]),
            ("1. e4 % e5", &["e4", "e5"]),
            ("1. e4\n\n\n1... e5\r\n\r\n2. Nf3", &["e4", "e5", "Nf3"]),
            ("0-0 0-0-0 O-O 1-0", &["0-0", "0-0-0", "O-O", "=1-0"]),
            ("1. e4 1/2-1/2 and so on", &["e4", "=1/2-1/2"]),
            ("e4 * e5", &["e4", "=*"]),
            ("e4 ½-½", &["e4", "=½-½"]),
            ("e4 1–0", &["e4", "=1–0"]),
            ("1e4 1-00 e5", &["e4", "-00", "e5"]),
            ("e4 N e5 +- = +/= -+ ∞ Nf3 D", &["e4", "e5", "Nf3"]),
            ("5. exd6 e.p. c5 6. exd6e.p. Kb1 bxc3ep", &["exd6", "c5", "exd6", "Kb1", "bxc3"]),
            ("1. e4 -- 2. Z0 @@@@", &["e4", "--", "Z0", "@@@@"]),
            ("1. e4 (1. d4 ; x\n% (\n) e5", &["e4", "e5"]),
            ("1. e4\n\u{feff}e5", &["e4", "e5"]),
            ("1. e4, e5= 1/2", &["e4", "e5", "=1/2"]),
            ("1. e4 Sf6 foo", &["e4", "Sf6", "foo"]),
            ("1. e4 {no end e5", &["e4", "{"]),
            ("1. e4 (1. d4 e5", &["e4", "("]),
            ("1. e4 (1. d4 {no end) e5", &["e4", "{"]),
        ] {
            assert_eq!(words(movetext), expected, "for {movetext:?}");
        }
    }

    #[test]
    fn variations_nested_without_end_take_no_stack() {
        let movetext = format!("1. e4 {} e5", "(".repeat(100_000));
        assert_eq!(words(&movetext), ["e4", "("]);
        let movetext = format!("1. e4 {}{} e5", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(words(&movetext), ["e4", "e5"]);
    }

    /// What stands between moves, usual and not, and words with what ends them.
    const PIECES: [&str; 28] = [
        " ", "\n", "\r\n", "\n\n", "\t", ".", "1.", "9. ", "12.", "34. ", "5...", "123. ", "{x}",
        "{", "(e5) ", "% ", "\n%\n", "$1 ", "N ", "e4 ", "d5\n", "Nf3 ", "Nbd2+ ", "O-O ",
        "exd5\r\n", "Zz ", "e8=Q ", "e4! ",
    ];

    proptest! {
        #[test]
        fn words_read_ahead_are_those_that_come(
            pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40),
            count in 0..=WordsAhead::MAX,
            is_line_start: bool,
        ) {
            let movetext = pieces.concat();
            let mut one_by_one = MainLine::new(movetext.as_bytes(), is_line_start);
            let mut ahead = WordsAhead::new();
            let (words, behind) = one_by_one.usual_words(&mut ahead, count);
            for word in words {
                let Some(Token::Move(written)) = one_by_one.next() else { panic!("{movetext:?}") };
                prop_assert_eq!(*word, PackedSan::new(written), "{:?}", movetext);
            }
            prop_assert!(behind.eq(one_by_one), "{:?}", movetext);
        }
    }
}
