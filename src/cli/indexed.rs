//! Games of inputs in a position database that only this run needs.

use std::path::PathBuf;

use eco::collection::{KeptGame, KeptGameReader};
use eco::store::{CollectionBuild, CollectionSettings};
use eco::{catalogue::Catalogue, classify::Classifier, new_file::ScratchFolder, select::Selection};

use super::args::RunArgs;
use super::games::{GameInputs, options};
use super::outcome::{Failure, Outcome};
use super::{progress::Results, run::GamesRun, selection::SelectedGames};

/// The name of the collection of games that are read from inputs.
const COLLECTION: &str = "games";

/// A database that is removed with this value.
pub(super) struct IndexedGames {
    pub(super) db: PathBuf,
    /// Whether all games were read.
    pub(super) outcome: Outcome,
    _folder: ScratchFolder,
}

impl IndexedGames {
    /// Reads the games of the inputs into a new database.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the inputs have no game.
    pub(super) fn of(
        inputs: GameInputs,
        args: &RunArgs,
        catalogue: &Catalogue,
    ) -> Result<Self, Failure> {
        let folder = ScratchFolder::new().map_err(|error| {
            let place = std::env::temp_dir();
            Failure(format!("{}: no folder can be made there: {error}", place.display()))
        })?;
        let db = folder.path().join("games.db");
        let (settings, workers) = (CollectionSettings::default(), options(args).workers);
        let mut build = CollectionBuild::begin(&db, COLLECTION, &settings, &workers)?;
        let (selection, classifier) = (Selection::default(), Classifier::new(catalogue));
        let selected = SelectedGames::new(selection.clone(), Vec::new(), classifier)?;
        let run = GamesRun::new(inputs, selected, Results::Elsewhere, args);
        let reader = KeptGameReader::with_classifier(selection, classifier)
            .with_positions(build.info().max_ply);
        let add = |games: Vec<Option<KeptGame>>| build.add(games.into_iter().flatten());
        let seen = run.keep(&reader, add)?;
        if seen == 0 {
            return Err(Failure("the inputs have no game".to_owned()));
        }
        build.finish()?;
        run.progress.finish(seen);
        let outcome = run.outcome(Ok(()))?;
        Ok(Self { db, outcome, _folder: folder })
    }
}
