//! All numbers of a report.

mod by_number;
mod counter;
mod occasions;
mod people;
mod periods;
mod side;
mod slices;
mod trees;

pub use counter::ReportCounter;
pub use periods::{Period, Popularity};
pub use side::SideReport;
pub use slices::Slice;
pub use trees::{MoveNode, OpeningNode};

use super::{figures::Figures, left_out::LeftOut};

/// All numbers of a report. Shares and scores are from 0 to 1.
///
/// With chosen players, all is from their side, and their games as White and as Black are apart in
/// [`sides`](Self::sides). Otherwise all is from White's side.
///
/// What is expected is what the ratings predict. The advantage of White is part of it in the
/// openings of the sides, and, of an archive, in all slices but those of people.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// The number of games.
    pub games: u64,
    /// What was left out.
    pub left_out: LeftOut,
    /// The numbers of all games, against the ratings alone.
    pub figures: Figures,
    /// White's and Black's games of the chosen players, or else all games from White's side.
    pub sides: Vec<SideReport>,
    /// Whether periods are years or months.
    pub period: Period,
    /// The periods, from the first to the last; those between without games are there too.
    pub periods: Vec<Slice>,
    /// How popular the commonest families were in each period.
    pub popularity: Vec<Popularity>,
    /// By speed, the fastest first. Empty if no game has the tag, and so are the following.
    pub speeds: Vec<Slice>,
    /// By the difference of ratings, own minus opponent's; those of 450 and more are together.
    pub rating_gaps: Vec<Slice>,
    /// By day of the week, Monday first.
    pub weekdays: Vec<Slice>,
    /// By hour.
    pub hours: Vec<Slice>,
    /// The commonest opponents of the chosen players, or else the commonest players, each from the
    /// own side, with either colour.
    pub people: Vec<Slice>,
    /// The number of all such people.
    pub people_count: usize,
    /// How many games have each length in plies.
    pub lengths: Vec<Bin>,
    /// How many games have their last named position at each ply.
    pub exits: Vec<Bin>,
}

/// A number of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Bin {
    /// The ply.
    pub plies: u64,
    /// The games.
    pub games: u64,
}
