//! `eco collection list`.

use clap::Args;
use eco::{
    output::{ColumnSet, ColumnType, Value, Width},
    store::{CollectionInfo, Database},
};

use crate::cli::{
    args::DatabaseArgs,
    outcome::{Failure, Outcome},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco collection list --db games.db
  eco collection list --db games.db --format jsonl

`counted` are the games that have a result and begin in the initial position. `bytes` is what the
games take in the file.";

/// List the collections of a position database.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ListArgs {
    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs,
}

type CollectionColumns = ColumnSet<for<'r> fn(&'r CollectionInfo) -> Value<'r>>;

fn columns() -> CollectionColumns {
    CollectionColumns::new()
        .with("name", Width::Share(2), |info| Value::text(&info.name))
        .with("games", Width::Number, |info| info.games.into())
        .with("counted", Width::Number, |info| info.counted_games.into())
        .with("max_ply", Width::Number, |info| info.max_ply.into())
        .of(ColumnType::UInt16)
        .with("first", Width::Date, |info| Value::optional(info.dates.map(|(first, _)| first)))
        .with("last", Width::Date, |info| Value::optional(info.dates.map(|(_, last)| last)))
        .with("segments", Width::Number, |info| info.segments.into())
        .with("bytes", Width::Number, |info| info.bytes.into())
}

pub(super) fn run(args: &ListArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    args.rows.write_all(columns(), database.collections()?)?;
    Ok(Outcome::Done)
}
