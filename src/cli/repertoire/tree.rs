//! `eco repertoire tree`.

use std::ops::ControlFlow;

use clap::{Args, ValueEnum};
use eco::{
    catalogue::Catalogue,
    output::{
        Row,
        repertoire::{
            ContentsLine, ContentsOptions, ContentsOrder, contents, contents_text,
            contents_text_within, whole_contents,
        },
        sanitize,
    },
    repertoire::{Book, LineScores},
    select::Selection,
    store::{Database, RepertoireInfo},
};

use super::{args::BookRuleArgs, position::PositionArgs};
use crate::cli::{
    args::Format,
    masters::own_catalogue,
    outcome::{Failure, Outcome},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco repertoire tree mine --db chess.db
  eco repertoire tree mine e4 c5 --db chess.db --depth 16 --min-games 3
  eco repertoire tree mine --db chess.db --sort diff
  eco repertoire tree mine --db chess.db --format jsonl

Moves without an alternative share a line, with the name of the opening they lead to. On the right
are the number of games with the last of them, and the score of the repertoire's side. Where other
moves bring more games to that position, the number of all of them is in brackets. A position that
several lines reach is expanded once; the other lines end with = and the line that has it. Prepared
lines from another position that no line leads to follow below its FEN.

--sort diff compares the score with what the ratings predict, as `eco stats` does, in the games with
both ratings, and adds the difference in per cent. With --format tsv, csv or jsonl there is a row
for each line: its score with the 95 % interval by Wilson (low, high), that difference with its
interval (expected, diff, diff_low, diff_high), the games that have its last position (reached), and
the trend: diff in the later half of the games by date, less that in the earlier half, with the
interval from both variances; empty if a half has fewer than five games.";

/// Print the lines of a repertoire like a table of contents, main lines first.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Plies to show from the position
    #[arg(long, value_name = "N", default_value = "8")]
    depth: usize,

    /// The order of the moves of a position
    #[arg(long, value_enum, value_name = "ORDER", default_value = "book")]
    sort: SortArg,

    #[command(flatten)]
    book_rule: BookRuleArgs,

    #[command(flatten)]
    rows: RowArgs,
}

/// The order of the moves of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SortArg {
    /// Main lines first
    Book,
    /// The most played first
    Games,
    /// The best score of the repertoire's side first
    Score,
    /// The best score beside what the ratings predict first
    Diff,
}

impl From<SortArg> for ContentsOrder {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::Book => Self::Book,
            SortArg::Games => Self::Games,
            SortArg::Score => Self::Score,
            SortArg::Diff => Self::Difference,
        }
    }
}

pub(super) fn run(args: &TreeArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.position.database.db)?;
    let (info, key) = args.position.resolve_optional(&database)?;
    let stored = own_catalogue(&database)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let rule = args.book_rule.rule(info.rule);
    let book = database.book_by(&info.name, rule)?;
    args.book_rule.check_effect(&book);
    let is_text = matches!(args.rows.named_format(), None | Some(Format::Table));
    let scores = (!is_text || args.sort == SortArg::Diff)
        .then(|| scores(&database, &info, &book))
        .transpose()?;
    let order = args.sort.into();
    let options = ContentsOptions { depth: args.depth, order, scores: scores.as_ref() };
    let rows = match key {
        None => whole_contents(&book, catalogue, options),
        Some(key) => match book.find(&key) {
            Some(id) => contents(&book, catalogue, id, options),
            None => {
                let name = sanitize(info.name.as_bytes());
                return Err(Failure(format!("{name} does not have this position: {key}")));
            }
        },
    };
    if is_text {
        let text = match args.rows.text_width() {
            Some(width) => contents_text_within(&rows, width),
            None => contents_text(&rows, args.rows.width()),
        };
        args.rows.write_text(&text)?;
    } else {
        let lines = ContentsLine::all(&book, &rows);
        args.rows.write_named(ContentsLine::columns(), [catalogue], lines)?;
    }
    Ok(Outcome::Done)
}

/// How the moves of the book scored in the games of the repertoire, beside what ratings predict.
fn scores(database: &Database, info: &RepertoireInfo, book: &Book) -> Result<LineScores, Failure> {
    let mut scores = LineScores::default();
    let all = Selection::default();
    database.games(&info.name, info.max_ply as usize, &all, &mut |game| {
        scores.add(book, &game);
        ControlFlow::Continue(())
    })?;
    Ok(scores)
}
