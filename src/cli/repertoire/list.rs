//! `eco repertoire list` and `eco repertoire chapters`: what a database and a repertoire have.

use clap::Args;
use eco::{
    output::{ColumnSet, ColumnType, Value, Width},
    repertoire::{PreparedChapter, PreparedSource},
    store::{Database, RepertoireCounts, RepertoireInfo, StoreError},
};

use super::args::{OneRepertoireArgs, parse_name};
use crate::cli::outcome::{Failure, Outcome};
use crate::cli::{args, completion, rows};

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
    #[arg(value_name = "NAME", value_parser = parse_name, add = completion::repertoires())]
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
    args.rows.write_all(RepertoireRow::columns(), rows)?;
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
            .for_machines("identity", |row| Value::text(&row.chapter.identity))
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
    args.rows.write_all(ChapterRow::columns(), rows)?;
    Ok(Outcome::Done)
}
