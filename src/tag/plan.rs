//! What becomes of a game.

use std::borrow::Cow;

use super::managed::{ECO, STANDARD};
use crate::classify::{Header, NamedAt, Verdict};

/// What becomes of the tags of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// They are changed. The weight is that of the weightiest tag among them.
    Changed(Weight),
    /// They are right already.
    Correct,
    /// The game has no opening, and keeps the tags it has.
    NoOpening,
    /// The [`Policy`](super::Policy) excludes the game.
    Excluded,
    /// The game has no tags, and cannot get any: it has no result at its end, for example.
    NoTags,
    /// It is not certain where its tags end.
    Damaged,
}

/// The weight of a tag that is changed, the weightiest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// `ECO`.
    Code,
    /// `Opening`, `Variation` or `SubVariation`.
    Name,
    /// Any other managed tag.
    Other,
}

impl Weight {
    /// The weight of the tag in this slot. Lower slots are weightier.
    pub(super) fn of(slot: usize) -> Self {
        match slot {
            ECO => Self::Code,
            _ if slot < STANDARD => Self::Name,
            _ => Self::Other,
        }
    }
}

/// The plan for a game.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan<'g, 'c> {
    /// What becomes of its tags.
    pub outcome: Outcome,
    /// The value of its `ECO` tag so far.
    pub eco: Option<Cow<'g, [u8]>>,
    /// The value of its `Opening` tag so far.
    pub opening: Option<Cow<'g, [u8]>>,
    /// Its other tags.
    pub header: Header<'g>,
    /// Its opening; `None` if tags are only removed.
    pub verdict: Option<Verdict<'c>>,
}

impl<'c> Plan<'_, 'c> {
    /// The name that its tags get.
    #[must_use]
    pub fn named(&self) -> Option<&NamedAt<'c>> {
        self.verdict.as_ref()?.named.as_ref()
    }
}
