//! Repertoires in a position database.
//!
//! The games of a repertoire are a collection of its own: what reads, recognizes, packs and removes
//! games is there for both. A book is counted from those games whenever it is loaded, which takes
//! less time than reading rows would. What rows say of positions and moves is the same count, for
//! people who ask in SQL, and for a look at one position. They are written for all positions that
//! are prepared or that at least two games have. A position of a single game, as most are, would
//! cost five times the space and time, and add nothing.

mod added_positions;
mod build;
mod change;
mod count;
mod game_pages;
mod game_rows;
mod games;
mod info;
mod key_index;
mod link;
mod load;
mod position_rows;
mod positions;
mod prepare;
mod row_batch;
mod row_pages;
mod rows;
#[cfg(feature = "training")]
mod training;
mod upgrade;

pub use build::{BuildReport, RepertoireBuild};
pub use info::{RepertoireCounts, RepertoireInfo, RepertoireSettings};
#[cfg(feature = "training")]
pub use training::TrainingLog;
pub(super) use upgrade::keep_games_in_segments;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod training_tests;
#[cfg(test)]
mod upgrade_tests;
