//! Comma-separated values, quoted where RFC 4180 wants it: the door to `csv`.

use super::{Column, Rows, Value};

/// Comma-separated values.
#[derive(Debug, Clone, Copy)]
pub struct CsvRows;

const INTO_MEMORY: &str = "memory takes every byte";

fn write<'v>(cells: impl Iterator<Item = impl AsRef<str> + 'v>, out: &mut Vec<u8>) {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(512).from_writer(out);
    for cell in cells {
        writer.write_field(cell.as_ref()).expect(INTO_MEMORY);
    }
    writer.write_record(None::<&[u8]>).expect(INTO_MEMORY);
    writer.flush().expect(INTO_MEMORY);
}

impl Rows for CsvRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        write(columns.iter().map(|column| column.name), out);
    }

    fn write_row(&self, columns: &[Column], values: &[Value<'_>], out: &mut Vec<u8>) {
        write(columns.iter().zip(values).map(|(column, value)| value.to_text(column)), out);
    }
}
