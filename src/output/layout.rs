//! Rows in a format, with the columns for whoever reads that.

use super::{
    Audience, Cell, Column, ColumnSet, CsvRows, JsonRows, Rows, TableRows, TsvRows, Value,
};

/// A format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A table for people, with the columns that fit on a terminal.
    Table {
        /// The width of the terminal in characters.
        width: usize,
    },
    /// Tab-separated values.
    Tsv,
    /// Comma-separated values.
    Csv,
    /// An object for each row, each on a line of its own.
    Jsonl,
}

impl Format {
    /// The columns in this format.
    #[must_use]
    pub fn layout<F>(self, columns: ColumnSet<F>) -> Layout<F> {
        let audience = match self {
            Self::Table { .. } => Audience::Human,
            Self::Tsv | Self::Csv | Self::Jsonl => Audience::Machine,
        };
        let columns = columns.select(audience);
        let rows = match self {
            Self::Table { width } => FormatRows::Table(TableRows::new(&columns.columns(), width)),
            Self::Tsv => FormatRows::Tsv,
            Self::Csv => FormatRows::Csv,
            Self::Jsonl => FormatRows::Jsonl,
        };
        Layout { columns, rows }
    }
}

/// Columns in a format: writes rows to memory, so that several threads can write them at the same
/// time.
#[derive(Debug, Clone)]
pub struct Layout<F> {
    columns: ColumnSet<F>,
    rows: FormatRows,
}

impl<F> Layout<F> {
    /// What stands above the rows; empty for [`Format::Jsonl`].
    #[must_use]
    pub fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.columns.write_header(&self.rows, &mut out);
        out
    }

    /// Writes a row.
    #[inline]
    pub fn write<'r, R>(&'r self, row: &'r R, out: &mut Vec<u8>)
    where
        F: Fn(&'r R) -> Value<'r>,
    {
        self.columns.write_row(&self.rows, row, out);
    }
}

/// The rows of a format.
#[derive(Debug, Clone)]
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
