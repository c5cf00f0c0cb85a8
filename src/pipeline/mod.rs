//! Work on many items in parallel, results in order.
//!
//! [`run`] takes items from a feeder, works on them on several [threads](Workers), and hands the
//! results to a sink in the order of the items. [`classify_pgn`] and [`tag_pgn`] do that for a
//! stream of games. [`run_with_more`] also works on what comes of the results.
//!
//! The feature `parallel` brings `rayon`; this is the only room that names it. Without the feature
//! the same functions run everything on the calling thread.

#[cfg(feature = "parallel")]
mod parallel;
mod run;
mod streams;
mod workers;

#[cfg(feature = "parallel")]
pub use rayon::ThreadPool;
pub use run::{run, run_with_more};
pub(crate) use streams::run_blocks;
pub use streams::{Options, classify_pgn, tag_pgn};
pub use workers::{Counters, Workers};

#[cfg(test)]
mod tests;
