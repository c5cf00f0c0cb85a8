//! Questions about a book: where games leave it, what it lacks, and what looks wrong with it.

mod contradictions;
mod costs;
mod departure;
mod diff;
mod finding;
mod flow;
mod follow;
mod frequencies;
mod gaps;
mod line_scores;
mod lint;
mod move_counts;
mod novelties;

pub use costs::{Cost, Costs};
pub use departure::{Departure, Status};
pub use diff::{DiffSide, Difference, OtherBook};
pub use finding::{Finding, FindingKind};
pub use follow::{BookPath, Followed, Follower, Unmatched};
pub use frequencies::Frequencies;
pub use gaps::{Gap, Gaps};
pub use line_scores::{LineScore, LineScores};
pub use lint::lint;
pub use move_counts::MoveCounts;
pub use novelties::{AskedGames, Novelty, Precedents, ReferenceGame, Sighting};
