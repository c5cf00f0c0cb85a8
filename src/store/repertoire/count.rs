//! Counts what the games of a repertoire played, on several threads, and writes the counts.

use std::cell::OnceCell;

use hashbrown::{HashMap, HashSet};
use rusqlite::Connection;

use super::{
    game_rows::GameNumbers,
    info::RepertoireInfo,
    position_rows::{PositionRows, Positions, RowFinder, RowId},
    row_batch::{Destination, RowBatch},
    row_pages::RowPages,
    rows::{PositionWriter, RowSink},
};
use crate::{
    chess::PositionKey,
    pipeline::{self, Workers},
    repertoire::{CountedVisits, GameLines, HashFilter, PositionCount, SeveralGames},
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

/// What is written, and the rows for it.
struct Writer<'c, S> {
    rows: PositionRows,
    finder: RowFinder<'c>,
    sink: S,
}

/// The games of a repertoire, to be counted.
pub(super) struct Counting<'a> {
    database: &'a Database,
    info: &'a RepertoireInfo,
    workers: &'a Workers,
    /// Read when they are asked for.
    numbers: OnceCell<GameNumbers>,
}

impl<'a> Counting<'a> {
    pub(super) fn new(
        database: &'a Database,
        info: &'a RepertoireInfo,
        workers: &'a Workers,
    ) -> Self {
        Self { database, info, workers, numbers: OnceCell::new() }
    }

    fn numbers(&self) -> Result<&GameNumbers, StoreError> {
        if self.numbers.get().is_none() {
            let _ = self.numbers.set(self.database.game_numbers(self.info)?);
        }
        Ok(self.numbers.get().expect("they were read"))
    }

    fn run<T: Send>(
        &self,
        work: impl Fn(GameLines) -> T + Sync,
        mut sink: impl FnMut(T),
    ) -> Result<(), StoreError> {
        let numbers = self.numbers()?;
        pipeline::run(
            self.workers,
            |push| self.database.feed_lines(self.info, numbers, push),
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
        self.several_games_and(|_, _| ())
    }

    /// The same; `visit` is called with the hash of each position and that of the one before.
    fn several_games_and(
        &self,
        visit: impl Fn(u64, Option<u64>) + Sync,
    ) -> Result<SeveralGames, StoreError> {
        let games = self.database.game_count(self.info)? as usize;
        let several = SeveralGames::with_room(games.saturating_mul(POSITIONS_A_GAME));
        let add = |lines: GameLines| {
            lines.each_hash(|hash, games, before| {
                several.add(hash, games);
                visit(hash, before);
            });
        };
        self.run(add, |()| ())?;
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
        let mut writer = self.statements(positions)?;
        let written = self.write_parts(&mut writer, &kept, touched, memory, progress)?;
        writer.sink.finish(&writer.rows).in_file(&self.database.name)?;
        Ok(written)
    }

    /// Writes counts of visits to a repertoire that had no games. Returns their number.
    pub(super) fn write_visits(
        &self,
        counts: &CountedVisits,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<u64, StoreError> {
        let mut writer = self.statements(Positions::New)?;
        self.write_ranks(&mut writer, counts)?;
        progress(1, 1);
        Ok(counts.len() as u64)
    }

    fn write_ranks<S: RowSink>(
        &self,
        writer: &mut Writer<'_, S>,
        counts: &CountedVisits,
    ) -> Result<(), StoreError> {
        let Writer { rows, sink, .. } = writer;
        let first = rows.reserve(counts.len());
        pipeline::run(
            self.workers,
            |push| {
                let starts = (0..counts.len()).step_by(ROWS_AT_A_TIME);
                starts
                    .into_iter()
                    .try_for_each(|start| push(start..(start + ROWS_AT_A_TIME).min(counts.len())))
            },
            |ranks| S::prepare(self.info.id, RowBatch::of_visits(counts, ranks, first)),
            |batch| sink.write(batch),
        )
    }

    /// The same for a repertoire without rows in a new file, whose rows are written as pages.
    /// Returns also what ends the pages.
    pub(super) fn write_pages(
        &self,
        pages: RowPages,
        visits: Option<&CountedVisits>,
        starts: &HashSet<PositionKey>,
        memory: usize,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(u64, RowPages, PositionRows), StoreError> {
        let mut writer = self.writer(Positions::New, pages)?;
        if let Some(counts) = visits {
            self.write_ranks(&mut writer, counts)?;
            progress(1, 1);
            return Ok((counts.len() as u64, writer.sink, writer.rows));
        }
        let written = self.write_parts(&mut writer, starts, None, memory, progress)?;
        Ok((written, writer.sink, writer.rows))
    }

    fn write_parts(
        &self,
        writer: &mut Writer<'_, impl RowSink>,
        kept: &HashSet<PositionKey>,
        touched: Option<&HashFilter>,
        memory: usize,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<u64, StoreError> {
        // The row of a position may be new. So the moves that lead there are written again, though
        // no added game has played them.
        let before_touched = HashFilter::with_room(0);
        let several = self.several_games_and(|hash, before| {
            if let (Some(touched), Some(before)) = (touched, before)
                && touched.may_contain(hash)
            {
                before_touched.insert(before);
            }
        })?;
        let is_touched = |hash| {
            let is_in = |touched: &HashFilter| touched.may_contain(hash);
            touched.is_none_or(|touched| is_in(touched) || is_in(&before_touched))
        };
        let games = self.database.game_count(self.info)? as usize;
        let parts = games.div_ceil((memory / MEMORY_A_GAME).max(1)).clamp(1, MOST_PARTS);
        let parts = parts.next_power_of_two();
        let mut written = 0;
        for part in 0..parts {
            let counts = self.of(|hash, key| {
                part_of(hash, parts) == part
                    && is_touched(hash)
                    && (several.may_have(hash) || kept.contains(key))
            })?;
            let counts = counts.into_iter();
            let counts = counts.filter(|c| c.tally.games > 1 || kept.contains(&c.key));
            let has_row = |key: &PositionKey| several.may_have(key.hash64()) || kept.contains(key);
            // All rows of one part are known before it is written.
            let is_known = writer.finder.positions == Positions::Known;
            let may_be_elsewhere = |key: &PositionKey| (parts > 1 || is_known) && has_row(key);
            written += self.write_rows(writer, counts.collect(), may_be_elsewhere)?;
            progress(part + 1, parts);
        }
        Ok(written)
    }

    /// Writes the counts of certain positions, which may have rows already.
    pub(super) fn write_of(&self, keys: &HashSet<PositionKey>) -> Result<(), StoreError> {
        let hashes: HashSet<u64> = keys.iter().map(PositionKey::hash64).collect();
        // Moves that lead to them are written again, since their rows may be new.
        let before = HashFilter::with_room(0);
        self.several_games_and(|hash, from| {
            if let Some(from) = from.filter(|_| hashes.contains(&hash)) {
                before.insert(from);
            }
        })?;
        let counts = self.of(|hash, key| keys.contains(key) || before.may_contain(hash))?;
        let mut writer = self.statements(Positions::Known)?;
        let finder = writer.finder;
        let mut kept = Vec::with_capacity(counts.len());
        for count in counts {
            let row = finder.find(&count.key).in_file(&self.database.name)?;
            if row.is_some() || keys.contains(&count.key) {
                kept.push(count);
            }
        }
        self.write_rows(&mut writer, kept, |_| true)?;
        writer.sink.finish(&writer.rows).in_file(&self.database.name)
    }

    fn finder(&self, positions: Positions) -> RowFinder<'a> {
        let connection: &Connection = &self.database.connection;
        RowFinder { connection, repertoire: self.info.id, positions }
    }

    fn writer<S>(&self, positions: Positions, sink: S) -> Result<Writer<'a, S>, StoreError> {
        let finder = self.finder(positions);
        let rows = PositionRows::new(finder.connection).in_file(&self.database.name)?;
        Ok(Writer { rows, finder, sink })
    }

    fn statements(
        &self,
        positions: Positions,
    ) -> Result<Writer<'a, PositionWriter<'a>>, StoreError> {
        let name = &self.database.name;
        let statements = PositionWriter::new(self.finder(positions), name).in_file(name)?;
        self.writer(positions, statements)
    }

    /// Workers find the words of the file, so that the one thread that writes has only to write.
    /// A move may lead to a position of another row than those of `counts`, as far as
    /// `may_be_elsewhere` allows.
    fn write_rows<S: RowSink>(
        &self,
        writer: &mut Writer<'_, S>,
        counts: Vec<PositionCount>,
        may_be_elsewhere: impl Fn(&PositionKey) -> bool + Sync,
    ) -> Result<u64, StoreError> {
        let written = counts.len() as u64;
        let Writer { rows, finder, sink } = writer;
        let ids = rows.assign(&counts, *finder).in_file(&self.database.name)?;
        let rows = &*rows;
        let destination = |key: &PositionKey| match rows.of(key.hash64()) {
            Some(row) => Destination::Row(row),
            None if may_be_elsewhere(key) => Destination::Elsewhere(*key),
            None => Destination::NoRow,
        };
        let mut counts = ids.into_iter().zip(counts);
        pipeline::run(
            self.workers,
            |push| {
                while counts.len() > 0 {
                    push(counts.by_ref().take(ROWS_AT_A_TIME).collect())?;
                }
                Ok(())
            },
            |counts: Vec<(RowId, PositionCount)>| {
                S::prepare(self.info.id, RowBatch::of(counts, destination))
            },
            |batch| sink.write(batch),
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
