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

mod book;
mod chapter;
mod counter;
mod date;
mod diff;
mod epd_lines;
mod export_pgn;
mod extract;
mod games;
mod glyph;
mod json;
mod note;
pub mod plain;
mod player;
pub mod polyglot;
mod prepared;
mod tally;
mod ways;

pub use book::{Book, BookRule, Edge, Node, NodeId, Note, Prepared};
pub use chapter::{Chapter, ChapterFault, ChapterFaultKind};
pub use counter::{Bucket, Buckets, Counter, PositionCount, Visits};
pub use date::{GameDate, ParseDateError};
pub use diff::{DiffSide, Difference, OtherBook};
pub use epd_lines::{EpdLineFault, EpdLineReason, EpdReading, read_epd, write_epd};
pub use export_pgn::{ChapterLimits, PgnLayout, TooManyChapters};
pub use extract::{Choice, Extract, MovesOf, Part};
pub use games::{Fingerprint, GameReader, GameResult, Gathered, PlayedGame, Selection, Unread};
pub use glyph::nag_glyph;
pub use json::{JsonBookError, read_json, write_json};
pub use player::Player;
pub use polyglot::{PolyglotBook, PolyglotError, PolyglotReading, to_polyglot};
pub use tally::{GameFacts, Tally};
pub use ways::Ways;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
