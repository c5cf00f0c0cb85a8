//! `eco collection rename` and `remove`.

use clap::Args;
use eco::{output::sanitize, store::Database};

use crate::cli::{
    args::DatabaseArgs,
    completion,
    games::games_text,
    outcome::{Failure, Outcome},
    output::print,
};

const RENAME_HELP: &str = "\
Examples:
  eco collection rename masters otb --db games.db";

/// Rename a collection.
#[derive(Debug, Args)]
#[command(after_long_help = RENAME_HELP, after_help = "See --help for details and examples.")]
pub(super) struct RenameArgs {
    /// The collection
    #[arg(value_name = "NAME", add = completion::collections())]
    name: String,

    /// Its new name
    #[arg(value_name = "NEW", value_parser = parse_name)]
    new: String,

    #[command(flatten)]
    database: DatabaseArgs,
}

/// The new name of a collection.
fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a name without control characters");
    }
    Ok(text.trim().to_owned())
}

pub(super) fn rename(args: &RenameArgs) -> Result<Outcome, Failure> {
    Database::rename_collection(&args.database.db, &args.name, &args.new)?;
    let [name, new] = [&args.name, &args.new].map(|name| sanitize(name.as_bytes()));
    let db = args.database.db.display();
    print(format!("{db}: {name}: renamed to {new}\n").as_bytes())?;
    Ok(Outcome::Done)
}

const REMOVE_HELP: &str = "\
Examples:
  eco collection remove otb --db games.db

The games of the collection are removed with it. The file does not shrink; its free space is reused.
`eco index --remove` removes selected games.";

/// Remove a collection from a position database.
#[derive(Debug, Args)]
#[command(after_long_help = REMOVE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct RemoveArgs {
    /// The collection
    #[arg(value_name = "NAME", add = completion::collections())]
    name: String,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn remove(args: &RemoveArgs) -> Result<Outcome, Failure> {
    let games = Database::open(&args.database.db)?.collection(&args.name)?.games;
    Database::remove_collection(&args.database.db, &args.name)?;
    let (db, name) = (args.database.db.display(), sanitize(args.name.as_bytes()));
    print(format!("{db}: {name}: removed with {}\n", games_text(games)).as_bytes())?;
    Ok(Outcome::Done)
}
