//! Which games are meant: by player, opening, result, date, rating, speed, and any tag.
//!
//! A [`GameInfo`] holds what a game says of itself. Its tags are read on demand, and no move is
//! played for them. A [`Selection`] is a list of conditions on it; a [`Selector`] knows a catalogue
//! as well, for conditions on the opening, and plays only games that fit otherwise.
//!
//! # Dates
//!
//! Dates may be partial. A game is left out only if it is certainly too early or too late: one of
//! 1956, without a month, is neither before nor after October 1956. A game without a date is left
//! out if any date is asked for.

mod conditions;
mod fingerprint;
mod game_info;
mod nearest;
mod opening_phase;
mod pattern;
mod people;
mod player;
mod selection;
mod tag_value;

pub use conditions::{ConditionFault, ParseRangeError, parse_numbers, parse_ratings};
pub(crate) use conditions::{expected, read_color};
pub(crate) use fingerprint::Content;
pub use fingerprint::{Fingerprint, ParseSameGameError, SameGame};
pub use game_info::GameInfo;
pub use nearest::{ImpossibleSelection, NearestNames, UnknownPlayer};
pub use opening_phase::OpeningPhase;
pub(crate) use opening_phase::{OpeningMoves, begins_with_black};
pub use pattern::{Material, ParsePatternError, PawnStructure};
pub(crate) use pattern::{SearchedLine, Traces, WantedPositions};
pub use people::{BlockPeople, People};
pub use player::Player;
pub use selection::WantedResult;
pub(crate) use selection::fold;
pub use selection::{Match, ParseResultError, RatingOf, Selection, Selector, TagPart, VariantName};
pub use tag_value::{GameResult, ParseSpeedError, Speed};
pub(crate) use tag_value::{read_date, read_played_at, read_rating, read_time};

#[cfg(test)]
mod tests;
