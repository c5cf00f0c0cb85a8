//! The command line described to others: to shells, which ask `eco` itself what fits, so that it
//! can offer the repertoires of a database; to `man`; and to clap, which values an argument has.
//! The only file that uses `clap_complete` and `clap_mangen`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::{CompleteEnv, env::Shells};
use eco::stats::{Number, ParseGroupByError};
use eco::store::{Database, Explorer, Kind, StoreError};
use eco::{chess::Language, output::Field, replace::is_database};

use super::{home, outcome::Failure};

/// A value that an argument can have: what is typed, its help if it needs any, and what it means.
pub(super) type Choice<T> = (&'static str, &'static str, T);

/// Reads one of these choices, in any case.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: impl AsRef<[Choice<T>]> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    let values = choices.as_ref().iter().map(|(name, help, _)| match *help {
        "" => PossibleValue::new(*name),
        help => PossibleValue::new(*name).help(help),
    });
    PossibleValuesParser::new(values).map(move |typed| {
        let mut choices = choices.as_ref().iter();
        let choice = choices.find(|(name, ..)| typed.eq_ignore_ascii_case(name));
        choice.expect("clap takes no other value").2
    })
}

/// Answers a shell that asks for completions, and ends the program; does nothing otherwise.
pub(super) fn answer(program: fn() -> Command) {
    CompleteEnv::with_factory(program).complete();
}

/// Completes a list of fields.
pub(super) fn fields() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let names: Vec<_> = Field::ALL.iter().chain(&[Field::Moves]).map(Field::name).collect();
        let names = names.iter().map(|name| &**name).chain(["all", "tag:"]);
        list(current, &names.collect::<Vec<_>>())
    })
}

/// Completes the fields that games are grouped by.
pub(super) fn groups() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| list(current, &ParseGroupByError::known()))
}

/// Completes the name of a number that rows are sorted by, and then a direction.
pub(super) fn numbers() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let is_whole = |name: &str| current.to_str().is_some_and(|text| text.starts_with(name));
        let names = Number::names().flat_map(|name| {
            let ends: &[&str] = if is_whole(name) { &["", ":asc", ":desc"] } else { &[""] };
            ends.iter().map(move |end| format!("{name}{end}"))
        });
        let names: Vec<String> = names.collect();
        beginning_with(current, names.iter().map(String::as_str))
    })
}

/// Completes the code of a language.
pub(super) fn languages() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let codes = Language::ALL.iter().map(|language| language.code());
        beginning_with(current, codes)
    })
}

/// Completes the name of a repertoire in the database of the command line.
pub(super) fn repertoires() -> ArgValueCompleter {
    names(|path, _| Database::open(path)?.names(Kind::Repertoire))
}

/// Completes the name of a collection in the database of the command line.
pub(super) fn collections() -> ArgValueCompleter {
    names(|path, _| Database::open(path)?.names(Kind::Collection))
}

/// Completes the name of a master in the database of the command line.
pub(super) fn masters() -> ArgValueCompleter {
    names(|path, _| Database::open(path)?.names(Kind::Master))
}

/// Completes the name of anything that the database of the command line keeps.
pub(super) fn kept() -> ArgValueCompleter {
    names(|path, _| {
        let database = Database::open(path)?;
        let names = Kind::ALL.iter().map(|kind| database.names(*kind));
        Ok(names.collect::<Result<Vec<_>, _>>()?.concat())
    })
}

/// The number of players that are offered.
const PLAYERS: usize = 50;

/// Completes the name of a player in the collections of the database of the command line.
pub(super) fn players() -> ArgValueCompleter {
    names(|path, begun| {
        let players = Explorer::open(path, &[])?.players(begun, PLAYERS)?;
        Ok(players.into_iter().map(|(name, _)| name).chain(["me".to_owned()]).collect())
    })
}

fn names(read: fn(&Path, &str) -> Result<Vec<String>, StoreError>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let args: Vec<OsString> = std::env::args_os().collect();
        let begun = current.to_string_lossy();
        let names = read(&database(&args), &begun).unwrap_or_default();
        beginning_with(current, names.iter().map(String::as_str))
    })
}

/// The database that a command line names, by an option or among the inputs; or else the
/// environment or the home.
fn database(args: &[OsString]) -> PathBuf {
    let option = |name: &str| {
        let after = args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
        let joined = |arg: &OsString| {
            Some(arg.to_str()?.strip_prefix(name)?.strip_prefix('=')?.to_owned().into())
        };
        after.cloned().or_else(|| args.iter().find_map(joined))
    };
    // The first argument is the program.
    let input = || args.iter().skip(1).find(|arg| is_database(Path::new(arg))).cloned();
    let named = option("--db").or_else(|| option("--catalogue")).or_else(input);
    named.or_else(|| std::env::var_os("ECO_DB")).map_or_else(home::database, PathBuf::from)
}

/// The candidates for the last item of a list with commas, which are not in it yet.
fn list(current: &OsStr, names: &[&str]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let (before, last) = current
        .rsplit_once(',')
        .map_or(("", current), |(_, last)| (&current[..current.len() - last.len()], last));
    let is_new = |name: &&&str| !before.split(',').any(|item| item == **name);
    let fitting = names.iter().filter(is_new).filter(|name| name.starts_with(last));
    fitting.map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

fn beginning_with<'n>(
    current: &OsStr,
    names: impl Iterator<Item = &'n str>,
) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    names.filter(|name| name.starts_with(current)).map(CompletionCandidate::new).collect()
}

/// Print completions for a shell.
///
/// The script asks `eco` itself for commands, options and their values, files, and the repertoires
/// of a database.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  eco completions bash > eco.bash\n  eco completions zsh > _eco"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

/// Print the manual page, or write the pages of all subcommands.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  eco man > eco.1\n  eco man --output .")]
pub(super) struct ManArgs {
    /// Write the pages of all subcommands to this folder: eco-classify.1 and so on
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// The script for a shell.
pub(super) fn script(args: &CompletionsArgs) -> Result<Vec<u8>, Failure> {
    let shells = Shells::builtins();
    let shell =
        shells.completer(&args.shell.to_ascii_lowercase()).expect("the arguments name one of them");
    let mut script = Vec::new();
    shell.write_registration("COMPLETE", "eco", "eco", "eco", &mut script)?;
    Ok(script)
}

/// The page to print; empty, if pages are written to a folder.
pub(super) fn manual(args: &ManArgs, program: Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    match &args.output {
        Some(folder) => {
            let failed = |error| Failure(format!("{}: {error}", folder.display()));
            clap_mangen::generate_to(program, folder).map_err(failed)?;
        }
        None => clap_mangen::Man::new(program).render(&mut page)?,
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_item_of_a_list_is_completed() {
        let completed = |current: &str| -> Vec<String> {
            let found = list(current.as_ref(), &["eco", "error", "opening"]);
            found.iter().map(|c| c.get_value().to_str().unwrap().to_owned()).collect()
        };
        assert_eq!(completed("e"), ["eco", "error"]);
        assert_eq!(completed("eco,e"), ["eco,error"]);
        assert_eq!(completed("eco,opening,"), ["eco,opening,error"]);
        assert_eq!(completed("x"), [""; 0]);
    }

    #[test]
    fn the_database_is_that_of_the_command_line() {
        let database =
            |args: &[&str]| database(&args.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(database(&["eco", "--db", "a.db", "x"]), PathBuf::from("a.db"));
        assert_eq!(database(&["eco", "--db=b.db"]), PathBuf::from("b.db"));
    }
}
