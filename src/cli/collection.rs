//! `eco collection`.

use std::path::{Path, PathBuf};

use clap::Args;
use eco::output::{ColumnSet, ColumnType, Value, Width, sanitize};
use eco::store::{CollectionInfo, Database, Explorer};
use eco::{collection::KeptGame, pipeline};

use super::args::{DatabaseArgs, Packing, RunArgs, parse_name};
use super::games::{KeptBy, feed_stored, games_text, options};
use super::outcome::{Failure, Interruption, Outcome, say};
use super::output::{Output, print};
use super::selection::{SelectionArgs, check_kept_openings, check_kept_people};
use super::{completion, masters::own_catalogue, replace::Inputs, rows::RowArgs};

const HELP: &str = "\
Examples:
  eco collection list --db games.db
  eco collection export games --db games.db --player 'Fischer, Robert James' -o fischer.pgn

A collection has whole games, so that any position can be asked what was played there. `eco index`
makes collections, adds games to them, and removes games. --db FILE holds any number of them.";

/// List, export, rename and remove collections of games.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct CollectionArgs {
    #[command(subcommand)]
    command: Subcommands,
}

subcommands! {
    Result<Outcome, Failure>;
    List(args: ListArgs) => list(&args),
    Export(args: ExportArgs) => export(&args),
    Rename(args: RenameArgs) => rename(&args),
    Remove(args: RemoveArgs) => remove(&args),
}

pub(super) fn run(args: CollectionArgs) -> Result<Outcome, Failure> {
    args.command.run()
}

const LIST_HELP: &str = "\
Examples:
  eco collection list --db games.db
  eco collection list --db games.db --format jsonl

`counted` are the games that have a result and begin in the initial position. `bytes` is what the
games take in the file.";

/// List the collections of a position database.
#[derive(Debug, Args)]
#[command(after_long_help = LIST_HELP, after_help = "See --help for details and examples.")]
struct ListArgs {
    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs,
}

type CollectionColumns = ColumnSet<for<'r> fn(&'r CollectionInfo) -> Value<'r>>;

fn columns() -> CollectionColumns {
    CollectionColumns::new()
        .with("name", Width::Share(2), |info| Value::text(&info.name))
        .with("games", Width::Number, |info| info.games.into())
        .with("counted", Width::Number, |info| info.counted_games.into())
        .with("max_ply", Width::Number, |info| info.max_ply.into())
        .of(ColumnType::UInt16)
        .with("first", Width::Date, |info| Value::optional(info.dates.map(|(first, _)| first)))
        .with("last", Width::Date, |info| Value::optional(info.dates.map(|(_, last)| last)))
        .with("segments", Width::Number, |info| info.segments.into())
        .with("bytes", Width::Number, |info| info.bytes.into())
}

fn list(args: &ListArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    args.rows.write_named(columns(), [], database.collections()?)?;
    Ok(Outcome::Done)
}

const EXPORT_HELP: &str = "\
Examples:
  eco collection export games --db games.db -o games-again.pgn
  eco collection export games --db games.db --player 'Fischer, Robert James' > fischer.pgn

A game has all its tags, those of the Seven Tag Roster first, and all moves of its main line in
standard algebraic notation. Comments, variations and glyphs are not kept. Games are in the order of
their moves, within each part of the collection.

--eco and --opening are about the opening that a game had when it was added. A file whose name ends
in .gz, .bz2, .xz or .zst is compressed.";

/// Write the games of a collection as PGN.
#[derive(Debug, Args)]
#[command(after_long_help = EXPORT_HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("game", |game| game.hide(true)))]
struct ExportArgs {
    /// The collection
    #[arg(value_name = "NAME", add = completion::collections())]
    name: String,

    #[command(flatten)]
    database: DatabaseArgs,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    run: RunArgs,
}

fn export(args: &ExportArgs) -> Result<Outcome, Failure> {
    let selection = args.selection.selection_of_kept()?;
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let database = Database::open(&args.database.db)?;
    let info = database.collection(&args.name)?;
    check_kept_openings(&selection, own_catalogue(&database)?.as_ref())?;
    let explorer = Explorer::open(&args.database.db, std::slice::from_ref(&args.name))?;
    check_kept_people(&explorer, &args.selection.conditions.people())?;
    let mut out = Output::for_games(path, Packing::new(None, None), &Inputs::none())?;
    let (mut count, all, kept) = (0, info.games, KeptBy::Collection(info));
    let written = pipeline::run(
        &options(&args.run).workers,
        |push| feed_stored(&database, &kept, &mut |stored| push(stored.games)),
        |games: Vec<KeptGame>| {
            let selected = games.iter().filter(|game| game.is_selected(&selection));
            selected.map(KeptGame::to_pgn).collect::<Vec<_>>()
        },
        |games: Vec<Vec<u8>>| {
            let is_first = count == 0;
            count += games.len();
            let pgn = games.join(&b'\n');
            if !(is_first || pgn.is_empty()) {
                out.put(b"\n")?;
            }
            out.put(&pgn)
        },
    );
    let written: Result<(), Interruption> = written.and_then(|()| out.finish());
    if let (Ok(()), false) = (&written, args.run.quiet) {
        say(&format_args!("{count} of {all} games are written"));
    }
    written.map_or_else(Interruption::outcome, |()| Ok(Outcome::Done))
}

const RENAME_HELP: &str = "\
Examples:
  eco collection rename masters otb --db games.db";

/// Rename a collection.
#[derive(Debug, Args)]
#[command(after_long_help = RENAME_HELP, after_help = "See --help for details and examples.")]
struct RenameArgs {
    /// The collection
    #[arg(value_name = "NAME", add = completion::collections())]
    name: String,

    /// Its new name
    #[arg(value_name = "NEW", value_parser = parse_name)]
    new: String,

    #[command(flatten)]
    database: DatabaseArgs,
}

fn rename(args: &RenameArgs) -> Result<Outcome, Failure> {
    Database::rename_collection(&args.database.db, &args.name, &args.new)?;
    let [name, new] = [&args.name, &args.new].map(|name| sanitize(name.as_bytes()));
    let db = args.database.db.display();
    print(format!("{db}: {name}: renamed to {new}\n").as_bytes())?;
    Ok(Outcome::Done)
}

const REMOVE_HELP: &str = "\
Examples:
  eco collection remove otb --db games.db

The games of the collection are removed with it. The file does not shrink; its free space is reused.
`eco index --remove` removes selected games.";

/// Remove a collection from a position database.
#[derive(Debug, Args)]
#[command(after_long_help = REMOVE_HELP, after_help = "See --help for details and examples.")]
struct RemoveArgs {
    /// The collection
    #[arg(value_name = "NAME", add = completion::collections())]
    name: String,

    #[command(flatten)]
    database: DatabaseArgs,
}

fn remove(args: &RemoveArgs) -> Result<Outcome, Failure> {
    let games = Database::open(&args.database.db)?.collection(&args.name)?.games;
    Database::remove_collection(&args.database.db, &args.name)?;
    let (db, name) = (args.database.db.display(), sanitize(args.name.as_bytes()));
    print(format!("{db}: {name}: removed with {}\n", games_text(games)).as_bytes())?;
    Ok(Outcome::Done)
}
