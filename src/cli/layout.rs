//! How rows are laid out: in a format, and with the columns for whoever reads that.

use std::io::{IsTerminal, stdout};

use eco::output::{Audience, ColumnSet, CsvRows, JsonRows, Rows, TableRows, TsvRows, Value};

use super::{
    args::Format,
    outcome::Failure,
    output::{print, terminal_width},
};

/// Columns in a format.
pub(super) struct Layout<F> {
    columns: ColumnSet<F>,
    rows: Box<dyn Rows>,
}

impl Format {
    /// The default for standard output.
    pub(super) fn for_stdout() -> Self {
        if stdout().is_terminal() { Self::Table } else { Self::Tsv }
    }

    fn audience(self) -> Audience {
        match self {
            Self::Table => Audience::Human,
            Self::Tsv | Self::Csv | Self::Jsonl => Audience::Machine,
        }
    }

    /// These columns in this format.
    pub(super) fn layout<F>(self, columns: ColumnSet<F>) -> Layout<F> {
        let columns = columns.select(self.audience());
        let rows: Box<dyn Rows> = match self {
            Self::Table => Box::new(TableRows::new(&columns.columns(), terminal_width())),
            Self::Tsv => Box::new(TsvRows),
            Self::Csv => Box::new(CsvRows),
            Self::Jsonl => Box::new(JsonRows),
        };
        Layout { columns, rows }
    }
}

impl<F> Layout<F> {
    /// What stands above the rows.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.columns.write_header(&*self.rows, &mut out);
        out
    }

    /// Writes a row.
    pub(super) fn write<'r, R>(&'r self, row: &'r R, out: &mut Vec<u8>)
    where
        F: Fn(&'r R) -> Value<'r>,
    {
        self.columns.write_row(&*self.rows, row, out);
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
        layout.columns.write_row(&*layout.rows, &row, &mut out);
    }
    print(&out)
}
