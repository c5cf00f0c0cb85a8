//! `eco db list`: what a position database keeps, and the details of a repertoire or a master.

use clap::Args;
use eco::catalogue::{Catalogue, MasterCounts};
use eco::master::MasterInfo;
use eco::output::{ColumnType, RowColumns, Value, Width};
use eco::repertoire::{Preparation, PreparedChapter, PreparedSource};
use eco::store::{CollectionInfo, Database, Kind, RepertoireCounts, RepertoireInfo};

use super::named::Named;
use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::{args::DatabaseArgs, completion, openings::Hit, rows::RowArgs};

const HELP: &str = "\
Examples:
  eco db list --db chess.db
  eco db list mine --db chess.db
  eco db list mine.tsv builtin

One NAME lists its contents: the sources and chapters of a repertoire, or the openings of a master.
Several names, and files, get a row each. A table has studies by their names; other formats have
their addresses, which are the names of their sources for --source.

`lines` and `positions` are those of a master, `decides` the positions that no master before it
names. `prepared` are the moves of a repertoire. `counted` are the games of a collection that have a
result and begin in the initial position. `mine` and `theirs` say which played moves are the book of
a repertoire, if none are prepared.";

/// List masters, collections and repertoires, or what is in one of them.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ListArgs {
    /// Names, files of openings, or builtin [default: all that the database keeps]
    #[arg(value_name = "NAME", add = completion::kept())]
    names: Vec<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs,
}

pub(super) fn run(args: &ListArgs) -> Result<Outcome, Failure> {
    let db = &args.database.db;
    let named = args.names.iter().map(|name| Named::find(name, db));
    let named = named.collect::<Result<Vec<_>, Failure>>()?;
    if let [only @ Named::Kept(path, kind, name)] = &named[..] {
        match kind {
            Kind::Master => return list_openings(args, only),
            Kind::Repertoire => {
                let preparation = Database::open(path)?.preparation(name)?;
                // One that only has games has a row of its own.
                if !preparation.sources().is_empty() {
                    return list_chapters(args, &preparation);
                }
            }
            Kind::Collection => {}
        }
    }
    let (mut rows, mut outcome) = (Vec::new(), Outcome::Done);
    if named.is_empty() {
        let database = Database::open(db)?;
        for &kind in Kind::ALL {
            rows.extend(entries(&database, kind)?);
        }
    }
    for one in &named {
        match one {
            Named::Kept(path, kind, name) => {
                let all = entries(&Database::open(path)?, *kind)?;
                rows.extend(all.into_iter().filter(|entry| entry.name() == name));
            }
            Named::Openings(_) => {
                let (catalogue, read) = one.catalogue()?.expect("openings make a catalogue");
                outcome = outcome.and(read);
                rows.extend(masters(&catalogue));
            }
        }
    }
    let more = args.rows.write_named(Entry::columns(), [], rows)?;
    more.iter().for_each(|more| say(more));
    Ok(outcome)
}

/// A row of the list.
enum Entry {
    Master(usize, MasterInfo, MasterCounts),
    Collection(CollectionInfo),
    Repertoire(RepertoireInfo, RepertoireCounts),
}

/// All of a kind in a database.
fn entries(database: &Database, kind: Kind) -> Result<Vec<Entry>, Failure> {
    Ok(match kind {
        Kind::Master => masters(&database.catalogue()?),
        Kind::Collection => database.collections()?.into_iter().map(Entry::Collection).collect(),
        Kind::Repertoire => {
            let counted =
                |info| Ok(database.counts(&info).map(|counts| Entry::Repertoire(info, counts))?);
            database.repertoires()?.into_iter().map(counted).collect::<Result<_, Failure>>()?
        }
    })
}

fn masters(catalogue: &Catalogue) -> Vec<Entry> {
    let masters = (1..).zip(catalogue.masters());
    let entry =
        |(n, info): (usize, &MasterInfo)| Entry::Master(n, info.clone(), catalogue.counts(n - 1));
    masters.map(entry).collect()
}

impl Entry {
    fn name(&self) -> &str {
        match self {
            Self::Master(_, MasterInfo { name, .. }, _)
            | Self::Collection(CollectionInfo { name, .. })
            | Self::Repertoire(RepertoireInfo { name, .. }, _) => name,
        }
    }

    fn master(&self) -> Option<(usize, &MasterInfo, &MasterCounts)> {
        let Self::Master(precedence, info, counts) = self else { return None };
        Some((*precedence, info, counts))
    }

    fn collection(&self) -> Option<&CollectionInfo> {
        let Self::Collection(info) = self else { return None };
        Some(info)
    }

    fn repertoire(&self) -> Option<(&RepertoireInfo, &RepertoireCounts)> {
        let Self::Repertoire(info, counts) = self else { return None };
        Some((info, counts))
    }

    fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with_name("kind", 10, |row| match row {
                Self::Master(..) => Value::text(Kind::Master.name()),
                Self::Collection(..) => Value::text(Kind::Collection.name()),
                Self::Repertoire(..) => Value::text(Kind::Repertoire.name()),
            })
            .with("name", Width::Share(2), |row| Value::text(row.name()))
            .with_name("color", 5, |row| {
                Value::optional(row.repertoire().map(|(info, _)| info.color))
            })
            .with("games", Width::Number, |row| {
                let prepared = || row.repertoire().map(|(_, counts)| counts.games);
                row.collection().map(|info| info.games).or_else(prepared).into()
            })
            .with("prepared", Width::Number, |row| {
                row.repertoire().map(|(_, counts)| counts.prepared_moves).into()
            })
            .with("lines", Width::Number, |row| row.master().map(|(.., n)| n.lines).into())
            .with("first", Width::Date, |row| {
                Value::optional(row.collection().and_then(|info| info.dates).map(|dates| dates.0))
            })
            .with("last", Width::Date, |row| {
                Value::optional(row.collection().and_then(|info| info.dates).map(|dates| dates.1))
            })
            .with_list("players", 2, |row| {
                row.repertoire().map(|(info, _)| Value::list(&info.players, "; ")).into()
            })
            .with("positions", Width::Number, |row| row.master().map(|(.., n)| n.positions).into())
            .with("decides", Width::Number, |row| {
                row.master().map(|(.., counts)| counts.positions - counts.decided_before).into()
            })
            .with("precedence", Width::Number, |row| row.master().map(|(n, ..)| n).into())
            .with("version", Width::AtMost(10), |row| {
                row.master().map(|(_, info, _)| Value::text(&info.version)).into()
            })
            .with("date", Width::Date, |row| {
                row.master().map(|(_, info, _)| Value::text(&info.date)).into()
            })
            .with_small("depth", |row| {
                let counted = || row.repertoire().map(|(info, _)| info.max_ply);
                row.collection().map(|info| info.max_ply).or_else(counted).into()
            })
            .with("counted", Width::Number, |row| {
                row.collection().map(|info| info.counted_games).into()
            })
            .with("segments", Width::Number, |row| row.collection().map(|i| i.segments).into())
            .with("bytes", Width::Number, |row| row.collection().map(|info| info.bytes).into())
            .with("mine", Width::Share(1), |row| {
                Value::optional(row.repertoire().map(|(info, _)| info.rule.mine))
            })
            .with("theirs", Width::Share(1), |row| {
                Value::optional(row.repertoire().map(|(info, _)| info.rule.theirs))
            })
            .with("fingerprint", Width::Share(2), |row| {
                row.master().map(|(_, info, _)| Value::text(&info.fingerprint)).into()
            })
    }
}

/// Writes the openings of a master.
fn list_openings(args: &ListArgs, master: &Named) -> Result<Outcome, Failure> {
    let (catalogue, outcome) = master.catalogue()?.expect("a master makes a catalogue");
    let language = args.database.naming.language(args.rows.readers());
    let catalogue = catalogue.in_language(language);
    let rows =
        catalogue.lines().iter().map(|line| Hit { catalogue: &catalogue, line, found_by: None });
    let more = args.rows.write_named(Hit::columns(), [&catalogue], rows)?;
    more.iter().for_each(|more| say(more));
    Ok(outcome)
}

struct ChapterRow<'p> {
    source: &'p PreparedSource,
    number: u64,
    chapter: &'p PreparedChapter,
}

impl ChapterRow<'_> {
    /// The source, a study by its name instead of its address.
    fn source_title(&self) -> &str {
        let Self { source, chapter, .. } = self;
        let study = chapter.titles().0.filter(|_| source.name == chapter.study);
        study.unwrap_or(&source.name)
    }

    fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .for_humans("source", Width::Share(1), |row| Value::text(row.source_title()))
            .for_machines("source", ColumnType::Text, |row| Value::text(&row.source.name))
            .with("number", Width::Number, |row| row.number.into())
            .for_humans("chapter", Width::Share(2), |row| Value::text(row.chapter.titles().1))
            .for_machines("chapter", ColumnType::Text, |row| Value::text(&row.chapter.name))
            .with("moves", Width::Number, |row| row.chapter.book.prepared_moves().into())
            .for_machines("identity", ColumnType::Text, |row| Value::text(&row.chapter.identity))
    }
}

/// Writes the sources and chapters of what is prepared.
fn list_chapters(args: &ListArgs, preparation: &Preparation) -> Result<Outcome, Failure> {
    let mut rows = Vec::new();
    for source in preparation.sources() {
        let chapters = (1..).zip(&source.chapters);
        rows.extend(chapters.map(|(number, chapter)| ChapterRow { source, number, chapter }));
    }
    let more = args.rows.write_named(ChapterRow::columns(), [], rows)?;
    more.iter().for_each(|more| say(more));
    Ok(Outcome::Done)
}
