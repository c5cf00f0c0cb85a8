//! `eco repertoire lint`: what looks wrong in a repertoire.

use clap::Args;
use eco::output::repertoire::FindingRow;
use eco::quoted::counted;
use eco::repertoire::{Finding, FindingKind, lint};

use super::{args::BookArgs, open_repertoire::OpenRepertoire};
use crate::cli::completion::{Choice, one_of};
use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::rows::RowArgs;

const LINT_HELP: &str = "\
Examples:
  eco repertoire lint mine --db chess.db
  eco repertoire lint mine --db chess.db --only dead-end,contradiction --limit 0

Kinds of findings:
  choice         more than one own move in a position, and no chapter says which is the first
  dead end       a line that ends after a move of the opponent, though the game goes on
  transposition  another move would lead to a position that the repertoire has elsewhere
  never played   a prepared own move without games, in a position where games continued
  contradiction  notes that disagree on a move or a position: ! and ?, or better for White and
                 better for Black; or a mistake that another chapter has without a mark
  unmarked mistake
                 an own move that a comment calls bad, and no glyph

Findings of a kind are sorted by the number of games of the repertoire in their position (games).
--limit applies to each kind; standard error counts all findings.

Exit codes: 0 success, whatever was found; 2 failure.";

/// Report what looks wrong in a repertoire.
#[derive(Debug, Args)]
#[command(after_long_help = LINT_HELP, after_help = "See --help for details and examples.")]
pub(super) struct LintArgs {
    #[command(flatten)]
    book: BookArgs,

    /// Only findings of this kind; several are separated by commas
    #[arg(long, value_parser = one_of(KINDS), value_name = "KIND")]
    #[arg(value_delimiter = ',')]
    only: Vec<FindingKind>,

    #[command(flatten)]
    rows: RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

const KINDS: &[Choice<FindingKind>] = &[
    ("choice", "", FindingKind::Choice),
    ("dead-end", "", FindingKind::DeadEnd),
    ("transposition", "", FindingKind::Transposition),
    ("never-played", "", FindingKind::NeverPlayed),
    ("contradiction", "", FindingKind::Contradiction),
    ("unmarked-mistake", "", FindingKind::UnmarkedMistake),
];

pub(super) fn find_faults(args: &LintArgs) -> Result<Outcome, Failure> {
    let books = OpenRepertoire::open_with_moves(&args.book, args.rows.readers())?;
    let mut found: Vec<Vec<Finding>> = Vec::new();
    for OpenRepertoire { database, info, book, .. } in &books {
        let mut of_book = lint(book, &database.preparation(&info.name)?);
        of_book.retain(|finding| args.only.is_empty() || args.only.contains(&finding.kind));
        found.push(of_book);
    }
    let rows = books
        .iter()
        .zip(&found)
        .flat_map(|(opened, found)| FindingRow::all(&opened.book, opened.catalogue, found));
    let more = args.rows.write_named(FindingRow::columns(), [books[0].catalogue], rows)?;
    if !args.quiet {
        more.iter().for_each(|more| say(more));
        say(&counts(&found.concat()));
    }
    Ok(Outcome::Done)
}

/// The number of findings of each kind.
fn counts(findings: &[Finding]) -> String {
    let count = |kind: FindingKind| findings.iter().filter(|f| f.kind == kind).count();
    let counts = FindingKind::ALL.iter().map(|kind| format!("{} {kind}", count(*kind)));
    format!("{}: {}", counted(findings.len(), "finding"), counts.collect::<Vec<_>>().join(", "))
}
