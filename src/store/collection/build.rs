//! Makes a collection of games, adds games to one, or removes some.

use std::{io::Read, path::Path};

use hashbrown::HashSet;

use super::{CollectionInfo, CollectionSettings};
use crate::collection::segment::{MOST_GAMES, SegmentBuilder};
use crate::collection::{GameId, GameStart, KeptGame, KeptGameReader};
use crate::pgn::Block;
use crate::pipeline::{Options, Workers, run_blocks};
use crate::select::{GameResult, SameGame, Selection};
use crate::store::{Database, StoreError};

/// What a run has added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectionReport {
    /// The number of games that were added.
    pub added: u64,
    /// The number of games that the collection had already.
    pub known: u64,
    /// Of those added, the games without a result, which are not counted in positions.
    pub without_result: u64,
    /// Of those added, the games of other variants or with an invalid start position, which are not
    /// counted either.
    pub other_variants: u64,
    /// Of those added, the other games that begin in another position. They are counted only where
    /// they are asked for.
    pub from_position: u64,
    /// Of those added, the games with a move that cannot be played. They are counted up to there.
    pub cut_short: u64,
}

impl CollectionReport {
    fn count(&mut self, game: &KeptGame) {
        self.added += 1;
        match (game.start(), game.result()) {
            (GameStart::Unknown, _) => self.other_variants += 1,
            (_, GameResult::Unknown) => self.without_result += 1,
            (GameStart::SetUp, _) => self.from_position += 1,
            (GameStart::Initial, _) => {}
        }
        let is_cut = game.start() != GameStart::Unknown && !game.rest().is_empty();
        self.cut_short += u64::from(is_cut);
    }
}

/// Adds games to a collection, in one transaction: the file has all of them in the end, or, without
/// [`finish`](Self::finish), none.
///
/// ```
/// use eco::{pipeline::Options, select::Selection};
/// use eco::store::{CollectionBuild, CollectionSettings, Database};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("chess.db");
/// let games = b"1. e4 c5 1-0\n\n1. d4 d5 *\n";
/// for _ in 0..2 {
///     let options = Options::default();
///     let settings = CollectionSettings::default();
///     let mut build = CollectionBuild::begin(&path, "mine", &settings, &options.workers)?;
///     build.add_pgn(&games[..], &Selection::default(), &options)?;
///     build.finish()?;
/// }
/// // A game is kept once.
/// let mine = Database::open(&path)?.collection("mine")?;
/// assert_eq!((mine.games, mine.counted_games), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CollectionBuild {
    database: Database,
    info: CollectionInfo,
    workers: Workers,
    known: HashSet<GameId>,
    /// The number of arrival of the next game.
    next_arrival: u32,
    collected: SegmentBuilder,
    report: CollectionReport,
}

/// The identities of the games of a collection, by its rule, and the number of arrival of the next.
fn known_games(
    database: &Database,
    info: &CollectionInfo,
) -> Result<(HashSet<GameId>, u32), StoreError> {
    let (mut known, mut next) = (HashSet::new(), 0);
    for segment in database.segments(info)? {
        known.reserve(segment.games as usize);
        let mut add = |id, arrival: u32| {
            known.insert(id);
            next = next.max(arrival.saturating_add(1));
        };
        match info.same_game {
            SameGame::Strict => database.each_game_id(segment, add)?,
            rule => {
                database.each_kept_game(segment, |game, n| add(game.identity(rule), n))?;
            }
        }
    }
    Ok((known, next))
}

impl CollectionBuild {
    /// Begins to add games to the collection of this name. The collection is created if there is
    /// none, and so is the file, which appears when the build is finished. No other build of the
    /// file can begin until this one is finished or dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is in use, or is no position database; or if the collection
    /// has other settings.
    pub fn begin(
        path: &Path,
        name: &str,
        settings: &CollectionSettings,
        workers: &Workers,
    ) -> Result<Self, StoreError> {
        let database = Database::begin_change(path)?;
        let info = database.set_up_collection(name, settings)?;
        Self::of(database, info, workers)
    }

    /// As [`begin`](Self::begin), for a collection of a file that is being changed.
    pub(in crate::store) fn of(
        database: Database,
        info: CollectionInfo,
        workers: &Workers,
    ) -> Result<Self, StoreError> {
        let (known, next_arrival) = known_games(&database, &info)?;
        let collected = SegmentBuilder::new(info.max_ply as usize);
        let (workers, report) = (workers.clone(), CollectionReport::default());
        Ok(Self { database, info, workers, known, next_arrival, collected, report })
    }

    /// The collection, as it was before.
    #[must_use]
    pub fn info(&self) -> &CollectionInfo {
        &self.info
    }

    /// What was added so far.
    #[must_use]
    pub fn report(&self) -> &CollectionReport {
        &self.report
    }

    /// Adds the selected games of a stream of PGN. Their openings are named by the built-in
    /// catalogue.
    ///
    /// # Errors
    ///
    /// If `pgn` cannot be read; the whole games before the error have then been added. If the file
    /// cannot be written.
    pub fn add_pgn(
        &mut self,
        pgn: impl Read,
        selection: &Selection,
        options: &Options,
    ) -> Result<(), StoreError> {
        let reader = KeptGameReader::new(selection.clone()).with_positions(self.info.max_ply);
        read_pgn(pgn, options, &reader, |games| self.add(games.into_iter().flatten()))
    }

    /// Adds games, except those that the collection has already.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, games: impl IntoIterator<Item = KeptGame>) -> Result<(), StoreError> {
        games.into_iter().try_for_each(|game| self.add_game(&game).map(drop))
    }

    /// Adds a game, unless the collection has it already. Returns whether it was added.
    pub(in crate::store) fn add_game(&mut self, game: &KeptGame) -> Result<bool, StoreError> {
        if !self.known.insert(game.identity(self.info.same_game)) {
            self.report.known += 1;
            return Ok(false);
        }
        self.report.count(game);
        self.collected.add(game, self.next_arrival);
        self.next_arrival = self.next_arrival.saturating_add(1);
        if self.collected.is_full() {
            self.write_segment()?;
        }
        Ok(true)
    }

    fn write_segment(&mut self) -> Result<(), StoreError> {
        let next = SegmentBuilder::new(self.info.max_ply as usize);
        let games = std::mem::replace(&mut self.collected, next);
        self.database.write_segment(&self.info, games, &self.workers)
    }

    /// Writes everything.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. It is then what it was.
    pub fn finish(self) -> Result<CollectionReport, StoreError> {
        let report = self.report;
        self.write()?.commit()?;
        Ok(report)
    }

    /// Writes all games. The transaction goes on.
    pub(in crate::store) fn write(mut self) -> Result<Database, StoreError> {
        if self.collected.len() > 0 {
            self.take_in_small_segments()?;
            self.write_segment()?;
        }
        Ok(self.database)
    }

    /// The number of arrival of the next game.
    pub(in crate::store) fn next_arrival(&self) -> u32 {
        self.next_arrival
    }

    /// The file.
    pub(in crate::store) fn database(&self) -> &Database {
        &self.database
    }

    /// Takes in the games of segments that have no more games than are collected. So each game is
    /// written again only when its segment at least doubles, and there are few segments that are
    /// not full.
    fn take_in_small_segments(&mut self) -> Result<(), StoreError> {
        let mut segments = self.database.segments(&self.info)?;
        segments.sort_by_key(|segment| segment.games);
        for segment in segments {
            let (games, collected) = (segment.games as usize, self.collected.len());
            if games > collected || games + collected > MOST_GAMES || self.collected.is_full() {
                break;
            }
            let add = |game: KeptGame, arrival| self.collected.add(&game, arrival);
            self.database.each_kept_game(segment, add)?;
            // Its space in the file is used again.
            self.database.delete_segment(&self.info, segment)?;
        }
        Ok(())
    }
}

/// Reads games on several threads and adds them in their order; `None` is a game that was not
/// selected.
pub(in crate::store) fn read_pgn(
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

impl Database {
    /// Removes the selected games from a collection, and returns their number. Openings are those
    /// that the games had when they were added.
    ///
    /// # Errors
    ///
    /// If there is no collection of this name, or the file cannot be written. It is then what it
    /// was.
    pub fn remove_games(
        path: &Path,
        name: &str,
        selection: &Selection,
        workers: &Workers,
    ) -> Result<u64, StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let info = database.collection(name)?;
        let removed =
            database.remove_where(&info, workers, |game, _| game.is_selected(selection))?;
        database.commit()?;
        Ok(removed)
    }

    /// Removes the games that arrived with this number or a greater one.
    pub(in crate::store) fn remove_arrivals(
        &self,
        info: &CollectionInfo,
        first: u32,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        self.remove_where(info, workers, |_, arrival| arrival >= first).map(drop)
    }

    /// Removes games by what they are and by their numbers of arrival; returns how many.
    fn remove_where(
        &self,
        info: &CollectionInfo,
        workers: &Workers,
        is_removed: impl Fn(&KeptGame, u32) -> bool,
    ) -> Result<u64, StoreError> {
        let mut removed = 0;
        for segment in self.segments(info)? {
            let mut left = SegmentBuilder::new(info.max_ply as usize);
            self.each_kept_game(segment, |game, arrival| {
                if !is_removed(&game, arrival) {
                    left.add(&game, arrival);
                }
            })?;
            let gone = segment.games as usize - left.len();
            if gone == 0 {
                continue;
            }
            self.delete_segment(info, segment)?;
            if left.len() > 0 {
                self.write_segment(info, left, workers)?;
            }
            removed += gone as u64;
        }
        Ok(removed)
    }
}
