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
mod edits;
mod extended;
mod managed;
mod options;
#[cfg(any(test, feature = "oracle"))]
pub mod plain;
mod plan;
mod read;
mod revision;
mod section;
mod tagger;
mod text;
mod values;

pub use changes::Changes;
pub(crate) use changes::{ChangeKind, Example, KindCount};
pub use extended::{ExtendedTag, ParseExtendedTagError};
pub use options::{Names, Policy, TagOptions, Unknown};
pub use plan::{Outcome, Plan, Weight};
pub use tagger::{TaggedBlock, TaggedGame, Tagger};

#[cfg(test)]
mod tests;
