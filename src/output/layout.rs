//! Rows in a format, with the columns for whoever reads that.

use super::{
    Audience, Cell, Column, ColumnSet, ColumnValue, CsvRows, JsonRows, Rows, SafeCsvRows, Table,
    TableOptions, TableRows, TsvRows,
};

/// A format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A table for people, with the columns that fit on a terminal.
    Table,
    /// Tab-separated values.
    Tsv,
    /// Comma-separated values.
    Csv,
    /// Comma-separated values for spreadsheets: text that they would take for a formula, because it
    /// begins with `=`, `+`, `-` or `@`, has an apostrophe before it.
    SafeCsv,
    /// An object for each row, each on a line of its own.
    Jsonl,
}

impl Format {
    /// The columns in this format.
    #[must_use]
    pub fn layout<F>(self, columns: ColumnSet<F>) -> Layout<F> {
        let audience = match self {
            Self::Table => Audience::Human,
            Self::Tsv | Self::Csv | Self::SafeCsv | Self::Jsonl => Audience::Machine,
        };
        Layout { columns: columns.select(audience), format: self }
    }
}

/// Columns in a format: writes rows to memory, so that several threads can write them at the same
/// time.
#[derive(Debug, Clone)]
pub struct Layout<F> {
    columns: ColumnSet<F>,
    format: Format,
}

impl<F> Layout<F> {
    /// What stands above the rows; empty for [`Format::Jsonl`], and for [`Format::Table`], whose
    /// [`Table`] writes it.
    #[must_use]
    pub fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.format != Format::Table {
            self.columns.write_header(&self.rows(), &mut out);
        }
        out
    }

    /// Writes a row; for [`Format::Table`], one that its [`Table`] takes.
    #[inline]
    pub fn write<'r, R>(&'r self, row: &'r R, out: &mut Vec<u8>)
    where
        F: ColumnValue<R>,
    {
        self.columns.write_row(&self.rows(), row, out);
    }

    /// The table for the rows of [`Format::Table`]; `None` for other formats.
    #[must_use]
    pub fn table(&self, options: TableOptions) -> Option<Table> {
        (self.format == Format::Table).then(|| Table::new(self.columns.columns(), options))
    }

    fn rows(&self) -> FormatRows {
        match self.format {
            Format::Table => FormatRows::Table,
            Format::Tsv => FormatRows::Tsv,
            Format::Csv => FormatRows::Csv,
            Format::SafeCsv => FormatRows::SafeCsv,
            Format::Jsonl => FormatRows::Jsonl,
        }
    }
}

/// The rows of a format.
enum FormatRows {
    Table,
    Tsv,
    Csv,
    SafeCsv,
    Jsonl,
}

impl Rows for FormatRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        match self {
            Self::Table => TableRows.write_header(columns, out),
            Self::Tsv => TsvRows.write_header(columns, out),
            Self::Csv | Self::SafeCsv => CsvRows.write_header(columns, out),
            Self::Jsonl => JsonRows.write_header(columns, out),
        }
    }

    #[inline]
    fn write_row<'r>(&self, cells: impl Iterator<Item = impl Cell<'r>> + Clone, out: &mut Vec<u8>) {
        match self {
            Self::Table => TableRows.write_row(cells, out),
            Self::Tsv => TsvRows.write_row(cells, out),
            Self::Csv => CsvRows.write_row(cells, out),
            Self::SafeCsv => SafeCsvRows.write_row(cells, out),
            Self::Jsonl => JsonRows.write_row(cells, out),
        }
    }
}
