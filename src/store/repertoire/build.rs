//! Builds a repertoire from games, or adds games to one.

use std::{collections::HashSet, io::Read, path::Path};

use super::{
    count::{COUNT_MEMORY, folder_of},
    games::{add_game, facts},
    info::{RepertoireInfo, RepertoireSettings},
};
use crate::{
    chess::PositionKey,
    classify::Classifier,
    pgn::{Chunk, Chunks},
    pipeline::{self, Options, Workers},
    repertoire::{Counter, GameBatch, GameReader, KeyFilter, SkippedGames},
    select::{Selection, Selector},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The result of a build.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildReport {
    /// The number of games that were added.
    pub added: u64,
    /// The number of games that the repertoire had already.
    pub known: u64,
    /// The games that were not taken.
    pub skipped: SkippedGames,
    /// The number of positions that were written.
    pub positions: u64,
    /// Whether the count needed a temporary file.
    pub has_spilled: bool,
}

/// Adds games to a repertoire, in one transaction: the file has all of them in the end, or, without
/// [`finish`](Self::finish), none.
///
/// The repertoire itself says which games are its own: those in which one of its players has its
/// side. It also says up to which ply they are counted.
///
/// ```
/// use eco::{chess::Color, pipeline::{Options, Workers}, select::Selection};
/// use eco::store::{Database, RepertoireBuild, RepertoireSettings};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("chess.db");
/// let color = Some(Color::White);
/// let settings = RepertoireSettings { color, ..RepertoireSettings::default() };
/// let games = b"1. e4 c5 1-0\n\n1. d4 d5 *\n";
/// for _ in 0..2 {
///     let mut build = RepertoireBuild::begin(&path, "mine", &settings)?;
///     build.add_pgn(&games[..], &Selection::default(), &Options::default())?;
///     build.finish(&Workers::default(), &mut |_, _| {})?;
/// }
/// // A game is counted once.
/// let database = Database::open(&path)?;
/// let mine = database.repertoire("mine")?;
/// assert_eq!(database.counts(&mine)?.games, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RepertoireBuild {
    database: Database,
    info: RepertoireInfo,
    counter: Counter,
    /// The positions of the added games; `None` if the repertoire has no other games.
    touched: Option<KeyFilter>,
    /// Where the added games begin.
    starts: HashSet<PositionKey>,
    /// The greatest number of a game that the repertoire had before.
    last_known: u32,
    report: BuildReport,
}

impl RepertoireBuild {
    /// The memory for counting, in bytes, unless it is set with
    /// [`begin_with_memory`](Self::begin_with_memory).
    pub const DEFAULT_MEMORY: usize = COUNT_MEMORY;

    /// Begins to add games to the repertoire of this name. The repertoire is created if there is
    /// none, and so is the file, which appears when the build is finished. No other build of the
    /// file can begin until this one is finished or dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, is in use, or is no position database; or if the repertoire
    /// is for the other side or counts to another ply.
    pub fn begin(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
    ) -> Result<Self, StoreError> {
        Self::begin_with_memory(path, name, settings, COUNT_MEMORY)
    }

    /// As [`begin`](Self::begin), with this many bytes of memory for counting.
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
        // No file is created for settings that cannot be used.
        Database::check_settings(path, name, settings)?;
        let database = Database::begin_change(path)?;
        let info = database.set_up(name, settings)?;
        let last_known = database.last_game(&info)?;
        let folder = folder_of(path);
        Ok(Self {
            counter: Counter::new(memory, folder),
            touched: (last_known > 0).then(KeyFilter::default),
            starts: HashSet::new(),
            last_known,
            database,
            info,
            report: BuildReport::default(),
        })
    }

    /// The repertoire, with its settings.
    #[must_use]
    pub fn info(&self) -> &RepertoireInfo {
        &self.info
    }

    /// A reader for those of the selected games that are this repertoire's: the repertoire's
    /// players and colour take the place of the selection's. It reads up to the depth of the
    /// repertoire; a clone serves each thread. Openings are named by `classifier`.
    #[must_use]
    pub fn reader<'c>(&self, selection: &Selection, classifier: Classifier<'c>) -> GameReader<'c> {
        let selector = Selector::new(self.info.own_games(selection), classifier);
        GameReader::new(selector, self.info.max_ply as usize)
    }

    /// Adds the games of a stream of PGN that belong to the repertoire and are selected. Their
    /// openings are named by the built-in catalogue.
    ///
    /// # Errors
    ///
    /// If `pgn` cannot be read; the whole games before the error have then been added. If the file
    /// or the temporary file cannot be written.
    pub fn add_pgn(
        &mut self,
        pgn: impl Read,
        selection: &Selection,
        options: &Options,
    ) -> Result<(), StoreError> {
        let selector = Selector::from(self.info.own_games(selection));
        let reader = GameReader::new(selector, self.info.max_ply as usize);
        pipeline::run(
            &options.workers,
            |push| {
                for chunk in Chunks::new(pgn, options.blocks) {
                    push(chunk.map_err(|error| StoreError::Input { source: error.into() })?)?;
                }
                Ok(())
            },
            |chunk: Chunk| {
                let mut reader = reader.clone();
                chunk.into_block().games().for_each(|game| reader.read(&game));
                reader.into_batch()
            },
            |batch| self.add(batch),
        )
    }

    /// Adds games, except those that the repertoire has already.
    ///
    /// # Errors
    ///
    /// If the games were read for another side, for other players or up to another ply than those
    /// of the repertoire: nothing of the batch is then added. If the file or the temporary file
    /// cannot be written.
    pub fn add(&mut self, batch: GameBatch) -> Result<(), StoreError> {
        self.check_origin(&batch)?;
        let GameBatch { games, visits, skipped, .. } = batch;
        self.report.skipped.merge(skipped);
        let mut taken = Vec::with_capacity(games.len());
        for game in &games {
            let number = add_game(&self.database.connection, self.info.id, game);
            let number = number.in_file(&self.database.name)?;
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
        self.counter.add(visits, taken).map_err(|error| self.database.temporary_file_error(error))
    }

    /// Refuses games that were read as those of another repertoire.
    fn check_origin(&self, batch: &GameBatch) -> Result<(), StoreError> {
        let (own, read) = (self.info.own_games(&Selection::default()), &batch.selection);
        let refuse = |what: String| Err(self.database.refuse(&self.info.name, what));
        if read.color != own.color {
            let color = read.color.map_or("both sides".to_owned(), |color| color.to_string());
            let own = self.info.color;
            return refuse(format!("is for {own}, and the games were read for {color}"));
        }
        if read.players != own.players {
            return refuse("has other players than the games were read for".to_owned());
        }
        if batch.max_ply != self.info.max_ply as usize {
            let (own, read) = (self.info.max_ply, batch.max_ply);
            return refuse(format!(
                "counts games up to ply {own}, and they were read up to {read}"
            ));
        }
        Ok(())
    }

    /// The report on what was added so far.
    #[must_use]
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Counts the positions of the added games and writes everything. `progress` is called with the
    /// number of parts that are done and of all parts.
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
                    |key| touched.may_contain(key),
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
