//! The command line: reads it, calls the library, prints, and returns an exit code.
//!
//! One file a command, with its arguments and what it does. No two files import each other. Each
//! imports only from those to its left, and none imports from its parent's `mod.rs`, which holds
//! nothing but the subcommands and their dispatch:
//!
//! ```text
//! color · completion · outcome · question · input · replace · args · output · progress · rows
//! · repeats · selection · games · run · masters
//! │ the commands │ mod
//! ```

mod args;
mod catalogue;
mod classify;
mod collection;
mod color;
mod completion;
mod explore;
mod fen;
mod filter;
mod games;
mod index;
mod ingest;
mod input;
mod interrupt;
mod lookup;
mod manual;
mod masters;
mod outcome;
mod output;
mod progress;
mod question;
mod repertoire;
mod repeats;
mod replace;
mod report;
mod row_writer;
mod rows;
mod run;
mod search;
mod serve;
mod split;
mod stats;
mod selection;
mod tag;
mod usage;
mod vectors;

use std::{ffi::OsString, mem::ManuallyDrop, process::ExitCode};

use anstream::ColorChoice;
use clap::{Args, FromArgMatches, Subcommand};
use eco::chess::FaultClass;

use self::outcome::{Failure, Outcome, complain};

const AFTER_HELP: &str = "\
Every command takes --color auto|always|never [default: auto, which heeds NO_COLOR and
CLICOLOR_FORCE].";

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
    Train(repertoire::TrainArgs),
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
            Self::Train(args) => repertoire::train(&args),
            Self::Split(args) => split::run(&args),
            Self::Index(args) => index::run(&args),
            Self::Collection(args) => collection::run(args),
            Self::Explore(args) => explore::run(&args),
            Self::Ingest(args) => ingest::run(&args),
            Self::Catalogue(args) => catalogue::run(args),
            Self::Completions(args) => manual::completions(&args),
            Self::Man(args) => manual::man(&args, program()),
        }
    }
}

/// A function that describes the arguments of a command.
type Describe = fn(clap::Command) -> clap::Command;

/// The commands by name. To describe all of them takes longer than many of them run.
const COMMANDS: [(&str, Describe); 19] = [
    ("classify", classify::ClassifyArgs::augment_args),
    ("tag", tag::TagArgs::augment_args),
    ("filter", filter::FilterArgs::augment_args),
    ("lookup", lookup::LookupArgs::augment_args),
    ("search", search::SearchArgs::augment_args),
    ("stats", stats::StatsArgs::augment_args),
    ("report", report::ReportArgs::augment_args),
    ("serve", serve::ServeArgs::augment_args),
    ("fen", fen::FenArgs::augment_args),
    ("ingest", ingest::IngestArgs::augment_args),
    ("repertoire", repertoire::RepertoireArgs::augment_args),
    ("train", repertoire::TrainArgs::augment_args),
    ("split", split::SplitArgs::augment_args),
    ("index", index::IndexArgs::augment_args),
    ("collection", collection::CollectionArgs::augment_args),
    ("explore", explore::ExploreArgs::augment_args),
    ("catalogue", catalogue::CatalogueArgs::augment_args),
    ("completions", manual::CompletionsArgs::augment_args),
    ("man", manual::ManArgs::augment_args),
];

/// The program, still without commands.
fn program_alone() -> clap::Command {
    clap::Command::new("eco")
        .about("Names the opening of every chess game")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(AFTER_HELP)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// The program with all commands.
fn program() -> clap::Command {
    in_any_case(Command::augment_subcommands(program_alone()))
}

/// The same command, whose choices may be typed in any case: `--color White`.
fn in_any_case(command: clap::Command) -> clap::Command {
    let with_choices = |arg: clap::Arg| {
        let has_value = arg.get_action().takes_values();
        arg.ignore_case(has_value)
    };
    command.mut_args(with_choices).mut_subcommands(in_any_case)
}

/// The program with as many commands as reading these arguments takes: one, if they begin with its
/// name.
fn program_for(args: &[OsString]) -> clap::Command {
    let is_meant = |(name, _): &&(&str, _)| args.get(1).is_some_and(|arg| arg == name);
    match COMMANDS.iter().find(is_meant) {
        Some((name, describe)) => {
            in_any_case(program_alone().subcommand(describe(clap::Command::new(*name))))
        }
        None => program(),
    }
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    interrupt::outlive_file_limits();
    completion::answer(program);
    let run = |command: Command| vectors::limit().and_then(|()| command.run());
    match parse().and_then(run) {
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
fn parse() -> Result<Command, Failure> {
    let (choice, args) = color::take_choice(std::env::args_os()).map_err(Failure)?;
    let choice = match choice {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => clap::ColorChoice::Always,
        ColorChoice::Auto => clap::ColorChoice::Auto,
        ColorChoice::Never => clap::ColorChoice::Never,
    };
    // The process ends soon; taking the description apart would be in vain.
    let mut command = ManuallyDrop::new(program_for(&args).color(choice));
    let matches = command.try_get_matches_from_mut(args);
    let matches = matches.unwrap_or_else(|error| usage::exit(&usage::with_advice(error, &command)));
    Ok(Command::from_arg_matches(&matches).unwrap_or_else(|error| usage::exit(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_alone_is_described_as_among_all() {
        let all = program();
        let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, COMMANDS.map(|(name, _)| name));
        for described in all.get_subcommands() {
            let args = [OsString::from("eco"), OsString::from(described.get_name())];
            let alone = program_for(&args);
            assert_eq!(alone.get_subcommands().count(), 1);
            let [alone, among_all] = [alone.get_subcommands().next().unwrap(), described]
                .map(|command| format!("{:?}", command.clone().display_order(0)));
            assert!(alone == among_all, "{} is described otherwise", described.get_name());
        }
    }
}
