//! The tag section of a game.

use std::{borrow::Cow, ops::Range};

use memchr::{memchr, memchr3};

use super::{BYTE_ORDER_MARK, MainLine, Movetext, is_blank};
use crate::swar::{bits_of, bits_of_letters, find3, letters};

/// A tag, from its `[` on, is read for at most this many bytes; one that goes on is unterminated.
pub const MAX_TAG_LENGTH: usize = 64 * 1024;

/// The longest name of a tag, with the blanks around it.
const MAX_NAME_LENGTH: usize = 256;

/// Nearly all tags end within so many bytes.
const NEAR: usize = 48;

/// What ends the value of a tag, or makes it an unusual one.
const VALUE_ENDS: [u8; 3] = [b'"', b'\\', b'\n'];

/// One tag pair, such as `[White "Byrne, Donald"]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name, as it is written.
    pub name: &'a [u8],
    /// The value between the quotes, still with its backslashes.
    pub raw_value: &'a [u8],
    /// What is wrong with the tag, if anything.
    pub fault: Option<TagFault>,
}

/// What is wrong with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TagFault {
    /// The line ends before the closing quote.
    #[error("unterminated")]
    Unterminated,
    /// There is no value in quotes.
    #[error("no value in quotes")]
    NoValue,
    /// Something stands between the closing quote and the bracket.
    #[error("text after the value")]
    Trailing,
}

impl<'a> Tag<'a> {
    /// The value with its escapes resolved.
    #[must_use]
    pub fn value(&self) -> Cow<'a, [u8]> {
        if memchr(b'\\', self.raw_value).is_none() {
            return Cow::Borrowed(self.raw_value);
        }
        let mut value = Vec::with_capacity(self.raw_value.len());
        let mut bytes = self.raw_value.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' => value.extend(bytes.next().or(Some(byte))),
                _ => value.push(*byte),
            }
        }
        Cow::Owned(value)
    }
}

/// Bytes of a file as text: UTF-8 if they are that, Latin-1 otherwise.
#[must_use]
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|b| char::from(*b)).collect(), Cow::Borrowed)
}

/// Whether bytes that begin with `[` begin a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagForm {
    /// A name and an opening quote.
    Quoted,
    /// A name, but no quote after it.
    Bare,
    /// No tag.
    None,
    /// More bytes are needed to tell.
    Open,
}

pub(super) fn tag_form(bytes: &[u8]) -> TagForm {
    let Some((b'[', rest)) = bytes.split_first() else { return TagForm::None };
    let rest = &rest[..rest.len().min(MAX_NAME_LENGTH)];
    let name_at = count(rest, is_blank);
    let name = &rest[name_at..];
    let len = count(name, is_name_byte);
    let after = &name[len..];
    let ends = rest.len() == MAX_NAME_LENGTH;
    if name.first().is_some_and(|b| !b.is_ascii_alphabetic()) {
        return TagForm::None;
    }
    match after.get(count(after, is_blank)) {
        None if !ends => TagForm::Open,
        Some(b'"') if len > 0 => TagForm::Quoted,
        Some(b']' | b'\n') if len > 0 => TagForm::Bare,
        Some(_) if len > 0 && after.first().is_some_and(|b| is_blank(*b)) => TagForm::Bare,
        _ => TagForm::None,
    }
}

/// A tag as nearly all are written, whole, alone on its line, and without a backslash:
/// `[Name "value"]`. It is kept by the lengths of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UsualTag {
    name: u8,
    /// Of the line, with the line end.
    line: u16,
    line_end: u8,
}

impl UsualTag {
    /// The tag at the start of `bytes`, if it is written as nearly all are. `None` says nothing.
    #[inline(always)]
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.first() != Some(&b'[') {
            return None;
        }
        let (sixteens, _) = bytes.as_chunks();
        sixteens.first_chunk().and_then(Self::read_near).or_else(|| Self::read_far(bytes))
    }

    /// Reads it if it ends within these bytes. They begin with a bracket.
    ///
    /// Where the next tag begins is known as soon as the line end is found; all else is asked beside
    /// that, with hardly a branch.
    #[inline(always)]
    fn read_near(bytes: &[[u8; 16]; NEAR / 16]) -> Option<Self> {
        let line_ends = bits_of(bytes, b'\n');
        let line = line_ends.trailing_zeros() as usize;
        let before = line_ends.wrapping_sub(1) & !line_ends;
        let quotes = bits_of(bytes, b'"') & before;
        let close_bit = quotes & quotes.wrapping_sub(1);
        let [open, close] = [quotes, close_bit].map(|bits| bits.trailing_zeros() as usize);
        let [first, second, _] = bytes;
        let name = (bits_of_letters(&[*first, *second]) >> 1).trailing_ones() as usize;
        let odd = bits_of(bytes, b'\\') & before | close_bit & close_bit.wrapping_sub(1);
        let bytes = bytes.as_flattened();
        let is_usual = (odd == 0) & (name > 0) & (open == name + 2) & (close < line);
        if !is_usual || bytes.get(name + 1) != Some(&b' ') {
            return None;
        }
        let line_end = closing_line_end(bytes.get(close..)?)?;
        Some(Self { name: name as u8, line: line as u16 + 1, line_end: line_end as u8 })
    }

    /// Reads it whatever its length.
    #[inline(never)]
    fn read_far(bytes: &[u8]) -> Option<Self> {
        let (b'[', rest) = bytes.split_first()? else { return None };
        // So that the lengths have room.
        let rest = &rest[..rest.len().min(MAX_TAG_LENGTH / 2)];
        let name = letters(rest);
        let value = rest[name..].strip_prefix(b" \"")?;
        if name == 0 || name > MAX_NAME_LENGTH / 2 {
            return None;
        }
        let value_length = find3(value, VALUE_ENDS)?;
        let line_end = closing_line_end(&value[value_length..])?;
        let line = 1 + name + 2 + value_length + 2 + line_end;
        Some(Self { name: name as u8, line: line as u16, line_end: line_end as u8 })
    }

    /// How many bytes its line takes, with the line end.
    pub(super) fn line(self) -> usize {
        usize::from(self.line)
    }

    /// How many bytes it takes.
    fn taken(self) -> usize {
        usize::from(self.line) - usize::from(self.line_end)
    }

    /// Its name, of the bytes that it was read from.
    #[inline]
    pub(super) fn name(self, bytes: &[u8]) -> &[u8] {
        &bytes[1..=usize::from(self.name)]
    }

    /// The tag, of the bytes that it was read from.
    #[inline]
    fn tag(self, bytes: &[u8]) -> Tag<'_> {
        let raw_value = &bytes[usize::from(self.name) + 3..self.taken() - 2];
        Tag { name: self.name(bytes), raw_value, fault: None }
    }
}

/// How many bytes the line end takes, if a tag is closed right before it.
#[inline]
fn closing_line_end(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(b"\"]\n") { Some(1) } else { bytes.starts_with(b"\"]\r\n").then_some(2) }
}

fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| is_counted(**b)).count()
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.' | b'#' | b'=' | b':')
}

/// A tag at the start of `bytes`, which are known to have the form of one, and how many bytes it
/// takes. An unterminated one takes the rest of the line without its line end; if the line does
/// not end within [`MAX_TAG_LENGTH`], it takes just so many bytes, and the caller skips the rest.
pub(super) fn read_tag(bytes: &[u8]) -> (Tag<'_>, usize) {
    let bytes = &bytes[..bytes.len().min(MAX_TAG_LENGTH)];
    let name_at = 1 + count(&bytes[1..], is_blank);
    let len = count(&bytes[name_at..], is_name_byte);
    let name = &bytes[name_at..name_at + len];
    let after = name_at + len + count(&bytes[name_at + len..], is_blank);
    if bytes.get(after) == Some(&b'"') {
        read_quoted(bytes, name, after + 1)
    } else {
        let end = memchr::memchr2(b']', b'\n', &bytes[after..]);
        let taken = match end.map(|n| after + n) {
            Some(at) => at + usize::from(bytes[at] == b']'),
            None => bytes.len(),
        };
        (Tag { name, raw_value: b"", fault: Some(TagFault::NoValue) }, taken)
    }
}

fn read_quoted<'a>(bytes: &'a [u8], name: &'a [u8], value_at: usize) -> (Tag<'a>, usize) {
    let mut at = value_at;
    loop {
        let Some(found) = memchr3(b'"', b'\\', b'\n', bytes.get(at..).unwrap_or_default()) else {
            break (unterminated(name, &bytes[value_at..]), bytes.len());
        };
        at += found;
        match bytes[at] {
            b'"' => {
                let tag = |end| Tag { name, raw_value: &bytes[value_at..end], fault: None };
                let rest = &bytes[at + 1..];
                let blanks = count(rest, is_blank);
                break match rest.get(blanks) {
                    Some(b']') => (tag(at), at + 1 + blanks + 1),
                    // The bracket is missing.
                    None | Some(b'\n' | b'[') => (tag(at), at + 1),
                    // A quote that should have been escaped: the value goes on.
                    Some(_) => match closing_quote(rest) {
                        Some((quote, taken)) => (tag(at + 1 + quote), at + 1 + taken),
                        None => {
                            let line = memchr(b'\n', rest).unwrap_or(rest.len());
                            let fault = Some(TagFault::Trailing);
                            (Tag { fault, ..tag(at) }, at + 1 + line)
                        }
                    },
                };
            }
            b'\n' => break (unterminated(name, &bytes[value_at..at]), at),
            // A backslash escapes what follows it on its line.
            _ => at += 1 + usize::from(bytes.get(at + 1).is_some_and(|b| *b != b'\n')),
        }
    }
}

/// The first quote on the line with a bracket behind it, and up to where both go.
fn closing_quote(rest: &[u8]) -> Option<(usize, usize)> {
    let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    memchr::memchr_iter(b'"', line).find_map(|quote| {
        let blanks = count(&line[quote + 1..], is_blank);
        let end = quote + 1 + blanks;
        (line.get(end) == Some(&b']')).then_some((quote, end + 1))
    })
}

fn unterminated<'a>(name: &'a [u8], value: &'a [u8]) -> Tag<'a> {
    Tag { name, raw_value: value.trim_ascii_end(), fault: Some(TagFault::Unterminated) }
}

/// The tags of a game, in order.
#[derive(Debug, Clone)]
pub struct Tags<'a> {
    rest: &'a [u8],
    /// The tags that `rest` begins with, as far as they were read before.
    known: &'a [UsualTag],
    is_line_start: bool,
    /// The tag before was unterminated: lines that are neither blank nor tags belong to it.
    is_open: bool,
    /// Where the movetext begins if no more tags follow: `rest` may be behind comments. Not known if
    /// the last tag is unterminated.
    movetext: Option<MainLine<'a>>,
}

impl<'a> Tags<'a> {
    pub(super) fn new(game: &'a [u8], known: &'a [UsualTag]) -> Self {
        let movetext = Some(MainLine::new(game, true));
        Self { rest: game, known, is_line_start: true, is_open: false, movetext }
    }

    /// The main line of the game, from behind its last tag.
    #[must_use]
    pub fn into_main_line(mut self) -> MainLine<'a> {
        while self.next().is_some() {}
        MainLine::new(self.rest, self.is_line_start)
    }

    /// The main line as [`into_main_line`](Self::into_main_line) has it, with all that stands
    /// beside it: from behind the last tag, so that comments before the first move are in it.
    #[must_use]
    pub fn into_movetext(mut self) -> Movetext<'a> {
        while self.next().is_some() {}
        Movetext::new(self.movetext.unwrap_or_else(|| MainLine::new(self.rest, self.is_line_start)))
    }

    /// The same tags with their places.
    #[must_use]
    pub fn placed(self) -> PlacedTags<'a> {
        PlacedTags { game: self.rest, tags: self }
    }

    /// The next tags, as long as they are written as nearly all are: whole, alone on their lines, and
    /// without a backslash, so that the [raw value](Tag::raw_value) is the value. The same as asking for
    /// one after the other, in half the time.
    #[inline]
    pub(crate) fn each_usual(&mut self, mut each: impl FnMut(Tag<'a>)) {
        if !self.is_line_start {
            return;
        }
        let before = self.rest.len();
        while let Some((usual, line)) = self.read_usual() {
            each(usual.tag(line));
        }
        if self.rest.len() < before {
            self.is_open = false;
            self.begin_movetext();
            // A blank line before a move number is all that mostly follows.
            if let [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] = self.rest
                && rest.first().is_some_and(u8::is_ascii_digit)
            {
                self.rest = rest;
            }
        }
    }

    /// The tag on the line that begins here, if it is a usual one, and its line, which is passed.
    #[inline(always)]
    fn read_usual(&mut self) -> Option<(UsualTag, &'a [u8])> {
        let usual = match self.known.split_first() {
            // The game may be cut within a tag that was read before.
            Some((usual, known)) if usual.line() <= self.rest.len() => {
                self.known = known;
                *usual
            }
            _ => {
                self.known = &[];
                UsualTag::read(self.rest)?
            }
        };
        let (line, rest) = self.rest.split_at(usual.line());
        self.rest = rest;
        Some((usual, line))
    }

    fn skip_line(&mut self) {
        let end = memchr(b'\n', self.rest).map_or(self.rest.len(), |n| n + 1);
        self.rest = &self.rest[end..];
        self.is_line_start = true;
    }

    fn read(&mut self) -> (Tag<'a>, &'a [u8]) {
        let (tag, taken) = read_tag(self.rest);
        let (bytes, rest) = self.rest.split_at(taken);
        self.is_open = tag.fault == Some(TagFault::Unterminated);
        self.is_line_start = false;
        self.rest = rest;
        if self.is_open {
            self.skip_line();
        }
        self.begin_movetext();
        (tag, bytes)
    }

    /// Movetext may begin here.
    fn begin_movetext(&mut self) {
        self.movetext = (!self.is_open).then(|| MainLine::new(self.rest, self.is_line_start));
    }

    /// The next tag, and all its bytes.
    fn advance(&mut self) -> Option<(Tag<'a>, &'a [u8])> {
        // Movetext mostly begins with a move number.
        if !self.is_open && self.rest.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        loop {
            if self.is_line_start {
                if let Some((usual, line)) = self.read_usual() {
                    self.is_open = false;
                    self.begin_movetext();
                    return Some((usual.tag(line), &line[..usual.taken()]));
                }
                while let Some(rest) = self.rest.strip_prefix(BYTE_ORDER_MARK) {
                    self.rest = rest;
                }
                if self.rest.first() == Some(&b'%') {
                    self.skip_line();
                    continue;
                }
            }
            let blanks = count(self.rest, is_blank);
            match self.rest.get(blanks) {
                Some(b'\n') => {
                    self.is_open &= !self.is_line_start;
                    self.skip_line();
                }
                Some(b'[') if has_tag(&self.rest[blanks..]) => {
                    self.rest = &self.rest[blanks..];
                    return Some(self.read());
                }
                Some(_) if self.is_open => self.skip_line(),
                // Comments between tags are passed over; an open one is left to the main line.
                Some(b';') => self.skip_line(),
                Some(b'{') => {
                    let end = memchr(b'}', self.rest)?;
                    self.rest = &self.rest[end + 1..];
                    self.is_line_start = false;
                }
                _ => return None,
            }
        }
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        self.advance().map(|(tag, _)| tag)
    }
}

/// A tag and where in its game it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedTag<'a> {
    /// The tag.
    pub tag: Tag<'a>,
    /// Its bytes, from the `[` to the last that is not blank: the `]`, unless there is none.
    pub span: Range<usize>,
    /// The bytes of [`Tag::raw_value`]; empty, and at the end, if there is no value in quotes.
    pub value: Range<usize>,
}

/// The tags of a game with their places, in order.
#[derive(Debug, Clone)]
pub struct PlacedTags<'a> {
    /// What the places are counted in.
    game: &'a [u8],
    tags: Tags<'a>,
}

impl<'a> PlacedTags<'a> {
    /// Up to where the game was read for the tags so far; once there are no more, what follows is
    /// movetext.
    #[must_use]
    pub fn position(&self) -> usize {
        self.game.len() - self.tags.rest.len()
    }

    /// As [`Tags::into_main_line`].
    #[must_use]
    pub fn into_main_line(self) -> MainLine<'a> {
        self.tags.into_main_line()
    }

    fn place(&self, part: &[u8]) -> Range<usize> {
        let start = part.as_ptr() as usize - self.game.as_ptr() as usize;
        start..start + part.len()
    }
}

impl<'a> Iterator for PlacedTags<'a> {
    type Item = PlacedTag<'a>;

    fn next(&mut self) -> Option<PlacedTag<'a>> {
        let (tag, bytes) = self.tags.advance()?;
        let span = self.place(bytes.trim_ascii_end());
        let value = match tag.fault {
            Some(TagFault::NoValue) => span.end..span.end,
            _ => self.place(tag.raw_value),
        };
        Some(PlacedTag { tag, span, value })
    }
}

fn has_tag(bytes: &[u8]) -> bool {
    matches!(tag_form(bytes), TagForm::Quoted | TagForm::Bare)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(game: &str) -> (Vec<(String, String, Option<TagFault>)>, String) {
        let mut tags = Tags::new(game.as_bytes(), &[]);
        let text = |b: &[u8]| decode_text(b).into_owned();
        let list = tags.by_ref().map(|t| (text(t.name), text(&t.value()), t.fault)).collect();
        (list, text(tags.rest))
    }

    fn pair(name: &str, value: &str) -> (String, String, Option<TagFault>) {
        (name.to_owned(), value.to_owned(), None)
    }

    #[test]
    fn tags_are_read_in_every_layout() {
        for (game, tags, rest) in [
            ("[A \"1\"]\n[B \"2\"]\n\n1. e4", vec![pair("A", "1"), pair("B", "2")], "1. e4"),
            ("[A \"1\"]\r\n\r\n1. e4", vec![pair("A", "1")], "1. e4"),
            ("[A \"1\"] [B \"2\"] 1. e4", vec![pair("A", "1"), pair("B", "2")], " 1. e4"),
            ("\u{feff}[ A  \"1\" ]\n% x\n 1. e4", vec![pair("A", "1")], " 1. e4"),
            ("[A \"a \\\"b\\\" \\\\\"]\n", vec![pair("A", "a \"b\" \\")], ""),
            ("[A \"]\"]\n[B \"{\"]\n*", vec![pair("A", "]"), pair("B", "{")], "*"),
            ("[A\"1\"]\n", vec![pair("A", "1")], ""),
            ("1. e4", vec![], "1. e4"),
            ("[%clk 1] e4", vec![], "[%clk 1] e4"),
            ("[A \"x \"y\" z\"]\n[B \"2\"]\n", vec![pair("A", "x \"y\" z"), pair("B", "2")], ""),
            ("[A \"1\"]\n; note\n{more\n} [B \"2\"]\n*", vec![pair("A", "1"), pair("B", "2")], "*"),
        ] {
            assert_eq!(read(game), (tags, rest.to_owned()), "for {game:?}");
        }
    }

    #[test]
    fn damaged_tags_are_told_and_do_not_hide_the_next() {
        let (tags, rest) = read("[A \"1\n[B \"2\nmore\"]\n[C 3]\n[D \"4\"]\n[E \"5\" x]\n\n1. e4");
        let faults: Vec<_> = tags.iter().map(|t| (t.0.as_str(), t.2)).collect();
        let (open, bare) = (Some(TagFault::Unterminated), Some(TagFault::NoValue));
        let trailing = Some(TagFault::Trailing);
        assert_eq!(faults, [("A", open), ("B", open), ("C", bare), ("D", None), ("E", trailing)]);
        assert_eq!(rest, "1. e4");
    }

    #[test]
    fn tags_know_their_places() {
        for (game, places) in [
            ("[A \"1\"]\n[B \"2\"]\n\n1. e4", &[("[A \"1\"]", "1"), ("[B \"2\"]", "2")][..]),
            ("[A \"1\"]  \r\n", &[("[A \"1\"]", "1")]),
            ("\u{feff} [ A  \"\" ] [B \"x\"\n", &[("[ A  \"\" ]", ""), ("[B \"x\"", "x")]),
            ("[A 1]\n[B 2\n[C \"3 \r\nx\n\n", &[("[A 1]", ""), ("[B 2", ""), ("[C \"3", "3")]),
            ("{c} [A \"a \"b\" c\" ] *", &[("[A \"a \"b\" c\" ]", "a \"b\" c")]),
        ] {
            let placed = Tags::new(game.as_bytes(), &[]).placed();
            let found: Vec<_> = placed.map(|t| (&game[t.span], &game[t.value])).collect();
            assert_eq!(found, places, "for {game:?}");
        }
        let mut placed = Tags::new(b"[A \"1\"] \n{c} 1. e4", &[]).placed();
        assert_eq!(placed.by_ref().count(), 1);
        assert_eq!(placed.position(), "[A \"1\"] \n{c}".len());
    }

    #[test]
    fn an_endless_tag_ends_with_its_line() {
        let game = format!("[A \"{}\n[B \"2\"]\n1. e4", "x".repeat(3 * MAX_TAG_LENGTH));
        let (tags, rest) = read(&game);
        assert_eq!(tags[0].1.len(), MAX_TAG_LENGTH - 4);
        assert_eq!(tags[1], pair("B", "2"));
        assert_eq!(rest, "1. e4");
    }

    #[test]
    fn text_that_is_not_utf8_is_latin1() {
        assert_eq!(decode_text(b"Gr\xfcnfeld"), "Grünfeld");
        assert_eq!(decode_text("Grünfeld".as_bytes()), "Grünfeld");
    }

    proptest! {
        #[test]
        fn a_near_tag_is_read_as_a_far_one(
            name in "[A-Za-z]{0,20}",
            between in prop_oneof![9 => Just(" \""), 1 => Just("\""), 1 => Just("  \"")],
            value in prop_oneof![9 => "[ -Z]{0,70}", 1 => "[ -~\\\\\n\"é]{0,70}"],
            end in prop_oneof![
                Just("\"]\n"), Just("\"]\r\n"), Just("\"] \n"), Just("\"]"), Just("]\n"), Just("\"]\r")
            ],
            behind in "[ -~\n]{0,70}",
        ) {
            let bytes = format!("[{name}{between}{value}{end}{behind}");
            let bytes = bytes.as_bytes();
            let (sixteens, _) = bytes.as_chunks();
            let far = UsualTag::read_far(bytes);
            let near = sixteens.first_chunk().map(UsualTag::read_near);
            let expected = far.filter(|tag| tag.line() <= NEAR);
            prop_assert!(near.is_none_or(|near| near == expected), "{near:?}, not {expected:?}");
            if let Some(usual) = far {
                let (tag, taken) = read_tag(bytes);
                prop_assert_eq!((usual.tag(bytes), usual.taken()), (tag, taken));
            }
        }
    }
}
