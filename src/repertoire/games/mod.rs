//! The games of a repertoire: which are taken, and what was played in them, counted.

mod first_moves;
#[cfg(feature = "collection")]
mod game_lines;
mod hash_filter;
#[cfg(test)]
pub(crate) mod plain;
mod played_game;
mod position_count;
mod reader;
mod tags;
mod tally;

pub(crate) use first_moves::known_text;
#[cfg(feature = "collection")]
pub(crate) use game_lines::GameLines;
pub(crate) use hash_filter::SeveralGames;
pub use played_game::PlayedGame;
pub(crate) use position_count::PositionCount;
pub use reader::{GameBatch, GameReader, SkippedGames};
pub(super) use tags::GameTags;
pub(crate) use tally::GameFacts;
pub use tally::Tally;

#[cfg(test)]
#[cfg(feature = "collection")]
mod tests;
