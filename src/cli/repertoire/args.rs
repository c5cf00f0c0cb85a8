//! Arguments that several subcommands of `eco repertoire` share.

use std::fmt::Display;

use clap::Args;
use eco::output::{ColumnSet, ColumnValue, Row};
use eco::{catalogue::Catalogue, chess::Color};

use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::{args, completion, rows};

/// An existing repertoire.
#[derive(Debug, Args)]
pub(super) struct NamedRepertoireArgs {
    /// The repertoire
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    pub(super) name: String,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,
}

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

/// A repertoire, and the played moves that are in its book.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    pub(super) repertoire: OneRepertoireArgs,

    #[command(flatten)]
    pub(super) breadth: args::BreadthArgs,
}

/// How rows are written, and whether they are counted.
#[derive(Debug, Args)]
pub(super) struct ListingArgs {
    #[command(flatten)]
    pub(super) rows: rows::RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

impl ListingArgs {
    /// Writes rows with names of these catalogues, and says how many there are.
    pub(super) fn write<'c, F: ColumnValue<R>, R: Row<Columns = ColumnSet<F>>>(
        &self,
        catalogues: impl IntoIterator<Item = &'c Catalogue>,
        rows: impl IntoIterator<Item = R>,
        counts: &dyn Display,
    ) -> Result<Outcome, Failure> {
        self.rows.write_named(R::columns(), catalogues, rows)?;
        if !self.quiet {
            say(counts);
        }
        Ok(Outcome::Done)
    }
}

/// The name of a repertoire that may be new. The name of an existing file is refused: it was meant
/// as an input, and the repertoire was forgotten.
pub(super) fn parse_new_name(text: &str) -> Result<String, String> {
    if std::path::Path::new(text).is_file() {
        return Err("this is a file; name a repertoire before it".to_owned());
    }
    args::parse_name(text).map_err(str::to_owned)
}
