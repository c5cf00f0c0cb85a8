//! The tag section of a game.
//!
//! Blank lines, `%` lines and comments between tags are skipped, as are lines that continue a tag
//! without a closing quote. `mod.rs` and `tag.rs` hold the whole meaning. `fast.rs` reads tags that
//! are written as the standard wants them, or leaves them to the others.

mod fast;
mod tag;

use std::ops::Range;

use memchr::memchr;

pub(super) use self::fast::{TagLine, TagLines};
pub(crate) use self::tag::{
    MAX_TAG_LENGTH, implied_variant, is_standard_chess, write_tag, write_value,
};
pub use self::tag::{Tag, TagFault};
pub(super) use self::tag::{TagForm, read_tag, tag_form};
use super::text::{BYTE_ORDER_MARK, count_blanks};
use super::{annotated::Movetext, movetext::MainLine};
use crate::subslice::range_in;

/// Who is shown the tags of a game, one after the other.
///
/// A trait and no closure, since a method can be compiled into the loop of the fast path as well as
/// into that of the plain one, and a closure is compiled into one of them only.
pub(crate) trait TagVisitor<'a> {
    /// Takes the next tag.
    fn visit(&mut self, tag: &Tag<'a>);
}

/// Looks at no tag.
struct Nobody;

impl<'a> TagVisitor<'a> for Nobody {
    #[inline(always)]
    fn visit(&mut self, _: &Tag<'a>) {}
}

/// The tags of a game, in order.
#[derive(Debug, Clone)]
pub struct Tags<'a> {
    rest: &'a [u8],
    /// The tag lines that `rest` begins with, as far as the splitter noted them.
    noted: &'a [TagLine],
    is_line_start: bool,
    /// The last tag was unterminated: lines that are neither blank nor tags belong to it.
    is_open: bool,
    is_export_format: bool,
    /// The last tag was read on the fast path, and `movetext` does not know of it.
    is_after_line: bool,
    /// The start of the movetext if no tags follow: `rest` may be after comments. Unknown if the
    /// last tag is unterminated.
    movetext: Option<MainLine<'a>>,
}

impl<'a> Tags<'a> {
    pub(super) fn new(game: &'a [u8], noted: &'a [TagLine]) -> Self {
        let movetext = Some(MainLine::new(game, true));
        Self {
            rest: game,
            noted,
            is_line_start: true,
            is_open: false,
            is_export_format: true,
            is_after_line: false,
            movetext,
        }
    }

    /// The main line of the game, from after its last tag.
    pub fn into_main_line(mut self) -> MainLine<'a> {
        self.visit(&mut Nobody)
    }

    /// The main line of [`into_main_line`](Self::into_main_line) with all that accompanies it. It
    /// starts right after the last tag, so comments before the first move are included.
    pub fn into_movetext(mut self) -> Movetext<'a> {
        while self.next().is_some() {}
        Movetext::new(self.movetext.unwrap_or_else(|| MainLine::new(self.rest, self.is_line_start)))
    }

    /// The tags with their positions.
    pub(crate) fn placed(self) -> PlacedTags<'a> {
        PlacedTags { game: self.rest, tags: self }
    }

    /// Shows every tag that is left to `visitor`, in order, and returns the main line after them.
    ///
    /// Where lines were noted, it takes less time than a loop over the iterator.
    #[inline(always)]
    pub(crate) fn visit<V: TagVisitor<'a>>(&mut self, visitor: &mut V) -> MainLine<'a> {
        self.visit_noted(visitor);
        self.note_movetext();
        if !self.is_at_movetext() {
            self.visit_plainly(visitor);
        }
        MainLine::new(self.rest, self.is_line_start)
    }

    /// Shows the tags on lines that were noted, which come before all others.
    #[inline(always)]
    fn visit_noted<V: TagVisitor<'a>>(&mut self, visitor: &mut V) {
        debug_assert!(self.noted.is_empty() || self.is_line_start && !self.is_open);
        let mut rest = self.rest;
        for line in std::mem::take(&mut self.noted) {
            // The game may be cut within a tag that was noted.
            let Some((bytes, after)) = rest.split_at_checked(line.line_length()) else { break };
            visitor.visit(&line.tag(bytes));
            rest = after;
        }
        self.is_after_line |= rest.len() < self.rest.len();
        self.rest = rest;
    }

    #[inline(never)]
    fn visit_plainly(&mut self, visitor: &mut impl TagVisitor<'a>) {
        for tag in self {
            visitor.visit(&tag);
        }
    }

    /// Whether the tags so far are in the export format of the PGN standard: from the first byte of
    /// the game on, each alone on its line, as `[Name "value"]`, with a line end after it and
    /// neither quotes nor backslashes in the value.
    pub(crate) fn is_export_format(&self) -> bool {
        self.is_export_format
    }

    /// Reads the tag on the line that begins here, on the fast path, and skips the line.
    #[inline(always)]
    fn read_line(&mut self) -> Option<(TagLine, &'a [u8])> {
        if !self.is_line_start {
            return None;
        }
        let line = match self.noted.split_first() {
            // The game may be cut within a tag that was noted.
            Some((line, noted)) if line.line_length() <= self.rest.len() => {
                self.noted = noted;
                *line
            }
            _ => {
                self.noted = &[];
                TagLine::read_one(self.rest)?
            }
        };
        let (bytes, rest) = self.rest.split_at(line.line_length());
        self.rest = rest;
        self.is_open = false;
        self.is_after_line = true;
        Some((line, bytes))
    }

    fn skip_line(&mut self) {
        let end = memchr(b'\n', self.rest).map_or(self.rest.len(), |n| n + 1);
        self.rest = &self.rest[end..];
        self.is_line_start = true;
    }

    /// Reads the tag at the start of `rest`, and its line end if it is in export format.
    fn read(&mut self) -> (Tag<'a>, &'a [u8]) {
        let (tag, taken) = read_tag(self.rest);
        let (bytes, rest) = self.rest.split_at(taken);
        self.is_open = tag.fault == Some(TagFault::Unterminated);
        self.rest = rest;
        let line_end = export_line_end(&tag, bytes, rest).filter(|_| self.is_line_start);
        self.is_export_format &= line_end.is_some();
        self.is_line_start = line_end.is_some();
        self.rest = &self.rest[line_end.unwrap_or(0)..];
        if self.is_open {
            self.skip_line();
        }
        self.begin_movetext();
        (tag, bytes)
    }

    /// Notes that movetext may begin here.
    fn begin_movetext(&mut self) {
        self.movetext = (!self.is_open).then(|| MainLine::new(self.rest, self.is_line_start));
    }

    /// Notes that movetext may begin here, after tags that were read on the fast path.
    #[inline(always)]
    fn note_movetext(&mut self) {
        if std::mem::take(&mut self.is_after_line) {
            self.begin_movetext();
        }
    }

    /// Returns the next tag and all its bytes.
    #[inline]
    fn advance(&mut self) -> Option<(Tag<'a>, &'a [u8])> {
        match self.read_line() {
            Some((line, bytes)) => Some((line.tag(bytes), &bytes[..line.tag_length()])),
            None => self.advance_after_lines(),
        }
    }

    /// Returns the next tag and all its bytes where no line can be read on the fast path.
    fn advance_after_lines(&mut self) -> Option<(Tag<'a>, &'a [u8])> {
        self.note_movetext();
        if self.is_at_movetext() { None } else { self.advance_plainly() }
    }

    /// Whether a move number comes next, perhaps after a blank line, which is skipped then. No tag
    /// can follow.
    #[inline(always)]
    fn is_at_movetext(&mut self) -> bool {
        let rest = match self.rest {
            [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] if self.is_line_start => rest,
            rest => rest,
        };
        let is_at_movetext = !self.is_open && rest.first().is_some_and(u8::is_ascii_digit);
        if is_at_movetext {
            self.rest = rest;
        }
        is_at_movetext
    }

    fn advance_plainly(&mut self) -> Option<(Tag<'a>, &'a [u8])> {
        let start = self.rest.len();
        loop {
            if self.is_line_start {
                while let Some(rest) = self.rest.strip_prefix(BYTE_ORDER_MARK) {
                    self.rest = rest;
                }
                if self.rest.first() == Some(&b'%') {
                    self.skip_line();
                    continue;
                }
            }
            let blanks = count_blanks(self.rest);
            match self.rest.get(blanks) {
                Some(b'\n') => {
                    self.is_open &= !self.is_line_start;
                    self.rest = &self.rest[blanks + 1..];
                    self.is_line_start = true;
                }
                Some(b'[') if has_tag(&self.rest[blanks..]) => {
                    self.rest = &self.rest[blanks..];
                    self.is_export_format &= self.rest.len() == start;
                    return Some(self.read());
                }
                Some(_) if self.is_open => self.skip_line(),
                // Comments between tags are skipped; an open one is left to the main line.
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

/// Returns the length of the line end that makes the tag one in export format. `bytes` are those of
/// the tag, which begins its line.
fn export_line_end(tag: &Tag<'_>, bytes: &[u8], rest: &[u8]) -> Option<usize> {
    let export = [b"[", tag.name, b" \"", tag.raw_value, b"\"]"].concat();
    let has_quotes = tag.raw_value.iter().any(|b| matches!(b, b'"' | b'\\'));
    let line_ends: [&[u8]; 2] = [b"\n", b"\r\n"];
    let line_end = line_ends.iter().find(|line_end| rest.starts_with(line_end))?;
    (bytes == export && !has_quotes).then_some(line_end.len())
}

/// A tag and its position in its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacedTag<'a> {
    /// The tag.
    pub(crate) tag: Tag<'a>,
    /// The range of its bytes, from the `[` to the last that is not blank: the `]`, unless it is
    /// missing.
    pub(crate) span: Range<usize>,
    /// The range of [`Tag::raw_value`]. It is empty and at the end if there is no value in quotes.
    pub(crate) value: Range<usize>,
}

/// The tags of a game with their positions, in order.
#[derive(Debug, Clone)]
pub(crate) struct PlacedTags<'a> {
    /// Positions are offsets in these bytes.
    game: &'a [u8],
    tags: Tags<'a>,
}

impl<'a> PlacedTags<'a> {
    /// The offset up to which the game was read for the tags so far. After the last tag, the rest
    /// is movetext.
    pub(crate) fn position(&self) -> usize {
        self.game.len() - self.tags.rest.len()
    }

    /// See [`Tags::into_main_line`].
    pub(crate) fn into_main_line(self) -> MainLine<'a> {
        self.tags.into_main_line()
    }
}

impl<'a> Iterator for PlacedTags<'a> {
    type Item = PlacedTag<'a>;

    fn next(&mut self) -> Option<PlacedTag<'a>> {
        let (tag, bytes) = self.tags.advance()?;
        let span = range_in(bytes.trim_ascii_end(), self.game);
        let value = match tag.fault {
            Some(TagFault::NoValue) => span.end..span.end,
            _ => range_in(tag.raw_value, self.game),
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

    impl<'a> TagVisitor<'a> for Vec<Tag<'a>> {
        fn visit(&mut self, tag: &Tag<'a>) {
            self.push(*tag);
        }
    }
    use crate::pgn::decode_text;

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
    fn damaged_tags_are_reported_and_do_not_hide_the_next() {
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

    const LAYOUTS: [&str; 22] = [
        "[White \"Byrne\"]\n",
        "[Event \"x\"]\r\n",
        "[Long \"abcdefghijklmnopqrstuvwxyzabcdefghijklmnop\"]\n",
        "[Team1 \"1\"]\n",
        "[A  \"two blanks\"]\n",
        "[ A \"1\"]\n",
        "[A \"1\" ]\n",
        "[A \"1\"] \n",
        "[A \"1\"]",
        "[A \"\\\"\"]\n",
        "[A \"a \"b\" c\"]\n",
        "[A \"open\n",
        "[A 1]\n",
        "[A \"x\" y]\n",
        "\n",
        "\r\n",
        " ",
        "; note\n",
        "{note}",
        "% line\n",
        "\u{feff}",
        "more\n",
    ];

    fn all_plainly(game: &[u8]) -> (Vec<Tag<'_>>, Tags<'_>) {
        let mut tags = Tags::new(game, &[]);
        let list = std::iter::from_fn(|| tags.advance_plainly()).map(|(tag, _)| tag).collect();
        (list, tags)
    }

    /// The lines at the start of a game that are tags in export format, one by one.
    fn export_lines(game: &str) -> usize {
        let is_export = |line: &&str| {
            let line = line.strip_suffix('\n').unwrap_or(" ");
            let line = line.strip_suffix('\r').unwrap_or(line);
            let parts = line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]"));
            parts.and_then(|parts| parts.split_once(" \"")).is_some_and(|(name, value)| {
                let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.bytes().all(|b| b.is_ascii_alphanumeric());
                is_name && !value.contains(['"', '\\'])
            })
        };
        game.split_inclusive('\n').take_while(is_export).count()
    }

    #[test]
    fn values_are_escaped() {
        let mut out = Vec::new();
        write_value(b"a \"b\" \\", &mut out);
        assert_eq!(out, b"a \\\"b\\\" \\\\");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_fast_path_reads_what_the_plain_one_reads(
            layouts in prop::collection::vec(prop::sample::select(&LAYOUTS[..]), 0..12),
        ) {
            let game = layouts.concat() + "1. e4 e5 *";
            let (expected, plain) = all_plainly(game.as_bytes());
            let mut one_by_one = Tags::new(game.as_bytes(), &[]);
            let found: Vec<_> = one_by_one.by_ref().collect();
            prop_assert_eq!(&found, &expected, "{:?}", game);
            let (mut visited, mut visitor) = (Vec::new(), Tags::new(game.as_bytes(), &[]));
            let main_line = visitor.visit(&mut visited);
            prop_assert_eq!(&visited, &expected, "{:?}", game);
            prop_assert!(main_line.eq(plain.clone().into_main_line()), "{:?}", game);
            for tags in [one_by_one, visitor] {
                prop_assert_eq!(tags.is_export_format(), plain.is_export_format(), "{:?}", game);
                prop_assert_eq!(tags.rest, plain.rest, "{:?}", game);
                prop_assert!(tags.clone().into_main_line().eq(plain.clone().into_main_line()));
                prop_assert!(tags.into_movetext().eq(plain.clone().into_movetext()));
            }
            let is_export = expected.len() == export_lines(&game);
            prop_assert_eq!(plain.is_export_format(), is_export, "{:?}", game);
        }
    }
}
