//! `eco repertoire chapters`.

use clap::Args;
use eco::{
    output::{ColumnSet, ColumnType, Value, Width},
    repertoire::{PreparedChapter, PreparedSource},
    store::Database,
};

use super::{args::OneRepertoireArgs, resolve_name::named_or_only};
use crate::cli::{
    outcome::{Failure, Outcome},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco repertoire chapters mine --db chess.db

Columns: the source, by which `add` knows it again, and `cut --source` takes it out; the place of
the chapter in it; its name; the number of its moves; and for programs its identity: its address, or
its name, or its number in the source. A source without a name is what was added before sources were
known.";

/// List the sources and chapters of what is prepared.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ChaptersArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    #[command(flatten)]
    rows: RowArgs,
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

pub(super) fn run(args: &ChaptersArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.repertoire.database.db)?;
    let name = args.repertoire.name.as_deref();
    let info = named_or_only(&database, name, &mut Vec::new())?;
    let preparation = database.preparation(&info.name)?;
    let mut rows = Vec::new();
    for source in preparation.sources() {
        let chapters = (1..).zip(&source.chapters);
        rows.extend(chapters.map(|(number, chapter)| ChapterRow { source, number, chapter }));
    }
    args.rows.write_all(ChapterRow::columns(), rows)?;
    Ok(Outcome::Done)
}
