//! What was played in a position: the games that have it, filtered and counted.

mod filter;
mod runs;
mod search;
mod tally;
#[cfg(test)]
mod tests;

pub(crate) use filter::SegmentFilter;
pub(crate) use search::{SearchedSegment, search};
