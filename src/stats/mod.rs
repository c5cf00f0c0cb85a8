//! What was played and how it scored.
//!
//! A [`ScoredGame`] holds what is counted of a game, a [`Counter`] counts games in groups, and a
//! [`Breakdown`] has the groups, each with a [`Tally`].
//!
//! The statistics, each in a file of its own with its source: [`wilson`] (the interval of a score),
//! [`expected_score`], [`performance`], [`Difference`] (score against expectation),
//! [`discoveries`] (which of many differences count) and [`shrink`] (what to think of them).

mod advantage;
mod axis;
mod breakdown;
mod candidates;
mod compact;
mod counter;
mod difference;
mod discoveries;
mod example;
mod expectation;
mod figures;
mod findings;
mod game;
mod group_by;
mod grouping;
mod histogram;
mod interval;
mod key;
mod left_out;
mod lines;
mod openings;
mod performance;
mod perspective;
mod report;
mod rows;
mod sample;
mod shortcuts;
mod shrinkage;
mod subject;
mod summary;
mod sums;
mod table;
mod tally;
mod texts;

pub use breakdown::{Breakdown, Group};
pub use counter::{Counted, Counter};
pub use difference::Difference;
pub use discoveries::discoveries;
pub use example::{Example, Examples};
pub use expectation::expected_score;
pub use figures::Figures;
pub use findings::{Finding, FindingLine, Findings};
pub use game::ScoredGame;
pub use group_by::{GroupBy, ParseGroupByError};
pub use grouping::{Grouping, KeepExamples, KeepUnknown, Lengths};
pub use histogram::Histogram;
#[cfg(feature = "repertoire")]
pub(crate) use interval::Z_95;
pub use interval::{Interval, wilson};
pub use key::GroupValue;
pub use left_out::LeftOut;
pub use lines::LineCounts;
pub use performance::performance;
#[cfg(feature = "web")]
pub(crate) use performance::performance_of_any;
pub use perspective::Perspective;
pub use report::{
    Bin, MoveNode, OpeningNode, Period, Popularity, Report, ReportCounter, SideReport, Slice,
};
pub use rows::{Number, ParseNumberError, RowKind, RowOptions, SortBy, StatsRow};
pub use sample::{Outcome, Sample};
pub use shrinkage::{Estimate, Spread, shrink};
pub use subject::Subject;
pub use summary::Summary;
pub use tally::Tally;
