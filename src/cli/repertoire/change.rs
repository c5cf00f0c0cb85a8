//! Changes of an existing repertoire as a whole: `eco repertoire rename` and `remove`.

use clap::Args;
use eco::store::Database;

use super::args::NamedRepertoireArgs;
use crate::cli::args;
use crate::cli::outcome::{Failure, Outcome};

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
    #[arg(value_name = "NEW", value_parser = args::parse_name)]
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
