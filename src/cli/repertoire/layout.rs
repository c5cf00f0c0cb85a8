//! How rows about a repertoire are laid out.

use clap::Args;
use eco::output::{ColumnSet, Layout};

use crate::cli::args::Format;

/// How rows are written.
#[derive(Debug, Args)]
pub(super) struct LayoutArgs {
    /// Output format [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,

    /// Omit the header row of table, tsv and csv
    #[arg(long)]
    no_header: bool,
}

impl LayoutArgs {
    /// The layout of these columns.
    pub(super) fn layout<F>(&self, columns: ColumnSet<F>) -> Layout<F> {
        self.format.unwrap_or_else(Format::for_stdout).layout(columns)
    }

    /// What stands above the rows of a layout.
    pub(super) fn header<F>(&self, layout: &Layout<F>) -> Vec<u8> {
        if self.no_header { Vec::new() } else { layout.header() }
    }
}
