//! How rows about a repertoire are laid out: in which format, and with which of their columns.

use clap::Args;
use eco::output::{Reader, Rows, Sheet, SheetColumn, Value};

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

/// A sheet in its format.
pub(super) struct Layout {
    sheet: Sheet,
    rows: Box<dyn Rows>,
    header: Vec<u8>,
}

impl LayoutArgs {
    /// The layout of these columns.
    pub(super) fn layout(&self, columns: &[SheetColumn]) -> Layout {
        let format = self.format.unwrap_or_else(Format::usual);
        let reader = if format == Format::Table { Reader::Person } else { Reader::Program };
        let sheet = Sheet::new(columns, reader);
        let rows = format.rows(sheet.columns());
        let mut header = Vec::new();
        if !self.no_header {
            sheet.write_header(&*rows, &mut header);
        }
        Layout { sheet, rows, header }
    }
}

impl Layout {
    /// What stands above the rows.
    pub(super) fn header(&self) -> &[u8] {
        &self.header
    }

    /// Writes a row, given the values of all columns.
    pub(super) fn write(&self, values: &[Value<'_>], out: &mut Vec<u8>) {
        self.sheet.write(&*self.rows, values, out);
    }
}
