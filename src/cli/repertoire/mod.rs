//! `eco repertoire`: its subcommands, with their arguments and what they do; and `eco train`, which
//! has a folder. The order of imports:
//!
//! ```text
//! args · open_repertoire │ sources │ the subcommands │ mod
//! ```

mod add;
mod args;
mod build;
mod check;
mod edit;
mod export;
mod findings;
mod gaps;
mod history;
mod open_repertoire;
mod sources;
mod train;
mod tree;

use clap::Args;

pub(super) use self::open_repertoire::OpenRepertoire;
pub(super) use self::train::{TrainArgs, run as train};
use super::outcome::{Failure, Outcome};

const HELP: &str = "\
Examples:
  eco repertoire build mine --db chess.db --color white --player 'Byrne, Donald' games.pgn
  eco repertoire check mine --db chess.db games.pgn
  eco repertoire gaps mine --db chess.db

A repertoire is a graph of positions for one colour, in which transpositions are merged. It has
moves that were played, counted from games by `build`, and moves that are prepared, read from notes
by `add`. If there are prepared moves, they are the book; otherwise the book is what was played,
limited for each side by --mine and --theirs. --db FILE holds any number of repertoires; `eco db`
lists, renames, removes and compares them.";

/// Manage repertoires: build them from games and notes, and find where games leave them.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct RepertoireArgs {
    #[command(subcommand)]
    command: Subcommands,
}

subcommands! {
    Result<Outcome, Failure>;
    Build(args: build::BuildArgs) => build::run(&args),
    Add(args: add::AddArgs) => add::run(&args),
    Edit(args: edit::EditArgs) => edit::run(&args),
    Undo(args: history::UndoArgs) => history::undo(&args),
    History(args: history::HistoryArgs) => history::list(&args),
    Tree(args: tree::TreeArgs) => tree::run(&args),
    Export(args: export::ExportArgs) => export::run(&args),
    Check(args: check::CheckArgs) => check::run(&args),
    Gaps(args: gaps::GapsArgs) => gaps::run(&args),
    Lint(args: findings::LintArgs) => findings::find_faults(&args),
}

pub(super) fn run(args: RepertoireArgs) -> Result<Outcome, Failure> {
    args.command.run()
}
