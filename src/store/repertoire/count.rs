//! Counts what the games of a repertoire played, on several threads, and writes the counts.

use hashbrown::{HashMap, HashSet};

use super::{
    game_rows::GameNumbers,
    info::RepertoireInfo,
    rows::{PositionRow, PositionWriter, Positions},
};
use crate::{
    chess::PositionKey,
    pipeline::{self, Workers},
    repertoire::{GameLines, HashFilter, PositionCount, SeveralGames},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The memory for counting, in bytes, unless another one is given.
pub(super) const COUNT_MEMORY: usize = 96 << 20;

/// The memory that a game takes while positions of several games are counted, in bytes: two
/// positions with their moves.
const MEMORY_A_GAME: usize = 640;

/// The most parts in which positions are counted, each with a walk through all games.
const MOST_PARTS: usize = 64;

/// The positions that a game has, about.
const POSITIONS_A_GAME: usize = 32;

/// The number of positions whose rows a worker makes at a time.
const ROWS_AT_A_TIME: usize = 1024;

/// The games of a repertoire, to be counted.
pub(super) struct Counting<'a> {
    database: &'a Database,
    info: &'a RepertoireInfo,
    workers: &'a Workers,
    numbers: GameNumbers,
}

impl<'a> Counting<'a> {
    pub(super) fn new(
        database: &'a Database,
        info: &'a RepertoireInfo,
        workers: &'a Workers,
    ) -> Result<Self, StoreError> {
        let numbers = database.game_numbers(info)?;
        Ok(Self { database, info, workers, numbers })
    }

    fn run<T: Send>(
        &self,
        work: impl Fn(GameLines) -> T + Sync,
        mut sink: impl FnMut(T),
    ) -> Result<(), StoreError> {
        pipeline::run(
            self.workers,
            |push| self.database.feed_lines(self.info, &self.numbers, push),
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
        counts.sort_by_cached_key(|count| row_rank(&count.key));
        Ok(counts)
    }

    /// Which positions several games may have.
    pub(super) fn several_games(&self) -> Result<SeveralGames, StoreError> {
        let games = self.database.game_count(self.info)? as usize;
        let several = SeveralGames::with_room(games.saturating_mul(POSITIONS_A_GAME));
        self.run(|lines| lines.each_hash(|hash, games| several.add(hash, games)), |()| ())?;
        Ok(several)
    }

    /// Writes the counts of the positions that several games have and of those that are kept, or of
    /// those of them that are touched. Returns their number.
    pub(super) fn write(
        &self,
        starts: &HashSet<PositionKey>,
        touched: Option<&HashFilter>,
        memory: usize,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<u64, StoreError> {
        let mut kept = self.database.kept_keys(self.info)?;
        // Lines begin somewhere: where no position is a start, there is none.
        let positions = if kept.is_empty() { Positions::New } else { Positions::Known };
        kept.extend(starts);
        let mut writer = self.writer(positions)?;
        let several = self.several_games()?;
        let games = self.database.game_count(self.info)? as usize;
        let parts = games.div_ceil((memory / MEMORY_A_GAME).max(1)).clamp(1, MOST_PARTS);
        let parts = parts.next_power_of_two();
        let mut written = 0;
        for part in 0..parts {
            let counts = self.of(|hash, key| {
                part_of(hash, parts) == part
                    && touched.is_none_or(|touched| touched.may_contain(hash))
                    && (several.may_have(hash) || kept.contains(key))
            })?;
            let counts = counts.into_iter();
            let counts = counts.filter(|c| c.tally.games > 1 || kept.contains(&c.key));
            written += self.write_rows(&mut writer, counts.collect())?;
            progress(part + 1, parts);
        }
        Ok(written)
    }

    /// Writes the counts of certain positions, which may have rows already.
    pub(super) fn write_of(&self, keys: &HashSet<PositionKey>) -> Result<(), StoreError> {
        let counts = self.of(|_, key| keys.contains(key))?;
        self.write_rows(&mut self.writer(Positions::Known)?, counts).map(drop)
    }

    fn writer(&self, positions: Positions) -> Result<PositionWriter<'a>, StoreError> {
        let writer = PositionWriter::new(&self.database.connection, self.info.id, positions);
        writer.in_file(&self.database.name)
    }

    /// Workers find the words of the file, so that the one thread that writes has only to write.
    fn write_rows(
        &self,
        writer: &mut PositionWriter<'_>,
        counts: Vec<PositionCount>,
    ) -> Result<u64, StoreError> {
        let written = counts.len() as u64;
        let mut counts = counts.into_iter();
        pipeline::run(
            self.workers,
            |push| {
                while counts.len() > 0 {
                    push(counts.by_ref().take(ROWS_AT_A_TIME).collect())?;
                }
                Ok(())
            },
            |counts: Vec<PositionCount>| counts.into_iter().map(PositionRow::of).collect(),
            |rows: Vec<PositionRow>| {
                let all = rows.iter().try_for_each(|row| writer.write(row));
                all.in_file(&self.database.name)
            },
        )?;
        Ok(written)
    }
}

/// The order of rows.
pub(super) fn row_rank(key: &PositionKey) -> (u64, PositionKey) {
    (key.hash64() >> 56, *key)
}

/// The part that a hash belongs to; the number of parts is a power of two. Parts follow each other
/// as the hashes do.
fn part_of(hash: u64, parts: usize) -> usize {
    ((u128::from(hash) * parts as u128) >> 64) as usize
}
