//! Which games are meant: by player, opening, result, date, rating, speed, and any tag.
//!
//! A [`GameInfo`] holds what a game says of itself. Its tags are read on demand, and no move is
//! played for them.

mod game_info;
mod player;
mod result;
mod speed;

pub use crate::pgn::{GameDate, ParseDateError};
pub use game_info::GameInfo;
pub use player::Player;
pub use result::GameResult;
pub use speed::{ParseSpeedError, Speed};
