//! Groups of arguments that several commands share, as they are typed. Nothing here touches a file.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use eco::{chess::Color, output};

/// The games to read.
#[derive(Debug, Args)]
pub(super) struct InputArgs {
    /// Files, folders, or - for standard input (the default when it is not a terminal)
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
}

/// The position database that a command works on.
#[derive(Debug, Args)]
pub(super) struct DatabaseArgs {
    /// The position database
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    pub(super) db: PathBuf,
}

/// The catalogue that names openings.
#[derive(Debug, Args)]
pub(super) struct NamingArgs {
    /// Name openings by the catalogue of this position database, made by `eco ingest` [default: the
    /// built-in catalogue]
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    pub(super) db: Option<PathBuf>,
}

/// How games are processed.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Number of threads [default: one per core]
    #[arg(long, short = 'j', value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,

    /// Print only errors on standard error, no progress and no counts
    #[arg(long, short)]
    pub(super) quiet: bool,

    /// Show no progress on standard error
    #[arg(long)]
    pub(super) no_progress: bool,

    /// Bytes to read at a time; for tests
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(super) block_size: Option<NonZeroUsize>,
}

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        Self::from_white(side == Side::White)
    }
}

/// Whether csv is for spreadsheets.
#[derive(Debug, Args)]
pub(super) struct CsvArgs {
    /// Put an apostrophe before csv text that a spreadsheet would run as a formula; auto: in files
    /// named .csv
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true)]
    #[arg(default_value = "auto", default_missing_value = "always")]
    csv_safe: CsvSafe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CsvSafe {
    Auto,
    Always,
    Never,
}

impl CsvArgs {
    /// The format of csv in this file, or on standard output.
    pub(super) fn format(&self, file: Option<&Path>) -> output::Format {
        let ends =
            |file: &Path| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
        let is_safe = match self.csv_safe {
            CsvSafe::Auto => file.is_some_and(ends),
            CsvSafe::Always => true,
            CsvSafe::Never => false,
        };
        if is_safe { output::Format::SafeCsv } else { output::Format::Csv }
    }
}

/// The format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Columns for a terminal
    Table,
    /// Tab-separated values
    Tsv,
    /// Comma-separated values
    Csv,
    /// One JSON object per line
    Jsonl,
    /// Typed columns as an Apache Arrow IPC stream, for a pipe or a file
    Arrow,
    /// Typed columns as an Apache Parquet file, compressed
    Parquet,
}
