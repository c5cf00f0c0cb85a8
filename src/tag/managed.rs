//! The managed tags: those that are set or removed together. A slot is the index of one of them.

use std::iter;

/// The number of managed tags.
pub(super) const COUNT: usize = 10;

/// The slots below this one are the tags of the PGN standard. Only they decide what a
/// [`Policy`](super::Policy) does with a game.
pub(super) const STANDARD: usize = 4;

pub(super) const ECO: usize = 0;
pub(super) const OPENING: usize = 1;
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
    extended: &'n str,
}

impl<'n> TagNames<'n> {
    /// `extended` is empty if there is no such tag.
    pub(super) fn new(extended: &'n str) -> Self {
        Self { extended }
    }

    pub(super) fn name(self, slot: usize) -> &'n str {
        if slot == EXTENDED { self.extended } else { NAMES[slot] }
    }

    /// The slot of a tag, if it is managed.
    #[inline(always)]
    pub(super) fn find(self, name: &[u8]) -> Option<usize> {
        // Nearly all tags are ruled out by their first letter and their length.
        let is_possible = matches!(name.first(), Some(b'E' | b'O' | b'V' | b'S' | b'M'))
            && name.len() <= MAX_NAME_LENGTH
            && NAME_LENGTHS & (1 << name.len()) != 0;
        if is_possible || !self.extended.is_empty() { self.find_possible(name) } else { None }
    }

    fn find_possible(self, name: &[u8]) -> Option<usize> {
        // A slot without a name is empty, and so may be the name of a damaged tag.
        (0..COUNT).find(|slot| !name.is_empty() && self.name(*slot).as_bytes() == name)
    }
}

const MAX_NAME_LENGTH: usize = 31;

/// The lengths of the fixed names: bit `n` is set if a name has `n` letters.
const NAME_LENGTHS: u32 = {
    let (mut lengths, mut slot) = (0, 0);
    while slot < COUNT {
        assert!(NAMES[slot].len() <= MAX_NAME_LENGTH, "there is a bit for it");
        lengths |= 1 << NAMES[slot].len();
        slot += 1;
    }
    lengths
};

/// A set of slots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SlotSet(u16);

impl SlotSet {
    pub(super) fn insert(&mut self, slot: usize) {
        self.0 |= 1 << slot;
    }

    /// Returns whether it was in the set.
    pub(super) fn remove(&mut self, slot: usize) -> bool {
        let before = *self;
        self.0 &= !(1 << slot);
        *self != before
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn first(self) -> Option<usize> {
        (self.0 != 0).then_some(self.0.trailing_zeros() as usize)
    }

    /// The slots in ascending order.
    pub(super) fn iter(mut self) -> impl Iterator<Item = usize> {
        iter::from_fn(move || {
            let first = self.first()?;
            self.remove(first);
            Some(first)
        })
    }
}

impl FromIterator<usize> for SlotSet {
    fn from_iter<I: IntoIterator<Item = usize>>(slots: I) -> Self {
        let mut set = Self::default();
        slots.into_iter().for_each(|slot| set.insert(slot));
        set
    }
}
