//! Games from PGN into a collection.

use std::sync::Arc;

use eco::{
    collection::{KeptGame, KeptGameReader},
    pgn::{Chunk, source::Source},
    pipeline::{self, Options},
    store::{CollectionBuild, StoreError},
};

use super::{games::feed_all, progress::Progress, selection::SelectedGames};

/// Adds the selected games of all sources, and returns the number of all games.
pub(super) fn read_games(
    options: &Options,
    sources: &[Source],
    reader: &KeptGameReader<'_>,
    selected: &SelectedGames<'_>,
    build: &mut CollectionBuild,
    progress: &Progress,
) -> Result<u64, StoreError> {
    let mut seen = 0;
    pipeline::run(
        &options.workers,
        |push| feed_all(sources, options.blocks, push, progress),
        |(_, chunk): (Arc<str>, Chunk)| {
            let (mut reader, block) = (reader.clone(), chunk.into_block());
            selected.meet_people(&block);
            let mut count = 0;
            let games = block.games().inspect(|_| count += 1);
            let kept: Vec<KeptGame> = games.filter_map(|game| reader.read(&game)).collect();
            (kept, count)
        },
        |(games, count): (Vec<KeptGame>, u64)| {
            seen += count;
            let added = build.add(games);
            progress.update(seen);
            added
        },
    )?;
    Ok(seen)
}
