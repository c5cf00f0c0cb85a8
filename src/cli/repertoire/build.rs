//! `eco repertoire build`.

use clap::Args;
use eco::quoted::{counted, counts};
use eco::store::{BuildReport, RepertoireBuild, RepertoireInfo, RepertoireSettings};
use eco::{classify::Classifier, output::sanitize};

use super::args::NewRepertoireArgs;
use crate::cli::args::{BreadthArgs, CollectionArgs, InputArgs, RunArgs, SameGameArgs};
use crate::cli::games::{GameInputs, inputs, options};
use crate::cli::interrupt::undo_on_signals;
use crate::cli::outcome::{Failure, Outcome, refuse, say};
use crate::cli::selection::{ConditionArgs, SelectedGames};
use crate::cli::{clock, output::print, progress::Results, run::GamesRun};

const HELP: &str = "\
Examples:
  eco repertoire build mine --db chess.db --color white --player 'Byrne, Donald' games.pgn
  eco repertoire build masters --db masters.db --color white otb.pgn.zst
  eco repertoire build mine --db chess.db this-week.pgn

The last example adds games to an existing repertoire, which keeps its colour, depth and players. A
game is identified by its content (players, date and time, site, round, result, start position,
moves) and never counted twice, so the same files can be added again. A copy from another source,
with another site, is counted again, unless --same-game moves is given: then players, date, start
position and moves decide, and the first copy is counted.

Games that begin in another position are left out, since their players did not choose it, and their
number is printed; --from-position adds them.

All games are kept; --mine and --theirs only decide which moves are in the book as long as none are
prepared, and every build can change them. By default, the book has own moves from at least two
games and a fifth of those in the position (share:20%,min-games:2), and the opponent's moves from
two games and a twentieth (share:5%,min-games:2); --mine min-games:1 --theirs min-games:1 takes all.
An interrupted build writes nothing.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Build a repertoire from games, or add games to one.
///
/// The moves played in every position up to --depth are counted, whatever the move order: games;
/// wins, draws and losses from the side of the repertoire; the opponents' ratings; first and last
/// date; and the latest games.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct BuildArgs {
    #[command(flatten)]
    repertoire: NewRepertoireArgs,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    collections: CollectionArgs,

    #[command(flatten)]
    conditions: ConditionArgs,

    /// Count moves up to this ply [default: 40]; cannot be changed later
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,

    #[command(flatten)]
    same_game: SameGameArgs,

    #[command(flatten)]
    breadth: BreadthArgs,

    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &BuildArgs) -> Result<Outcome, Failure> {
    let paths = inputs(&args.input.inputs, "repertoire build")?;
    let inputs = GameInputs::find(&paths, &args.collections.collection)?;
    inputs.check_output(&args.repertoire.database.db)?;
    if inputs.are_absent() {
        return Ok(Outcome::Incomplete);
    }
    let asked = args.conditions.selection()?;
    let settings = RepertoireSettings {
        color: args.repertoire.color,
        max_ply: args.depth,
        rule: args.breadth.asked(args.repertoire.rule()?),
        players: args.conditions.player.clone(),
        same_game: args.same_game.same_game,
    };
    // The build locks the database.
    let catalogue = args.repertoire.database.naming.catalogue()?;
    let NewRepertoireArgs { name, database, .. } = &args.repertoire;
    let db = &database.db;
    undo_on_signals(db);
    database.to_extend()?;
    let mut build = RepertoireBuild::begin(db, name, &settings, &options(&args.run).workers)?;
    build.takes_positions = args.conditions.from_position;
    let classifier = Classifier::new(catalogue);
    let selection = build.info().own_games(&asked);
    let selected = SelectedGames::new(selection, args.conditions.people(), classifier)?;
    let run = GamesRun::new(inputs, selected, Results::Elsewhere, &args.run);
    let reader = build.reader(&asked, classifier);
    let Some(seen) = run.keep(&reader, |games| build.add(games))? else {
        return Ok(Outcome::Incomplete);
    };
    check_selected(&build)?;
    let info = build.info().clone();
    let report = build.finish(clock::now())?;
    run.progress.finish(seen);
    if !args.run.quiet {
        print(summary(args, &info, &report).as_bytes())?;
    }
    run.outcome(Ok(()))
}

/// The summary of the build.
fn summary(args: &BuildArgs, info: &RepertoireInfo, report: &BuildReport) -> String {
    let BuildReport { added, known, not_selected, .. } = report;
    let name = sanitize(args.repertoire.name.as_bytes());
    let (path, games) = (args.repertoire.database.db.display(), counted(*added, "game"));
    let others = [
        (*known, "known already"),
        (*not_selected, "not selected"),
        (report.other_variants, "of other variants"),
        (report.from_position, "from another position (--from-position adds them)"),
        (report.without_moves, "without moves"),
        (report.cut_short, "cut short at an error"),
    ];
    if added + known == 0 && *not_selected > 0 && !info.players.is_empty() {
        say(&nothing_selected(info));
    }
    format!("{path}: {name}: added {games}{}\n", counts(", ", others))
}

fn nothing_selected(info: &RepertoireInfo) -> String {
    format!(
        "no game was selected: none of that player as {} passes the filters; \
         `eco classify --fields white,black,date` lists the players",
        info.color
    )
}

/// Refuses to make a repertoire without games out of games that were not selected.
fn check_selected(build: &RepertoireBuild) -> Result<(), Failure> {
    let BuildReport { added, known, not_selected, .. } = build.report();
    if added + known > 0 || *not_selected == 0 || build.had_games() {
        return Ok(());
    }
    let what = match build.info().players.is_empty() {
        true => "no game passes the filters".to_owned(),
        false => nothing_selected(build.info()),
    };
    refuse(format!("{what}; nothing was written"))
}
