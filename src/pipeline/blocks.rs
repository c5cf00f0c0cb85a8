//! A stream of PGN, block by block on all threads.

use std::io::{self, Read};

use super::{options::Options, run::run};
use crate::pgn::{Block, Chunk, Chunks};

/// Runs `work` on the blocks of `pgn` on the [workers](Options::workers), and hands what it returns
/// to `sink` in the order of the stream.
///
/// # Errors
///
/// What `sink` returns; and what `unreadable` makes of an error of `pgn`, before which the whole
/// games have gone to `sink`.
pub(crate) fn run_blocks<T: Send, E>(
    pgn: impl Read,
    options: &Options,
    unreadable: impl Fn(io::Error) -> E,
    work: impl Fn(Block) -> T + Sync,
    sink: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    run(
        &options.workers,
        |push| {
            for chunk in Chunks::new(pgn, options.blocks) {
                push(chunk.map_err(&unreadable)?)?;
            }
            Ok(())
        },
        |chunk: Chunk| work(chunk.into_block()),
        sink,
    )
}
