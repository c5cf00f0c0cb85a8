//! `eco db diff`: how two catalogues differ, or two repertoires.

use clap::Args;
use eco::catalogue::{Catalogue, CatalogueDifference, DifferenceKind, Side};
use eco::output::repertoire::{DifferenceRow, differences_text};
use eco::output::{ColumnSet, Value, Width};
use eco::quoted::counted;
use eco::repertoire::{Book, DiffSide, Difference, OtherBook};
use eco::store::{Database, Kind};

use super::named::Named;
use crate::cli::completion::{self, Choice, one_of};
use crate::cli::outcome::{Failure, Outcome, refuse, say};
use crate::cli::{args::DatabaseArgs, rows::RowArgs};

const HELP: &str = "\
Examples:
  eco db diff builtin mine.tsv
  eco db diff mine club --db chess.db
  eco db diff mine last-year.db:mine --db chess.db --only only_a,only_b

A and B are names in the database, FILE:NAME for another database, files of openings, or builtin.
Both are openings, or both are repertoires.

Openings are compared by position. Codes that differ only by a missing suffix count as equal.

Repertoires are compared by position too, whatever the move order. The rows are book moves that only
one of the two has, and differences in first choices, comments and glyphs of prepared moves that
both have, whatever their sources. Each row shows what one of the two has, and in the column
the_other what the other has instead. Moves after a position that the other lacks are not listed.";

/// Compare two catalogues or masters, or two repertoires.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct DiffArgs {
    /// The first name or file
    #[arg(add = completion::kept())]
    a: String,

    /// The second name or file
    #[arg(add = completion::kept())]
    b: String,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Only these differences; several are separated by commas
    #[arg(long, value_parser = one_of(KINDS), value_name = "KIND", value_delimiter = ',')]
    only: Vec<Only>,

    #[command(flatten)]
    rows: RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

/// A difference that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Only {
    Openings(DifferenceKind),
    Choice,
    Notes,
}

const KINDS: &[Choice<Only>] = &[
    (
        "only_a",
        "Positions that only A names, or moves that only A has",
        Only::Openings(DifferenceKind::OnlyFirst),
    ),
    (
        "only_b",
        "Positions that only B names, or moves that only B has",
        Only::Openings(DifferenceKind::OnlySecond),
    ),
    ("code", "Different codes", Only::Openings(DifferenceKind::Code)),
    ("name", "The same code, different names", Only::Openings(DifferenceKind::Name)),
    ("choice", "Other first choices", Only::Choice),
    ("notes", "Other comments or glyphs", Only::Notes),
];

pub(super) fn run(args: &DiffArgs) -> Result<Outcome, Failure> {
    let [a, b] = [&args.a, &args.b].map(|word| Named::find(word, &args.database.db));
    let (a, b) = (a?, b?);
    match (a.catalogue()?, b.catalogue()?) {
        (Some((first, ended)), Some((second, ended_too))) => {
            diff_catalogues(args, &first, &second)?;
            Ok(ended.and(ended_too))
        }
        (None, None) => diff_repertoires(args, &book(&a)?, &book(&b)?).map(|()| Outcome::Done),
        _ => {
            let hint = "compare two catalogues or masters, or two repertoires";
            refuse(format!("'{}' and '{}' are of different kinds; {hint}", args.a, args.b))
        }
    }
}

/// The book of a repertoire.
fn book(named: &Named) -> Result<Book, Failure> {
    let Named::Kept(path, Kind::Repertoire, name) = named else {
        let hint = "masters and repertoires are compared; `eco stats` counts games";
        return refuse(format!("a collection has nothing to compare: {hint}"));
    };
    let database = Database::open(path)?;
    let rule = database.repertoire(name)?.rule;
    Ok(database.book_by(name, rule)?)
}

type DifferenceColumns = ColumnSet<for<'r> fn(&'r &CatalogueDifference<'_>) -> Value<'r>>;

fn difference_columns() -> DifferenceColumns {
    DifferenceColumns::new()
        .with_name("kind", 6, |row| Value::optional(Some(row.kind)))
        .with_name("eco_a", 5, |row| code(row.a))
        .with_name("eco_b", 5, |row| code(row.b))
        .with("opening_a", Width::NameShare(3), |row| name(row.a))
        .with("opening_b", Width::NameShare(3), |row| name(row.b))
        .with("moves", Width::LineShare(3), |row| {
            let mut sides = row.a.into_iter().chain(row.b);
            Value::optional(sides.find_map(|side| side.catalogue.movetext(side.line)))
        })
        .with("key", Width::Share(2), |row| {
            let side = row.a.or(row.b);
            Value::optional(side.map(|side| side.catalogue.positions()[side.line.position].key))
        })
}

fn code(side: Option<Side<'_>>) -> Value<'_> {
    side.map_or(Value::None, |side| Value::text(side.line.opening.code()))
}

fn name(side: Option<Side<'_>>) -> Value<'_> {
    side.map_or(Value::None, |side| Value::Bytes(side.line.opening.name().as_bytes()))
}

fn diff_catalogues(args: &DiffArgs, a: &Catalogue, b: &Catalogue) -> Result<(), Failure> {
    let differences = a.diff(b);
    let is_wanted = |found: &&CatalogueDifference<'_>| args.wants(Only::Openings(found.kind));
    let rows = differences.iter().filter(is_wanted);
    let more = args.rows.write_named(difference_columns(), [a, b], rows)?;
    if !args.quiet {
        more.iter().for_each(|more| say(more));
        use DifferenceKind::{Code, Name, OnlyFirst, OnlySecond};
        let count = |kind| differences.iter().filter(|d| d.kind == kind).count();
        let kinds = [OnlyFirst, OnlySecond, Code, Name];
        let [only_a, only_b, code, name] = kinds.map(count);
        let same = a.positions().len() - only_a - code - name;
        say(&format_args!(
            "{} only in A, {only_b} only in B, {code} with another code, {name} with another name, \
             {same} the same",
            counted(only_a, "position")
        ));
    }
    Ok(())
}

impl DiffArgs {
    fn wants(&self, kind: Only) -> bool {
        self.only.is_empty() || self.only.contains(&kind)
    }
}

/// What a difference of repertoires is.
fn kind_of(found: &Difference) -> Only {
    match (found.other, found.side) {
        (OtherBook::PrefersOther, _) => Only::Choice,
        (OtherBook::SaysOther | OtherBook::SaysNothing, _) => Only::Notes,
        (_, DiffSide::First) => Only::Openings(DifferenceKind::OnlyFirst),
        (_, DiffSide::Second) => Only::Openings(DifferenceKind::OnlySecond),
    }
}

fn diff_repertoires(args: &DiffArgs, first: &Book, second: &Book) -> Result<(), Failure> {
    let catalogue = args.database.naming.catalogue()?;
    let mut differences = first.differences(second);
    differences.retain(|found| args.wants(kind_of(found)));
    let rows = DifferenceRow::all(first, second, catalogue, &differences);
    let more = args.rows.write_named(DifferenceRow::columns(), [], rows)?;
    if !args.quiet {
        more.iter().for_each(|more| say(more));
        say(&differences_text(&differences));
    }
    Ok(())
}
