//! Prepared lines from PGN with variations, comments and NAGs.

mod aside;
mod chapter;
mod reader;
mod title;

pub use chapter::{Chapter, ChapterFault, ChapterFaultKind};

#[cfg(test)]
mod tests;
