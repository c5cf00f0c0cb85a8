//! The command line: reads it, calls the library, prints, and returns an exit code.
//!
//! One file a command, with its arguments and what it does. No two files import each other. Each
//! imports only from those to its left, and none imports from its parent's `mod.rs`, which holds
//! nothing but the subcommands and their dispatch:
//!
//! ```text
//! color · completion · outcome · question · input · replace · args · output · pgn_output
//! · progress · rows · games · repeats · count · masters · selection · collect
//! │ the commands │ mod
//! ```

mod args;
mod catalogue;
mod classify;
mod collect;
mod collection;
mod color;
mod completion;
mod count;
mod explore;
mod fen;
mod filter;
mod games;
mod index;
mod ingest;
mod input;
mod lookup;
mod manual;
mod masters;
mod outcome;
mod output;
mod pgn_output;
mod progress;
mod question;
mod repertoire;
mod repeats;
mod replace;
mod report;
mod row_layout;
mod row_writer;
mod rows;
mod search;
mod serve;
mod split;
mod stats;
mod selection;
mod tag;
mod usage;

use std::{mem::ManuallyDrop, process::ExitCode};

use anstream::ColorChoice;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use eco::chess::FaultClass;

use self::outcome::{Failure, Outcome, complain};

const AFTER_HELP: &str = "\
Every command takes --color auto|always|never [default: auto, which heeds NO_COLOR and
CLICOLOR_FORCE].";

/// Names the opening of every chess game.
#[derive(Debug, Parser)]
#[command(name = "eco", version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Classify(Box<classify::ClassifyArgs>),
    Tag(Box<tag::TagArgs>),
    Filter(Box<filter::FilterArgs>),
    Lookup(lookup::LookupArgs),
    Search(search::SearchArgs),
    Stats(Box<stats::StatsArgs>),
    Report(Box<report::ReportArgs>),
    Serve(serve::ServeArgs),
    Fen(fen::FenArgs),
    Ingest(ingest::IngestArgs),
    Repertoire(Box<repertoire::RepertoireArgs>),
    Split(split::SplitArgs),
    Index(Box<index::IndexArgs>),
    Collection(collection::CollectionArgs),
    Explore(Box<explore::ExploreArgs>),
    Catalogue(catalogue::CatalogueArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

impl Command {
    fn run(self) -> Result<Outcome, Failure> {
        match self {
            Self::Classify(args) => classify::run(&args),
            Self::Tag(args) => tag::run(&args),
            Self::Filter(args) => filter::run(&args),
            Self::Lookup(args) => lookup::run(&args),
            Self::Search(args) => search::run(&args),
            Self::Stats(args) => stats::run(&args),
            Self::Report(args) => report::run(&args),
            Self::Serve(args) => serve::run(&args),
            Self::Fen(args) => fen::run(args),
            Self::Repertoire(args) => repertoire::run(*args),
            Self::Split(args) => split::run(&args),
            Self::Index(args) => index::run(&args),
            Self::Collection(args) => collection::run(args),
            Self::Explore(args) => explore::run(&args),
            Self::Ingest(args) => ingest::run(&args),
            Self::Catalogue(args) => catalogue::run(args),
            Self::Completions(args) => manual::completions(&args),
            Self::Man(args) => manual::man(&args, Cli::command()),
        }
    }
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    completion::answer(Cli::command);
    match parse().and_then(|cli| cli.command.run()) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Incomplete) => ExitCode::from(1),
        Ok(Outcome::Faulty(FaultClass::Odd)) => ExitCode::from(3),
        Ok(Outcome::Faulty(FaultClass::Impossible)) => ExitCode::from(4),
        Ok(Outcome::Faulty(FaultClass::Syntax)) => ExitCode::from(5),
        Err(Failure(reason)) => {
            complain(&reason);
            ExitCode::from(2)
        }
    }
}

/// Reads the command line. Help and usage errors end the program.
fn parse() -> Result<Cli, Failure> {
    let (choice, args) = color::take_choice(std::env::args_os()).map_err(Failure)?;
    let choice = match choice {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => clap::ColorChoice::Always,
        ColorChoice::Auto => clap::ColorChoice::Auto,
        ColorChoice::Never => clap::ColorChoice::Never,
    };
    let exit = |error: clap::Error| usage::exit(&usage::with_advice(error));
    // The process ends soon. To take the description of all commands apart costs a quarter of what
    // reading the command line does.
    let mut command = ManuallyDrop::new(Cli::command().color(choice));
    let matches = command.try_get_matches_from_mut(args).unwrap_or_else(exit);
    Ok(Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
}
