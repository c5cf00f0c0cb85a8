//! Work on many items in parallel, results in order.
//!
//! [`Workers`] take items from a feeder, work on them on several threads, and hand the results to a
//! sink in the order of the items. [`classify_pgn`] and [`tag_pgn`] do that for a stream of games.
//! [`run_with_more`](Workers::run_with_more) also works on what comes of the results.
//!
//! The feature `parallel` brings `rayon`; this is the only room that names it. Without the feature
//! the same functions run everything on the calling thread.

#[cfg(feature = "parallel")]
mod parallel;
mod streams;
mod workers;

#[cfg(feature = "parallel")]
pub use rayon::ThreadPool;
pub(crate) use streams::run_blocks;
pub use streams::{Options, classify_pgn, tag_pgn};
pub use workers::{Counters, Workers};

#[cfg(test)]
mod tests;
