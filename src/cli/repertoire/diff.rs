//! `eco repertoire diff`.

use std::path::PathBuf;

use clap::Args;
use eco::{
    catalogue::Catalogue,
    output::{Row, repertoire::DifferenceRow},
    repertoire::{DiffSide, Difference, OtherBook},
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
one of the two has, and of prepared moves that both have, first choices, comments and glyphs that
differ, whatever their sources. Each row has what one of the two has, and in the column the_other
what the other one does instead. --moves lists only moves that one of the two has. Moves after a
position that the other one does not have are not listed.";

/// List the moves that only one of two repertoires has, and what they say differently.
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

    /// Leave out first choices, comments and glyphs that differ
    #[arg(long)]
    moves: bool,

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
    let mut differences = first.differences(&second);
    if args.moves {
        differences.retain(|found| found.other.lacks_move());
    }
    let rows = DifferenceRow::all(&first, &second, catalogue, &differences);
    args.rows.write_all(DifferenceRow::columns(), rows)?;
    if !args.quiet {
        say(&summary(&differences));
    }
    Ok(Outcome::Done)
}

/// The numbers of differences.
pub(super) fn summary(differences: &[Difference]) -> String {
    let count = |side| {
        let of_side = differences.iter().filter(|found| found.side == side);
        of_side.filter(|found| found.other.lacks_move()).count()
    };
    let mut text = format!(
        "{} moves only in the first, {} only in the second",
        count(DiffSide::First),
        count(DiffSide::Second)
    );
    let is_preferred = |found: &&Difference| {
        found.other == OtherBook::PrefersOther && found.side == DiffSide::First
    };
    let preferred = differences.iter().filter(is_preferred).count();
    // What both say differently has a row of each.
    let says = |found: &&Difference| match found.other {
        OtherBook::SaysOther => found.side == DiffSide::First,
        OtherBook::SaysNothing => true,
        _ => false,
    };
    let said = differences.iter().filter(says).count();
    for (count, what) in [(preferred, "other first choices"), (said, "other comments or glyphs")] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    text
}
