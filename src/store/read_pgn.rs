//! Games of PGN, for whatever keeps them.

use std::io::Read;

use super::error::StoreError;
use crate::{
    collection::{KeptGame, KeptGameReader},
    pgn::Block,
    pipeline::{Options, run_blocks},
};

/// Reads games on several threads and adds them in their order; `None` is a game that was not
/// selected.
pub(super) fn read_pgn(
    pgn: impl Read,
    options: &Options,
    reader: &KeptGameReader<'_>,
    add: impl FnMut(Vec<Option<KeptGame>>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    run_blocks(
        pgn,
        options,
        |error| StoreError::Input { source: error.into() },
        |block: Block| {
            let mut reader = reader.clone();
            block.games().map(|game| reader.read(&game)).collect()
        },
        add,
    )
}
