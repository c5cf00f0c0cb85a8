//! `eco repertoire list`.

use clap::Args;
use eco::{
    output::{ColumnSet, ColumnType, Value, Width},
    store::{Database, RepertoireCounts, RepertoireInfo, StoreError},
};

use super::args::parse_name;
use crate::cli::{
    args::DatabaseArgs,
    completion,
    outcome::{Failure, Outcome},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco repertoire list --db chess.db
  eco repertoire list --db chess.db --format jsonl

`mine` and `theirs` say which played moves are the book, if none are prepared: see `build`.";

/// List the repertoires of a position database.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ListArgs {
    /// Only these repertoires [default: all]
    #[arg(value_name = "NAME", value_parser = parse_name, add = completion::repertoires())]
    names: Vec<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs,
}

/// A repertoire, and how much it has.
struct RepertoireRow {
    info: RepertoireInfo,
    counts: RepertoireCounts,
}

type RepertoireColumns = ColumnSet<for<'r> fn(&'r RepertoireRow) -> Value<'r>>;

impl RepertoireRow {
    fn columns() -> RepertoireColumns {
        RepertoireColumns::new()
            .with("name", Width::Share(2), |row| Value::text(&row.info.name))
            .with("color", Width::AtMost(5), |row| Value::text(row.info.color.to_string()))
            .of(ColumnType::Name)
            .with("games", Width::Number, |row| row.counts.games.into())
            .with("prepared", Width::Number, |row| row.counts.prepared_moves.into())
            .with("max_ply", Width::Number, |row| row.info.max_ply.into())
            .of(ColumnType::UInt16)
            .with("mine", Width::Share(1), |row| Value::text(row.info.rule.mine.to_string()))
            .with("theirs", Width::Share(1), |row| Value::text(row.info.rule.theirs.to_string()))
            .with("players", Width::Share(2), |row| Value::list(&row.info.players, "; "))
            .of(ColumnType::List)
    }
}

pub(super) fn run(args: &ListArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    let counted = |info| {
        let counts = database.counts(&info)?;
        Ok(RepertoireRow { info, counts })
    };
    let infos = match &args.names[..] {
        [] => database.repertoires()?,
        names => {
            let named = names.iter().map(|name| database.repertoire(name));
            named.collect::<Result<_, StoreError>>()?
        }
    };
    let rows = infos.into_iter().map(counted);
    let rows = rows.collect::<Result<Vec<_>, StoreError>>()?;
    args.rows.write_all(RepertoireRow::columns(), rows)?;
    Ok(Outcome::Done)
}
