//! The command line: reads it, calls the library, prints, and returns an exit code.
//!
//! One file a command, with its arguments and what it does. No two files import each other. Each
//! imports only from those to its left, and none imports from its parent's `mod.rs`, which holds
//! nothing but the subcommands and their dispatch:
//!
//! ```text
//! outcome · input · replace · args · output · layout · progress · games · masters
//! │ the commands │ mod
//! ```

mod args;
mod catalogue;
mod classify;
mod fen;
mod games;
mod ingest;
mod input;
mod layout;
mod lookup;
mod manual;
mod masters;
mod outcome;
mod output;
mod progress;
mod repertoire;
mod replace;
mod search;
mod tag;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use eco::{chess::FaultClass, output::sanitize};

use self::outcome::{Failure, Outcome, complain, say};

/// Names the opening of every chess game.
#[derive(Debug, Parser)]
#[command(name = "eco", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Classify(classify::ClassifyArgs),
    Tag(Box<tag::TagArgs>),
    Lookup(lookup::LookupArgs),
    Search(search::SearchArgs),
    Fen(fen::FenArgs),
    Ingest(ingest::IngestArgs),
    Repertoire(repertoire::RepertoireArgs),
    Catalogue(catalogue::CatalogueArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

impl Command {
    fn run(self) -> Result<Outcome, Failure> {
        match self {
            Self::Classify(args) => classify::run(&args),
            Self::Tag(args) => tag::run(&args),
            Self::Lookup(args) => lookup::run(&args),
            Self::Search(args) => search::run(&args),
            Self::Fen(args) => fen::run(args),
            Self::Repertoire(args) => repertoire::run(args),
            Self::Ingest(args) => ingest::run(&args),
            Self::Catalogue(args) => catalogue::run(args),
            Self::Completions(args) => manual::completions(&args, Cli::command()),
            Self::Man(args) => manual::man(&args, Cli::command()),
        }
    }
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match cli.command.run() {
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

/// Prints help, the version, or what is wrong with the arguments. These are repeated in the message,
/// and may be names of files that somebody else chose.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let is_safe = text.lines().all(|line| sanitize(line.as_bytes()) == line);
    if is_safe || !error.use_stderr() {
        error.exit();
    }
    text.lines().for_each(|line| say(&line));
    ExitCode::from(2)
}
