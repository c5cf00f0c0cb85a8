//! The tag section of a game, and how it is edited.
//!
//! A tag that is there is replaced between its quotes. New tags go on lines of their own behind the last tag.
//! A tag is taken out with the blanks and the line end before it, if nothing else is between it and a tag
//! that stays; otherwise with the line end behind it, if it has its line for itself. So what was
//! put in is taken out again to the byte.

use std::{borrow::Cow, ops::Range};

use memchr::memchr;

use super::{
    Edits, Outcome, Policy, Touches,
    wanted::{
        COUNT, ECO, Encoding, KNOWN, OPENING, TagNames, Values, is_placeholder, says, write_tag,
        write_value,
    },
};
use crate::{
    classify::Header,
    pgn::{BYTE_ORDER_MARK, Game, MainLine, PlacedTag, TagFault},
};

/// Few games have more.
const USUAL_TAGS: usize = 24;

/// A tag of the section, and which of the tags that are set or removed together it is, if any.
struct Found<'g> {
    placed: PlacedTag<'g>,
    which: Option<usize>,
}

impl Found<'_> {
    /// Whether it is beyond doubt where the tag ends, so that another can go behind it.
    fn is_closed(&self, game: &[u8]) -> bool {
        game[..self.placed.span.end].ends_with(b"]")
    }

    /// Whether the tag may be something else than it seems: then its game is left alone.
    fn is_doubtful(&self, game: &[u8]) -> bool {
        let tag = &self.placed.tag;
        match (tag.fault, self.which) {
            (Some(TagFault::Unterminated), _) | (Some(TagFault::Trailing), Some(_)) => true,
            // Its bracket may be that of another tag.
            (None, Some(_)) if !self.is_closed(game) => true,
            // A quote that is not escaped, with a bracket: there may be two tags.
            (None, Some(_)) => {
                let value = tag.raw_value;
                memchr(b'[', value).is_some() && has_bare_quote(value)
            }
            _ => false,
        }
    }
}

fn has_bare_quote(value: &[u8]) -> bool {
    let mut is_escaped = false;
    value.iter().any(|byte| {
        let is_bare = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_bare
    })
}

/// The tags of a game, with what is to become of them.
pub(super) struct Section<'g, 'n> {
    game: Game<'g>,
    names: TagNames<'n>,
    tags: Vec<Found<'g>>,
    /// Where the movetext begins.
    end: usize,
}

/// What is to be done, before it is known where.
struct Intent<'w> {
    /// For each tag of the section.
    fates: Vec<Fate>,
    /// The new tags, in order.
    new: Vec<(usize, Cow<'w, [u8]>)>,
    values: [Option<Cow<'w, [u8]>>; COUNT],
    touches: Touches,
    /// A tag that has a value says something else.
    contradicts: bool,
}

/// What becomes of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    IsReplaced,
    Goes,
}

impl<'g, 'n> Section<'g, 'n> {
    /// Reads the tags of a game, and gives back what follows them.
    pub(super) fn read(game: &Game<'g>, names: TagNames<'n>) -> (Self, Header<'g>, MainLine<'g>) {
        let mut placed = game.tags().placed();
        let mut tags = Vec::with_capacity(USUAL_TAGS);
        let header = Header::read(placed.by_ref().map(|placed| {
            let (which, tag) = (names.find(placed.tag.name), placed.tag);
            tags.push(Found { placed, which });
            tag
        }));
        let section = Self { game: *game, names, tags, end: placed.position() };
        (section, header, placed.into_main_line())
    }

    /// What the game's own tags say: the code and the opening.
    pub(super) fn said(&self) -> [Option<Cow<'g, [u8]>>; 2] {
        [ECO, OPENING].map(|which| {
            let tag = self.tags.iter().map(|found| (found.which, found.placed.tag));
            let tag =
                tag.filter(|(found, tag)| *found == Some(which) && !is_placeholder(tag.raw_value));
            tag.map(|(_, tag)| tag.value()).next()
        })
    }

    /// Plans the edits that make the tags say `values`.
    pub(super) fn edit(&self, values: &Values<'_>, policy: Policy, edits: &mut Edits) -> Outcome {
        if self.is_doubtful() {
            return Outcome::Damaged;
        }
        let intent = self.intent(values);
        if intent.new.is_empty() && intent.fates.iter().all(|fate| *fate == Fate::Stays) {
            return Outcome::Right;
        }
        match policy {
            Policy::Missing if intent.contradicts => return Outcome::LeftByPolicy,
            Policy::Changed if !intent.contradicts => return Outcome::LeftByPolicy,
            Policy::All | Policy::Missing | Policy::Changed | Policy::Strip => {}
        }
        if self.tags.is_empty() {
            return self.begin_section(&intent, edits);
        }
        let place = self.place_of_new(&intent);
        if place.is_none() && !intent.new.is_empty() {
            return Outcome::Damaged;
        }
        match (intent.fates[0], policy) {
            // By its first tag a game is told from one before it that has no moves.
            (Fate::Goes, Policy::All | Policy::Missing | Policy::Changed) => {
                return Outcome::Damaged;
            }
            (Fate::Goes, Policy::Strip) if intent.fates.iter().all(|fate| *fate == Fate::Goes) => {
                edits.remove(0..self.behind_tags());
            }
            _ => self.write(&intent, place, edits),
        }
        Outcome::Changed(intent.touches)
    }

    /// Whether an edit might make the game mean something else.
    fn is_doubtful(&self) -> bool {
        let has_doubtful_tag = self.tags.iter().any(|found| found.is_doubtful(self.game.bytes()));
        has_doubtful_tag
            || self.goes_on_beyond()
            || self.has_odd_gaps()
            || self.begins_oddly()
            || self.ends_oddly()
    }

    /// Whether a comment between the tags has a tag line in it, and so may never have been closed; or
    /// there is one before a tag of ours on its line.
    fn has_odd_gaps(&self) -> bool {
        self.tags.windows(2).any(|pair| {
            let gap = pair[0].placed.span.end..pair[1].placed.span.start;
            let gap = &self.game.bytes()[gap];
            let indent = &gap[memchr::memrchr(b'\n', gap).map_or(0, |n| n + 1)..];
            let is_indented = indent.iter().all(|b| is_space(*b));
            // Nearly all gaps are a line end.
            (pair[1].which.is_some() && !is_indented)
                || (gap.len() > 2 && memchr::memmem::find(gap, b"\n[").is_some())
        })
    }

    /// Whether there may be tags beyond what is looked at of a long game.
    fn goes_on_beyond(&self) -> bool {
        self.game.is_cut() && self.end == self.game.bytes().len()
    }

    /// Whether the game would begin with something else than a good tag when its first tags go; or a tag
    /// of the first one's name is in the middle of a line, and would begin a game at its start.
    fn begins_oddly(&self) -> bool {
        let bytes = self.game.bytes();
        let mut names = self.tags.iter().map(|found| found.placed.tag.name);
        if let Some(first) = names.next()
            && names.any(|name| name == first)
        {
            return true;
        }
        let ours = self.tags.iter().take_while(|found| found.which.is_some());
        ours.zip(self.tags.iter().skip(1)).any(|(found, next)| {
            let gap = &bytes[found.placed.span.end..next.placed.span.start];
            next.placed.tag.fault.is_some() || !gap.iter().all(|b| is_space(*b))
        })
    }

    /// Whether something follows the last tag on its line that would mean something else at the start of
    /// a line.
    fn ends_oddly(&self) -> bool {
        let Some(last) = self.tags.last() else { return false };
        let at = line_end_behind(self.game.bytes(), last.placed.span.end);
        let (before, rest) = self.game.bytes().split_at(at);
        let is_odd = rest.starts_with(b"%") || rest.starts_with(BYTE_ORDER_MARK);
        is_odd && !before.ends_with(b"\n")
    }

    fn intent<'w>(&self, values: &Values<'w>) -> Intent<'w> {
        let mut intent = Intent {
            fates: Vec::with_capacity(self.tags.len()),
            new: Vec::new(),
            values: [const { None }; COUNT],
            touches: Touches::Others,
            contradicts: false,
        };
        let ours = self.tags.iter().filter(|found| found.which.is_some());
        let encoding = Encoding::of(&self.game, ours.map(|ours| ours.placed.span.clone()), values);
        for (value, text) in intent.values.iter_mut().zip(values) {
            *value = text.map(|text| encoding.encode(text));
        }
        let mut seen = [false; COUNT];
        for found in &self.tags {
            let fate = match found.which {
                None => Fate::Stays,
                Some(which) => {
                    let tag = &found.placed.tag;
                    let wanted = intent.values[which].as_deref().zip(values[which]);
                    let is_right = tag.fault.is_none()
                        && wanted.is_some_and(|(bytes, text)| says(&tag.value(), bytes, text));
                    intent.contradicts |=
                        which < KNOWN && !is_right && !is_placeholder(tag.raw_value);
                    match (wanted, std::mem::replace(&mut seen[which], true)) {
                        (None, _) | (Some(_), true) => Fate::Goes,
                        (Some(_), false) if is_right => Fate::Stays,
                        (Some(_), false) => Fate::IsReplaced,
                    }
                }
            };
            if let (Some(which), true) = (found.which, fate != Fate::Stays) {
                intent.touches = intent.touches.min(Touches::of(which));
            }
            intent.fates.push(fate);
        }
        for (which, value) in intent.values.iter().enumerate() {
            if let (Some(value), false) = (value, seen[which]) {
                intent.touches = intent.touches.min(Touches::of(which));
                intent.new.push((which, value.clone()));
            }
        }
        intent
    }

    /// Behind which tag the new ones go: the last that stays and is closed.
    fn place_of_new(&self, intent: &Intent<'_>) -> Option<usize> {
        let bytes = self.game.bytes();
        let stays = |(index, found): &(usize, &Found<'_>)| {
            intent.fates[*index] != Fate::Goes && found.is_closed(bytes)
        };
        self.tags.iter().enumerate().rev().find(stays).map(|(index, _)| index)
    }

    /// Behind the blank lines that part the tags from the movetext.
    fn behind_tags(&self) -> usize {
        let last = self.tags.last().map_or(0, |last| last.placed.span.end);
        let rest = &self.game.bytes()[last..];
        last + rest.iter().take_while(|b| is_space(**b)).count()
    }

    /// Puts tags before the movetext of a game that has none.
    fn begin_section(&self, intent: &Intent<'_>, edits: &mut Edits) -> Outcome {
        // The game behind it may be told from it only by its having no tags.
        if self.game.is_cut() || !self.game.begins_line() || !self.game.ends_in_result() {
            return Outcome::NoTags;
        }
        let line_end = self.line_end(0);
        edits.push(0..0, |out| {
            for (which, value) in &intent.new {
                write_tag(self.names.name(*which), value, out);
                out.extend_from_slice(line_end);
            }
            out.extend_from_slice(line_end);
        });
        Outcome::Changed(intent.touches)
    }

    /// The line end that follows the place, or else the last before it.
    fn line_end(&self, place: usize) -> &'static [u8] {
        let bytes = self.game.bytes();
        let (before, after) = bytes.split_at(place);
        let end = match memchr(b'\n', after) {
            Some(end) => Some(place + end),
            None => memchr::memrchr(b'\n', before),
        };
        match end {
            Some(end) if bytes[..end].ends_with(b"\r") => b"\r\n",
            None if after.starts_with(b"\r") => b"\r",
            Some(_) | None => b"\n",
        }
    }

    fn write(&self, intent: &Intent<'_>, place: Option<usize>, edits: &mut Edits) {
        let mut removal = Removal::new(self.game.bytes());
        // The game begins at its first tag, whatever was before that.
        let first = intent.fates.iter().take_while(|fate| **fate == Fate::Goes).count();
        if first > 0 {
            edits.remove(0..self.tags[first].placed.span.start);
        }
        for (index, (found, fate)) in self.tags.iter().zip(&intent.fates).enumerate().skip(first) {
            match fate {
                Fate::Goes => edits.remove(removal.take_out(&found.placed.span)),
                Fate::IsReplaced => self.replace(found, intent, edits),
                Fate::Stays => {}
            }
            if place == Some(index) && !intent.new.is_empty() {
                let end = found.placed.span.end;
                let line_end = self.line_end(end);
                edits.push(end..end, |out| {
                    for (which, value) in &intent.new {
                        out.extend_from_slice(line_end);
                        write_tag(self.names.name(*which), value, out);
                    }
                });
            }
            if *fate != Fate::Goes {
                let is_closed = found.is_closed(self.game.bytes()) || *fate == Fate::IsReplaced;
                (removal.at, removal.follows_tag) = (found.placed.span.end, is_closed);
            }
        }
    }

    fn replace(&self, found: &Found<'_>, intent: &Intent<'_>, edits: &mut Edits) {
        let PlacedTag { tag, span, value } = &found.placed;
        let Some(which) = found.which else { return };
        let wanted = intent.values[which].as_deref().unwrap_or_default();
        match tag.fault {
            None => edits.push(value.clone(), |out| write_value(wanted, out)),
            Some(_) => {
                edits.push(span.clone(), |out| write_tag(self.names.name(which), wanted, out));
            }
        }
    }
}

/// Takes tags out of a section, from left to right.
struct Removal<'g> {
    game: &'g [u8],
    /// Up to where the section is dealt with.
    at: usize,
    /// Before that is a tag that stays, and the rest of a line can follow it.
    follows_tag: bool,
}

impl<'g> Removal<'g> {
    fn new(game: &'g [u8]) -> Self {
        Self { game, at: 0, follows_tag: false }
    }

    /// What goes with a tag that goes.
    fn take_out(&mut self, span: &Range<usize>) -> Range<usize> {
        let gap = &self.game[self.at..span.start];
        let last_line = memchr::memrchr(b'\n', gap);
        let is_blank = gap.iter().all(|b| is_space(*b));
        let is_simple = is_blank && memchr::memchr_iter(b'\n', gap).count() <= 1;
        let indent = &gap[last_line.map_or(0, |n| n + 1)..];
        let indented_at = span.start - indent.len();
        if is_simple && self.follows_tag {
            return std::mem::replace(&mut self.at, span.end)..span.end;
        }
        self.follows_tag = false;
        self.at = line_end_behind(self.game, span.end);
        indented_at..self.at
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// Behind the blanks at `at`, and behind the line end after them, if there is one.
fn line_end_behind(game: &[u8], at: usize) -> usize {
    let is_blank = |b: &&u8| **b != b'\n' && is_space(**b);
    let blanks = game[at..].iter().take_while(is_blank).count();
    at + blanks + usize::from(game.get(at + blanks) == Some(&b'\n'))
}
