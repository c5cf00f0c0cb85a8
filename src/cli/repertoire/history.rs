//! `eco repertoire history` and `undo`: what was changed, and the last change taken back.

use clap::Args;
use eco::output::{RowColumns, Value, Width, sanitize};
use eco::quoted::counted;
use eco::store::{Database, RepertoireChange};

use crate::cli::games::options;
use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::{args, completion, output::print, rows::RowArgs};

const HISTORY_HELP: &str = "\
Examples:
  eco repertoire history --db chess.db
  eco repertoire history mine --limit 5 --db chess.db

The changes that `eco repertoire undo` takes back, the last one first: added and edited lines, added
games, settings, another name. A repertoire that was removed is listed until another one is removed.
`at` is in UTC.";

/// List the changes of repertoires that can be undone.
#[derive(Debug, Args)]
#[command(after_long_help = HISTORY_HELP, after_help = "See --help for details and examples.")]
pub(super) struct HistoryArgs {
    /// The repertoire [default: all of the database]
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    name: Option<String>,

    #[command(flatten)]
    database: args::DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs,
}

pub(super) fn list(args: &HistoryArgs) -> Result<Outcome, Failure> {
    let changes = Database::open(&args.database.db)?.history(args.name.as_deref())?;
    let more = args.rows.write_named(columns(), [], changes)?;
    more.iter().for_each(|more| say(more));
    Ok(Outcome::Done)
}

fn columns() -> RowColumns<RepertoireChange> {
    RowColumns::<RepertoireChange>::new()
        .with("at", Width::AtMost(16), |row| Value::text(&row.at))
        .with("repertoire", Width::Share(1), |row| Value::text(&row.repertoire))
        .with("change", Width::Share(4), |row| Value::text(&row.what))
}

const UNDO_HELP: &str = "\
Examples:
  eco repertoire undo --db chess.db
  eco repertoire undo mine --dry-run --db chess.db

Takes back the last change that `eco repertoire history` lists, of NAME or of the whole database:
lines, comments and glyphs are again what they were, games that were added go, and a repertoire that
was removed is there again, with its games and the answers of its training. Say it again to take
back the change before. What was undone cannot be done again by a command.";

/// Take back the last change of a repertoire.
#[derive(Debug, Args)]
#[command(after_long_help = UNDO_HELP, after_help = "See --help for details and examples.")]
pub(super) struct UndoArgs {
    /// The repertoire [default: the one that was changed last]
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    name: Option<String>,

    #[command(flatten)]
    database: args::DatabaseArgs,

    /// Write nothing; say what would be taken back
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    run: args::RunArgs,
}

pub(super) fn undo(args: &UndoArgs) -> Result<Outcome, Failure> {
    let (db, name) = (&args.database.db, args.name.as_deref());
    let changes = Database::open(db)?.history(name)?;
    let undone = match args.dry_run {
        true => changes.first().cloned(),
        false => Database::undo(db, name, &options(&args.run).workers)?,
    };
    let nothing = || Failure(format!("{}: there is nothing to undo", db.display()));
    let RepertoireChange { repertoire, what, .. } = undone.ok_or_else(nothing)?;
    if !args.run.quiet {
        let done = if args.dry_run { "would be undone" } else { "undone" };
        let left = counted(changes.len().saturating_sub(1), "change");
        let text = format!("{repertoire}: {done}: {what}; {left} left to undo");
        print(format!("{}: {}\n", db.display(), sanitize(text.as_bytes())).as_bytes())?;
    }
    Ok(Outcome::Done)
}
