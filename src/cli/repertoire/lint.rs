//! `eco repertoire lint`.

use clap::{Args, ValueEnum};
use eco::{
    output::{Row, repertoire::FindingRow},
    repertoire::{Finding, FindingKind, lint},
};

use super::{
    args::{BreadthArgs, OneRepertoireArgs},
    open_repertoire::OpenRepertoire,
};
use crate::cli::{
    outcome::{Failure, Outcome, say},
    rows::RowArgs,
};

const HELP: &str = "\
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
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct LintArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    #[command(flatten)]
    breadth: BreadthArgs,

    /// Only findings of this kind; several are separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND")]
    only: Vec<KindArg>,

    /// Maximum number of findings of each kind; 0 for all
    #[arg(long, value_name = "N", default_value = "20")]
    limit: usize,

    #[command(flatten)]
    rows: RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

/// A kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KindArg {
    Choice,
    DeadEnd,
    Transposition,
    NeverPlayed,
    Contradiction,
}

impl From<KindArg> for FindingKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Choice => Self::Choice,
            KindArg::DeadEnd => Self::DeadEnd,
            KindArg::Transposition => Self::Transposition,
            KindArg::NeverPlayed => Self::NeverPlayed,
            KindArg::Contradiction => Self::Contradiction,
        }
    }
}

pub(super) fn run(args: &LintArgs) -> Result<Outcome, Failure> {
    let opened = OpenRepertoire::open_with_moves(&args.repertoire, &args.breadth)?;
    let only: Vec<FindingKind> = args.only.iter().map(|kind| (*kind).into()).collect();
    let mut findings = lint(&opened.book);
    findings.retain(|finding| only.is_empty() || only.contains(&finding.kind));
    let listed = first_of_each(&findings, args.limit);
    let rows = FindingRow::all(&opened.book, opened.catalogue(), &listed);
    args.rows.write_named(FindingRow::columns(), [opened.catalogue()], rows)?;
    if !args.quiet {
        let left = findings.len() - listed.len();
        let more = if left > 0 { format!("; {left} not listed (--limit)") } else { String::new() };
        say(&format_args!("{}{more}", counts(&findings)));
    }
    Ok(Outcome::Done)
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
    let noun = if findings.len() == 1 { "finding" } else { "findings" };
    format!("{} {noun}: {}", findings.len(), counts.collect::<Vec<_>>().join(", "))
}
