//! `eco repertoire list`, `chapters` and `tree`: what there is, from the repertoires of a database
//! to the lines of a position.

use std::ops::ControlFlow;

use clap::Args;
use eco::chess::{Chess, EnPassantMode, PositionKey};
use eco::output::repertoire::{
    ContentsOptions, ContentsOrder, ContentsRow, MoveRow, contents, contents_text,
    contents_text_within, notes_lines, whole_contents,
};
use eco::output::{ColumnSet, ColumnType, Row, Value, Width, percent, sanitize};
use eco::repertoire::{LineScores, NodeId, PreparedChapter, PreparedSource};
use eco::store::{Database, RepertoireCounts, RepertoireInfo, StoreError};
use eco::{pipeline::Workers, select::Selection};

use super::args::OneRepertoireArgs;
use super::open_repertoire::{OpenRepertoire, PositionArgs, only};
use crate::cli::outcome::{Failure, Interruption, Outcome};
use crate::cli::progress::Progress;
use crate::cli::{args, completion, replace, rows};

const LIST_HELP: &str = "\
Examples:
  eco repertoire list --db chess.db
  eco repertoire list --db chess.db --format jsonl

`mine` and `theirs` say which played moves are the book, if none are prepared: see `build`.";

/// List the repertoires of a position database.
#[derive(Debug, Args)]
#[command(after_long_help = LIST_HELP, after_help = "See --help for details and examples.")]
pub(super) struct ListArgs {
    /// Only these repertoires [default: all]
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    names: Vec<String>,

    #[command(flatten)]
    database: args::DatabaseArgs,

    #[command(flatten)]
    rows: rows::RowArgs,
}

/// A repertoire, and how much it has.
struct RepertoireRow {
    info: RepertoireInfo,
    counts: RepertoireCounts,
}

type RepertoireColumns = ColumnSet<for<'r> fn(&'r RepertoireRow) -> Value<'r>>;

impl RepertoireRow {
    fn columns() -> RepertoireColumns {
        RepertoireColumns::new()
            .with("name", Width::Share(2), |row| Value::text(&row.info.name))
            .with("color", Width::AtMost(5), |row| Value::text(row.info.color.to_string()))
            .of(ColumnType::Name)
            .with("games", Width::Number, |row| row.counts.games.into())
            .with("prepared", Width::Number, |row| row.counts.prepared_moves.into())
            .with("max_ply", Width::Number, |row| row.info.max_ply.into())
            .of(ColumnType::UInt16)
            .with("mine", Width::Share(1), |row| Value::text(row.info.rule.mine.to_string()))
            .with("theirs", Width::Share(1), |row| Value::text(row.info.rule.theirs.to_string()))
            .with("players", Width::Share(2), |row| Value::list(&row.info.players, "; "))
            .of(ColumnType::List)
    }
}

pub(super) fn list(args: &ListArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    let infos = match &args.names[..] {
        [] => database.repertoires()?,
        names => names.iter().map(|name| database.repertoire(name)).collect::<Result<_, _>>()?,
    };
    let counted = |info| Ok(RepertoireRow { counts: database.counts(&info)?, info });
    let rows = infos.into_iter().map(counted).collect::<Result<Vec<_>, StoreError>>()?;
    args.rows.write_named(RepertoireRow::columns(), [], rows)?;
    Ok(Outcome::Done)
}

const CHAPTERS_HELP: &str = "\
Examples:
  eco repertoire chapters mine --db chess.db

Columns: the source, by which `add` knows it again, and `cut --source` takes it out; the place of
the chapter in it; its name; the number of its moves; and for programs its identity: its address, or
its name, or its number in the source. A source without a name is what was added before sources were
known.";

/// List the sources and chapters of what is prepared.
#[derive(Debug, Args)]
#[command(after_long_help = CHAPTERS_HELP, after_help = "See --help for details and examples.")]
pub(super) struct ChaptersArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    #[command(flatten)]
    rows: rows::RowArgs,
}

struct ChapterRow<'p> {
    source: &'p PreparedSource,
    number: u64,
    chapter: &'p PreparedChapter,
}

type ChapterColumns = ColumnSet<for<'r> fn(&'r ChapterRow<'_>) -> Value<'r>>;

impl ChapterRow<'_> {
    fn columns() -> ChapterColumns {
        ChapterColumns::new()
            .with("source", Width::Share(2), |row| Value::text(&row.source.name))
            .with("number", Width::Number, |row| row.number.into())
            .with("chapter", Width::Share(2), |row| Value::text(&row.chapter.name))
            .with("moves", Width::Number, |row| {
                u64::try_from(row.chapter.book.prepared_moves()).unwrap_or(u64::MAX).into()
            })
            .of(ColumnType::UInt64)
            .for_machines("identity", ColumnType::Text, |row| Value::text(&row.chapter.identity))
    }
}

pub(super) fn chapters(args: &ChaptersArgs) -> Result<Outcome, Failure> {
    let (database, info) = args.repertoire.find()?;
    let preparation = database.preparation(&info.name)?;
    let mut rows = Vec::new();
    for source in preparation.sources() {
        let chapters = (1..).zip(&source.chapters);
        rows.extend(chapters.map(|(number, chapter)| ChapterRow { source, number, chapter }));
    }
    args.rows.write_named(ChapterRow::columns(), [], rows)?;
    Ok(Outcome::Done)
}

/// Prints the moves of one position, which alone is counted.
fn moves_of_position(
    args: &TreeArgs,
    info: RepertoireInfo,
    key: Option<PositionKey>,
) -> Result<Outcome, Failure> {
    let database = args.position.open()?;
    let initial = || PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
    let key = key.unwrap_or_else(initial);
    let rule = args.breadth.rule(info.rule);
    let book = database.book_at(&info.name, &key, rule, &Workers::default())?;
    args.breadth.check_effect(&book);
    let opened = OpenRepertoire::with_book(database, info, book)?;
    let (book, id) = (&opened.book, opened.find(&key)?);
    let scores = (args.sort == ContentsOrder::Difference).then(|| scores(&opened)).transpose()?;
    let options = ContentsOptions { depth: 1, order: args.sort, scores: scores.as_ref() };
    let rows = MoveRow::all(book, opened.catalogue, id, options);
    if args.rows.format() != args::Format::Table {
        args.rows.write_named(MoveRow::columns(), [opened.catalogue], rows)?;
        return Ok(Outcome::Done);
    }
    let notes = notes_lines(book, id, &rows);
    let notes = if notes.is_empty() { String::new() } else { format!("\n{}\n", notes.join("\n")) };
    write_page(args, &heading(&opened, id), rows, &notes).or_else(Interruption::outcome)
}

/// Writes a table with text above and below it.
fn write_page<'r>(
    args: &TreeArgs,
    above: &str,
    rows: impl IntoIterator<Item = MoveRow<'r>>,
    below: &str,
) -> Result<Outcome, Interruption> {
    let layout = args.rows.layout(MoveRow::columns());
    let rows = layout.rows(rows);
    let mut writer = args.rows.open(&layout, &replace::Inputs::none())?;
    writer.write_text(above)?;
    writer.write(&rows, &Progress::hidden())?;
    writer.end_rows()?;
    writer.write_text(below)?;
    writer.finish()?;
    Ok(Outcome::Done)
}

fn heading(opened: &OpenRepertoire, id: NodeId) -> String {
    let OpenRepertoire { info, book, .. } = opened;
    let node = book.node(id);
    let turn = if book.is_own_turn(id) { "to move" } else { "waits for the opponent" };
    let mut text = format!("{}, {} {turn}", info.name, info.color);
    if let Some(line) = opened.catalogue.get(node.key()) {
        text += &format!(": {}", line.opening);
    }
    let tally = node.tally();
    let mut lines = vec![text, node.key().to_string()];
    if tally.games > 0 {
        let score = tally.score().map(|score| format!(", score {}", percent(score)));
        lines.push(format!(
            "{} games, {} won, {} drawn, {} lost{}",
            tally.games,
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
are the number of games with the last of them, and the score of the repertoire's side. Where other
moves bring more games to that position, the number of all of them is in brackets. A position that
several lines reach is expanded once; the other lines end with = and the line that has it. Prepared
lines from another position that no line leads to follow below its FEN.

--depth 1 shows the moves of one position instead, played and prepared: how often they were played,
how they scored, and where they lead, with the notes on them. A * marks the moves of the book. Scores
are those of the repertoire's side, over all games with a result; the bar shows wins, draws and
losses. Performance follows Elo's curve, at most 800 points from the opponents' average rating.

--sort diff compares the score with what the ratings predict, as `eco stats` does, in the games with
both ratings, and adds the difference in per cent. With --format tsv, csv or jsonl there is a row
for each line: its score with the 95 % interval by Wilson (low, high), that difference with its
interval (expected, diff, diff_low, diff_high), the games that have its last position (reached), and
the trend: diff in the later half of the games by date, less that in the earlier half, with the
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

pub(super) fn tree(args: &TreeArgs) -> Result<Outcome, Failure> {
    let (infos, key) = args.position.find()?;
    if args.depth == 1 {
        return moves_of_position(args, only(infos)?, key);
    }
    if !matches!(args.rows.named_format(), None | Some(args::Format::Table)) {
        let opened = open(args, only(infos)?)?;
        let rows = contents_of(args, &opened, key.as_ref(), Some(&scores(&opened)?))?;
        args.rows.write_named(ContentsRow::columns(), [opened.catalogue], rows)?;
        return Ok(Outcome::Done);
    }
    let (is_one, mut texts) = (infos.len() == 1, Vec::new());
    for info in infos {
        let name = sanitize(info.name.as_bytes()).into_owned();
        let text = contents_in_text(args, &open(args, info)?, key.as_ref())?;
        texts.push(if is_one { text } else { format!("{name}:\n{text}") });
    }
    args.rows.write_text(&texts.join("\n"))?;
    Ok(Outcome::Done)
}

fn open(args: &TreeArgs, info: RepertoireInfo) -> Result<OpenRepertoire, Failure> {
    OpenRepertoire::open(args.position.open()?, info, &args.breadth)
}

fn contents_in_text(
    args: &TreeArgs,
    opened: &OpenRepertoire,
    key: Option<&PositionKey>,
) -> Result<String, Failure> {
    let scores = (args.sort == ContentsOrder::Difference).then(|| scores(opened)).transpose()?;
    let rows = contents_of(args, opened, key, scores.as_ref())?;
    Ok(match args.rows.text_width() {
        Some(width) => contents_text_within(&rows, width),
        None => contents_text(&rows, args.rows.width()),
    })
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

/// How the moves of the book scored in the games of the repertoire, beside what ratings predict.
fn scores(opened: &OpenRepertoire) -> Result<LineScores, Failure> {
    let OpenRepertoire { database, info, book, .. } = opened;
    let mut scores = LineScores::default();
    let all = Selection::default();
    database.games(&info.name, info.max_ply as usize, &all, &mut |game| {
        scores.add(book, &game);
        ControlFlow::Continue(())
    })?;
    Ok(scores)
}
