//! Tab-separated values: one line a row, no quoting; no value holds a tab or a line end.

use super::{Column, Rows, Value};

/// Tab-separated values.
#[derive(Debug, Clone, Copy)]
pub struct TsvRows;

fn write<T>(
    cells: impl Iterator<Item = T>,
    out: &mut Vec<u8>,
    write_cell: impl Fn(T, &mut Vec<u8>),
) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        write_cell(cell, out);
    }
    out.push(b'\n');
}

impl Rows for TsvRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        write(columns.iter(), out, |column, out| out.extend_from_slice(column.name.as_bytes()));
    }

    fn write_row(&self, columns: &[Column], values: &[Value<'_>], out: &mut Vec<u8>) {
        let cells = columns.iter().zip(values);
        write(cells, out, |(column, value), out| value.write_text(column, out));
    }
}
