//! Repertoires in a position database.
//!
//! The games of a repertoire are a collection of its own: what reads, recognizes, packs and removes
//! games is there for both. What was played is counted from those games whenever a book is loaded,
//! which takes less time than reading rows of positions and moves would. What is prepared is in
//! rows.

mod build;
mod change;
mod count;
mod games;
mod info;
mod load;
mod prepare;
#[cfg(feature = "training")]
mod training;

pub use build::{BuildReport, RepertoireBuild};
pub use info::{RepertoireCounts, RepertoireInfo, RepertoireSettings};
#[cfg(feature = "training")]
pub use training::TrainingLog;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod training_tests;
