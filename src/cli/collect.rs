//! Games from PGN into a collection or a repertoire.

use std::sync::Arc;

use eco::{
    collection::{KeptGame, KeptGameReader},
    pgn::{Chunk, source::Source},
    pipeline::{self, Options},
    store::StoreError,
};

use super::{games::feed_all, progress::Progress, selection::SelectedGames};

/// Adds the games of all sources in their order, and returns their number; `None` is a game that
/// was not selected.
pub(super) fn read_games(
    options: &Options,
    sources: &[Source],
    reader: &KeptGameReader<'_>,
    selected: &SelectedGames<'_>,
    progress: &Progress,
    mut add: impl FnMut(Vec<Option<KeptGame>>) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let mut seen = 0;
    pipeline::run(
        &options.workers,
        |push| feed_all(sources, options.blocks, push, progress),
        |(_, chunk): (Arc<str>, Chunk)| {
            let (mut reader, block) = (reader.clone(), chunk.into_block());
            selected.meet_people(&block);
            block.games().map(|game| reader.read(&game)).collect::<Vec<_>>()
        },
        |games: Vec<Option<KeptGame>>| {
            seen += games.len() as u64;
            let added = add(games);
            progress.update(seen);
            added
        },
    )?;
    Ok(seen)
}
