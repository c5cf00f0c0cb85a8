//! Groups of arguments that several commands share, as they are typed. Nothing here touches a file.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

/// How games are gone through.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// How many threads work [default: one for each core]
    #[arg(long, short = 'j', value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,

    /// No progress and no counts on standard error, only errors
    #[arg(long, short)]
    pub(super) quiet: bool,

    /// How many bytes are read at a time; for tests
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(super) block_size: Option<NonZeroUsize>,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Columns for a terminal
    Table,
    /// Tab-separated values
    Tsv,
    /// Comma-separated values
    Csv,
    /// One JSON object a line
    Jsonl,
}
