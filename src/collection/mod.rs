//! Collections: games kept so that any position can be asked what was played there.
//!
//! A [`PositionQuery`] says which games count; a [`PositionStats`] is the answer. A position is
//! found by its key alone, however it was reached, and each game counts once in it: if it was there
//! several times, its last visit decides which move was played.
//!
//! The room knows how games are packed and found in memory; `store` keeps them in the position
//! database.

mod explore;
mod game_id;
mod game_texts;
mod identity;
mod kept_game;
mod main_line;
mod pgn;
mod query;
mod reader;
pub(crate) mod segment;
mod stats;

pub(crate) use explore::{SearchedSegment, SegmentFilter, search};
pub use game_id::{GameId, ParseGameIdError};
pub(crate) use game_texts::KeptTags;
pub(crate) use kept_game::{Details, GameParts};
pub use kept_game::{GameStart, KeptGame};
pub use query::{Cancellation, PositionQuery};
pub use reader::KeptGameReader;
pub use stats::{FoundGame, Month, MonthStats, MoveStats, PositionStats, RatingSum, Score};
