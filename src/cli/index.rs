//! `eco index`.

use std::path::Path;

use clap::Args;
use eco::quoted::{counted, counts};
use eco::store::{CollectionBuild, CollectionInfo, CollectionReport, CollectionSettings};
use eco::store::{Database, StoreError};
use eco::{classify::Classifier, output::sanitize, pipeline::Workers, select::SameGame};

use super::args::{GamesArgs, RunArgs, SameGameArgs, parse_name};
use super::games::{GameInputs, inputs, options};
use super::outcome::{Failure, Outcome, refuse, say};
use super::selection::{SelectedGames, SelectionArgs};
use super::{completion, run::GamesRun};
use super::{indexed::DUPLICATES, interrupt::undo_on_signals, output::print, progress::Results};

const HELP: &str = "\
Examples:
  eco index games.pgn --db games.db
  eco index otb.pgn.zst --db games.db --name masters --rating 2200..
  eco index this-week.pgn --db games.db --name games
  eco index part1.db part2.db --db all.db

A collection keeps whole games, with all tags, all moves of the main line, and the evaluations and
clocks that say how the opening went; other comments, variations and glyphs are left out. A game is
identified by its content (players, date and time, site, round, result, start position, moves) and
never kept twice, so the same files can be added again. A copy from another source, with another
site, is another game, unless --same-game moves is given: then players, date, start position and
moves decide, and the first copy is kept.

Any position is found, by any move order, up to ply --depth. Games without a result, of other
variants, or from another start position are kept and exported, but not counted in positions.

Databases that `eco index` made are joined without reading their games again, and openings stay as
they are named, unless games are selected, --catalogue is given, or the depths differ.

An interrupted run writes nothing. If another program uses the file, eco says so and waits. `eco db`
lists, renames and removes collections, and removes games of them; `eco filter games.db` writes
games as PGN.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Keep games in a position database, to see what was played in any position.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct IndexArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// The collection to make or to extend [default: the only one, or games]
    #[arg(long, value_name = "NAME", value_parser = parse_name, add = completion::collections())]
    name: Option<String>,

    /// Find positions up to this ply [default: 50]; cannot be changed later
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,

    #[command(flatten)]
    same_game: SameGameArgs,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The name of the first collection, unless another is given.
const FIRST: &str = "games";

pub(super) fn run(args: &IndexArgs) -> Result<Outcome, Failure> {
    let paths = inputs(&args.games.input.inputs, "index")?;
    let inputs = GameInputs::of(&paths, &args.games)?;
    inputs.check_output(&args.games.database.db)?;
    if inputs.are_absent() {
        return Ok(Outcome::Incomplete);
    }
    let selection = args.selection.selection()?;
    let is_everything = selection.is_everything();
    let name = collection_name(args)?;
    let catalogue = args.games.database.naming.catalogue()?;
    let classifier = Classifier::new(catalogue);
    let settings = CollectionSettings { max_ply: args.depth, same_game: args.same_game.same_game };
    undo_on_signals(&args.games.database.db);
    args.games.database.to_extend()?;
    let begin = || begin(args, &name, &settings, &options(&args.run).workers);
    let build = begin()?;
    let selected = SelectedGames::new(selection, args.selection.conditions.people(), classifier)?;
    let run = GamesRun::new(inputs, selected, Results::Elsewhere, &args.run);
    let rule = build.info().same_game;
    let is_whole = is_everything && args.games.database.naming.catalogue.is_none();
    let collections = run.inputs.collections().filter(|collections| {
        let max_ply = build.info().max_ply;
        is_whole && collections.iter().all(|(_, kept)| kept.max_ply == max_ply)
    });
    let collected = match collections {
        None => run.collect(build, classifier)?,
        Some(collections) => match join(build, &collections) {
            // Damaged games are named and left out where games are read.
            Err(StoreError::DamagedGames { .. }) => run.collect(begin()?, classifier)?,
            joined => Some(joined?),
        },
    };
    let Some((seen, report)) = collected else {
        return Ok(Outcome::Incomplete);
    };
    if !args.run.quiet {
        print(summary(&args.games.database.db, &name, seen, &report).as_bytes())?;
        if report.known > 0 {
            let why = match rule {
                SameGame::Strict => DUPLICATES,
                SameGame::Moves => "left out as duplicates (same players, date and moves)",
            };
            say(&format_args!("{} {why}", counted(report.known, "game")));
        }
    }
    run.outcome(Ok(()))
}

/// Adds whole collections, and returns the number of their games and what was added.
fn join(
    mut build: CollectionBuild,
    collections: &[(&Database, &CollectionInfo)],
) -> Result<(u64, CollectionReport), StoreError> {
    build.join(collections)?;
    let report = build.finish()?;
    Ok((report.added + report.known, report))
}

/// Begins to add games, once no other program changes the file.
fn begin(
    args: &IndexArgs,
    name: &str,
    settings: &CollectionSettings,
    workers: &Workers,
) -> Result<CollectionBuild, Failure> {
    let mut is_first = true;
    loop {
        match CollectionBuild::begin(&args.games.database.db, name, settings, workers) {
            Err(StoreError::Busy { name, .. }) => {
                if std::mem::take(&mut is_first) && !args.run.quiet {
                    say(&format_args!("{name}: in use by another program; waiting for its end"));
                }
            }
            begun => return Ok(begun?),
        }
    }
}

/// The collection that is meant: the one that is named, or the only one, or the first.
fn collection_name(args: &IndexArgs) -> Result<String, Failure> {
    if let Some(name) = &args.name {
        return Ok(name.clone());
    }
    if !args.games.database.db.exists() {
        return Ok(FIRST.to_owned());
    }
    let known = Database::open(&args.games.database.db)?.collections()?;
    match &known[..] {
        [] => Ok(FIRST.to_owned()),
        [only] => Ok(only.name.clone()),
        several => {
            let names: Vec<_> = several.iter().map(|info| sanitize(info.name.as_bytes())).collect();
            let (db, names) = (args.games.database.db.display(), names.join(", "));
            refuse(format!("{db}: has the collections {names}; choose one with --name"))
        }
    }
}

/// The summary of a run.
fn summary(db: &Path, name: &str, seen: u64, report: &CollectionReport) -> String {
    let CollectionReport { added, known, .. } = report;
    let name = sanitize(name.as_bytes());
    let mut text = format!("{}: {name}: added {}", db.display(), counted(*added, "game"));
    text += &counts(", ", [(*known, "known already"), (seen - added - known, "not selected")]);
    let uncounted = [
        (report.without_result, "without a result"),
        (report.other_variants, "of other variants"),
        (report.from_position, "from another position"),
    ];
    if let Some(uncounted) = counts(", ", uncounted).strip_prefix(", ") {
        text += &format!("; kept but not counted: {uncounted}");
    }
    text + &counts("; ", [(report.cut_short, "counted up to an error")]) + "\n"
}
