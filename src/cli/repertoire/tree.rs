//! `eco repertoire tree`: the lines of a repertoire, or the moves of a position.

use clap::Args;
use eco::chess::{Chess, EnPassantMode, PositionKey};
use eco::output::repertoire::{
    ContentsOptions, ContentsOrder, ContentsRow, MoveRow, contents, contents_text, notes_lines,
    whole_contents,
};
use eco::output::{percent, sanitize};
use eco::pipeline::Workers;
use eco::quoted::counted;
use eco::repertoire::{LineScores, NodeId};
use eco::store::{RepertoireInfo, StoreError};

use super::open_repertoire::{OpenRepertoire, PositionArgs, only};
use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::{args, completion, replace, rows};

/// Prints the moves of one position, which alone is counted.
fn moves_of_position(
    args: &TreeArgs,
    info: RepertoireInfo,
    key: Option<PositionKey>,
) -> Result<Outcome, Failure> {
    let database = args.position.open()?;
    let catalogue = args.position.database.naming.catalogue_for(args.rows.readers())?;
    let initial = || PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
    let key = key.unwrap_or_else(initial);
    let rule = args.breadth.rule(info.rule);
    let book = database.book_at(&info.name, &key, rule, &Workers::default())?;
    args.breadth.check_effect(&book);
    let opened = OpenRepertoire { database, info, book, catalogue };
    let (book, id) = (&opened.book, opened.find(&key)?);
    let scores = scores_to_sort_by(args, &opened)?;
    let options = ContentsOptions { depth: 1, order: args.sort, scores: scores.as_ref() };
    let rows = MoveRow::all(book, opened.catalogue, id, options);
    if args.rows.format() != args::Format::Table {
        let more = args.rows.write_named(MoveRow::columns(), [opened.catalogue], rows)?;
        more.iter().for_each(|more| say(more));
        return Ok(Outcome::Done);
    }
    let notes = notes_lines(book, id, &rows);
    let notes = if notes.is_empty() { String::new() } else { format!("\n{}\n", notes.join("\n")) };
    let around = [&*heading(&opened, id), &notes];
    let inputs = replace::Inputs::none();
    match args.rows.write_page(MoveRow::columns(), catalogue, rows, around, &inputs) {
        Ok(more) => more.iter().for_each(|more| say(more)),
        Err(interruption) => return interruption.outcome(),
    }
    Ok(Outcome::Done)
}

fn heading(opened: &OpenRepertoire, id: NodeId) -> String {
    let OpenRepertoire { info, book, .. } = opened;
    let node = book.node(id);
    let turn = if book.is_own_turn(id) { "to move" } else { "waits for the opponent" };
    let mut text = format!("{}, {} {turn}", info.name, info.color);
    if let Some(line) = opened.catalogue.get(&node.key) {
        text += &format!(": {}", line.opening);
    }
    let tally = node.tally();
    let mut lines = vec![text, node.key.to_string()];
    if tally.games > 0 {
        let score = tally.score().map(|score| format!(", score {}", percent(score)));
        lines.push(format!(
            "{}, {} won, {} drawn, {} lost{}",
            counted(tally.games, "game"),
            tally.wins,
            tally.draws,
            tally.losses,
            score.unwrap_or_default()
        ));
    }
    let lines: Vec<_> = lines.iter().map(|line| sanitize(line.as_bytes()).into_owned()).collect();
    lines.join("\n") + "\n\n"
}

const TREE_HELP: &str = "\
Examples:
  eco repertoire tree mine --db chess.db
  eco repertoire tree mine e4 c5 --db chess.db --depth 16
  eco repertoire tree mine e4 c5 --db chess.db --depth 1
  eco repertoire tree mine --db chess.db --sort diff
  eco repertoire tree mine --db chess.db --format jsonl

Moves without an alternative share a line, with the name of the opening they lead to. On the right
are the number of games with the last of them, and the score of the repertoire's side. If other
moves bring more games to that position, their total number is in brackets. A position that several
lines reach is expanded once; the other lines end with = and the line that has it. Prepared lines
from another position that no line reaches follow below its FEN.

--depth 1 shows the moves of one position instead, played and prepared: how often they were played,
how they scored, and where they lead, with the notes on them. A * marks the moves of the book. Scores
are those of the repertoire's side, over all games with a result; the bar shows wins, draws and
losses. Performance follows Elo's curve, at most 800 points from the opponents' average rating.

--sort diff compares the score with what the ratings predict, as `eco stats` does, in the games with
both ratings, and adds the difference in per cent. With --format tsv, csv or jsonl there is a row
for each line: its score with the 95 % interval by Wilson (low, high), that difference with its
interval (expected, diff, diff_low, diff_high), the games that have its last position (reached), and
the trend: diff in the later half of the games by date minus diff in the earlier half, with the
interval from both variances; empty if a half has fewer than five games.";

/// Print the lines of a repertoire like a table of contents, or the moves of a position.
#[derive(Debug, Args)]
#[command(after_long_help = TREE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Plies to show from the position; 1 shows its moves with counts and scores
    #[arg(long, value_name = "N", default_value = "8")]
    depth: usize,

    /// The order of the moves of a position
    #[arg(long, value_parser = completion::one_of(ORDERS), value_name = "ORDER")]
    #[arg(default_value = "book")]
    sort: ContentsOrder,

    #[command(flatten)]
    breadth: args::BreadthArgs,

    #[command(flatten)]
    rows: rows::RowArgs,
}

const ORDERS: &[completion::Choice<ContentsOrder>] = &[
    ("book", "Main lines first", ContentsOrder::Book),
    ("games", "The most played first", ContentsOrder::Games),
    ("score", "The best score of the repertoire's side first", ContentsOrder::Score),
    ("diff", "The best score beside what the ratings predict first", ContentsOrder::Difference),
];

pub(super) fn run(args: &TreeArgs) -> Result<Outcome, Failure> {
    let (infos, key) = args.position.find()?;
    if args.depth == 1 {
        return moves_of_position(args, only(infos)?, key);
    }
    let is_text = matches!(args.rows.named_format(), None | Some(args::Format::Table));
    let readers = if is_text { args::Readers::People } else { args::Readers::Programs };
    let catalogue = args.position.database.naming.catalogue_for(readers)?;
    let open = |info| OpenRepertoire::open(args.position.open()?, info, &args.breadth, catalogue);
    if !is_text {
        let opened = open(only(infos)?)?;
        let scores = opened.database.line_scores(&opened.info, &opened.book)?;
        let rows = contents_of(args, &opened, key.as_ref(), Some(&scores))?;
        let more = args.rows.write_named(ContentsRow::columns(), [opened.catalogue], rows)?;
        more.iter().for_each(|more| say(more));
        return Ok(Outcome::Done);
    }
    let (is_one, mut texts) = (infos.len() == 1, Vec::new());
    for info in infos {
        let name = sanitize(info.name.as_bytes()).into_owned();
        let text = contents_in_text(args, &open(info)?, key.as_ref())?;
        texts.push(if is_one { text } else { format!("{name}:\n{text}") });
    }
    args.rows.write_text(&texts.join("\n"))?;
    Ok(Outcome::Done)
}

fn contents_in_text(
    args: &TreeArgs,
    opened: &OpenRepertoire,
    key: Option<&PositionKey>,
) -> Result<String, Failure> {
    let scores = scores_to_sort_by(args, opened)?;
    let mut rows = contents_of(args, opened, key, scores.as_ref())?;
    rows.truncate(args.rows.most());
    let limit = args.rows.text_width();
    Ok(contents_text(&rows, limit.unwrap_or_else(|| args.rows.width()), limit))
}

fn contents_of<'o>(
    args: &TreeArgs,
    opened: &'o OpenRepertoire,
    key: Option<&PositionKey>,
    scores: Option<&LineScores>,
) -> Result<Vec<ContentsRow<'o>>, Failure> {
    let OpenRepertoire { book, catalogue, .. } = opened;
    let options = ContentsOptions { depth: args.depth, order: args.sort, scores };
    Ok(match key {
        None => whole_contents(book, catalogue, options),
        Some(key) => contents(book, catalogue, opened.find(key)?, options),
    })
}

/// How the moves of the book scored, if they are listed by that.
fn scores_to_sort_by(
    args: &TreeArgs,
    opened: &OpenRepertoire,
) -> Result<Option<LineScores>, StoreError> {
    let OpenRepertoire { database, info, book, .. } = opened;
    let is_asked = args.sort == ContentsOrder::Difference;
    is_asked.then(|| database.line_scores(info, book)).transpose()
}
