//! JSON lines: one object a row, its fields in the order asked for. What is not there is `null`.

use super::{Column, Rows, Value};

/// JSON lines.
#[derive(Debug, Clone, Copy)]
pub struct JsonRows;

impl Rows for JsonRows {
    fn write_header(&self, _: &[Column], _: &mut Vec<u8>) {}

    fn write_row(&self, columns: &[Column], values: &[Value<'_>], out: &mut Vec<u8>) {
        for (index, (column, value)) in columns.iter().zip(values).enumerate() {
            out.push(if index == 0 { b'{' } else { b',' });
            write_text(column.name, out);
            out.push(b':');
            match value {
                Value::None => out.extend_from_slice(b"null"),
                Value::Text(_) | Value::Bytes(_) => write_text(&value.to_text(column), out),
                other => out.extend_from_slice(other.to_text(column).as_bytes()),
            }
        }
        out.extend_from_slice(b"}\n");
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("memory takes every byte, and text is always JSON");
}
