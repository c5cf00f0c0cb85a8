//! Counts what the games of a repertoire played, on several threads.

use hashbrown::HashMap;

use super::info::RepertoireInfo;
use crate::{
    chess::PositionKey,
    pipeline::{self, Workers},
    repertoire::{GameLines, PositionCount, SeveralGames},
    store::{database::Database, error::StoreError},
};

/// The positions that a game has, about.
const POSITIONS_A_GAME: usize = 32;

/// The games of a repertoire, to be counted.
pub(super) struct Counting<'a> {
    database: &'a Database,
    info: &'a RepertoireInfo,
    workers: &'a Workers,
}

impl<'a> Counting<'a> {
    pub(super) fn new(
        database: &'a Database,
        info: &'a RepertoireInfo,
        workers: &'a Workers,
    ) -> Self {
        Self { database, info, workers }
    }

    fn run<T: Send>(
        &self,
        work: impl Fn(GameLines) -> T + Sync,
        mut sink: impl FnMut(T),
    ) -> Result<(), StoreError> {
        pipeline::run(
            self.workers,
            |push| self.database.feed_lines(self.info, push),
            work,
            |done| {
                sink(done);
                Ok(())
            },
        )
    }

    /// Calls `sink` with counts of all positions. All those of a position add up.
    pub(super) fn all(&self, mut sink: impl FnMut(&PositionCount)) -> Result<(), StoreError> {
        let counts = |lines: GameLines| lines.counts(|_, _| true);
        self.run(counts, |counts| counts.iter().for_each(&mut sink))
    }

    /// The counts of the positions that are wanted, in an order that their keys alone decide.
    pub(super) fn of(
        &self,
        is_wanted: impl Fn(u64, &PositionKey) -> bool + Sync,
    ) -> Result<Vec<PositionCount>, StoreError> {
        let mut counts: Vec<PositionCount> = Vec::new();
        let mut known: HashMap<PositionKey, usize> = HashMap::new();
        self.run(
            |lines| lines.counts(&is_wanted),
            |found| {
                for count in found {
                    let next = counts.len();
                    match *known.entry(count.key).or_insert(next) {
                        at if at == next => counts.push(count),
                        at => counts[at].merge(&count),
                    }
                }
            },
        )?;
        counts.iter_mut().for_each(PositionCount::sort_moves);
        counts.sort_by_cached_key(|count| rank(&count.key));
        Ok(counts)
    }

    /// Which positions several games may have.
    pub(super) fn several_games(&self) -> Result<SeveralGames, StoreError> {
        let games = self.database.game_count(self.info)? as usize;
        let several = SeveralGames::with_room(games.saturating_mul(POSITIONS_A_GAME));
        let add = |lines: GameLines| lines.each_hash(|hash, games| several.add(hash, games));
        self.run(add, |()| ())?;
        Ok(several)
    }
}

/// The order of positions in a book.
pub(super) fn rank(key: &PositionKey) -> (u64, PositionKey) {
    (key.hash64() >> 56, *key)
}
