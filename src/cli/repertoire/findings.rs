//! `eco repertoire diff` and `eco repertoire lint`: how two repertoires differ, and what looks
//! wrong in one.

use std::path::PathBuf;

use clap::Args;
use eco::output::repertoire::{DifferenceRow, FindingRow};
use eco::repertoire::{DiffSide, Difference, Finding, FindingKind, OtherBook, lint};
use eco::store::Database;

use super::args::{BookArgs, ListingArgs, counted};
use super::open_repertoire::OpenRepertoire;
use crate::cli::outcome::{Failure, Outcome};
use crate::cli::{args, completion, masters};

const DIFF_HELP: &str = "\
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
#[command(after_long_help = DIFF_HELP, after_help = "See --help for details and examples.")]
pub(super) struct DiffArgs {
    /// The first repertoire
    #[arg(value_name = "A")]
    first: String,

    /// The second repertoire
    #[arg(value_name = "B")]
    second: String,

    #[command(flatten)]
    database: args::DatabaseArgs,

    /// The position database of the second one [default: the same]
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,

    /// Leave out first choices, comments and glyphs that differ
    #[arg(long)]
    moves: bool,

    #[command(flatten)]
    listing: ListingArgs,
}

pub(super) fn diff(args: &DiffArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    let other = args.with.as_ref().map(|path| Database::open(path)).transpose()?;
    let book = |database: &Database, name: &str| {
        let rule = database.repertoire(name)?.rule;
        database.book_by(name, rule)
    };
    let first = book(&database, &args.first)?;
    let second = book(other.as_ref().unwrap_or(&database), &args.second)?;
    let catalogue = masters::catalogue_in(&database)?;
    let mut differences = first.differences(&second);
    if args.moves {
        differences.retain(|found| found.other.lacks_move());
    }
    let rows = DifferenceRow::all(&first, &second, catalogue, &differences);
    args.listing.write([], rows, &summary(&differences))
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

const LINT_HELP: &str = "\
Examples:
  eco repertoire lint mine --db chess.db
  eco repertoire lint mine --db chess.db --only dead-end,contradiction --limit 0

Kinds of findings:
  choice         more than one own move in a position
  dead end       a line that ends after a move of the opponent, though the game goes on
  transposition  another move would lead to a position that the repertoire has elsewhere
  never played   a prepared own move without games, in a position where games continued
  contradiction  notes that disagree on a move or a position: ! and ?, or better for White and
                 better for Black; or an own move that is marked as a mistake

The findings of a kind begin with those in positions that most games of the repertoire have (games).
Of each kind the first 20 are listed, or as many as --limit says; standard error counts them all.

Exit codes: 0 success, whatever was found; 2 failure.";

/// Report what looks wrong in a repertoire.
#[derive(Debug, Args)]
#[command(after_long_help = LINT_HELP, after_help = "See --help for details and examples.")]
pub(super) struct LintArgs {
    #[command(flatten)]
    book: BookArgs,

    /// Only findings of this kind; several are separated by commas
    #[arg(long, value_parser = completion::one_of(KINDS), value_name = "KIND")]
    #[arg(value_delimiter = ',')]
    only: Vec<FindingKind>,

    /// Maximum number of findings of each kind; 0 for all
    #[arg(long, value_name = "N", default_value = "20")]
    limit: usize,

    #[command(flatten)]
    listing: ListingArgs,
}

const KINDS: &[completion::Choice<FindingKind>] = &[
    ("choice", "", FindingKind::Choice),
    ("dead-end", "", FindingKind::DeadEnd),
    ("transposition", "", FindingKind::Transposition),
    ("never-played", "", FindingKind::NeverPlayed),
    ("contradiction", "", FindingKind::Contradiction),
];

pub(super) fn find_faults(args: &LintArgs) -> Result<Outcome, Failure> {
    let books = OpenRepertoire::open_with_moves(&args.book)?;
    let mut found: Vec<Vec<Finding>> = books.iter().map(|opened| lint(&opened.book)).collect();
    for found in &mut found {
        found.retain(|finding| args.only.is_empty() || args.only.contains(&finding.kind));
    }
    let listed: Vec<_> = found.iter().map(|found| first_of_each(found, args.limit)).collect();
    let rows = books
        .iter()
        .zip(&listed)
        .flat_map(|(opened, listed)| FindingRow::all(&opened.book, opened.catalogue, listed));
    let found = found.concat();
    let left = found.len() - listed.iter().map(Vec::len).sum::<usize>();
    let more = if left > 0 { format!("; {left} not listed (--limit)") } else { String::new() };
    args.listing.write([books[0].catalogue], rows, &(counts(&found) + &more))
}

/// The first findings of each kind; all, if the limit is 0.
fn first_of_each(findings: &[Finding], limit: usize) -> Vec<Finding> {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let kinds = FindingKind::ALL.iter();
    let first = kinds.flat_map(|kind| findings.iter().filter(|f| f.kind == *kind).take(limit));
    first.cloned().collect()
}

/// The number of findings of each kind.
fn counts(findings: &[Finding]) -> String {
    let count = |kind: FindingKind| findings.iter().filter(|f| f.kind == kind).count();
    let counts = FindingKind::ALL.iter().map(|kind| format!("{} {kind}", count(*kind)));
    format!("{}: {}", counted(findings.len(), "finding"), counts.collect::<Vec<_>>().join(", "))
}
