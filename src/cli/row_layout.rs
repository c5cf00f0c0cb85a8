//! Rows as workers write them: text, or batches of typed columns.

use eco::{
    catalogue::Catalogue,
    output::{
        ColumnSet, ColumnValue, Layout, Table, TableOptions,
        columns::{BatchBuilder, BatchEncoder, BatchFormat, BatchLayout, RecordBatch, origin},
    },
};

use super::outcome::Failure;

/// The expected length of a row in bytes: enough for the default fields of games.
const ROW_LENGTH: usize = 160;

/// Columns in a format.
pub(super) enum RowLayout<F> {
    Text(Layout<F>),
    Batches { layout: BatchLayout<F>, format: BatchFormat },
}

/// Rows of a layout, as many as a worker has written at once.
pub(super) enum RowBuffer {
    Text(Vec<u8>),
    Batch(BatchBuilder),
}

/// Rows that are ready for a [`RowWriter`](super::row_writer::RowWriter).
pub(super) enum Rows {
    Text(Vec<u8>),
    Batch(RecordBatch),
}

impl<F> RowLayout<F> {
    /// The columns in a format of typed columns.
    pub(super) fn batches(columns: ColumnSet<F>, format: BatchFormat) -> Self {
        let layout = BatchLayout::new(columns).with_metadata(origin(None));
        Self::Batches { layout, format }
    }

    /// For rows with names of these catalogues: files with metadata say so.
    pub(super) fn named_by<'c>(self, catalogues: impl IntoIterator<Item = &'c Catalogue>) -> Self {
        match self {
            Self::Text(_) => self,
            Self::Batches { layout, format } => {
                Self::Batches { layout: layout.with_metadata(origin(catalogues)), format }
            }
        }
    }

    /// Room for about this number of rows; more may be written.
    pub(super) fn buffer(&self, rows: usize) -> RowBuffer {
        match self {
            Self::Text(_) => RowBuffer::Text(Vec::with_capacity(ROW_LENGTH * rows)),
            Self::Batches { layout, .. } => RowBuffer::Batch(layout.builder_for(rows)),
        }
    }

    /// Writes a row into a buffer of this layout.
    #[inline]
    pub(super) fn write<'r, R>(&'r self, row: &'r R, out: &mut RowBuffer)
    where
        F: ColumnValue<R>,
    {
        match (self, out) {
            (Self::Text(layout), RowBuffer::Text(out)) => layout.write(row, out),
            (Self::Batches { layout, .. }, RowBuffer::Batch(out)) => layout.write(row, out),
            _ => unreachable!("a buffer is filled by the layout that made it"),
        }
    }

    /// Rows, ready to be written.
    pub(super) fn rows<R>(&self, rows: impl IntoIterator<Item = R>) -> Rows
    where
        F: ColumnValue<R>,
    {
        let mut out = self.buffer(0);
        rows.into_iter().for_each(|row| self.write(&row, &mut out));
        out.finish()
    }

    /// What stands above the rows.
    pub(super) fn header(&self) -> Vec<u8> {
        match self {
            Self::Text(layout) => layout.header(),
            Self::Batches { .. } => Vec::new(),
        }
    }

    /// What fits rows to a terminal, if they are a table.
    pub(super) fn table(&self, options: TableOptions) -> Option<Table> {
        match self {
            Self::Text(layout) => layout.table(options),
            Self::Batches { .. } => None,
        }
    }

    /// What makes a file of batches, if that is what rows are.
    pub(super) fn encoder(&self) -> Result<Option<BatchEncoder>, Failure> {
        match self {
            Self::Text(_) => Ok(None),
            Self::Batches { layout, format } => {
                Ok(Some(BatchEncoder::new(*format, &layout.schema())?))
            }
        }
    }

    /// The format, if it has typed columns.
    pub(super) fn batch_format(&self) -> Option<BatchFormat> {
        match self {
            Self::Text(_) => None,
            Self::Batches { format, .. } => Some(*format),
        }
    }
}

impl RowBuffer {
    /// Adds text, where rows are text.
    pub(super) fn text(&mut self) -> &mut Vec<u8> {
        match self {
            Self::Text(text) => text,
            Self::Batch(_) => unreachable!("a command with text has no typed columns for it"),
        }
    }

    /// The rows, ready to be written.
    pub(super) fn finish(self) -> Rows {
        match self {
            Self::Text(text) => Rows::Text(text),
            Self::Batch(mut batch) => Rows::Batch(batch.finish()),
        }
    }
}

/// No rows, and room for text.
impl Default for RowBuffer {
    fn default() -> Self {
        Self::Text(Vec::new())
    }
}
