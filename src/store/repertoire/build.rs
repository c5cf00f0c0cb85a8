//! A repertoire is built from games, or games are added to one.

use std::{
    collections::HashSet,
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{
    RepertoireInfo, RepertoireSettings,
    rows::{GAME_COLUMNS, PositionRow, PositionWriter, Positions, add_game, facts, read_game},
};
use crate::{
    chess::PositionKey,
    pipeline::{self, Workers},
    repertoire::{Counter, GameBatch, PlayedGame, SkippedGames, Visits},
    store::{Database, StoreError},
};

/// What the visits of games may take in memory; what is more goes to a file beside the database.
pub(super) const COUNT_MEMORY: usize = 96 << 20;

/// So many stored games are counted at a time by a worker.
const GAMES_AT_A_TIME: usize = 2048;

/// What a build has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// Games that were added.
    pub added: u64,
    /// Games that the repertoire has already.
    pub known: u64,
    /// Games that were not taken.
    pub skipped: SkippedGames,
    /// Positions that were written.
    pub positions: u64,
    /// Whether the count needed a temporary file.
    pub has_spilled: bool,
}

/// A repertoire that games are added to, in one transaction: the file has all of them in the end, or,
/// without [`finish`](Self::finish), none.
///
/// ```
/// use eco::{chess::Color, pgn::Game, pipeline::Workers};
/// use eco::repertoire::{GameReader, Selection};
/// use eco::store::{Database, RepertoireBuild, RepertoireSettings};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("chess.db");
/// let settings = RepertoireSettings { color: Some(Color::White), ..RepertoireSettings::default() };
/// for _ in 0..2 {
///     let mut build = RepertoireBuild::begin(&path, "mine", &settings)?;
///     let mut reader = GameReader::new(Selection::all(Color::White), 40);
///     reader.read(&Game::from_bytes(b"1. e4 c5 1-0"));
///     build.add(reader.into_batch())?;
///     build.finish(&Workers::default(), &mut |_, _| {})?;
/// }
/// // The same game is counted once.
/// let database = Database::open(&path)?;
/// let mine = database.repertoire("mine")?;
/// assert_eq!(database.counts(&mine)?.games, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RepertoireBuild {
    database: Database,
    info: RepertoireInfo,
    counter: Counter,
    /// The positions of the games that are added; not needed if there are no others.
    touched: Option<KeyFilter>,
    /// Where the games begin that are added.
    starts: HashSet<PositionKey>,
    /// The greatest number of a game that is not added now.
    last_known: u32,
    report: BuildReport,
}

impl RepertoireBuild {
    /// So many bytes of memory are taken for counting unless told otherwise.
    pub const DEFAULT_MEMORY: usize = COUNT_MEMORY;

    /// Begins to add games to the repertoire of this name, which is made if it is not there, and so is the
    /// file. Nobody else can write to the file until the build has finished or is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is in use, or is no position database; or if the repertoire is for
    /// the other side or counts to another ply.
    pub fn begin(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
    ) -> Result<Self, StoreError> {
        Self::begin_with_memory(path, name, settings, COUNT_MEMORY)
    }

    /// As [`begin`](Self::begin), with so many bytes of memory for counting.
    ///
    /// # Errors
    ///
    /// As for [`begin`](Self::begin).
    pub fn begin_with_memory(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
        memory: usize,
    ) -> Result<Self, StoreError> {
        // A file is not made for what cannot be.
        Database::check_settings(path, name, settings)?;
        let database = Database::begin_change(path)?;
        let info = database.set_up(name, settings)?;
        let last_known = database.last_game(&info)?;
        let folder = folder_of(path);
        Ok(Self {
            counter: Counter::new(memory, folder),
            touched: (last_known > 0).then(KeyFilter::new),
            starts: HashSet::new(),
            last_known,
            database,
            info,
            report: BuildReport::default(),
        })
    }

    /// The repertoire, as it was before the games are added.
    #[must_use]
    pub fn info(&self) -> &RepertoireInfo {
        &self.info
    }

    /// Adds games; those that the repertoire has already are passed over.
    ///
    /// # Errors
    ///
    /// If the file or the temporary file cannot be written.
    pub fn add(&mut self, batch: GameBatch) -> Result<(), StoreError> {
        let GameBatch { games, visits, skipped } = batch;
        self.report.skipped.merge(skipped);
        let mut taken = Vec::with_capacity(games.len());
        for game in &games {
            let number = add_game(&self.database.connection, self.info.id, game);
            let number = number.map_err(|error| self.fail(error))?;
            self.report.added += u64::from(number.is_some());
            self.report.known += u64::from(number.is_none());
            if number.is_some() {
                self.starts.insert(game.start_key());
            }
            taken.push(number.and_then(|number| facts(number, game, self.info.color)));
        }
        if let Some(touched) = &mut self.touched {
            visits.keys().for_each(|key| touched.insert(&key));
        }
        self.counter.add(visits, taken).map_err(|error| self.database.no_room(error))
    }

    fn fail(&self, error: rusqlite::Error) -> StoreError {
        StoreError::new(&self.database.name, error)
    }

    /// What was added so far.
    #[must_use]
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Counts the positions of the games that were added, on so many workers, and writes everything.
    /// `progress` is told how many parts of how many are done.
    ///
    /// # Errors
    ///
    /// If the file or the temporary file cannot be written. The file is then what it was.
    pub fn finish(
        mut self,
        workers: &Workers,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<BuildReport, StoreError> {
        if self.report.added > 0 {
            if let Some(touched) = &self.touched {
                // Positions of the new games are counted anew, from all games.
                self.database.count_stored(
                    &self.info,
                    workers,
                    &mut self.counter,
                    self.last_known,
                    |key| touched.contains(key),
                )?;
            }
            self.report.has_spilled = self.counter.has_spilled();
            self.report.positions = self.database.write_counts(
                &self.info,
                workers,
                self.counter,
                &self.starts,
                progress,
            )?;
            self.database.mark_starts(&self.info, &self.starts)?;
        }
        self.database.commit()?;
        Ok(self.report)
    }
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// A set of keys that may seem to have more than it has, and is small for that. A position that is counted
/// without need has the right counts all the same.
struct KeyFilter(Vec<u64>);

const FILTER_BITS: u32 = 26;

impl KeyFilter {
    fn new() -> Self {
        Self(vec![0; 1 << (FILTER_BITS - 6)])
    }

    fn place(key: &PositionKey) -> (usize, u64) {
        let bit = key.hash64() & ((1 << FILTER_BITS) - 1);
        ((bit >> 6) as usize, 1 << (bit & 63))
    }

    fn insert(&mut self, key: &PositionKey) {
        let (word, bit) = Self::place(key);
        self.0[word] |= bit;
    }

    fn contains(&self, key: &PositionKey) -> bool {
        let (word, bit) = Self::place(key);
        self.0[word] & bit != 0
    }
}

impl Database {
    /// The greatest number of its games; 0 if it has none.
    pub(super) fn last_game(&self, info: &RepertoireInfo) -> Result<u32, StoreError> {
        self.connection
            .query_row(
                "SELECT coalesce(max(id), 0) FROM game WHERE repertoire_id = ?1",
                [info.id],
                |row| row.get(0),
            )
            .map_err(|error| StoreError::new(&self.name, error))
    }

    pub(super) fn no_room(&self, error: io::Error) -> StoreError {
        StoreError::CannotWrite { name: format!("temporary file beside {}", self.name), error }
    }

    /// The games of a repertoire, by their numbers, up to one of them.
    pub(super) fn each_game(
        &self,
        info: &RepertoireInfo,
        last: u32,
        mut visit: impl FnMut(u32, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let sql = format!(
                "SELECT {GAME_COLUMNS} FROM game WHERE repertoire_id = ?1 AND id <= ?2 ORDER BY id"
            );
            let mut games = self.connection.prepare(&sql)?;
            let mut rows = games.query(rusqlite::params![info.id, last])?;
            while let Some(row) = rows.next()? {
                let (number, game) = read_game(row)?;
                if visit(number, game).is_break() {
                    break;
                }
            }
            Ok(())
        };
        read().map_err(|error| StoreError::new(&self.name, error))
    }

    /// Adds the visits of stored games, up to one of them, to certain positions.
    pub(super) fn count_stored(
        &self,
        info: &RepertoireInfo,
        workers: &Workers,
        counter: &mut Counter,
        last: u32,
        is_wanted: impl Fn(&PositionKey) -> bool + Sync,
    ) -> Result<(), StoreError> {
        let (max_ply, side) = (info.max_ply as usize, info.color);
        pipeline::run(
            workers,
            |push| {
                let mut games = Vec::new();
                let mut fed = Ok(());
                self.each_game(info, last, |number, game| {
                    games.push((number, game));
                    if games.len() >= GAMES_AT_A_TIME {
                        fed = push(std::mem::take(&mut games));
                    }
                    if fed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })?;
                fed?;
                push(games)
            },
            |games: Vec<(u32, PlayedGame)>| {
                let known = games.iter().map(|(number, game)| facts(*number, game, side));
                let walked = games.iter().map(|(_, game)| game);
                (Visits::of(walked, max_ply, &is_wanted), known.collect())
            },
            |(visits, known)| counter.add(visits, known).map_err(|error| self.no_room(error)),
        )
    }

    /// Writes the counts of the positions that were visited, as far as they are stored.
    pub(super) fn write_counts(
        &self,
        info: &RepertoireInfo,
        workers: &Workers,
        counter: Counter,
        starts: &HashSet<PositionKey>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<u64, StoreError> {
        let mut kept = self.kept_keys(info)?;
        // Lines begin somewhere: where no position is a start, there is none.
        let positions = if kept.is_empty() { Positions::New } else { Positions::Known };
        kept.extend(starts);
        let mut writer = PositionWriter::new(&self.connection, info.id, positions)
            .map_err(|error| StoreError::new(&self.name, error))?;
        let (games, mut buckets) = counter.finish().map_err(|error| self.no_room(error))?;
        let (count, mut done, mut written) = (buckets.count(), 0, 0);
        pipeline::run(
            workers,
            |push| {
                while let Some(bucket) = buckets.next_bucket().map_err(|e| self.no_room(e))? {
                    push(bucket)?;
                }
                Ok(())
            },
            |bucket: crate::repertoire::Bucket| -> Vec<PositionRow> {
                let counts = bucket.count(&games, |key, games| games > 1 || kept.contains(key));
                counts.into_iter().map(PositionRow::of).collect()
            },
            |rows| {
                let all = rows.iter().try_for_each(|row| writer.write(row));
                written += rows.len() as u64;
                done += 1;
                progress(done, count);
                all.map_err(|error| StoreError::new(&self.name, error))
            },
        )?;
        Ok(written)
    }

    /// The positions of a repertoire that are stored whatever the number of their games.
    fn kept_keys(&self, info: &RepertoireInfo) -> Result<HashSet<PositionKey>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut keys = self.connection.prepare(
                "SELECT key FROM repertoire_position WHERE repertoire_id = ?1
                     AND (is_prepared OR is_start)",
            )?;
            keys.query_map([info.id], |row| row.get(0))?.collect()
        };
        let keys = read().map_err(|error| StoreError::new(&self.name, error))?;
        keys.iter().map(|key| self.stored_key(key)).collect()
    }

    pub(super) fn stored_key(&self, text: &str) -> Result<PositionKey, StoreError> {
        let damaged = |what| StoreError::Damaged { name: self.name.clone(), what };
        text.parse().map_err(|error: crate::chess::ParseKeyError| damaged(error.to_string()))
    }

    /// Marks positions that games begin with.
    pub(super) fn mark_starts(
        &self,
        info: &RepertoireInfo,
        starts: &HashSet<PositionKey>,
    ) -> Result<(), StoreError> {
        let mark = || -> rusqlite::Result<()> {
            let mut mark = self.connection.prepare(
                "UPDATE repertoire_position SET is_start = 1
                 WHERE repertoire_id = ?1 AND key = ?2",
            )?;
            starts.iter().try_for_each(|key| mark.execute((info.id, key.to_string())).map(drop))
        };
        mark().map_err(|error| StoreError::new(&self.name, error))
    }
}
