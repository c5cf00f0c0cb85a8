//! `eco novelties`: the first position of each game that no earlier game of a reference has.

use std::sync::Arc;

use clap::Args;
use eco::chess::{Chess, Position};
use eco::collection::{GameStart, KeptGame, KeptGameReader};
use eco::output::repertoire::NoveltyRow;
use eco::quoted::counted;
use eco::repertoire::{AskedGames, Novelty, Precedents, Sighting};
use eco::{catalogue::Catalogue, classify::Classifier, opening::Opening, select::Selection};

use super::args::{DatabaseArgs, InputArgs, RunArgs};
use super::games::{GameInputs, inputs};
use super::outcome::{Failure, Outcome, refuse, say};
use super::reference::{Reference, ReferenceArgs, played_games};
use super::selection::{SelectedGames, SelectionArgs};
use super::{progress::Results, rows::RowArgs, run::GamesRun};

const HELP: &str = "\
Examples:
  eco novelties games.pgn --reference otb.pgn.zst
  eco novelties games.pgn --reference masters.db:otb --only new
  eco novelties games.pgn --db games.db

Without --reference games are compared with the collections of the database.

Each game has a row with its first position that no earlier game of the reference has, whatever the
move order: `move` leads to it, `later` is the number of later games in the reference that have it,
and `first_white`, `first_black` and `first_date` describe the first of them. A row without a move
is a game without a novelty up to --depth.

A game is earlier only if its date is certainly earlier, or on the same day its time, if both are
UTC (UTCDate and UTCTime) or both local (Date and Time). In the reference, a game without a date
counts as earlier than all others; in the input, as later than the whole reference. A game,
identified by its content, is never its own precedent. Games of other variants or without moves have
no row.

The input is held in memory, about 8 KB per game; the reference can have any size.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Find the novelty of each game: its first position that no earlier game has.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct NoveltiesArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    reference: ReferenceArgs,

    /// Search up to this ply, or as far as the reference goes
    #[arg(long, value_name = "N", default_value = "40")]
    depth: u16,

    /// Only games with a novelty
    #[arg(long, value_parser = ["new"], value_name = "WHICH")]
    only: Option<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// A game of the input, and where it comes from.
struct Asked {
    source: Arc<str>,
    number: u64,
    game: KeptGame,
}

pub(super) fn run(args: &NoveltiesArgs) -> Result<Outcome, Failure> {
    let paths = inputs(&args.input.inputs, "novelties")?;
    let selection = args.selection.selection()?;
    let (db, depth) = (args.database.db.as_path(), args.depth.into());
    let named = Reference::open(&args.reference, Some(db), depth)?;
    let own = || Reference::of_collections(db, depth, &args.run);
    let Some(reference) = named.map_or_else(own, |named| Ok(Some(named)))? else {
        let hint = "--reference FILE names them, or `eco index` keeps them in the database";
        return refuse(format!("no games to compare with: {hint}"));
    };
    let catalogue = args.database.naming.catalogue_for(args.rows.readers())?;
    let inputs = GameInputs::find(&paths, &[])?;
    let (people, classifier) = (args.selection.conditions.people(), Classifier::new(catalogue));
    let selected = SelectedGames::new(selection, people, classifier)?;
    let run = GamesRun::new(inputs, selected, Results::Elsewhere, &args.run);
    let asked = read_asked(&run, reference.max_ply);
    let asked = run.end(asked.as_ref().map_or(0, Vec::len) as u64, asked)?;
    let mut index = AskedGames::default();
    asked.iter().for_each(|asked| index.add(&asked.game));
    let mut precedents = Precedents::new(&index);
    let complaints = reference.each(
        &args.run,
        |games| games.iter().map(|game| index.sight(game)).collect(),
        |sightings: Vec<Sighting>| sightings.into_iter().for_each(|s| precedents.add(s)),
    )?;
    let novelties = asked.iter().map(|asked| precedents.novelty(&asked.game));
    let novelties: Vec<Option<Novelty>> = novelties.collect();
    let new = novelties.iter().flatten().count();
    let found = asked.iter().zip(&novelties);
    let found = found.filter(|(_, novelty)| args.only.is_none() || novelty.is_some());
    let rows = found.map(|(Asked { source, number, game }, novelty)| {
        let (novelty, opening) = (novelty.as_ref(), opening_of(game, catalogue));
        NoveltyRow { source, number: *number, game, novelty, opening }
    });
    let columns = run.inputs.columns_of(NoveltyRow::columns());
    let more = args.rows.write_named(columns, [catalogue], rows)?;
    if !args.run.quiet {
        more.iter().for_each(|more| say(more));
        let games = counted(asked.len(), "game");
        let of = counted(precedents.games(), "game");
        say(&format_args!("{games}, {new} with something new to {of} of the reference"));
    }
    Ok(if run.progress.complaints() + complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
}

fn read_asked(run: &GamesRun<'_>, max_ply: usize) -> Result<Vec<Asked>, Failure> {
    let (selected, mut all) = (&run.selected, Vec::new());
    let reader = KeptGameReader::new(Selection::default());
    run.each(
        |block| {
            let asked = |(number, game)| Asked { source: block.source.clone(), number, game };
            played_games(&block, selected, &reader, max_ply).into_iter().map(asked).collect()
        },
        |games: Vec<Asked>| {
            all.extend(games);
            run.progress.update(all.len() as u64);
            Ok::<(), Failure>(())
        },
    )?;
    Ok(all)
}

/// The opening of a game that begins at the initial position.
fn opening_of<'c>(game: &KeptGame, catalogue: &'c Catalogue) -> Option<&'c Opening> {
    if game.start() != GameStart::Initial {
        return None;
    }
    let mut position = Chess::default();
    let moves = game.moves().map_while(|uci| {
        let m = uci.to_move(&position)?;
        position.play_unchecked(m);
        Some(m)
    });
    Some(Classifier::new(catalogue).classify_moves(moves).named?.opening())
}
