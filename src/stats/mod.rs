//! What was played and how it scored.
//!
//! A [`ScoredGame`] holds what is counted of a game, a [`Counter`] counts games in groups, and a
//! [`Breakdown`] has the groups, each with a [`Tally`].
//!
//! The statistics, each documented with its source: [`wilson`] (the interval of a score),
//! [`expected_score`], [`performance`], [`Difference`] (score against expectation),
//! [`discoveries`] (which of many differences count) and [`shrink`] (what to think of them).

mod axis;
mod breakdown;
mod counter;
mod difference;
mod expectation;
mod figures;
mod findings;
mod game;
mod grouping;
mod histogram;
mod inference;
mod key;
mod ledger;
mod openings;
mod report;
mod table;
mod tally;

pub use breakdown::{
    Breakdown, Certainty, Group, RowKind, RowOptions, SortBy, SortOrder, StatsRow, Totals,
};
pub use counter::{Counted, Counter, LeftOut};
pub use difference::{Difference, Interval, wilson};
pub(crate) use difference::{Z_95, advantage_of_colors, signed};
pub(crate) use expectation::performance_of_any;
pub use expectation::{expected_score, performance};
pub(crate) use figures::Unit;
pub use figures::{Figures, Number, ParseNumberError};
pub use findings::{Alternative, Finding, FindingLine, Findings, Level};
pub use game::{Example, Examples, ScoredGame};
pub use grouping::{GroupBy, Grouping, Kept, ParseGroupByError, Perspective, Subject};
pub use histogram::{Bin, Histogram};
pub use inference::{Estimate, Spread, discoveries, shrink};
pub use key::GroupValue;
pub use ledger::is_question;
pub use openings::LineCounts;
pub use report::{MoveNode, OpeningNode, Period, Popularity, Report, ReportCounter, SideReport};
pub use report::{RatingHistory, Slice};
pub use tally::{Sample, Tally};
