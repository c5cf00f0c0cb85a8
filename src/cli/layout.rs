//! How rows are laid out: in a format, and with the columns for whoever reads that.

use std::io::{IsTerminal, stdout};

use eco::output::{self, ColumnSet, Layout, Value};

use super::{
    args::Format,
    outcome::Failure,
    output::{print, terminal_width},
};

impl Format {
    /// The default for standard output.
    pub(super) fn for_stdout() -> Self {
        if stdout().is_terminal() { Self::Table } else { Self::Tsv }
    }

    /// These columns in this format.
    pub(super) fn layout<F>(self, columns: ColumnSet<F>) -> Layout<F> {
        let format = match self {
            Self::Table => output::Format::Table { width: terminal_width() },
            Self::Tsv => output::Format::Tsv,
            Self::Csv => output::Format::Csv,
            Self::Jsonl => output::Format::Jsonl,
        };
        format.layout(columns)
    }
}

/// Prints rows with their header.
pub(super) fn print_rows<F, R>(
    format: Option<Format>,
    columns: ColumnSet<F>,
    rows: impl IntoIterator<Item = R>,
) -> Result<(), Failure>
where
    F: for<'r> Fn(&'r R) -> Value<'r>,
{
    let layout = format.unwrap_or_else(Format::for_stdout).layout(columns);
    let mut out = layout.header();
    for row in rows {
        layout.write(&row, &mut out);
    }
    print(&out)
}
