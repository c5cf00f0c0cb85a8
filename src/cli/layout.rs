//! How rows are laid out: in a format, and with the columns for whoever reads that.

use std::io::{IsTerminal, stdout};

use eco::output::{
    Audience, Cell, Column, ColumnSet, CsvRows, JsonRows, Rows, TableRows, TsvRows, Value,
};

use super::{
    args::Format,
    outcome::Failure,
    output::{print, terminal_width},
};

/// Columns in a format.
pub(super) struct Layout<F> {
    columns: ColumnSet<F>,
    rows: FormatRows,
}

/// The rows of a format.
enum FormatRows {
    Table(TableRows),
    Tsv,
    Csv,
    Jsonl,
}

impl Rows for FormatRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        match self {
            Self::Table(rows) => rows.write_header(columns, out),
            Self::Tsv => TsvRows.write_header(columns, out),
            Self::Csv => CsvRows.write_header(columns, out),
            Self::Jsonl => JsonRows.write_header(columns, out),
        }
    }

    fn write_row<'r>(&self, cells: impl Iterator<Item = Cell<'r>> + Clone, out: &mut Vec<u8>) {
        match self {
            Self::Table(rows) => rows.write_row(cells, out),
            Self::Tsv => TsvRows.write_row(cells, out),
            Self::Csv => CsvRows.write_row(cells, out),
            Self::Jsonl => JsonRows.write_row(cells, out),
        }
    }
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
        let rows = match self {
            Self::Table => FormatRows::Table(TableRows::new(&columns.columns(), terminal_width())),
            Self::Tsv => FormatRows::Tsv,
            Self::Csv => FormatRows::Csv,
            Self::Jsonl => FormatRows::Jsonl,
        };
        Layout { columns, rows }
    }
}

impl<F> Layout<F> {
    /// What stands above the rows.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.columns.write_header(&self.rows, &mut out);
        out
    }

    /// Writes a row.
    pub(super) fn write<'r, R>(&'r self, row: &'r R, out: &mut Vec<u8>)
    where
        F: Fn(&'r R) -> Value<'r>,
    {
        self.columns.write_row(&self.rows, row, out);
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
        layout.columns.write_row(&layout.rows, &row, &mut out);
    }
    print(&out)
}
