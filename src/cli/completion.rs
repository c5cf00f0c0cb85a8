//! What a shell completes: `eco` itself answers, so that it can offer the repertoires of a
//! database. With `manual`, the only file that uses `clap_complete`.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use clap::Command;
use clap_complete::{
    CompleteEnv,
    engine::{ArgValueCompleter, CompletionCandidate},
};
use eco::{chess::Language, output::Field, store::Database};

/// Answers a shell that asks for completions, and ends the program; does nothing otherwise.
pub(super) fn answer(program: fn() -> Command) {
    CompleteEnv::with_factory(program).complete();
}

/// Completes a list of fields.
pub(super) fn fields() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let names: Vec<_> = Field::ALL.iter().chain(Field::BESIDES).map(Field::name).collect();
        let names = names.iter().map(|name| &**name).chain(["all", "tag:"]);
        list(current, &names.collect::<Vec<_>>())
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
    ArgValueCompleter::new(|current: &OsStr| {
        let args: Vec<OsString> = std::env::args_os().collect();
        let database = database(&args).and_then(|path| Database::open(&path).ok());
        let names = database.and_then(|database| database.repertoires().ok()).unwrap_or_default();
        beginning_with(current, names.iter().map(|info| info.name.as_str()))
    })
}

/// Completes the name of a collection in the database of the command line.
pub(super) fn collections() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let args: Vec<OsString> = std::env::args_os().collect();
        let database = database(&args).and_then(|path| Database::open(&path).ok());
        let names = database.and_then(|database| database.collections().ok()).unwrap_or_default();
        beginning_with(current, names.iter().map(|info| info.name.as_str()))
    })
}

/// The database that a command line names, or else the environment.
fn database(args: &[OsString]) -> Option<PathBuf> {
    let after = args.iter().position(|arg| arg == "--db").and_then(|at| args.get(at + 1));
    let joined = || args.iter().find_map(|arg| Some(arg.to_str()?.strip_prefix("--db=")?.into()));
    let path = after.cloned().or_else(joined).or_else(|| std::env::var_os("ECO_DB"))?;
    Some(path.into())
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
        assert_eq!(database(&["eco", "--db", "a.db", "x"]), Some("a.db".into()));
        assert_eq!(database(&["eco", "--db=b.db"]), Some("b.db".into()));
    }
}
