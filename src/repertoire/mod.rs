//! Repertoires: graphs of positions for one colour, with what was played and what is prepared.
//!
//! A position is one node, regardless of move order. A [`Book`] holds such a graph in memory; it is
//! filled from games, [as they are kept](crate::collection::KeptGame), or from prepared lines, and
//! all questions about a repertoire go to it.
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
//! up what that cost. [`Gaps`] are the opponents' moves without an answer, [`Prospects`] what one
//! opponent makes likely, [`lint()`] reports what looks wrong, and [`Precedents`] what was new in a
//! game. All of them compare positions, not lines.

mod tally;
mod note;
mod node;
mod book;
mod lines;
mod extract;
mod edit;
mod preparation;
mod line_edit;
mod owner;
mod game_lines;

mod follow;
mod scores;
mod frequencies;
mod flow;
mod gaps;
mod opponent;
mod prospects;
mod week;
mod prospect_games;
mod lint;
mod diff;
mod novelties;

mod title;
mod chapter;
mod pgn_import;
mod pgn_export;
mod epd;
mod json;
mod polyglot;

pub use crate::select::Fingerprint;
pub use book::Book;
pub use chapter::{Chapter, ChapterFault, ChapterFaultKind};
pub use diff::{DiffSide, Difference, OtherBook};
pub use edit::{Edit, EditConflict, EditKind};
pub use epd::{EpdLineFault, EpdLineReason, EpdReading, read_epd, write_epd};
pub(crate) use extract::ExtractMove;
pub use extract::{Extract, ExtractOptions, MovesOf};
pub use follow::{BookPath, Departure, Followed, Follower, Status, Unmatched};
pub use frequencies::{Frequencies, MoveCounts};
pub(crate) use game_lines::{GameLines, SeveralGames};
pub use gaps::{Gap, Gaps};
pub use json::{JsonBookError, read_json, write_json};
pub use line_edit::{LineEdit, LineEditError};
pub use lines::BookLine;
pub(crate) use lines::{ShortestLines, movetext};
pub use lint::{Finding, FindingKind, lint};
pub(crate) use node::MoveCounters;
pub use node::{BookRule, Breadth, Edge, Node, NodeId, ParseBreadthError, Prepared};
pub use note::Note;
pub(crate) use note::without_commands;
pub use novelties::{AskedGames, Novelty, Precedents, ReferenceGame, Sighting};
pub use opponent::{Opponent, OpponentGame};
pub use pgn_export::{ChapterLimits, PgnLayout, TooManyChapters};
pub use polyglot::{PolyglotBook, PolyglotError, PolyglotReading, to_polyglot};
pub use preparation::{Preparation, PreparationChange, PreparedChapter, PreparedSource};
pub use prospects::{Prospect, ProspectKind, Prospects};
pub use scores::{Cost, Costs, LineScore, LineScores};
pub use tally::Tally;
pub(crate) use tally::{GameFacts, PositionCount};
pub use week::{Trend, Week};

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::plain;
