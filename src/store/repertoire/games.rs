//! The games of a repertoire: added, read, and copied when one repertoire is added to another.

use std::num::{NonZeroU16, NonZeroU32};
use std::{collections::BTreeMap, io::Read, path::Path};

use super::{RepertoireInfo, RepertoireSettings, journal::Before};
use crate::chess::{Board, Color, Position as _, PositionKey};
use crate::collection::{GameStart, KeptGame, KeptGameReader, segment::Facts};
use crate::pipeline::{Options, Workers};
use crate::repertoire::{GameFacts, GameLines, Preparation};
use crate::store::{CollectionBuild, CollectionInfo, Database, Kind, RepertoireCounts, StoreError};
use crate::{catalogue::Catalogue, classify::Classifier, store::collection::read_pgn};
use crate::{executor::Feed, quoted::counted, select::Selection};

/// The number of games that a worker counts at a time.
const GAMES_AT_A_TIME: usize = 512;

/// The number of games that are copied at a time.
const COPIED_AT_A_TIME: usize = 2048;

impl Database {
    /// The collection of the games of a repertoire, if it has any. It is found by no name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn games_of(&self, info: &RepertoireInfo) -> Result<Option<CollectionInfo>, StoreError> {
        let found = self.find_listed(|listed| listed.repertoire == Some(info.id))?;
        Ok(found.map(|listed| listed.info))
    }

    /// The number of games of a repertoire.
    pub(super) fn game_count(&self, info: &RepertoireInfo) -> Result<u64, StoreError> {
        let collection = self.games_of(info)?;
        Ok(collection.map_or(0, |collection| collection.games))
    }

    /// The collection of the games of a repertoire, which is made if there is none. Positions are
    /// not found in it: they are counted.
    pub(super) fn set_up_games(&self, info: &RepertoireInfo) -> Result<CollectionInfo, StoreError> {
        // A name that nobody can type.
        let sql = "INSERT INTO collection (name, max_ply, repertoire_id)
             VALUES (' repertoire ' || ?1, 0, ?1) ON CONFLICT DO NOTHING";
        if self.execute(sql, [info.id])? > 0 {
            self.seal(self.connection.last_insert_rowid())?;
        }
        let made = self.games_of(info)?;
        made.ok_or_else(|| StoreError::damaged(&self.name, &"a collection is not kept"))
    }

    /// The positions that games of a repertoire begin with, and the least numbers of their first
    /// moves.
    pub(super) fn starts(
        &self,
        info: &RepertoireInfo,
    ) -> Result<BTreeMap<PositionKey, NonZeroU32>, StoreError> {
        let mut starts = BTreeMap::new();
        let Some(collection) = self.games_of(info)? else { return Ok(starts) };
        for segment in self.segments(&collection)? {
            self.each_start(segment, |start| {
                let number = starts
                    .entry(Board::from_position(&start).key())
                    .or_insert_with(|| start.fullmoves());
                *number = start.fullmoves().min(*number);
            })?;
        }
        Ok(starts)
    }

    /// Feeds the first moves of all games of a repertoire. A game has its number among them.
    pub(super) fn feed_lines(
        &self,
        info: &RepertoireInfo,
        push: &mut Feed<'_, GameLines, StoreError>,
    ) -> Result<(), StoreError> {
        let Some(collection) = self.games_of(info)? else { return Ok(()) };
        let max_ply = info.max_ply as usize;
        let mut number = 0;
        for segment in self.segments(&collection)? {
            let mut lines = GameLines::new(max_ply);
            self.each_line(segment, |codes, start, (stored, at)| {
                number += 1;
                lines.push(codes, start, facts(stored, at, NonZeroU32::new(number), info.color));
                if lines.len() < GAMES_AT_A_TIME {
                    return Ok(());
                }
                push(std::mem::replace(&mut lines, GameLines::new(max_ply)))
            })?;
            push(lines)?;
        }
        Ok(())
    }
}

/// What a count needs to know of a game.
fn facts(facts: &Facts, at: usize, number: Option<NonZeroU32>, side: Color) -> GameFacts {
    GameFacts {
        number,
        arrival: facts.arrival(at),
        date: facts.date(at),
        played_at: facts.played_at(at),
        half_points: facts.result(at).half_points(side),
        own: facts.rating(at, side).and_then(NonZeroU16::new),
        opponent: facts.rating(at, !side).and_then(NonZeroU16::new),
    }
}

/// What became of games that were to be added to a repertoire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildReport {
    /// The number of games added.
    pub added: u64,
    /// The number of games that the repertoire had already.
    pub known: u64,
    /// Games left out: those that were not selected.
    pub not_selected: u64,
    /// Games left out: those of other variants, or with an invalid start position.
    pub other_variants: u64,
    /// Games left out: those that begin in another position than the initial one.
    pub from_position: u64,
    /// Games left out: those of which no move can be played.
    pub without_moves: u64,
    /// Games added or known whose moves cannot be played to the ply up to which they are counted.
    pub cut_short: u64,
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
///     let workers = Workers::default();
///     let mut build = RepertoireBuild::begin(&path, "mine", &settings, &workers)?;
///     build.add_pgn(&games[..], &Selection::default(), &Options::default())?;
///     build.finish(0)?;
/// }
/// // A game is counted once.
/// let database = Database::open(&path)?;
/// let mine = database.repertoire("mine")?;
/// assert_eq!(database.counts(&mine)?.games, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RepertoireBuild {
    games: CollectionBuild,
    before: Before,
    info: RepertoireInfo,
    /// Which games are its own, if not those of everybody.
    own: Option<Selection>,
    /// Whether games that begin in another position than the initial one are its own, too. If not,
    /// as in the beginning, they are left out: what was set up was not chosen.
    pub takes_positions: bool,
    report: BuildReport,
}

impl RepertoireBuild {
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
        workers: &Workers,
    ) -> Result<Self, StoreError> {
        let database = Database::begin_change(path)?;
        let mut before = Before::of(&database, name)?;
        let info = database.set_up(name, settings)?;
        let collection = database.set_up_games(&info)?;
        let collection = database.set_same_game(collection, settings.same_game)?;
        let games = CollectionBuild::of(database, collection, workers)?;
        before.first_arrival = Some(games.next_arrival);
        Ok(Self {
            games,
            before,
            takes_positions: false,
            own: (!info.players.is_empty()).then(|| info.own_games(&Selection::default())),
            info,
            report: BuildReport::default(),
        })
    }

    /// The repertoire, with its settings.
    pub fn info(&self) -> &RepertoireInfo {
        &self.info
    }

    /// Whether the repertoire had games before.
    pub fn had_games(&self) -> bool {
        self.games.info().games > 0
    }

    /// A reader for those of the selected games that are this repertoire's: the repertoire's
    /// players and colour take the place of the selection's. A clone serves each thread. Openings
    /// are named by `classifier`.
    pub fn reader<'c>(
        &self,
        selection: &Selection,
        classifier: Classifier<'c>,
    ) -> KeptGameReader<'c> {
        KeptGameReader::with_classifier(self.info.own_games(selection), classifier)
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
        let reader = self.reader(selection, Classifier::new(Catalogue::builtin()));
        read_pgn(pgn, options, &reader, |games| self.add(games))
    }

    /// Adds games, except those that the repertoire has already. `None` is a game that was not
    /// selected, as the [reader](Self::reader) returns it; nor are games of other players.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(
        &mut self,
        games: impl IntoIterator<Item = Option<KeptGame>>,
    ) -> Result<(), StoreError> {
        for game in games {
            let is_own =
                |game: &KeptGame| self.own.as_ref().is_none_or(|own| game.is_selected(own));
            match game.filter(is_own) {
                Some(game) => self.add_game(&game)?,
                None => self.report.not_selected += 1,
            }
        }
        Ok(())
    }

    fn add_game(&mut self, game: &KeptGame) -> Result<(), StoreError> {
        let report = &mut self.report;
        if game.start_position().is_none() {
            report.other_variants += 1;
            return Ok(());
        }
        if game.codes().is_empty() {
            report.without_moves += 1;
            return Ok(());
        }
        if game.start() == GameStart::SetUp && !self.takes_positions {
            report.from_position += 1;
            return Ok(());
        }
        let max_ply = self.info.max_ply as usize;
        let is_cut = game.codes().len() < max_ply && !game.rest().is_empty();
        report.cut_short += u64::from(is_cut);
        match self.games.add_game(game)? {
            true => self.report.added += 1,
            false => self.report.known += 1,
        }
        Ok(())
    }

    /// The report on what was added so far.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Writes the games. `at` is when, in seconds since the beginning of 1970, UTC.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. The file is then what it was.
    pub fn finish(self, at: i64) -> Result<BuildReport, StoreError> {
        let Self { games, mut before, info, report, .. } = self;
        let mut database = games.write()?;
        before.first_arrival = before.first_arrival.filter(|_| report.added > 0);
        let what = format!("{} added", counted(report.added, "game"));
        database.write_change(before, &info, &Preparation::default(), (at, &what))?;
        database.commit()?;
        Ok(report)
    }
}

impl Database {
    /// Adds everything that one repertoire has to another: games that it does not have, players,
    /// and prepared moves with their notes, after its own. The other one stays as it is. `at` is
    /// when, in seconds since the beginning of 1970, UTC.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of one of the names, they are for different sides, or the file
    /// cannot be written. It is then what it was.
    pub fn merge_repertoires(
        path: &Path,
        into: &str,
        from: &str,
        at: i64,
        workers: &Workers,
    ) -> Result<RepertoireCounts, StoreError> {
        let database = Self::begin_to_change(path)?;
        let (a, b) = (database.repertoire(into)?, database.repertoire(from)?);
        if a.id == b.id {
            let what = "cannot be merged with itself".to_owned();
            return Err(database.unfit(Kind::Repertoire, into, what));
        }
        if a.color != b.color {
            let what = format!("is for {}, {from:?} is not", a.color);
            return Err(database.unfit(Kind::Repertoire, into, what));
        }
        let mut before = Before::of(&database, into)?;
        let mut preparation = before.preparation(&database)?;
        let settings =
            RepertoireSettings { players: b.players.clone(), ..RepertoireSettings::default() };
        let info = database.set_up(into, &settings)?;
        let other = database.read_preparation(&b)?;
        other.sources().iter().for_each(|source| preparation.merge(source.clone()));
        let (mut database, first_arrival) = copy_games(database, &a, &b, workers)?;
        before.first_arrival = first_arrival;
        let what = format!("{from} added");
        database.write_change(before, &info, &preparation, (at, &what))?;
        database.commit()?;
        database.counts(&info)
    }
}

/// Adds the games of a repertoire to another one, except those that it has. Returns the number of
/// arrival of the first one, if any was added.
fn copy_games(
    database: Database,
    into: &RepertoireInfo,
    from: &RepertoireInfo,
    workers: &Workers,
) -> Result<(Database, Option<u32>), StoreError> {
    let Some(other) = database.games_of(from)? else { return Ok((database, None)) };
    let collection = database.set_up_games(into)?;
    let mut build = CollectionBuild::of(database, collection, workers)?;
    let first = build.next_arrival;
    for segment in build.database.segments(&other)? {
        for first in (0..segment.games).step_by(COPIED_AT_A_TIME) {
            let last = segment.games.min(first + COPIED_AT_A_TIME as u32);
            for game in build.database.kept_games_of(segment, first..last)? {
                build.add_game(&game)?;
            }
        }
    }
    let has_more = build.report().added > 0;
    Ok((build.write()?, has_more.then_some(first)))
}
