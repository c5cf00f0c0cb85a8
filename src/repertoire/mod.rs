//! Repertoires: graphs of positions for one colour, with what was played and what is prepared.
//!
//! A position is one node, regardless of move order. A [`Book`] holds such a graph
//! in memory; it is filled from games ([`GameReader`]) or from prepared lines, and all
//! questions about a repertoire go to it.
//!
//! # The book
//!
//! A repertoire has moves that were *played*, counted from games, and moves that are *prepared*,
//! read from somebody's notes. If any are prepared, those are its book, and the games count how
//! often and how well. If none are, its book is the played moves that [`BookRule`] admits.
//!
//! # Questions
//!
//! A [`Follower`] finds where a game leaves a book ([`Status`], [`Departure`]), and [`Costs`] sum
//! up what that cost. [`Gaps`] are the opponents' moves without an answer, [`lint`] reports what
//! looks wrong, and [`Precedents`] what was new in a game. All of them compare positions, not
//! lines.

mod analysis;
#[cfg_attr(not(feature = "sqlite"), allow(dead_code, reason = "only databases have counts"))]
mod book;
mod formats;
#[cfg_attr(
    not(feature = "sqlite"),
    allow(dead_code, unused_imports, reason = "only databases count games")
)]
mod games;

pub use crate::select::Fingerprint;
pub use analysis::{
    AskedGames, BookPath, Cost, Costs, Departure, DiffSide, Difference, Finding, FindingKind,
    Followed, Follower, Frequencies, Gap, Gaps, LineScore, LineScores, MoveCounts, Novelty,
    OtherBook, Precedents, ReferenceGame, Sighting, Status, Unmatched, lint,
};
#[cfg(feature = "sqlite")]
pub(crate) use book::MoveCounters;
pub use book::{
    Book, BookLine, BookRule, Breadth, ChapterOfSource, Edge, Extract, ExtractOptions, MovesOf,
    Node, NodeId, Note, ParseBreadthError, Preparation, PreparationChange, Prepared,
    PreparedChapter, PreparedSource, Remark,
};
pub(crate) use book::{ExtractMove, ShortestLines, without_commands};
pub use formats::{
    Chapter, ChapterFault, ChapterFaultKind, ChapterLimits, EpdLineFault, EpdLineReason,
    EpdReading, JsonBookError, PgnLayout, PolyglotBook, PolyglotError, PolyglotReading,
    TooManyChapters, read_epd, read_json, to_polyglot, write_epd, write_json,
};
#[cfg(feature = "collection")]
pub(crate) use games::GameLines;
#[cfg(test)]
pub(crate) use games::plain;
pub use games::{GameBatch, GameReader, PlayedGame, SkippedGames, Tally};
#[cfg(feature = "sqlite")]
pub(crate) use games::{GameFacts, PositionCount, SeveralGames, known_text};
