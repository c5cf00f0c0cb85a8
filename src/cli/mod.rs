//! Reads the command line, calls the library, prints, and turns the outcome into an exit code.

mod args;
mod catalogue;
mod classify;
mod fen;
mod games;
mod ingest;
mod lookup;
mod manual;
mod masters;
mod output;
mod progress;
mod repertoire;
mod replace;
mod search;
mod tag;

use std::{fmt::Display, io::Write, process::ExitCode};

use clap::Parser;
use eco::{chess::FaultClass, output::sanitize};

use self::args::{Cli, Command};

/// How a run that got through ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Everything was done.
    Done,
    /// Done, but an input could not be read to its end, or had errors where none were allowed.
    Incomplete,
    /// Done, and a FEN had a fault of this class, where to tell so was the task.
    Faulty(FaultClass),
}

/// What could not be done at all, in words for the user.
#[derive(Debug)]
struct Failure(String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Classify(args) => classify::run(&args),
        Command::Tag(args) => tag::run(&args),
        Command::Lookup(args) => lookup::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Fen(args) => fen::run(args),
        Command::Repertoire(args) => repertoire::run(args),
        Command::Ingest(args) => ingest::run(&args),
        Command::Catalogue(args) => catalogue::run(args.command),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    match outcome {
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

/// Tells the user what went wrong, on standard error.
fn complain(what: &dyn Display) {
    say(&format_args!("eco: {what}"));
}

/// Says something on standard error, if anybody listens. Names in it may come from anywhere.
fn say(what: &dyn Display) {
    let text = sanitize(what.to_string().as_bytes()).into_owned();
    let _ = writeln!(std::io::stderr(), "{text}");
}
