//! `eco collection`: one file a subcommand, with its arguments and what it does.

mod change;
mod export;
mod list;

use clap::{Args, Subcommand};

use super::outcome::{Failure, Outcome};

const HELP: &str = "\
Examples:
  eco collection list --db games.db
  eco collection export games --db games.db --player 'Fischer, Robert James' -o fischer.pgn

A collection has whole games, so that any position can be asked what was played there. `eco index`
makes collections, adds games to them, and removes games. --db FILE holds any number of them.";

/// List, export, rename and remove collections of games.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct CollectionArgs {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    List(list::ListArgs),
    Export(Box<export::ExportArgs>),
    Rename(change::RenameArgs),
    Remove(change::RemoveArgs),
}

pub(super) fn run(args: CollectionArgs) -> Result<Outcome, Failure> {
    match args.command {
        Subcommands::List(args) => list::run(&args),
        Subcommands::Export(args) => export::run(&args),
        Subcommands::Rename(args) => change::rename(&args),
        Subcommands::Remove(args) => change::remove(&args),
    }
}
