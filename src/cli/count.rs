//! Counting the games of all sources, on several threads.

use std::{mem, sync::Arc};

use eco::{
    executor::{Executor, OneThread},
    pgn::{Block, Chunk, source::Source},
    pipeline::{self, Counters, Options},
};

use super::{
    games::feed_all,
    outcome::Interruption,
    progress::Progress,
    repeats::{Repeats, Turn},
};

/// Counts of some games.
pub(super) trait Counts: Send + Sync {
    /// The same without games.
    fn empty(&self) -> Self;

    /// The number of groups, which decides how much memory the counts take.
    fn group_count(&self) -> usize;

    /// Adds counts of other games, on these threads.
    fn merge(&mut self, other: Self, executor: &impl Executor);
}

/// A worker whose counts have more groups adds them to the total and begins again. This bounds the
/// memory of many workers.
const MAX_GROUPS: usize = 1 << 16;

/// Counts the games of all blocks with `count`. Returns the number of games that were read, and
/// their counts. `empty` has no games. With `repeats`, each block has a turn.
pub(super) fn count_games<C: Counts>(
    sources: &[Source],
    options: &Options,
    progress: &Progress,
    empty: &C,
    repeats: Option<&Repeats>,
    count: impl Fn(&mut C, &str, &Block, Option<Turn<'_>>) + Sync,
) -> Result<(u64, C), Interruption> {
    let counters = Counters::new(|| empty.empty());
    let (mut games, mut total) = (0, empty.empty());
    pipeline::run(
        &options.workers,
        |push| {
            let push = &mut |(source, chunk)| push((source, chunk, repeats.map(Repeats::turn)));
            feed_all(sources, options.blocks, push, progress)
        },
        |(source, chunk, turn): (Arc<str>, Chunk, Option<Turn<'_>>)| {
            let block = chunk.into_block();
            counters.with(|part| {
                count(part, &source, &block, turn);
                let is_full = part.group_count() > MAX_GROUPS;
                let full = is_full.then(|| mem::replace(part, empty.empty()));
                (block.game_count() as u64, full)
            })
        },
        |(count, full): (u64, Option<C>)| {
            games += count;
            progress.update(games);
            // The workers are busy.
            full.into_iter().for_each(|part| total.merge(part, &OneThread));
            Ok::<(), Interruption>(())
        },
    )?;
    let parts = counters.into_inner().into_iter();
    parts.for_each(|part| total.merge(part, &options.workers));
    Ok((games, total))
}
