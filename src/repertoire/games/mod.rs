//! The games of a repertoire: which are taken, and what was played in them, counted.

mod bucket;
mod counter;
mod first_moves;
mod key_filter;
#[cfg(test)]
pub(crate) mod plain;
mod played_game;
mod reader;
mod spill;
mod tags;
mod tally;
mod visits;

pub(crate) use bucket::{Bucket, PositionCount};
pub(crate) use counter::{Buckets, Counter};
pub(crate) use key_filter::KeyFilter;
pub use played_game::PlayedGame;
pub use reader::{GameBatch, GameReader, SkippedGames};
pub(super) use tags::GameTags;
pub(crate) use tally::GameFacts;
pub use tally::Tally;
pub(crate) use visits::Visits;

#[cfg(test)]
mod tests;
