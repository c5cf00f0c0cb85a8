//! `eco repertoire gaps`.

use clap::Args;
use eco::{
    output::{Row, repertoire::GapRow},
    repertoire::{Frequencies, Gaps, MoveCounts},
};
use serde::Serialize;

use super::{
    args::OneRepertoireArgs,
    open_repertoire::OpenRepertoire,
    reference::{Reference, ReferenceArgs},
};
use crate::cli::{
    args::{Format, RunArgs},
    games::options,
    outcome::{Failure, Outcome, say},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco repertoire gaps mine --db chess.db
  eco repertoire gaps mine --db chess.db --reference otb.pgn.zst --depth 16
  eco repertoire gaps mine --db chess.db --coverage

A gap is a position with the player to move in which the book has no move. Its probability is that
of a game reaching it by any move order. The player follows the book; several own moves are weighted
by how often they were played, or equally if they never were. The opponent's moves are weighted by
how often they were played, in the repertoire's games or in those of --reference; where there are no
games, the book's moves for the opponent count equally. A line without further moves is covered.
`one_in` is 100 if one game in 100 reaches the gap. Coverage is the share of games that reach none.

Exit codes: 0 success; 1 success, but the reference could not be read to its end; 2 failure.";

/// List the opponent's moves that have no answer, the most probable first.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct GapsArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    #[command(flatten)]
    reference: ReferenceArgs,

    /// Search up to this ply
    #[arg(long, value_name = "N", default_value = "20")]
    depth: u16,

    /// Print only the coverage
    #[arg(long, conflicts_with = "limit")]
    coverage: bool,

    /// Maximum number of gaps; 0 for all
    #[arg(long, value_name = "N", default_value = "20")]
    limit: usize,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &GapsArgs) -> Result<Outcome, Failure> {
    let opened = OpenRepertoire::open(&args.repertoire)?;
    let reference = Reference::open(&args.reference, args.depth.into())?;
    let mut counts = MoveCounts::default();
    let complaints = match &reference {
        None => 0,
        Some(reference) => reference.each(
            &options(&args.run),
            &args.run,
            |games| MoveCounts::of(&opened.book, &games),
            |part: MoveCounts| counts.merge(&part),
        )?,
    };
    let frequencies = match &reference {
        None => Frequencies::Own,
        Some(_) => Frequencies::Reference(&counts),
    };
    let found = Gaps::of(&opened.book, frequencies, args.depth.into());
    if args.coverage {
        args.rows.write_text(&format!("{}\n", coverage(args, &found)?))?;
    } else {
        write_gaps(args, &opened, &found)?;
        if !args.run.quiet {
            say(&format_args!("{}, {} gaps", coverage_text(&found), found.gaps.len()));
        }
    }
    Ok(if complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
}

fn coverage_text(found: &Gaps) -> String {
    format!("coverage to ply {}: {:.1} %", found.depth, 100.0 * found.coverage)
}

#[derive(Serialize)]
struct CoverageObject {
    depth: usize,
    coverage: f64,
    gaps: usize,
}

/// The coverage in the requested format.
fn coverage(args: &GapsArgs, found: &Gaps) -> Result<String, Failure> {
    let figures = [found.depth.to_string(), found.gaps.len().to_string()];
    let [depth, gaps] = &figures;
    let coverage = format!("{:.6}", found.coverage);
    Ok(match args.rows.named_format() {
        None | Some(Format::Table) => coverage_text(found),
        Some(Format::Tsv) => [depth, &coverage, gaps].map(String::as_str).join("\t"),
        Some(Format::Csv) => [depth, &coverage, gaps].map(String::as_str).join(","),
        Some(Format::Jsonl) => {
            let rounded = (found.coverage * 1e6).round() / 1e6;
            let object =
                CoverageObject { depth: found.depth, coverage: rounded, gaps: found.gaps.len() };
            serde_json::to_string(&object).expect("numbers are always JSON")
        }
        Some(Format::Arrow | Format::Parquet) => {
            let hint = "--format jsonl has it for programs";
            return Err(Failure(format!("the coverage is one line, and not a table; {hint}")));
        }
    })
}

fn write_gaps(args: &GapsArgs, opened: &OpenRepertoire, found: &Gaps) -> Result<(), Failure> {
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let gaps = found.gaps.iter().take(limit);
    let rows = GapRow::all(&opened.book, opened.catalogue(), gaps);
    args.rows.write_named(GapRow::columns(), [opened.catalogue()], rows)
}
