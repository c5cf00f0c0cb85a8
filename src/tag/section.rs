//! The tag section of a game, as far as an edit of its managed tags needs to know it.
//!
//! The managed tags are those that are set or removed together. A slot is the index of one of them.

use std::{borrow::Cow, ops::Range};

use crate::pgn::{PlacedTag, Tag};

/// What becomes of a managed tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Keep,
    Replace,
    Remove,
}

/// A managed tag of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ManagedTag<'g> {
    pub(super) slot: usize,
    pub(super) tag: Tag<'g>,
    /// Its value without escapes.
    pub(super) value: Cow<'g, [u8]>,
    /// Its bytes, from the `[` to the `]`.
    pub(super) span: Range<usize>,
    /// Where its raw value begins.
    pub(super) value_at: usize,
    /// Where the tag before it ends, if that is not managed.
    pub(super) after_other: Option<usize>,
    pub(super) change: Change,
}

impl<'g> ManagedTag<'g> {
    pub(super) fn new(slot: usize, placed: PlacedTag<'g>, after_other: Option<usize>) -> Self {
        let PlacedTag { tag, span, value } = placed;
        let (value_at, value) = (value.start, tag.value());
        Self { slot, tag, value, span, value_at, after_other, change: Change::Keep }
    }

    /// The bytes of its raw value.
    pub(super) fn value_span(&self) -> Range<usize> {
        self.value_at..self.value_at + self.tag.raw_value.len()
    }
}

/// The tag section of a game. It is filled game by game, so that its memory is used again.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Section<'g> {
    /// The managed tags, in order.
    pub(super) managed: Vec<ManagedTag<'g>>,
    /// Where the first other tag begins.
    pub(super) first_other: Option<usize>,
    /// Where the last other tag that is closed ends.
    pub(super) last_other: Option<usize>,
    /// An edit might make the game mean something else.
    pub(super) is_doubtful: bool,
}

impl<'g> Section<'g> {
    pub(super) fn clear(&mut self) {
        self.managed.clear();
        (self.first_other, self.last_other, self.is_doubtful) = (None, None, false);
    }

    /// Whether the game has no tags at all.
    pub(super) fn is_empty(&self) -> bool {
        self.managed.is_empty() && self.first_other.is_none()
    }

    /// Whether the first tag of the game is managed.
    pub(super) fn begins_managed(&self) -> bool {
        let first = self.managed.first();
        first.is_some_and(|tag| self.first_other.is_none_or(|other| tag.span.start < other))
    }

    /// The game's own code and opening.
    pub(super) fn own_names(&self) -> [Option<Cow<'g, [u8]>>; 2] {
        let name = |slot| {
            let mut tags = self.managed.iter();
            let named = tags.find(|tag| tag.slot == slot && !is_placeholder(tag.tag.raw_value));
            named.map(|tag| tag.value.clone())
        };
        [name(ECO), name(OPENING)]
    }
}

/// Whether a tag with this value says nothing: the value is empty, or `?`, the PGN standard's mark
/// for an unknown value.
pub(super) fn is_placeholder(raw_value: &[u8]) -> bool {
    matches!(raw_value.trim_ascii(), b"" | b"?")
}

/// Whether it is certain that a tag ends here, so that another can follow it.
pub(super) fn is_closed(game: &[u8], end: usize) -> bool {
    game[..end].last() == Some(&b']')
}

pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// After the blanks at `at`, and after the line end that follows them, if one does.
pub(super) fn line_end_after(game: &[u8], at: usize) -> usize {
    let is_blank = |b: &&u8| **b != b'\n' && is_space(**b);
    let blanks = game[at..].iter().take_while(is_blank).count();
    at + blanks + usize::from(game.get(at + blanks) == Some(&b'\n'))
}

/// The number of managed tags.
pub(super) const COUNT: usize = 10;

/// The slots below this one are the tags of the PGN standard. Only they decide what a
/// [`Policy`](super::Policy) does with a game.
pub(super) const STANDARD: usize = 4;

pub(super) const ECO: usize = 0;
const OPENING: usize = 1;
pub(super) const EXTENDED: usize = 4;
pub(super) const MOVE_ORDER: usize = 5;
pub(super) const SOURCE: usize = 9;

/// The names by slot. New tags are written in this order. The user names the extended tag.
pub(super) const NAMES: [&str; COUNT] = [
    "ECO",
    "Opening",
    "Variation",
    "SubVariation",
    "",
    "MoveOrderECO",
    "MoveOrderOpening",
    "MoveOrderVariation",
    "MoveOrderSubVariation",
    "ECOSource",
];

/// The names by slot, with that of the extended tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagNames<'n> {
    /// Empty if there is no such tag.
    pub(super) extended: &'n str,
}

impl<'n> TagNames<'n> {
    pub(super) fn name(self, slot: usize) -> &'n str {
        if slot == EXTENDED { self.extended } else { NAMES[slot] }
    }

    /// The slot of a tag, if it is managed.
    #[inline(always)]
    pub(super) fn find(self, name: &[u8]) -> Option<usize> {
        // Most tags are ruled out by their first letter.
        let is_possible = matches!(name.first(), Some(b'E' | b'O' | b'V' | b'S' | b'M'));
        if is_possible || !self.extended.is_empty() { self.find_possible(name) } else { None }
    }

    fn find_possible(self, name: &[u8]) -> Option<usize> {
        // A slot without a name is empty, and so may be the name of a damaged tag.
        (0..COUNT).find(|slot| !name.is_empty() && self.name(*slot).as_bytes() == name)
    }
}
