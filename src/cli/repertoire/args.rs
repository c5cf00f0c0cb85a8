//! Arguments that several subcommands of `eco repertoire` share.

use clap::Args;
use eco::store::Database;
use eco::{chess::Color, repertoire::BookRule};

use crate::cli::outcome::Failure;
use crate::cli::{args, completion};

/// An existing repertoire, which may be left out if it is the only one. Some commands then take
/// that of each colour, if there are two.
#[derive(Debug, Args)]
pub(super) struct OneRepertoireArgs {
    /// The repertoire; optional if the database has one, or one of each colour
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    pub(super) name: Option<String>,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,
}

/// A repertoire to create or to extend.
#[derive(Debug, Args)]
pub(super) struct NewRepertoireArgs {
    /// The repertoire
    #[arg(value_name = "NAME", value_parser = parse_new_name, add = completion::repertoires())]
    pub(super) name: String,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,

    /// The side of the repertoire; required for a new one
    #[arg(long, value_parser = completion::one_of(args::SIDES))]
    pub(super) color: Option<Color>,
}

impl NewRepertoireArgs {
    /// The rule of the repertoire as it is.
    pub(super) fn rule(&self) -> Result<BookRule, Failure> {
        if !self.database.db.exists() {
            return Ok(BookRule::USUAL);
        }
        let known = Database::open(&self.database.db)?.repertoire(&self.name);
        Ok(known.map_or(BookRule::USUAL, |info| info.rule))
    }
}

/// A repertoire, and the played moves that are in its book.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    pub(super) repertoire: OneRepertoireArgs,

    #[command(flatten)]
    pub(super) breadth: args::BreadthArgs,
}

/// The name of a repertoire that may be new. The name of an existing file is refused: it was meant
/// as an input, and the repertoire was forgotten.
pub(super) fn parse_new_name(text: &str) -> Result<String, String> {
    if std::path::Path::new(text).is_file() {
        return Err("this is a file; name a repertoire before it".to_owned());
    }
    args::parse_name(text).map_err(str::to_owned)
}
