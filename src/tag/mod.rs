//! Writing openings into the tags of games: bytes in, bytes out.
//!
//! A [`Tagger`] plans edits over the bytes of a game. Every byte that no edit names is copied: a
//! game is never parsed into another form and written again. `pipeline::tag_pgn` does it for a
//! whole stream.
//!
//! # Which tags
//!
//! The tagger manages a fixed set of tags: `ECO`, `Opening`, `Variation`, `SubVariation`, and the
//! tags of [`TagOptions`]: one for codes longer than three characters, `MoveOrderECO`,
//! `MoveOrderOpening` (`MoveOrderVariation`, `MoveOrderSubVariation`) for the name by move order,
//! and `ECOSource`, which says which master gave the name. They are set or removed together. A
//! managed tag that the options do not ask for is removed, so that no stale tag stays. Of several
//! tags with the same name all but the first are stale.
//!
//! # Where
//!
//! * An existing tag is changed between its quotes. Its place and its spacing stay.
//! * New tags follow the last tag, each on a line of its own, with the line end that is used there.
//! * A tag is removed with its line. When a game loses its last tag, the blank lines after it go
//!   too.
//! * A game without tags gets them, and a blank line, before its moves. It must begin a line and
//!   end in a result: otherwise the lack of tags may be all that separates it from the next game.
//! * Names are written in the encoding of the game: Latin-1 if its bytes are not UTF-8. Letters
//!   that Latin-1 lacks are then replaced by plain ones. A name that is right in either encoding
//!   stays.
//! * A value that is empty or `?` counts as absent.
//!
//! # What is left alone
//!
//! * Games with a tag that is never closed, and games with text after the value of a managed tag:
//!   it is not certain where such a tag ends.
//! * Games that would lose their first tag, which separates them from a game before them that has
//!   no moves. Only [`Policy::Strip`] removes it.
//! * Games whose tags go on beyond [`BlockOptions::max_game`](crate::pgn::BlockOptions::max_game).
//! * Bytes between games.

mod changes;
mod read;
mod revision;
mod section;
mod tagger;
mod values;

use std::{borrow::Cow, fmt, str::FromStr};

pub use self::changes::Changes;
pub(crate) use self::changes::{ChangeKind, KindCount};
use self::section::{ECO, NAMES, STANDARD};
pub use self::tagger::{TaggedBlock, TaggedGame, Tagger};
use crate::classify::{Header, NamedAt, Verdict};

/// Which games are changed, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Every game with an opening gets its tags.
    #[default]
    All,
    /// Only games whose tags contradict nothing: absent tags are added, a tag that has a value
    /// stays.
    Missing,
    /// Only games whose tags contradict the opening.
    Changed,
    /// Every game loses its managed tags. No game is classified.
    Strip,
}

/// How a name is spread over tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// The whole name in `Opening`, as lichess does.
    #[default]
    Full,
    /// Family, variation and subvariation in separate tags, as in the PGN standard.
    Split,
}

/// What happens to the managed tags of a game that has no opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// They stay.
    #[default]
    Keep,
    /// They are removed.
    Clear,
}

/// How games are tagged.
#[derive(Debug, Clone, Default)]
pub struct TagOptions {
    /// Which games are changed, and how.
    pub policy: Policy,
    /// How a name is spread over tags.
    pub names: Names,
    /// What happens to the managed tags of a game that has no opening.
    pub unknown: Unknown,
    /// The tag for codes that are longer than three characters.
    pub extended: Option<ExtendedTag>,
    /// Whether games also get their name by move order.
    pub with_move_order: bool,
    /// Whether games get the name of the master that named them, in `ECOSource`.
    pub with_mark: bool,
}

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
    /// The [`Policy`] excludes the game.
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
    fn of(slot: usize) -> Self {
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
    pub fn named(&self) -> Option<&NamedAt<'c>> {
        self.verdict.as_ref()?.named.as_ref()
    }
}

const MAX_LENGTH: usize = 64;

/// Tags with a meaning of their own: those that the PGN standard requires, and those that say how
/// to read a game.
const RESERVED: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant",
    "UTCDate",
];

/// The name of the tag for codes that are longer than three characters.
///
/// ```
/// use eco::tag::ExtendedTag;
///
/// assert!("ScidECO".parse::<ExtendedTag>().is_ok());
/// assert!("Scid ECO".parse::<ExtendedTag>().is_err());
/// assert!("White".parse::<ExtendedTag>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExtendedTag(String);

/// The text cannot be the name of the tag for longer codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseExtendedTagError {
    /// It is not the name of a tag.
    #[error("no name for a tag: {0:?} (a letter, then at most 63 letters, digits and _)")]
    NotAName(String),
    /// The tag has another meaning.
    #[error("the tag {0} has a meaning of its own")]
    Reserved(String),
}

impl fmt::Display for ExtendedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ExtendedTag {
    type Err = ParseExtendedTagError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_name = name.len() <= MAX_LENGTH
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name {
            return Err(ParseExtendedTagError::NotAName(name.to_owned()));
        }
        if RESERVED.iter().chain(&NAMES).any(|reserved| reserved.eq_ignore_ascii_case(name)) {
            return Err(ParseExtendedTagError::Reserved(name.to_owned()));
        }
        Ok(Self(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
