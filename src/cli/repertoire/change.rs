//! `eco repertoire rename`, `remove` and `merge`.

use clap::Args;
use eco::{pipeline::Workers, store::Database};

use super::args::{NamedRepertoireArgs, parse_name};
use crate::cli::outcome::{Failure, Outcome, say};

const RENAME_HELP: &str = "\
Examples:
  eco repertoire rename mine white --db chess.db";

/// Rename a repertoire.
#[derive(Debug, Args)]
#[command(after_long_help = RENAME_HELP, after_help = "See --help for details and examples.")]
pub(super) struct RenameArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,

    /// Its new name
    #[arg(value_name = "NEW", value_parser = parse_name)]
    new: String,
}

pub(super) fn rename(args: &RenameArgs) -> Result<Outcome, Failure> {
    Database::rename_repertoire(&args.repertoire.database.db, &args.repertoire.name, &args.new)?;
    Ok(Outcome::Done)
}

const REMOVE_HELP: &str = "\
Examples:
  eco repertoire remove white --db chess.db

The games and notes of the repertoire are removed with it. The file does not shrink; its free space
is reused.";

/// Remove a repertoire from a position database.
#[derive(Debug, Args)]
#[command(after_long_help = REMOVE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct RemoveArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,
}

pub(super) fn remove(args: &RemoveArgs) -> Result<Outcome, Failure> {
    Database::remove_repertoire(&args.repertoire.database.db, &args.repertoire.name)?;
    Ok(Outcome::Done)
}

const MERGE_HELP: &str = "\
Examples:
  eco repertoire merge mine club --db chess.db

The moves of NAME come first, so its main moves stay the main moves. Games that both have are
counted once.";

/// Add the contents of one repertoire to another.
///
/// The games, players, prepared moves and notes of OTHER are added to NAME. OTHER is not changed.
#[derive(Debug, Args)]
#[command(after_long_help = MERGE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct MergeArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,

    /// The repertoire to add
    #[arg(value_name = "OTHER")]
    other: String,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn merge(args: &MergeArgs) -> Result<Outcome, Failure> {
    let workers = Workers::default();
    let counts = Database::merge_repertoires(
        &args.repertoire.database.db,
        &args.repertoire.name,
        &args.other,
        &workers,
    )?;
    if !args.quiet {
        say(&format_args!(
            "{}: {} has {} games and {} prepared moves now",
            args.repertoire.database.db.display(),
            args.repertoire.name,
            counts.games,
            counts.prepared_moves
        ));
    }
    Ok(Outcome::Done)
}
