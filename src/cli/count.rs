//! Counting games on several threads.

use std::mem;

use eco::{
    executor::{Executor, OneThread},
    pipeline::Counters,
};

use super::{
    games::{GameBlock, GamesRun},
    outcome::{Failure, Interruption},
    repeats::Repeats,
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

/// More groups and names are refused: a player is one of each, and takes 260 bytes. Nobody reads so
/// many rows.
const MOST_GROUPS: usize = 10_000_000;

fn refuse_too_many(groups: usize) -> Result<(), Failure> {
    if groups <= MOST_GROUPS {
        return Ok(());
    }
    let hint =
        "choose fewer games, with --player, --rating or --since, or group them by another field";
    Err(Failure(format!("the games have more than {MOST_GROUPS} groups and names; {hint}")))
}

/// Counts the games of all blocks with `count`. Returns the number of games that were read, and
/// their counts. `empty` has no games. With `repeats`, each block has a turn.
pub(super) fn count_games<C: Counts>(
    run: &GamesRun<'_>,
    empty: &C,
    repeats: Option<&Repeats>,
    count: impl Fn(&mut C, GameBlock<'_>) + Sync,
) -> Result<(u64, C), Interruption> {
    let counters = Counters::new(|| empty.empty());
    let (mut games, mut total) = (0, empty.empty());
    run.each_in_turn(
        repeats,
        |block| {
            counters.with(|part| {
                let games = block.block.game_count() as u64;
                count(part, block);
                let is_full = part.group_count() > MAX_GROUPS;
                let full = is_full.then(|| mem::replace(part, empty.empty()));
                (games, full)
            })
        },
        |(count, full): (u64, Option<C>)| {
            games += count;
            run.progress.update(games);
            // The workers are busy.
            full.into_iter().for_each(|part| total.merge(part, &OneThread));
            Ok::<(), Interruption>(refuse_too_many(total.group_count())?)
        },
    )?;
    let parts = counters.into_inner().into_iter();
    parts.for_each(|part| total.merge(part, &run.options.workers));
    Ok((games, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_groups_are_refused_with_the_way_out() {
        assert!(refuse_too_many(MOST_GROUPS).is_ok());
        let Err(Failure(reason)) = refuse_too_many(MOST_GROUPS + 1) else { panic!("not refused") };
        assert!(reason.contains("10000000 groups") && reason.contains("--player"), "{reason}");
    }
}
