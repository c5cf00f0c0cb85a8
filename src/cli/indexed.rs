//! Games of inputs in a position database that only this run needs.

use std::path::PathBuf;

use eco::quoted::{counted, counts};
use eco::store::{CollectionBuild, CollectionReport, CollectionSettings};
use eco::{catalogue::Catalogue, classify::Classifier, new_file::ScratchFolder, select::Selection};

use super::args::RunArgs;
use super::games::{GameInputs, options};
use super::outcome::{Failure, Outcome, refuse, say};
use super::{progress::Results, replace::Inputs, run::GamesRun, selection::SelectedGames};

/// The name of the collection of games that are read from inputs.
const COLLECTION: &str = "games";

/// A database that is removed with this value.
pub(super) struct IndexedGames {
    pub(super) db: PathBuf,
    /// Whether all games were read.
    pub(super) outcome: Outcome,
    /// The inputs, which no output must replace.
    pub(super) files: Inputs,
    _folder: ScratchFolder,
}

impl IndexedGames {
    /// Reads the games of the inputs into a new database, and says which are left out; `None` if
    /// nothing can be read, which is reported.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the inputs have no game.
    pub(super) fn of(
        inputs: GameInputs,
        args: &RunArgs,
        catalogue: &Catalogue,
    ) -> Result<Option<Self>, Failure> {
        let folder = ScratchFolder::new().map_err(|error| {
            let place = std::env::temp_dir();
            Failure(format!("{}: no folder can be made there: {error}", place.display()))
        })?;
        let db = folder.path().join("games.db");
        let (settings, workers) = (CollectionSettings::default(), options(args).workers);
        let build = CollectionBuild::begin(&db, COLLECTION, &settings, &workers)?;
        let classifier = Classifier::new(catalogue);
        let selected = SelectedGames::new(Selection::default(), Vec::new(), classifier)?;
        let run = GamesRun::new(inputs, selected, Results::Elsewhere, args);
        let Some((seen, report)) = run.collect(build, classifier)? else {
            return Ok(None);
        };
        if seen == 0 {
            return refuse("the inputs have no game");
        }
        if !args.quiet {
            left_out(seen, &report).iter().for_each(|note| say(note));
        }
        let outcome = run.outcome(Ok(()))?;
        Ok(Some(Self { db, outcome, files: run.inputs.files(), _folder: folder }))
    }
}

/// Why games are not kept twice.
pub(super) const DUPLICATES: &str =
    "left out as duplicates (same players, date, site, round, result and moves)";

/// Says what is not counted, and why.
fn left_out(seen: u64, report: &CollectionReport) -> Option<String> {
    let notes = [
        (report.known, DUPLICATES),
        (report.without_result, "without a result, not counted"),
        (report.other_variants, "of other variants, not counted"),
        (report.from_position, "from another position, not counted without --from-position"),
    ];
    let notes = counts("; ", notes);
    Some(format!("{} read: {}", counted(seen, "game"), notes.strip_prefix("; ")?))
}
