//! Repertoires in a position database.
//!
//! What is stored is the truth a repertoire is made from, the first moves of its games and what is
//! prepared, and the counts of all positions that are prepared or that two games have at least. A
//! position of a single game, as most are, is found by the moves of that game: as a row of its own it
//! would cost five times the space and time, and say nothing that the game does not.

mod build;
mod change;
mod count;
mod games;
mod info;
mod load;
mod positions;
mod prepare;
mod rows;
mod session;

pub use build::{BuildReport, RepertoireBuild};
pub use info::{RepertoireCounts, RepertoireInfo, RepertoireSettings};
pub use load::SingleGames;

#[cfg(test)]
mod tests;
