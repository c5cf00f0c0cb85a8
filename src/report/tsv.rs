//! Tab-separated values: one line a row, no quoting; no value holds a tab or a line end.

use super::{Column, Rows, Value};

/// Tab-separated values.
#[derive(Debug, Clone, Copy)]
pub struct TsvRows;

fn write<'v>(cells: impl Iterator<Item = impl AsRef<str> + 'v>, out: &mut Vec<u8>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        out.extend_from_slice(cell.as_ref().as_bytes());
    }
    out.push(b'\n');
}

impl Rows for TsvRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        write(columns.iter().map(|column| column.name), out);
    }

    fn write_row(&self, columns: &[Column], values: &[Value<'_>], out: &mut Vec<u8>) {
        write(columns.iter().zip(values).map(|(column, value)| value.to_text(column)), out);
    }
}
