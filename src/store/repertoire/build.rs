//! Builds a repertoire from games, or adds games to one.

use std::{io::Read, path::Path};

use super::info::{RepertoireInfo, RepertoireSettings};
use crate::{
    catalogue::Catalogue,
    classify::Classifier,
    collection::{GameStart, KeptGame, KeptGameReader},
    pipeline::{Options, Workers},
    repertoire::SkippedGames,
    select::Selection,
    store::{CollectionBuild, database::Database, error::StoreError, read_pgn::read_pgn},
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
///     build.finish()?;
/// }
/// // A game is counted once.
/// let database = Database::open(&path)?;
/// let mine = database.repertoire("mine")?;
/// assert_eq!(database.counts(&mine)?.games, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RepertoireBuild {
    games: CollectionBuild,
    info: RepertoireInfo,
    /// Which games are its own, if not those of everybody.
    own: Option<Selection>,
    /// Whether games that begin in another position are its own, too.
    takes_positions: bool,
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
        // No file is created for settings that cannot be used.
        Database::check_settings(path, name, settings)?;
        let database = Database::begin_change(path)?;
        let info = database.set_up(name, settings)?;
        let collection = database.set_up_games(&info)?;
        let collection = database.set_same_game(collection, settings.same_game)?;
        Ok(Self {
            games: CollectionBuild::of(database, collection, workers)?,
            takes_positions: false,
            own: (!info.players.is_empty()).then(|| info.own_games(&Selection::default())),
            info,
            report: BuildReport::default(),
        })
    }

    /// Adds games that begin in another position than the initial one as well. Without this they
    /// are left out: what was set up was not chosen.
    #[must_use]
    pub fn with_set_positions(mut self) -> Self {
        self.takes_positions = true;
        self
    }

    /// The repertoire, with its settings.
    #[must_use]
    pub fn info(&self) -> &RepertoireInfo {
        &self.info
    }

    /// Whether the repertoire had games before.
    #[must_use]
    pub fn had_games(&self) -> bool {
        self.games.info().games > 0
    }

    /// A reader for those of the selected games that are this repertoire's: the repertoire's
    /// players and colour take the place of the selection's. A clone serves each thread. Openings
    /// are named by `classifier`.
    #[must_use]
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
        let own = self.own.take();
        let is_own =
            |game: &KeptGame| own.as_ref().is_none_or(|selection| game.is_selected(selection));
        let mut games = games.into_iter();
        let added = games.try_for_each(|game| match game.filter(is_own) {
            Some(game) => self.add_game(&game),
            None => {
                self.report.skipped.not_selected += 1;
                Ok(())
            }
        });
        self.own = own;
        added
    }

    fn add_game(&mut self, game: &KeptGame) -> Result<(), StoreError> {
        let skipped = &mut self.report.skipped;
        if game.start_position().is_none() {
            skipped.other_variants += 1;
            return Ok(());
        }
        if game.codes().is_empty() {
            skipped.without_moves += 1;
            return Ok(());
        }
        if game.start() == GameStart::SetUp && !self.takes_positions {
            skipped.from_position += 1;
            return Ok(());
        }
        let max_ply = self.info.max_ply as usize;
        let is_cut = game.codes().len() < max_ply && !game.rest().is_empty();
        skipped.cut_short += u64::from(is_cut);
        match self.games.add_game(game)? {
            true => self.report.added += 1,
            false => self.report.known += 1,
        }
        Ok(())
    }

    /// The report on what was added so far.
    #[must_use]
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Writes the games.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. The file is then what it was.
    pub fn finish(self) -> Result<BuildReport, StoreError> {
        self.games.write()?.commit()?;
        Ok(self.report)
    }
}
