//! Collections: games kept so that any position can be asked what was played there.
//!
//! A [`PositionQuery`] says which games count; a [`PositionStats`] is the answer. A position is
//! found by its key alone, however it was reached, and each game counts once in it: if it was there
//! several times, its last visit decides which move was played.
//!
//! The room knows how games are packed and found in memory; `store` keeps them in the position
//! database.

mod query;
mod kept_commands;
mod kept_game;
mod pgn;
mod reader;
pub(crate) mod segment;
mod filter;
mod tally;
mod search;
mod memory;

pub(crate) use filter::SegmentFilter;
use kept_game::{Details, GameTexts, KeptTags};
pub use kept_game::{GameStart, KeptGame};
pub(crate) use memory::{ExploredSegment, Memory, find_game, unknown_player};
pub use query::{Cancellation, FoundGame, GameId, MonthStats, MoveStats, ParseGameIdError};
pub use query::{PositionQuery, PositionStats, RatingSum, Score};
pub use reader::KeptGameReader;
pub(crate) use search::SearchedSegment;
