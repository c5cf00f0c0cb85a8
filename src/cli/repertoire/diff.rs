//! `eco repertoire diff`.

use std::path::PathBuf;

use clap::Args;
use eco::{
    catalogue::Catalogue,
    output::{Row, repertoire::DifferenceRow},
    store::Database,
};

use crate::cli::{
    args::DatabaseArgs,
    masters::own_catalogue,
    outcome::{Failure, Outcome, say},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco repertoire diff mine club --db chess.db
  eco repertoire diff mine mine --db chess.db --with last-year.db

Repertoires are compared by position, whatever the move order. The rows are the book moves that only
one of the two has. Moves after a position that the other one does not have are not listed.";

/// List the moves that only one of two repertoires has.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct DiffArgs {
    /// The first repertoire
    #[arg(value_name = "A")]
    first: String,

    /// The second repertoire
    #[arg(value_name = "B")]
    second: String,

    #[command(flatten)]
    database: DatabaseArgs,

    /// The position database of the second one [default: the same]
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,

    #[command(flatten)]
    rows: RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &DiffArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    let other = args.with.as_ref().map(|path| Database::open(path)).transpose()?;
    let book = |database: &Database, name: &str| {
        let rule = database.repertoire(name)?.rule;
        database.book_by(name, rule)
    };
    let first = book(&database, &args.first)?;
    let second = book(other.as_ref().unwrap_or(&database), &args.second)?;
    let stored = own_catalogue(&database)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let differences = first.differences(&second);
    let rows = DifferenceRow::all(&first, &second, catalogue, &differences);
    args.rows.write_all(DifferenceRow::columns(), rows)?;
    if !args.quiet {
        let count = |side| differences.iter().filter(|found| found.side == side).count();
        say(&format_args!(
            "{} moves only in the first, {} only in the second",
            count(eco::repertoire::DiffSide::First),
            count(eco::repertoire::DiffSide::Second)
        ));
    }
    Ok(Outcome::Done)
}
