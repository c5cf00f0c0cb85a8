//! How a stream of games is worked on.

use super::workers::Workers;
use crate::pgn::BlockOptions;

/// How a stream of games is worked on in parallel.
///
/// ```
/// use std::num::NonZeroUsize;
/// use eco::pipeline::{Options, Workers};
///
/// let mut options = Options::default();
/// options.workers = Workers::new(NonZeroUsize::MIN);
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The threads; as many as the machine has cores unless set otherwise.
    pub workers: Workers,
    /// How the stream is cut into blocks.
    pub blocks: BlockOptions,
}
