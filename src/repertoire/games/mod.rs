//! The games of a repertoire: which are taken, and what was played in them, counted.

mod counter;
mod date;
#[cfg(any(test, feature = "oracle"))]
pub mod plain;
mod player;
mod reader;
mod result;
mod selection;
mod tally;

pub use counter::{Bucket, Buckets, Counter, PositionCount, Visits};
pub use date::{GameDate, ParseDateError};
pub use player::Player;
pub(super) use reader::GameTags;
pub use reader::{Fingerprint, GameBatch, GameReader, PlayedGame, SkippedGames};
pub use result::GameResult;
pub use selection::Selection;
pub use tally::{GameFacts, Tally};

#[cfg(test)]
mod tests;
