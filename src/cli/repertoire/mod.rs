//! `eco repertoire`: one file a subcommand, with its arguments and what it does.

mod add;
mod build;
mod change;
mod check;
mod choice;
mod diff;
mod export;
mod filter;
mod gaps;
mod import;
mod layout;
mod lint;
mod list;
mod names;
mod novelties;
mod opened;
mod reference;
mod selection;
mod show;
mod tree;

use clap::{Args, Subcommand, ValueEnum};
use eco::chess::Color;

use super::{Failure, Outcome};

const HELP: &str = "\
Examples:
  eco repertoire build mine --db chess.db --color white --player 'Byrne, Donald' games.pgn
  eco repertoire check mine --db chess.db games.pgn
  eco repertoire gaps mine --db chess.db
  eco repertoire list --db chess.db

A repertoire is a graph of positions for one colour, whatever the order of moves. It has moves that
were played, counted from games by `build`, and moves that are prepared, read from notes by `add`.
If any are prepared, those are the book; if none are, what was played is, as often as --min-games
and --min-share ask. All repertoires of a --db are in one SQLite file.";

/// Keep repertoires: build them from games and notes, and see where games leave them.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct RepertoireArgs {
    #[command(subcommand)]
    command: RepertoireCommand,
}

#[derive(Debug, Subcommand)]
enum RepertoireCommand {
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
    Rename(change::RenameArgs),
    Remove(change::RemoveArgs),
    Merge(change::MergeArgs),
}

pub(super) fn run(args: RepertoireArgs) -> Result<Outcome, Failure> {
    match args.command {
        RepertoireCommand::Build(args) => build::run(&args),
        RepertoireCommand::Add(args) => add::run(&args),
        RepertoireCommand::Show(args) => show::run(&args),
        RepertoireCommand::Tree(args) => tree::run(&args),
        RepertoireCommand::Diff(args) => diff::run(&args),
        RepertoireCommand::Export(args) => export::run(&args),
        RepertoireCommand::Check(args) => check::run(&args),
        RepertoireCommand::Gaps(args) => gaps::run(&args),
        RepertoireCommand::Lint(args) => lint::run(&args),
        RepertoireCommand::Novelties(args) => novelties::run(&args),
        RepertoireCommand::Filter(args) => filter::run(&args),
        RepertoireCommand::List(args) => list::run(&args),
        RepertoireCommand::Rename(args) => change::rename(&args),
        RepertoireCommand::Remove(args) => change::remove(&args),
        RepertoireCommand::Merge(args) => change::merge(&args),
    }
}

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        Self::from_white(side == Side::White)
    }
}

/// The name of a repertoire.
fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a name without control characters");
    }
    Ok(text.trim().to_owned())
}

/// The name of a repertoire that may be new. A file that is there was meant for an input, and the name
/// forgotten.
fn parse_new_name(text: &str) -> Result<String, String> {
    if std::path::Path::new(text).is_file() {
        return Err("this is a file; name a repertoire before it".to_owned());
    }
    parse_name(text).map_err(str::to_owned)
}

/// A share, as `0.05` or `5%`.
fn parse_share(text: &str) -> Result<f64, &'static str> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("expected a share such as 0.05 or 5%")
}
