//! Prepared lines from PGN with variations, comments and NAGs.

mod chapter;
mod reader;

pub use chapter::{Chapter, ChapterFault, ChapterFaultKind};
