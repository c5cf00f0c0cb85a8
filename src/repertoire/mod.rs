//! Repertoires: graphs of positions for one colour, with what was played and what is prepared.
//!
//! A position is one node, whatever the order of moves that leads to it. A [`Book`] holds such a graph
//! in memory; it is filled from games ([`GameReader`], [`Counter`]) or from prepared lines, and what
//! is asked of a repertoire is asked of a book.
//!
//! # What is the book
//!
//! A repertoire has moves that were *played*, counted from games, and moves that are *prepared*, read
//! from somebody's notes. If any are prepared, those are its book, and the games tell how often and
//! how well. If none are, its book is what was played, as often as [`BookRule`] asks.
//!
//! # What is asked
//!
//! A [`Follower`] tells where a game leaves a book ([`Status`], [`Departure`]), and [`Costs`] sum up
//! what that cost. [`Gaps`] are the opponents' moves without an answer, [`lint`] tells what looks wrong,
//! and [`Precedents`] what was new in a game. All of them go by positions, and none by lines.

mod book;
mod chapter;
mod check;
mod contradictions;
mod costs;
mod counter;
mod date;
mod diff;
mod epd_lines;
mod export_pgn;
mod extract;
mod follow;
mod games;
mod gaps;
mod json;
mod line;
mod lint;
mod note;
mod novelties;
pub mod plain;
mod player;
pub mod polyglot;
mod practice;
mod prepared;
mod result;
mod selection;
mod tally;
mod ways;

pub use book::{Book, BookRule, Edge, Node, NodeId, Note, Prepared};
pub use chapter::{Chapter, ChapterFault, ChapterFaultKind};
pub use check::{Departure, Status};
pub use costs::{Cost, Costs};
pub use counter::{Bucket, Buckets, Counter, PositionCount, Visits};
pub use date::{GameDate, ParseDateError};
pub use diff::{DiffSide, Difference, OtherBook};
pub use epd_lines::{EpdLineFault, EpdLineReason, EpdReading, read_epd, write_epd};
pub use export_pgn::{ChapterLimits, PgnLayout, TooManyChapters};
pub use extract::{Choice, Extract, MovesOf, Part};
pub use follow::{Followed, Follower, InBook, Leaving, Unmatched};
pub use games::{Fingerprint, GameReader, Gathered, PlayedGame, Unread};
pub use gaps::{Frequencies, Gap, Gaps};
pub use json::{JsonBookError, read_json, write_json};
pub use line::BookLine;
pub use lint::{Finding, FindingKind, lint};
pub use novelties::{AskedGames, Novelty, Precedents, ReferenceGame, Sighting};
pub use player::Player;
pub use polyglot::{PolyglotBook, PolyglotError, PolyglotReading, to_polyglot};
pub use practice::Practice;
pub use result::GameResult;
pub use selection::Selection;
pub use tally::{GameFacts, Tally};
pub use ways::Ways;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
