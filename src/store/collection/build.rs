//! Makes a collection of games, adds games to one, or removes some.

use std::{io::Read, path::Path};

use hashbrown::HashSet;

use super::writing::{Index, Source};
use super::{CollectionInfo, CollectionSettings, list::SegmentRow, segments::CACHE_BYTES};
use crate::collection::segment::{
    Cache, KnownGame, MOST_ARRIVALS, MOST_GAMES, SegmentBuilder, TOO_MANY_ARRIVALS,
};
use crate::collection::{GameId, GameStart, KeptGame, KeptGameReader};
use crate::pgn::Block;
use crate::pipeline::{Options, Workers, run_blocks};
use crate::select::{GameResult, SameGame, Selection};
use crate::store::{Database, Kind, StoreError};

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
    fn count(&mut self, start: GameStart, result: GameResult, has_rest: bool) {
        self.added += 1;
        match (start, result) {
            (GameStart::Unknown, _) => self.other_variants += 1,
            (_, GameResult::Unknown) => self.without_result += 1,
            (GameStart::SetUp, _) => self.from_position += 1,
            (GameStart::Initial, _) => {}
        }
        self.cut_short += u64::from(start != GameStart::Unknown && has_rest);
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
    pub(in crate::store) database: Database,
    info: CollectionInfo,
    workers: Workers,
    known: HashSet<GameId>,
    /// The number of arrival of the next game.
    pub(in crate::store) next_arrival: u32,
    collected: SegmentBuilder,
    parts: Parts<'static>,
    report: CollectionReport,
    /// Whether an error has left something undone, so that nothing may be kept.
    has_failed: bool,
}

/// Segments that will be one.
#[derive(Default)]
struct Parts<'d> {
    sources: Vec<Source<'d>>,
    /// The number of games that are not left out.
    games: usize,
    /// The memory that the largest dictionary of each takes, in bytes.
    texts: usize,
}

impl<'d> Parts<'d> {
    /// Adds a segment. If it has no room with those before, these are returned.
    fn add(&mut self, source: Source<'d>, games: usize, texts: usize) -> Vec<Source<'d>> {
        let is_full = self.games + games > MOST_GAMES || self.texts + texts > MOST_TEXTS;
        let full = if is_full { std::mem::take(self).sources } else { Vec::new() };
        (self.games, self.texts) = (self.games + games, self.texts + texts);
        self.sources.push(source);
        full
    }

    fn has(&self, segment: &SegmentRow) -> bool {
        self.sources.iter().any(|part| part.database.is_none() && part.segment.id == segment.id)
    }
}

/// The memory that the dictionaries of segments may take together that are merged, in bytes: what
/// is unpacked or stored at once has a limit.
const MOST_TEXTS: usize = 24 << 20;

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
            next = next.max(arrival + 1);
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
        Ok(Self {
            database,
            info,
            workers: workers.clone(),
            known,
            next_arrival,
            collected,
            parts: Parts::default(),
            report: CollectionReport::default(),
            has_failed: false,
        })
    }

    /// The collection, as it was before.
    pub fn info(&self) -> &CollectionInfo {
        &self.info
    }

    /// What was added so far.
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
        let reader = KeptGameReader::new(selection.clone());
        read_pgn(pgn, options, &reader, |games| self.add(games.into_iter().flatten()))
    }

    /// Adds the games of collections of other files, except those that the collection has already,
    /// without reading them again: their openings stay as they are named. Positions must be found
    /// up to the same ply.
    ///
    /// # Errors
    ///
    /// If games cannot be read or are damaged, or the file cannot be written. Nothing can be kept
    /// then: [`finish`](Self::finish) is an error.
    pub fn join(&mut self, others: &[(&Database, &CollectionInfo)]) -> Result<(), StoreError> {
        let joined = self.join_all(others);
        self.note(joined)
    }

    /// Notes an error, after which nothing may be kept.
    fn note<T>(&mut self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        self.has_failed |= done.is_err();
        done
    }

    fn join_all(&mut self, others: &[(&Database, &CollectionInfo)]) -> Result<(), StoreError> {
        // Another program may be adding to one of them.
        let snapshots = others.iter().map(|(other, _)| other.snapshot());
        let _snapshots = snapshots.collect::<Result<Vec<_>, _>>()?;
        let mut parts = Parts::default();
        for (other, info) in others {
            let arrivals = self.next_arrival;
            for segment in other.segments(info)? {
                let mut source =
                    Source { database: Some(*other), arrivals, ..Source::all_of(segment) };
                self.meet_games(other, &mut source)?;
                self.add_part(&mut parts, source)?;
            }
        }
        let small = self.small_segments(&parts, parts.games)?;
        self.merge_with(parts, small)
    }

    /// Leaves out the games of a segment that are known, and knows the others from now on.
    fn meet_games(&mut self, other: &Database, source: &mut Source<'_>) -> Result<(), StoreError> {
        let (cache, rule) = (Cache::new(CACHE_BYTES), self.info.same_game);
        let reader = other.segment_reader(source.segment, &cache)?;
        for number in 0..source.segment.games {
            let KnownGame { facts, labels, at } = reader.known(number)?;
            let is_read = rule != SameGame::Strict || number >= reader.header().initial;
            let game = is_read.then(|| reader.game(number)).transpose()?;
            let id = game.as_ref().map(|game| game.identity(rule));
            let is_new = self.known.insert(id.unwrap_or_else(|| labels.fingerprint(at).into()));
            source.left_out.push(!is_new);
            if is_new {
                let start = game.as_ref().map_or(GameStart::Initial, KeptGame::start);
                self.report.count(start, facts.result(at), reader.has_rest(number)?);
            } else {
                self.report.known += 1;
            }
            let arrival = source.arrivals.saturating_add(facts.arrival(at));
            if arrival >= MOST_ARRIVALS {
                return Err(reader.damaged(TOO_MANY_ARRIVALS));
            }
            self.next_arrival = self.next_arrival.max(arrival + 1);
        }
        Ok(())
    }

    /// Adds games, except those that the collection has already.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. Nothing can be kept then: [`finish`](Self::finish) is an
    /// error.
    pub fn add(&mut self, games: impl IntoIterator<Item = KeptGame>) -> Result<(), StoreError> {
        games.into_iter().try_for_each(|game| self.add_game(&game).map(drop))
    }

    /// Adds a game, unless the collection has it already. Returns whether it was added.
    pub(in crate::store) fn add_game(&mut self, game: &KeptGame) -> Result<bool, StoreError> {
        if !self.known.insert(game.identity(self.info.same_game)) {
            self.report.known += 1;
            return Ok(false);
        }
        if self.next_arrival >= MOST_ARRIVALS {
            let what = "takes no more games".to_owned();
            let unfit = self.database.unfit(Kind::Collection, &self.info.name, what);
            return self.note(Err(unfit));
        }
        self.report.count(game.start(), game.result(), !game.rest().is_empty());
        self.collected.add(game, self.next_arrival);
        self.next_arrival += 1;
        if self.collected.is_full() {
            let mut parts = std::mem::take(&mut self.parts);
            let set_aside = self.set_aside_collected(&mut parts);
            self.parts = parts;
            self.note(set_aside)?;
        }
        Ok(true)
    }

    fn write_collected(&mut self, index: Index) -> Result<SegmentRow, StoreError> {
        let next = SegmentBuilder::new(self.info.max_ply as usize);
        let games = std::mem::replace(&mut self.collected, next);
        self.database.write_segment(&self.info, games, index, &self.workers)
    }

    /// Writes the collected games as a part of the next segment.
    fn set_aside_collected(&mut self, parts: &mut Parts<'_>) -> Result<(), StoreError> {
        let segment = self.write_collected(Index::Later)?;
        self.add_part(parts, Source::all_of(segment))
    }

    /// Adds a part to the next segment, which is written first if it has no room for that.
    fn add_part<'d>(&self, parts: &mut Parts<'d>, source: Source<'d>) -> Result<(), StoreError> {
        let left_out = source.left_out.iter().filter(|is_out| **is_out).count();
        let games = (source.segment.games as usize).saturating_sub(left_out);
        if games == 0 {
            return Ok(());
        }
        let (database, cache) = (source.database.unwrap_or(&self.database), Cache::new(0));
        let texts = database.segment_reader(source.segment, &cache)?.memory_of_texts()?;
        self.merge(parts.add(source, games, texts))
    }

    fn merge(&self, sources: Vec<Source<'_>>) -> Result<(), StoreError> {
        self.database.merge_segments(&self.info, sources, &self.workers)
    }

    /// Merges the parts of the last segment with older ones that are small.
    fn merge_with(&self, mut parts: Parts<'_>, small: Vec<SegmentRow>) -> Result<(), StoreError> {
        let mut small = small.into_iter().map(Source::all_of);
        small.try_for_each(|source| self.add_part(&mut parts, source))?;
        self.merge(parts.sources)
    }

    /// Writes everything.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or games could not be added to it. It is then what it was.
    pub fn finish(self) -> Result<CollectionReport, StoreError> {
        let report = self.report;
        self.write()?.commit()?;
        Ok(report)
    }

    /// Writes all games. The transaction goes on.
    pub(in crate::store) fn write(mut self) -> Result<Database, StoreError> {
        if self.has_failed {
            let (name, source) = (self.database.name.clone(), "games could not be added".into());
            return Err(StoreError::CannotWrite { name, source });
        }
        let mut parts = std::mem::take(&mut self.parts);
        let new = self.collected.len();
        let small = self.small_segments(&parts, parts.games + new)?;
        let is_alone = small.is_empty() && parts.sources.is_empty();
        match new {
            0 => {}
            _ if is_alone => drop(self.write_collected(Index::Now)?),
            _ => self.set_aside_collected(&mut parts)?,
        }
        self.merge_with(parts, small)?;
        Ok(self.database)
    }

    /// The segments that have no more games than are new, and fit into one with them. So each game
    /// is written again only when its segment at least doubles, and there are few segments that are
    /// not full.
    fn small_segments(&self, parts: &Parts<'_>, new: usize) -> Result<Vec<SegmentRow>, StoreError> {
        let mut segments = self.database.segments(&self.info)?;
        segments.retain(|row| !self.parts.has(row) && !parts.has(row));
        segments.sort_by_key(|segment| segment.games);
        let mut games = new;
        let fits = |segment: &SegmentRow| {
            let own = segment.games as usize;
            let fits = own <= games && own + games <= MOST_GAMES;
            games += own;
            fits
        };
        Ok(segments.into_iter().take_while(fits).collect())
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
        Self::change(path, |database| {
            let info = database.collection(name)?;
            database.remove_where(&info, workers, |game, _| game.is_selected(selection))
        })
    }

    /// Removes games by what they are and by their numbers of arrival; returns how many.
    pub(in crate::store) fn remove_where(
        &self,
        info: &CollectionInfo,
        workers: &Workers,
        is_removed: impl Fn(&KeptGame, u32) -> bool,
    ) -> Result<u64, StoreError> {
        let mut removed = 0;
        for segment in self.segments(info)? {
            let mut source = Source::all_of(segment);
            self.each_kept_game(segment, |game, arrival| {
                source.left_out.push(is_removed(&game, arrival));
            })?;
            let gone = source.left_out.iter().filter(|is_out| **is_out).count();
            if gone == segment.games as usize {
                self.delete_segment(info, segment)?;
            } else if gone > 0 {
                self.merge_segments(info, vec![source], workers)?;
            }
            removed += gone as u64;
        }
        Ok(removed)
    }
}
