//! The command line as it is typed. Nothing here touches a file.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use eco::report::{Field, parse_fields};

/// Names the opening of every chess game.
#[derive(Debug, Parser)]
#[command(name = "eco", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Classify(ClassifyArgs),
    Ingest(IngestArgs),
}

const CLASSIFY_HELP: &str = "\
Examples:
  eco classify games.pgn
  eco classify ~/chess --format csv > openings.csv
  eco classify lichess_db.pgn.zst --fields game,eco,opening,ply
  eco classify games.pgn --summary

Fields (--fields): source, game, white, black, result, date, eco, opening, family, variation,
subvariation, ply, transposed, key, error; or all.

Exit codes: 0 done; 1 done, but an input could not be read to its end (or, with --strict, a game
had an error); 2 could not be done.";

/// Name the opening of every game.
///
/// Inputs are PGN files, plain or compressed with gzip, bzip2, xz, zstd or zip, told by their
/// content; folders, searched for *.pgn, *.pgn.gz (bz2, xz, zst) and *.zip; or - for standard
/// input.
///
/// A game is named by the last position on its way that the catalogue knows, however it was
/// reached. Without --db that is the built-in catalogue, lichess's.
#[derive(Debug, Args)]
#[command(after_long_help = CLASSIFY_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct ClassifyArgs {
    /// Files, folders, or - for standard input (the default when it is not a terminal)
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Name by the catalogue in this position database, made by `eco ingest`
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// How rows are written [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// Which fields, in which order, separated by commas; `all` for all
    #[arg(long, value_name = "LIST", value_parser = |list: &str| parse_fields(list).map(Fields))]
    pub(crate) fields: Option<Fields>,

    /// Leave out the header row of table, tsv and csv
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Count games by code and by family instead of listing them
    #[arg(long, conflicts_with = "fields")]
    pub(crate) summary: bool,

    /// Exit with 1 if a game has an error
    #[arg(long)]
    pub(crate) strict: bool,

    /// How many games are classified at a time [default: one for each core]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// No progress and no counts on standard error, only errors
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// How many bytes are read at a time; for tests
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(crate) block_size: Option<NonZeroUsize>,
}

/// A list of fields.
#[derive(Debug, Clone)]
pub(crate) struct Fields(pub(crate) Vec<Field>);

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns for a terminal
    Table,
    /// Tab-separated values
    Tsv,
    /// Comma-separated values
    Csv,
    /// One JSON object a line
    Jsonl,
}

const INGEST_HELP: &str = "\
Examples:
  eco ingest --db openings.db
  eco ingest mine.tsv --db openings.db
  eco ingest a.tsv b.tsv c.tsv d.tsv e.tsv --name lichess-dev --db openings.db

A master is a file of lines `eco <TAB> name <TAB> pgn`. Where two masters name one position, the
one that came into the database first decides.

Exit codes: 0 done; 1 done, but with --partial lines were left out; 2 nothing was written.";

/// Make a position database of ECO masters, or add masters to one.
#[derive(Debug, Args)]
#[command(after_long_help = INGEST_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct IngestArgs {
    /// Files of openings; without any, the built-in catalogue
    #[arg(value_name = "MASTER")]
    pub(crate) masters: Vec<PathBuf>,

    /// The position database to make or to extend
    #[arg(long, value_name = "FILE")]
    pub(crate) db: PathBuf,

    /// Take all files as one master of this name [default: each by its file name]
    #[arg(long, requires = "masters", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,

    /// What the master's version is, for the record
    #[arg(long, value_name = "TEXT", requires = "masters")]
    pub(crate) master_version: Option<String>,

    /// Write the good lines even if there are bad ones
    #[arg(long)]
    pub(crate) partial: bool,

    /// Print nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
