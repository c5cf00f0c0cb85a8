//! Tab-separated values: one line a row, no quoting. No value contains a tab or a line end.

mod fast;

use super::{Cell, Column, Rows};

/// Tab-separated values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TsvRows;

impl Rows for TsvRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        let names = columns.iter().map(|column| &*column.name);
        out.extend_from_slice(names.collect::<Vec<_>>().join("\t").as_bytes());
        out.push(b'\n');
    }

    #[inline]
    fn write_row<'r>(&self, cells: impl Iterator<Item = impl Cell<'r>> + Clone, out: &mut Vec<u8>) {
        if fast::write_row(cells.clone(), out).is_none() {
            write_row(cells, out);
        }
    }
}

/// Writes a row value by value.
#[inline(never)]
fn write_row<'r>(cells: impl Iterator<Item = impl Cell<'r>>, out: &mut Vec<u8>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        cell.value().write_text(cell.column().absent, out);
    }
    out.push(b'\n');
}
