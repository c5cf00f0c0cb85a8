//! The tags of a game as nearly all are written: each whole and alone on its line, from the first byte of
//! the game on.
//!
//! Where it is beyond doubt what a tag is and where it ends, most of what a [`Section`](super::section::Section)
//! asks is answered, and nothing but the tags that are set or removed together is kept. The edits are the same.
//! Whatever is out of the ordinary is left to the section.

use std::{borrow::Cow, iter};

use super::{
    Edits, Outcome, Policy, Touches,
    section::Fate,
    wanted::{
        COUNT, ECO, Encoding, KNOWN, OPENING, TagNames, Values, is_placeholder, says, write_tag,
        write_value,
    },
};
use crate::{
    classify::Header,
    pgn::{Game, MainLine, Tag},
};

/// A tag that is set or removed.
#[derive(Clone, Copy)]
struct Ours<'g> {
    which: usize,
    value: &'g [u8],
    /// Where it begins in the game.
    start: usize,
    /// Where its value begins.
    value_at: usize,
}

impl Ours<'_> {
    const NONE: Self = Self { which: 0, value: b"", start: 0, value_at: 0 };

    fn value_end(&self) -> usize {
        self.value_at + self.value.len()
    }

    fn end(&self) -> usize {
        self.value_end() + b"\"]".len()
    }
}

/// A set of the tags that are set or removed together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TagSet(u16);

impl TagSet {
    fn has(self, which: usize) -> bool {
        self.0 & (1 << which) != 0
    }

    fn add(&mut self, which: usize) {
        self.0 |= 1 << which;
    }

    fn remove(&mut self, which: usize) {
        self.0 &= !(1 << which);
    }

    fn first(self) -> Option<usize> {
        (self.0 != 0).then_some(self.0.trailing_zeros() as usize)
    }

    fn iter(mut self) -> impl Iterator<Item = usize> {
        iter::from_fn(move || {
            let first = self.first()?;
            self.remove(first);
            Some(first)
        })
    }
}

/// The tags of a game that are set or removed together, if all its tags are written as nearly all are.
pub(super) struct UsualSection<'g, 'n> {
    game: Game<'g>,
    names: TagNames<'n>,
    /// The first `count` of them are there, in their order; the others mean nothing.
    ours: [Ours<'g>; COUNT],
    count: usize,
    /// Behind the last of all tags, where its line ends.
    end: usize,
}

impl<'g, 'n> UsualSection<'g, 'n> {
    pub(super) fn new(game: &Game<'g>, names: TagNames<'n>) -> Self {
        Self { game: *game, names, ours: [Ours::NONE; COUNT], count: 0, end: 0 }
    }

    /// Reads the tags of the game, and gives back what follows them. `None` if a tag is written in another
    /// way, or if an edit could make the game mean something else: then the section is of no use.
    #[inline]
    pub(super) fn read(&mut self) -> Option<(Header<'g>, MainLine<'g>)> {
        let (mut seen, mut is_odd) = (TagSet::default(), self.game.is_cut());
        let (mut first, mut last): (Option<&[u8]>, &[u8]) = (None, b"");
        let mut tags = self.game.tags();
        let mut header = Header::default();
        header.add_usual(&mut tags, |tag| {
            last = tag.raw_value;
            let which = self.names.find(tag.name);
            // By its first tag a game is told from the one before it.
            is_odd |= first.map_or(which.is_some(), |first| is_same(first, tag.name));
            first = first.or(Some(tag.name));
            if let Some(which) = which {
                is_odd |= seen.has(which);
                seen.add(which);
                self.add(which, tag);
            }
        });
        if is_odd || first.is_none() || tags.next().is_some() {
            return None;
        }
        self.end = self.place(last) + last.len() + b"\"]".len();
        Some((header, tags.into_main_line()))
    }

    /// Adds a tag. What there is no room for is there twice.
    fn add(&mut self, which: usize, tag: &Tag<'g>) {
        let (start, value_at) = (self.place(tag.name) - b"[".len(), self.place(tag.raw_value));
        if let Some(ours) = self.ours.get_mut(self.count) {
            *ours = Ours { which, value: tag.raw_value, start, value_at };
            self.count += 1;
        }
    }

    /// Where in the game a part of it begins.
    fn place(&self, part: &[u8]) -> usize {
        part.as_ptr() as usize - self.game.bytes().as_ptr() as usize
    }

    /// What the game's own tags say: the code and the opening.
    pub(super) fn said(&self) -> [Option<Cow<'g, [u8]>>; 2] {
        [ECO, OPENING].map(|which| {
            let value = self.ours().iter().find(|ours| ours.which == which)?.value;
            (!is_placeholder(value)).then_some(Cow::Borrowed(value))
        })
    }

    fn ours(&self) -> &[Ours<'g>] {
        &self.ours[..self.count]
    }

    /// Plans the edits that make the tags say `values`.
    pub(super) fn edit(&self, values: &Values<'_>, policy: Policy, edits: &mut Edits) -> Outcome {
        let encoding = self.encoding(values);
        let (mut new, mut changed, mut contradicts) = (TagSet::default(), TagSet::default(), false);
        let wanted = values.iter().enumerate().filter(|(_, value)| value.is_some());
        wanted.for_each(|(which, _)| new.add(which));
        let mut fates = [Fate::Stays; COUNT];
        for (fate, Ours { which, value, .. }) in fates.iter_mut().zip(self.ours()) {
            new.remove(*which);
            *fate = match values[*which] {
                Some(text) if says(value, &encoding.encode(text), text) => continue,
                Some(_) => Fate::IsReplaced,
                None => Fate::Goes,
            };
            changed.add(*which);
            contradicts |= *which < KNOWN && !is_placeholder(value);
        }
        new.iter().for_each(|which| changed.add(which));
        let Some(weightiest) = changed.first() else { return Outcome::Right };
        match policy {
            Policy::Missing if contradicts => return Outcome::LeftByPolicy,
            Policy::Changed if !contradicts => return Outcome::LeftByPolicy,
            Policy::All | Policy::Missing | Policy::Changed | Policy::Strip => {}
        }
        let encoded = |which: usize| encoding.encode(values[which].unwrap_or_default());
        self.write(&fates, new, encoded, edits);
        Outcome::Changed(Touches::of(weightiest))
    }

    /// The encoding of the game apart from the tags that are set or removed, so that it is the
    /// same before and after.
    fn encoding(&self, values: &Values<'_>) -> Encoding {
        Encoding::of(&self.game, self.ours().iter().map(|ours| ours.start..ours.end()), values)
    }

    fn write<'w>(
        &self,
        fates: &[Fate],
        new: TagSet,
        encoded: impl Fn(usize) -> Cow<'w, [u8]>,
        edits: &mut Edits,
    ) {
        let place = self.place_of_new(fates);
        let insert = |edits: &mut Edits| {
            let line_end = self.line_end(place);
            edits.push(place..place, |out| {
                for which in new.iter() {
                    out.extend_from_slice(line_end);
                    write_tag(self.names.name(which), &encoded(which), out);
                }
            });
        };
        let mut is_inserted = new == TagSet::default();
        for (ours, fate) in self.ours().iter().zip(fates) {
            if ours.start > place && !is_inserted {
                insert(edits);
                is_inserted = true;
            }
            match fate {
                Fate::Stays => {}
                Fate::IsReplaced => {
                    let value = ours.value_at..ours.value_end();
                    edits.push(value, |out| write_value(&encoded(ours.which), out));
                }
                Fate::Goes => edits.remove(self.behind_line_before(ours)..ours.end()),
            }
        }
        if !is_inserted {
            insert(edits);
        }
    }

    /// Behind which tag the new ones go: the last that stays.
    fn place_of_new(&self, fates: &[Fate]) -> usize {
        let mut place = self.end;
        for (ours, fate) in self.ours().iter().zip(fates).rev() {
            if *fate != Fate::Goes || ours.end() != place {
                break;
            }
            place = self.behind_line_before(ours);
        }
        place
    }

    /// Behind the tag before this one; the line end is between them.
    fn behind_line_before(&self, ours: &Ours<'_>) -> usize {
        let before = &self.game.bytes()[..ours.start];
        ours.start - if before.ends_with(b"\r\n") { 2 } else { 1 }
    }

    /// The line end behind a tag.
    fn line_end(&self, end: usize) -> &'static [u8] {
        if self.game.bytes().get(end) == Some(&b'\r') { b"\r\n" } else { b"\n" }
    }
}

/// Nearly all names that are as long as the first begin with another letter.
fn is_same(first: &[u8], name: &[u8]) -> bool {
    first.len() == name.len() && first.first() == name.first() && first == name
}
