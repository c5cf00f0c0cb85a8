//! JSON lines: one object a row, with its columns in their order. A missing value is `null`.

use super::{Cell, Column, Rows, Value};

/// JSON lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonRows;

impl Rows for JsonRows {
    fn write_header(&self, _: &[Column], _: &mut Vec<u8>) {}

    fn write_row<'r>(&self, cells: impl Iterator<Item = impl Cell<'r>> + Clone, out: &mut Vec<u8>) {
        for (index, cell) in cells.enumerate() {
            let (column, value) = (cell.column(), cell.value());
            out.push(if index == 0 { b'{' } else { b',' });
            write_string(&column.name, out);
            out.push(b':');
            write_value(&value, out);
        }
        out.extend_from_slice(b"}\n");
    }
}

fn write_value(value: &Value<'_>, out: &mut Vec<u8>) {
    if let Value::List { items, .. } = value {
        serde_json::to_writer(out, items).expect("memory takes every byte, and texts are JSON");
        return;
    }
    let text = value.to_text("null");
    match value {
        Value::Text(_) | Value::Bytes(_) | Value::Display(_) => write_string(&text, out),
        Value::None
        | Value::Number(_)
        | Value::Decimal { .. }
        | Value::Bool(_)
        | Value::List { .. } => {
            out.extend_from_slice(text.as_bytes());
        }
    }
}

fn write_string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("memory takes every byte, and text is always JSON");
}
