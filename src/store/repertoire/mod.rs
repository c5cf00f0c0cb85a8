//! Repertoires in a position database.
//!
//! The database stores the sources of a repertoire, which are the first moves of its games and the
//! prepared moves, and the counts of all positions that are prepared or that at least two games
//! have. A position of a single game, as most are, is found by the moves of that game: a row of its
//! own would cost five times the space and time, and add nothing.

mod build;
mod change;
mod count;
mod games;
mod info;
mod load;
mod positions;
mod prepare;
mod rows;

pub use build::{BuildReport, RepertoireBuild};
pub use info::{RepertoireCounts, RepertoireInfo, RepertoireSettings};

#[cfg(test)]
mod tests;
