//! The revision of a tag section: which tags are changed, and by which edits.
//!
//! A tag is replaced between its quotes. New tags go on lines of their own after the last tag. A
//! tag is removed with the blanks and the line end before it, if nothing else is between it and a
//! tag that stays; otherwise with the line end after it, if it has its line for itself. So removing
//! what was added restores the bytes from before.

use std::{borrow::Cow, mem, ops::Range};

use memchr::{memchr, memchr_iter, memrchr};

use super::section::{
    COUNT, Change, ManagedTag, STANDARD, Section, TagNames, is_closed, is_placeholder, is_space,
    line_end_after,
};
use super::values::{Encoding, Values};
use super::{Outcome, Policy, Weight};
use crate::pgn::{Game, write_tag, write_value};

/// Plans the edits that give the managed tags of a game these values.
pub(super) fn revise(
    game: &Game<'_>,
    section: &mut Section<'_>,
    names: TagNames<'_>,
    values: &Values<'_>,
    policy: Policy,
    edits: &mut Edits,
) -> Outcome {
    if section.is_doubtful {
        return Outcome::Damaged;
    }
    let managed = section.managed.iter().map(|tag| tag.span.clone());
    let encoding = Encoding::of(game, managed, values);
    let Decision { new, weightiest, contradicts } = decide(&mut section.managed, values, encoding);
    let Some(weightiest) = weightiest else { return Outcome::Correct };
    match policy {
        Policy::Missing if contradicts => return Outcome::Excluded,
        Policy::Changed if !contradicts => return Outcome::Excluded,
        Policy::All | Policy::Missing | Policy::Changed | Policy::Strip => {}
    }
    let revision = Revision { game, section, names, values, encoding, new };
    let written = if section.is_empty() {
        revision.begin_section(edits)
    } else {
        revision.edit_section(policy, edits)
    };
    written.err().unwrap_or(Outcome::Changed(Weight::of(weightiest)))
}

/// The change to make.
struct Decision {
    /// By slot, whether the tag is added.
    new: [bool; COUNT],
    /// The slot of the weightiest tag that is added, replaced or removed.
    weightiest: Option<usize>,
    /// A standard tag has a value, and it is wrong.
    contradicts: bool,
}

/// Decides what becomes of every managed tag.
fn decide(managed: &mut [ManagedTag<'_>], values: &Values<'_>, encoding: Encoding) -> Decision {
    let mut new = values.map(|value| value.is_some());
    let (mut changed, mut contradicts) = ([false; COUNT], false);
    for ManagedTag { slot, tag, value, change, .. } in managed {
        let is_right =
            tag.fault.is_none() && values[*slot].is_some_and(|text| encoding.is_text(value, text));
        let is_first_wanted = mem::take(&mut new[*slot]);
        *change = match (is_first_wanted, is_right) {
            (true, true) => Change::Keep,
            (true, false) => Change::Replace,
            (false, _) => Change::Remove,
        };
        changed[*slot] |= *change != Change::Keep;
        contradicts |= *slot < STANDARD && !is_right && !is_placeholder(tag.raw_value);
    }
    let weightiest = (0..COUNT).find(|slot| changed[*slot] || new[*slot]);
    Decision { new, weightiest, contradicts }
}

/// Writes edits, once it is decided what becomes of every tag.
struct Revision<'r, 'g> {
    game: &'r Game<'g>,
    section: &'r Section<'g>,
    names: TagNames<'r>,
    values: &'r Values<'r>,
    encoding: Encoding,
    new: [bool; COUNT],
}

impl Revision<'_, '_> {
    /// Puts tags before the moves of a game that has none.
    fn begin_section(&self, edits: &mut Edits) -> Result<(), Outcome> {
        // The lack of tags may be all that separates it from the next game.
        if self.game.is_cut() || !self.game.begins_line() || !self.game.ends_in_result() {
            return Err(Outcome::NoTags);
        }
        let line_end = self.line_end(0);
        edits.push(0..0, |out| {
            for slot in self.new_slots() {
                self.write_tag(slot, out);
                out.extend_from_slice(line_end);
            }
            out.extend_from_slice(line_end);
        });
        Ok(())
    }

    /// Edits the tags of a game that has some.
    fn edit_section(&self, policy: Policy, edits: &mut Edits) -> Result<(), Outcome> {
        let first_goes = self.section.begins_managed()
            && self.section.managed.first().is_some_and(|tag| tag.change == Change::Remove);
        // The first tag separates the game from one before it that has no moves.
        if first_goes && policy != Policy::Strip {
            return Err(Outcome::Damaged);
        }
        let anchor = self.anchor();
        if anchor.is_none() && self.new.contains(&true) {
            return Err(Outcome::Damaged);
        }
        match self.first_kept() {
            None => edits.remove(0..self.after_tags()),
            Some(start) => {
                // The game begins at its first tag; bytes before it do not matter.
                if first_goes {
                    edits.remove(0..start);
                }
                self.edit_tags(start, anchor.filter(|_| self.new.contains(&true)), edits);
            }
        }
        Ok(())
    }

    /// The end of the tag after which the new ones go: the last one that stays and is closed.
    fn anchor(&self) -> Option<usize> {
        let can_be = |tag: &&ManagedTag<'_>| {
            tag.change != Change::Remove && is_closed(self.game.bytes(), tag.span.end)
        };
        let managed = self.section.managed.iter().rfind(can_be).map(|tag| tag.span.end);
        managed.max(self.section.last_other)
    }

    /// The start of the first tag that stays.
    fn first_kept(&self) -> Option<usize> {
        let mut managed = self.section.managed.iter();
        let kept = managed.find(|tag| tag.change != Change::Remove).map(|tag| tag.span.start);
        [kept, self.section.first_other].into_iter().flatten().min()
    }

    /// After the blank lines that separate the tags from the moves.
    fn after_tags(&self) -> usize {
        let last = self.section.managed.last().map_or(0, |last| last.span.end);
        let rest = &self.game.bytes()[last..];
        last + rest.iter().take_while(|b| is_space(**b)).count()
    }

    /// Edits the managed tags from `start` on, and adds the new ones at `anchor`.
    fn edit_tags(&self, start: usize, mut anchor: Option<usize>, edits: &mut Edits) {
        let mut removal = Removal { game: self.game.bytes(), at: 0, follows_tag: false };
        for tag in self.section.managed.iter().filter(|tag| tag.span.start >= start) {
            if let Some(end) = anchor.take_if(|end| *end <= tag.span.start) {
                self.add_new(end, edits);
            }
            if let Some(end) = tag.after_other {
                removal.pass(end, is_closed(self.game.bytes(), end));
            }
            match tag.change {
                Change::Remove => edits.remove(removal.take_out(&tag.span)),
                Change::Replace => {
                    self.replace(tag, edits);
                    removal.pass(tag.span.end, true);
                }
                Change::Keep => {
                    removal.pass(tag.span.end, is_closed(self.game.bytes(), tag.span.end));
                }
            }
        }
        if let Some(end) = anchor {
            self.add_new(end, edits);
        }
    }

    fn add_new(&self, at: usize, edits: &mut Edits) {
        let line_end = self.line_end(at);
        edits.push(at..at, |out| {
            for slot in self.new_slots() {
                out.extend_from_slice(line_end);
                self.write_tag(slot, out);
            }
        });
    }

    fn replace(&self, tag: &ManagedTag<'_>, edits: &mut Edits) {
        match tag.tag.fault {
            None => edits.push(tag.value_span(), |out| write_value(&self.value(tag.slot), out)),
            Some(_) => edits.push(tag.span.clone(), |out| self.write_tag(tag.slot, out)),
        }
    }

    fn new_slots(&self) -> impl Iterator<Item = usize> {
        (0..COUNT).filter(|slot| self.new[*slot])
    }

    fn write_tag(&self, slot: usize, out: &mut Vec<u8>) {
        write_tag(self.names.name(slot).as_bytes(), &self.value(slot), out);
    }

    fn value(&self, slot: usize) -> Cow<'_, [u8]> {
        self.encoding.encode(self.values[slot].unwrap_or_default())
    }

    /// The next line end from `at` on, or else the last one before it.
    fn line_end(&self, at: usize) -> &'static [u8] {
        let bytes = self.game.bytes();
        let (before, after) = bytes.split_at(at);
        let end = match memchr(b'\n', after) {
            Some(end) => Some(at + end),
            None => memrchr(b'\n', before),
        };
        match end {
            Some(end) if bytes[..end].last() == Some(&b'\r') => b"\r\n",
            None if after.first() == Some(&b'\r') => b"\r",
            Some(_) | None => b"\n",
        }
    }
}

/// Takes tags out of a section, from left to right.
struct Removal<'g> {
    game: &'g [u8],
    /// How far the section is done.
    at: usize,
    /// Before that is a tag that stays, and the rest of a line can follow it.
    follows_tag: bool,
}

impl<'g> Removal<'g> {
    /// Passes a tag that stays, and that ends here.
    fn pass(&mut self, end: usize, is_closed: bool) {
        (self.at, self.follows_tag) = (end, is_closed);
    }

    /// Returns the bytes that go with a tag.
    fn take_out(&mut self, span: &Range<usize>) -> Range<usize> {
        let gap = &self.game[self.at..span.start];
        let last_line = memrchr(b'\n', gap);
        let is_blank = gap.iter().all(|b| is_space(*b));
        let is_simple = is_blank && memchr_iter(b'\n', gap).count() <= 1;
        let indent = &gap[last_line.map_or(0, |n| n + 1)..];
        let indented_at = span.start - indent.len();
        if is_simple && self.follows_tag {
            return std::mem::replace(&mut self.at, span.end)..span.end;
        }
        self.follows_tag = false;
        self.at = line_end_after(self.game, span.end);
        indented_at..self.at
    }
}

/// Edits in order and without overlap: of one game, or of all games of a block. A byte that no edit
/// names stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Edits {
    /// The spans that are replaced, each with its replacement as a span of `text`.
    list: Vec<(Range<usize>, Range<usize>)>,
    text: Vec<u8>,
    /// Where the game begins whose edits are added. Their spans are relative to it.
    origin: usize,
}

impl Edits {
    /// `bytes` after the edits.
    pub(super) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + self.text.len());
        self.chunks(bytes).for_each(|chunk| out.extend_from_slice(chunk));
        out
    }

    /// `bytes` after the edits, chunk by chunk and without a copy. No chunk is empty.
    pub(super) fn chunks<'e>(&'e self, bytes: &'e [u8]) -> impl Iterator<Item = &'e [u8]> {
        let mut from = 0;
        let edited = self.iter().flat_map(move |(span, text)| {
            let kept = &bytes[mem::replace(&mut from, span.end)..span.start];
            [kept, text]
        });
        let rest = self.list.last().map_or(0, |(span, _)| span.end);
        edited.chain([&bytes[rest..]]).filter(|chunk| !chunk.is_empty())
    }

    /// The spans that are replaced, with their replacements.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        self.list.iter().map(|(span, text)| (span.clone(), &self.text[text.clone()]))
    }

    /// The edits that are added from here on are those of a game that begins at `start`.
    pub(super) fn begin_game(&mut self, start: usize) {
        self.origin = start;
    }

    /// Adds an edit after the others. The replacement is what `write` writes.
    pub(super) fn push(&mut self, span: Range<usize>, write: impl FnOnce(&mut Vec<u8>)) {
        let span = self.origin + span.start..self.origin + span.end;
        debug_assert!(self.list.last().is_none_or(|(last, _)| last.end <= span.start));
        let start = self.text.len();
        write(&mut self.text);
        self.list.push((span, start..self.text.len()));
    }

    /// Adds an edit that only removes.
    pub(super) fn remove(&mut self, span: Range<usize>) {
        self.push(span, |_| {});
    }
}
