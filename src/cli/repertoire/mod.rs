//! `eco repertoire`: one file a subcommand, with its arguments and what it does; and `eco train`,
//! which has a folder. The order of imports:
//!
//! ```text
//! args · layout · resolve_name · position · open_repertoire · reference · import ·
//! sources │ the subcommands │ mod
//! ```

mod add;
mod args;
mod build;
mod change;
mod chapters;
mod check;
mod diff;
mod edit;
mod export;
mod filter;
mod gaps;
mod import;
mod lint;
mod list;
mod novelties;
mod open_repertoire;
mod position;
mod reference;
mod resolve_name;
mod show;
mod sources;
mod train;
mod tree;

use clap::{Args, Subcommand};

pub(super) use self::train::{TrainArgs, run as train};
use super::outcome::{Failure, Outcome};

const HELP: &str = "\
Examples:
  eco repertoire build mine --db chess.db --color white --player 'Byrne, Donald' games.pgn
  eco repertoire check mine --db chess.db games.pgn
  eco repertoire gaps mine --db chess.db
  eco repertoire list --db chess.db

A repertoire is a graph of positions for one colour, in which transpositions are merged. It has
moves that were played, counted from games by `build`, and moves that are prepared, read from notes
by `add`. If there are prepared moves, they are the book; otherwise the book is what was played, as
broadly for each side as --mine and --theirs say. --db FILE holds any number of repertoires.";

/// Manage repertoires: build them from games and notes, and find where games leave them.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct RepertoireArgs {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Build(Box<build::BuildArgs>),
    Add(add::AddArgs),
    Show(show::ShowArgs),
    Tree(tree::TreeArgs),
    Diff(diff::DiffArgs),
    Export(Box<export::ExportArgs>),
    Check(check::CheckArgs),
    Gaps(gaps::GapsArgs),
    Lint(lint::LintArgs),
    Novelties(novelties::NoveltiesArgs),
    Filter(filter::FilterArgs),
    List(list::ListArgs),
    Chapters(chapters::ChaptersArgs),
    Cut(edit::CutArgs),
    Main(edit::MainArgs),
    Note(edit::NoteArgs),
    Rename(change::RenameArgs),
    Remove(change::RemoveArgs),
    Merge(change::MergeArgs),
}

pub(super) fn run(args: RepertoireArgs) -> Result<Outcome, Failure> {
    match args.command {
        Subcommands::Build(args) => build::run(&args),
        Subcommands::Add(args) => add::run(&args),
        Subcommands::Show(args) => show::run(&args),
        Subcommands::Tree(args) => tree::run(&args),
        Subcommands::Diff(args) => diff::run(&args),
        Subcommands::Export(args) => export::run(&args),
        Subcommands::Check(args) => check::run(&args),
        Subcommands::Gaps(args) => gaps::run(&args),
        Subcommands::Lint(args) => lint::run(&args),
        Subcommands::Novelties(args) => novelties::run(&args),
        Subcommands::Filter(args) => filter::run(&args),
        Subcommands::List(args) => list::run(&args),
        Subcommands::Chapters(args) => chapters::run(&args),
        Subcommands::Cut(args) => edit::cut(&args),
        Subcommands::Main(args) => edit::main(&args),
        Subcommands::Note(args) => edit::note(&args),
        Subcommands::Rename(args) => change::rename(&args),
        Subcommands::Remove(args) => change::remove(&args),
        Subcommands::Merge(args) => change::merge(&args),
    }
}
