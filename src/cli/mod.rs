//! The command line: reads it, calls the library, prints, and returns an exit code.
//!
//! A command is a file, or part of a file on its subject, with its arguments and what it does. No
//! two files import each other. Each imports only from those to its left, and none imports from its
//! parent's `mod.rs`, which reads the arguments and runs the command that they name:
//!
//! ```text
//! home · color · terminal · outcome · settings · completion · input · replace · args · position
//! · output · pager · progress · row_writer · rows · repeats · selection · games · run · indexed
//! · masters · openings · reference · overview
//! │ the commands │ mod
//! ```

/// Declares the subcommands of a command: of each its name, its arguments, and what runs it.
macro_rules! subcommands {
    ($result:ty; $($(#[$about:meta])* $name:ident($args:ident: $type:ty) => $run:expr,)*) => {
        #[derive(Debug, clap::Subcommand)]
        enum Subcommands {
            $($(#[$about])* $name(Box<$type>),)*
        }

        impl Subcommands {
            fn run(self) -> $result {
                match self {
                    $(Self::$name($args) => $run,)*
                }
            }
        }
    };
}

mod args;
mod browser;
mod classify;
mod clock;
mod color;
mod completion;
mod config;
mod db;
mod explore;
mod fen;
mod filter;
mod games;
mod home;
mod index;
mod indexed;
mod ingest;
mod input;
mod interrupt;
mod lookup;
mod masters;
mod novelties;
mod openings;
mod opponent;
mod outcome;
mod output;
mod overview;
mod pager;
mod position;
mod prepare;
mod progress;
mod reference;
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
mod settings;
mod tag;
mod terminal;
mod week;

use std::ffi::{OsStr, OsString};
use std::num::{IntErrorKind, ParseIntError};
use std::{env, error::Error as _, io, io::Write, mem::ManuallyDrop, net::AddrParseError};
use std::{path::Path, process::ExitCode};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Error, FromArgMatches, Subcommand, builder::StyledStr};
use eco::simd::{Vectors, limit_vectors};
use eco::{chess::FaultClass, output::sanitize};

use self::outcome::{Failure, Interruption, Outcome, complain, say};
use self::terminal::lines_of_message;

const AFTER_HELP: &str = "\
Every command takes --color auto|always|never [default: auto, which heeds NO_COLOR and \
CLICOLOR_FORCE].";

/// A function that describes the arguments of a command.
type Describe = fn(clap::Command) -> clap::Command;

/// The commands, and a table of what describes them.
macro_rules! commands {
    ($($name:ident($args:ident: $type:ty) => $run:expr,)*) => {
        subcommands! { Result<Outcome, Failure>; $($name($args: $type) => $run,)* }

        const COMMANDS: &[(&str, Describe)] =
            &[$((stringify!($name), <$type>::augment_args),)*];
    };
}

commands! {
    Classify(args: classify::ClassifyArgs) => classify::run(&args),
    Tag(args: tag::TagArgs) => tag::run(&args),
    Filter(args: filter::FilterArgs) => filter::run(&args),
    Lookup(args: lookup::LookupArgs) => lookup::run(&args),
    Search(args: search::SearchArgs) => search::run(&args),
    Stats(args: stats::StatsArgs) => stats::run(&args),
    Report(args: report::ReportArgs) => report::run(&args),
    Novelties(args: novelties::NoveltiesArgs) => novelties::run(&args),
    Serve(args: serve::ServeArgs) => serve::run(&args),
    Fen(args: fen::FenArgs) => fen::run(*args),
    Ingest(args: ingest::IngestArgs) => ingest::run(&args),
    Repertoire(args: repertoire::RepertoireArgs) => repertoire::run(*args),
    Prepare(args: prepare::PrepareArgs) => prepare::run(&args),
    Week(args: week::WeekArgs) => week::run(&args),
    Train(args: repertoire::TrainArgs) => repertoire::train(&args),
    Split(args: split::SplitArgs) => split::run(&args),
    Index(args: index::IndexArgs) => index::run(&args),
    Explore(args: explore::ExploreArgs) => explore::run(&args),
    Db(args: db::DbArgs) => db::run(*args),
    Me(args: config::MeArgs) => config::me(&args),
    Config(args: config::ConfigArgs) => config::run(&args),
    Completions(args: completion::CompletionsArgs) => print(completion::script(&args)),
    Man(args: completion::ManArgs) => print(completion::manual(&args, program())),
}

fn print(text: Result<Vec<u8>, Failure>) -> Result<Outcome, Failure> {
    output::print(&text?).map(|()| Outcome::Done)
}

/// The program, still without commands.
fn program_alone() -> clap::Command {
    clap::Command::new("eco")
        .about("Names the opening of every chess game")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(AFTER_HELP)
        .term_width(rows::table_width())
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// The program with all commands.
fn program() -> clap::Command {
    let program = Subcommands::augment_subcommands(program_alone());
    with_shaped_help(in_any_case(program))
}

/// Lets the choices of a command be typed in any case: `--color White`.
fn in_any_case(command: clap::Command) -> clap::Command {
    let in_case = |arg: clap::Arg| {
        let has_value = arg.get_action().takes_values();
        arg.ignore_case(has_value)
    };
    command.mut_args(in_case).mut_subcommands(in_any_case)
}

/// Shortens the `-h` of a command, and lets its help fit the terminal: what only help needs.
fn with_shaped_help(command: clap::Command) -> clap::Command {
    let selects = command.get_arguments().any(overview::is_of_selection);
    let command = command.mut_args(overview::shortened);
    let mut command = command.mut_subcommands(with_shaped_help);
    if let Some(help) = command.get_after_long_help().map(ToString::to_string) {
        command = command.after_long_help(overview::in_paragraphs(&help));
    }
    if selects { command.after_help(overview::CHOOSE) } else { command }
}

/// The program with as many commands as reading these arguments takes: one, if they begin with its
/// name. To describe all of them takes longer than many of them run.
fn program_for(args: &[OsString]) -> clap::Command {
    let mut commands = COMMANDS.iter().map(|(name, describe)| (name.to_lowercase(), describe));
    match commands.find(|(name, _)| args.get(1).is_some_and(|arg| arg == &**name)) {
        Some((name, describe)) => {
            // A name of clap's has to last.
            let command = describe(clap::Command::new(&*name.leak()));
            in_any_case(program_alone().subcommand(command))
        }
        None => program(),
    }
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    interrupt::outlive_file_limits();
    completion::answer(program);
    let run = |command: Subcommands| limit_vectors_as_set().and_then(|()| command.run());
    let ended = parse().and_then(run);
    interrupt::end();
    match ended {
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
fn parse() -> Result<Subcommands, Failure> {
    let read = settings::read();
    let (choice, args) =
        color::take_choice(std::env::args_os(), settings::one("color")).map_err(Failure)?;
    // `eco config` shows what is wrong, and mends it.
    if args.get(1).is_none_or(|command| command != "config") {
        read?;
    }
    let args = settings::with_names(args)?;
    let words: Vec<&str> = args.iter().skip(1).map(|arg| arg.to_str().unwrap_or("")).collect();
    let page = match words[..] {
        [] => Some(overview::OVERVIEW.to_owned()),
        ["help", "selection"] => Some(overview::selection_page(rows::table_width())),
        _ => None,
    };
    if let Some(page) = page {
        output::print(page.as_bytes())?;
        std::process::exit(0)
    }
    // The process ends soon; taking the description apart would be in vain.
    let mut command = ManuallyDrop::new(program_for(&args).color(choice));
    let matches = command.try_get_matches_from_mut(&args).or_else(|error| {
        use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand};
        match error.kind() {
            DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand => {
                with_shaped_help(program_for(&args)).color(choice).try_get_matches_from(&args)
            }
            _ => Err(error),
        }
    });
    let matches = matches.unwrap_or_else(|error| exit(&with_advice(error, &command)));
    Ok(Subcommands::from_arg_matches(&matches).unwrap_or_else(|error| exit(&error)))
}

/// Options that other programs have, and what does the same here.
const ELSEWHERE: [(&str, &str); 14] = [
    ("--db", "'--catalogue FILE', which says whose names"),
    ("--json", "'--format jsonl'"),
    ("--jsonl", "'--format jsonl'"),
    ("--csv", "'--format csv'"),
    ("--tsv", "'--format tsv'"),
    ("--sort", "sort(1), for rows: eco classify games.pgn --format tsv | sort -k 6"),
    ("--arrow", "'--mark': eco fen show e4 --mark e2e4"),
    ("--jobs", "'--threads'"),
    ("--out", "'--output'"),
    ("--top", "'--limit'"),
    ("--group-by", "'--by': eco stats games.pgn --by family"),
    ("--columns", "'--fields': eco classify games.pgn --fields game,eco,opening"),
    ("--count", "'eco stats', which counts games: eco stats games.pgn --by year"),
    ("--where", "'--player', '--since' and others (eco help selection)"),
];

/// What people try as commands, and what does it here.
const TRIED: [(&str, &str); 10] = [
    ("import", "eco index games.pgn"),
    ("find", "eco search najdorf"),
    ("open", "eco serve games.pgn --open"),
    ("list", "eco db list"),
    ("delete", "eco db remove NAME"),
    ("merge", "eco filter a.pgn b.pgn --unique -o all.pgn"),
    ("count", "eco stats games.pgn"),
    ("dedupe", "eco filter games.pgn --unique -o all.pgn"),
    ("convert", "eco classify games.pgn -o games.parquet"),
    ("search-player", "eco filter games.pgn --player 'Lind, Vera' -o lind.pgn"),
];

/// Adds to a usage error what may have been meant.
fn with_advice(mut error: Error, command: &clap::Command) -> Error {
    let text = |error: &Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            if let Some(expected) = expected(&error) {
                let value = text(&error, ContextKind::InvalidValue).unwrap_or_default();
                let option = text(&error, ContextKind::InvalidArg).unwrap_or_default();
                let message = format!(
                    "invalid value '{value}' for '{option}': {expected}\n\n\
                     For more information, try '--help'.\n"
                );
                return Error::raw(ErrorKind::ValueValidation, message).with_cmd(command);
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(&error, ContextKind::InvalidSubcommand).unwrap_or_default();
            if let Some((_, line)) = TRIED.iter().find(|(tried, _)| *tried == word) {
                advise(&mut error, &format!("this is done by '{line}'"));
            } else if is_input(&word) {
                advise(
                    &mut error,
                    &format!("to name the openings of games: 'eco classify {word}'"),
                );
            }
        }
        ErrorKind::UnknownArgument => {
            let word = text(&error, ContextKind::InvalidArg).unwrap_or_default();
            let name = word.split('=').next().unwrap_or_default();
            // What clap suggests for a value that begins with dashes; few mean that.
            error.remove(ContextKind::Suggested);
            if let Some((_, here)) = ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == name) {
                error.remove(ContextKind::SuggestedArg);
                advise(&mut error, &format!("there is {here}"));
            }
        }
        _ => {}
    }
    error
}

/// What was expected where the standard library could not read a value; it says only what it found.
fn expected(error: &Error) -> Option<&'static str> {
    let source = error.source()?;
    if source.is::<AddrParseError>() {
        return Some("expected an IP address such as 192.168.1.5 or ::1");
    }
    Some(match source.downcast_ref::<ParseIntError>()?.kind() {
        IntErrorKind::PosOverflow => "expected a smaller number",
        IntErrorKind::Zero => "expected a whole number from 1",
        _ => "expected a whole number, without sign or unit",
    })
}

/// Whether a word is rather an input than a command.
fn is_input(word: &str) -> bool {
    Path::new(word).exists() || word == "-" || word.to_ascii_lowercase().contains(".pgn")
}

fn advise(error: &mut Error, advice: &str) {
    let advice = ContextValue::StyledStrs(vec![StyledStr::from(advice.to_owned())]);
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, advice);
}

/// Prints help, the version, or what is wrong with the arguments, and ends the program.
fn exit(error: &Error) -> ! {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().flush());
        let ended = printed.map(|()| Outcome::Done).map_err(Interruption::from);
        if let Err(Failure(reason)) = ended.or_else(Interruption::outcome) {
            complain(&reason);
            std::process::exit(2)
        }
        std::process::exit(0)
    }
    // Arguments are repeated in the message, and may be names of files from any source.
    let text = error.render();
    let (plain, colored) = (text.to_string(), text.ansi().to_string());
    // Every message has the name of the program before it.
    if plain.lines().all(|line| sanitize(line.as_bytes()) == line) {
        let colored = colored.replacen("error:", "eco:", 1);
        let lines = colored.lines().flat_map(lines_of_message);
        lines.for_each(|line| anstream::eprintln!("{line}"));
    } else {
        plain.replacen("error:", "eco:", 1).lines().for_each(|line| say(&line));
    }
    std::process::exit(2)
}

/// The variable that limits how wide vectors are, to measure what they give.
const VECTORS: &str = "ECO_VECTORS";

fn limit_vectors_as_set() -> Result<(), Failure> {
    if let Some(value) = env::var_os(VECTORS) {
        limit_vectors(read_vectors(&value)?);
    }
    Ok(())
}

fn read_vectors(value: &OsStr) -> Result<Vectors, Failure> {
    value.to_str().and_then(Vectors::named).ok_or_else(|| {
        let hint = "give widest, avx2 or baseline, or leave it out";
        Failure(format!("{VECTORS} is {}: {hint}", value.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_widths_have_names() {
        for (value, vectors) in [
            ("", Some(Vectors::Widest)),
            ("widest", Some(Vectors::Widest)),
            ("avx2", Some(Vectors::Avx2)),
            ("baseline", Some(Vectors::Baseline)),
            ("sse", None),
        ] {
            assert_eq!(read_vectors(OsStr::new(value)).ok(), vectors, "{value}");
        }
    }

    #[test]
    fn every_command_is_in_the_overview_and_it_fits_on_a_screen() {
        let commands: Vec<String> = COMMANDS.iter().map(|(name, _)| name.to_lowercase()).collect();
        let text = overview::OVERVIEW;
        assert!(text.lines().count() <= 24, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        for command in commands {
            assert!(text.contains(&command), "{command} is missing");
        }
    }

    #[test]
    fn a_command_alone_is_described_as_among_all() {
        let all = program();
        let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
        let in_table = COMMANDS.iter().map(|(name, _)| name.to_lowercase());
        assert_eq!(names, in_table.collect::<Vec<_>>());
        for described in all.get_subcommands() {
            let args = [OsString::from("eco"), OsString::from(described.get_name())];
            let alone = with_shaped_help(program_for(&args));
            assert_eq!(alone.get_subcommands().count(), 1);
            let [alone, among_all] = [alone.get_subcommands().next().unwrap(), described]
                .map(|command| format!("{:?}", command.clone().display_order(0)));
            assert!(alone == among_all, "{} is described otherwise", described.get_name());
        }
    }
}
