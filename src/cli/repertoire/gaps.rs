//! `eco repertoire gaps`.

use clap::Args;
use eco::quoted::counted;
use eco::repertoire::{Frequencies, Gaps};
use eco::{catalogue::Query, classify::Classifier, opening::Opening, output::repertoire::GapRow};

use super::{args::BookArgs, open_repertoire::OpenRepertoire};
use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::reference::{Reference, ReferenceArgs};
use crate::cli::rows::RowArgs;
use crate::cli::{args::RunArgs, selection::SelectionArgs};

const HELP: &str = "\
Examples:
  eco repertoire gaps mine --db chess.db
  eco repertoire gaps mine --db chess.db --reference otb.pgn.zst --depth 16,B01=10
  eco repertoire gaps mine --db chess.db --reference games.db --collection games
  eco repertoire gaps mine --db chess.db --reference games.pgn --player 'Fischer, Robert James'
  eco repertoire gaps mine --db chess.db --only ends

A gap is a move of the opponent that the book does not answer. Its probability is that of a game
reaching it by any move order. The player follows the book; several own moves are weighted by how
often they were played, smoothed as below, or equally if they never were. The opponent's moves are
weighted by how often they were played, in the repertoire's games or in those of --reference or
--collection; if there are none, in all collections of the database; without games, the book's moves
for the opponent count equally. `met` is the share of games that reach the gap, in percent. Coverage
is the share of games that reach none.

The end of a line is not a gap: the book has nothing after an own move. A game that reaches an end
leaves the book, unless its next move leads to another line. --only ends lists ends, the most
frequent first. Ends at --depth, ends where the game is over, and ends with [%eco end] in a comment
(`repertoire edit` writes one) are covered, and not listed. --depth CODES=N sets another depth for
the openings with these codes.

Small counts are smoothed by absolute discounting (Ney, Essen and Kneser, 1994): each move that was
played in a position loses 0.75 games (Church and Gale, 1991), which go to the book's moves there in
equal parts. So one game in five counts as 5 %, and 100 in 500 as 19.85 %.

The options of the selection limit the games that count: the repertoire's own, or those of the
reference. --player is the opponent to prepare for, whose games with the other colour than the
repertoire's count, unless --color says which.

Exit codes: 0 success; 1 success, but the reference could not be read to its end; 2 failure.";

/// List the opponent's moves that have no answer, the most probable first.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct GapsArgs {
    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    reference: ReferenceArgs,

    /// Search up to this ply; CODES=N for the openings with these codes: 20,B01=12,E6-E9=24
    #[arg(long, value_name = "N|CODES=N", value_parser = parse_depth, value_delimiter = ',',
        default_value = "20")]
    depth: Vec<DepthArg>,

    /// List the ends of lines instead
    #[arg(long, value_parser = ["ends"], value_name = "WHICH")]
    only: Option<String>,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// The depth of openings with some codes, or of all.
#[derive(Debug, Clone)]
struct DepthArg {
    codes: Option<Query>,
    ply: u16,
}

fn parse_depth(text: &str) -> Result<DepthArg, String> {
    let (codes, ply) = match text.split_once('=') {
        None => (None, text),
        Some((codes, ply)) => {
            let query = Query::from_codes(codes).map_err(|error| error.to_string())?;
            (Some(query), ply)
        }
    };
    let ply = ply.trim().parse().map_err(|_| "expected a number of plies, or B01=12".to_owned())?;
    Ok(DepthArg { codes, ply })
}

/// The depth of lines with an opening: of those that were given, the last one for its codes, or
/// else for all.
fn depth_of(depths: &[DepthArg], opening: Option<&Opening>) -> usize {
    let last = |fits: &dyn Fn(Option<&Query>) -> bool| {
        depths.iter().rev().find(|depth| fits(depth.codes.as_ref()))
    };
    let own =
        last(&|codes| codes.zip(opening).is_some_and(|(codes, opening)| codes.matches(opening)));
    let depth = own.or_else(|| last(&|codes| codes.is_none()));
    depth.map_or(DEFAULT_DEPTH, |depth| depth.ply.into())
}

/// The depth in plies, unless another one is given.
const DEFAULT_DEPTH: usize = 20;

pub(super) fn run(args: &GapsArgs) -> Result<Outcome, Failure> {
    let books = OpenRepertoire::open_with_moves(&args.book, args.rows.readers())?;
    let (mut found, mut complaints) = (Vec::new(), 0);
    for opened in &books {
        let (gaps, complained) = gaps_of(args, opened)?;
        found.push(gaps);
        complaints += complained;
    }
    write_gaps(args, &books, &found)?;
    for (opened, found) in books.iter().zip(&found).filter(|_| !args.run.quiet) {
        let name = if books.len() > 1 { format!("{}: ", opened.info.color) } else { String::new() };
        say(&format_args!("{name}{}", summary(found)));
    }
    Ok(if complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
}

/// The gaps of a book, and the number of errors that were reported.
fn gaps_of(args: &GapsArgs, opened: &OpenRepertoire) -> Result<(Gaps, usize), Failure> {
    let usual = depth_of(&args.depth, None);
    let of_codes = args.depth.iter().filter(|depth| depth.codes.is_some());
    let deepest = of_codes.map(|depth| depth.ply.into()).fold(usual, usize::max);
    let mut reference = reference(args, opened, deepest)?;
    if reference.is_none() && !opened.book.has_counts() {
        let db = &args.book.repertoire.database.db;
        reference = Reference::of_collections(db, deepest, &args.run)?;
    }
    let counts = reference.map(|games| games.counts(&args.run, &opened.book)).transpose()?;
    if counts.is_none() && !opened.book.has_counts() && !args.run.quiet {
        let hint = "--reference FILE or --collection NAME names games to count in";
        let rule = "the opponent's moves in the book count as equally frequent";
        say(&format_args!("no games: {rule}; {hint}"));
    }
    let frequencies = match &counts {
        None => Frequencies::Own,
        Some((counts, _)) => Frequencies::Reference(counts),
    };
    let mut found = Gaps::of(&opened.book, frequencies, deepest);
    if args.depth.iter().any(|depth| depth.codes.is_some()) {
        let classifier = Classifier::new(opened.catalogue);
        found = found.up_to(|line| depth_of(&args.depth, line.opening(&opened.book, classifier)));
        found.depth = usual;
    }
    Ok((found, counts.map_or(0, |(_, complaints)| complaints)))
}

/// The games that say how often moves are played, if those are not all of the repertoire.
fn reference<'o>(
    args: &GapsArgs,
    opened: &'o OpenRepertoire,
    depth: usize,
) -> Result<Option<Reference<'o>>, Failure> {
    let db = &args.book.repertoire.database.db;
    let mut selection = args.selection.selection()?;
    if !selection.players.is_empty() && selection.color.is_none() {
        selection.color = Some(!opened.info.color);
    }
    let reference = Reference::open(&args.reference, Some(db.as_path()), depth)?;
    if selection.is_everything() {
        return Ok(reference);
    }
    let own = || Reference::of_repertoire(db, &opened.info.name, depth);
    let mut reference = reference.map_or_else(own, Ok)?;
    reference.select(&args.selection, selection, Classifier::new(opened.catalogue))?;
    Ok(Some(reference))
}

/// What was found, in a sentence.
fn summary(found: &Gaps) -> String {
    let Gaps { gaps, ends, ended, depth, coverage } = found;
    let (covered, gaps) = (100.0 * coverage, counted(gaps.len(), "gap"));
    let mut text = format!("coverage to ply {depth}: {covered:.1} %, {gaps}");
    if !ends.is_empty() {
        let ended = 100.0 * ended;
        text +=
            &format!("; {ended:.1} % come to one of {} ends of lines (--only ends)", ends.len());
    }
    text
}

fn write_gaps(args: &GapsArgs, books: &[OpenRepertoire], found: &[Gaps]) -> Result<(), Failure> {
    let limit = args.rows.most_listed();
    let mut rows = Vec::new();
    for (opened, found) in books.iter().zip(found) {
        let gaps = if args.only.is_some() { &found.ends } else { &found.gaps };
        rows.extend(GapRow::all(&opened.book, opened.catalogue, gaps.iter().take(limit)));
    }
    rows.sort_by(|a, b| b.probability().total_cmp(&a.probability()));
    args.rows.write_named(GapRow::columns(), [books[0].catalogue], rows).map(drop)
}
