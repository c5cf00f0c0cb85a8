//! JSON lines: one object a row, with its columns in their order. A missing value is `null`.

use serde::Serialize;

use super::{Cell, Column, Rows, Value};
use crate::pgn::{MainLine, Token};

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
        return write_json(items, out);
    }
    if let Value::Movetext(text) = value {
        let mut moves: Vec<&str> = text.split(' ').collect();
        moves.pop_if(|last| is_result(last));
        return write_json(&moves, out);
    }
    let text = value.to_text("null");
    match value {
        Value::Text(_) | Value::Bytes(_) | Value::Display(_) => write_string(&text, out),
        Value::None
        | Value::Number(_)
        | Value::Decimal { .. }
        | Value::Bool(_)
        | Value::Movetext(_)
        | Value::List { .. } => {
            out.extend_from_slice(text.as_bytes());
        }
    }
}

fn is_result(word: &str) -> bool {
    matches!(MainLine::from_movetext(word.as_bytes()).next(), Some(Token::Result(_)))
}

fn write_string(text: &str, out: &mut Vec<u8>) {
    write_json(text, out);
}

fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("memory takes every byte, and texts are JSON");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_an_array_without_the_result() {
        for (movetext, array) in [
            ("e4 e5 Nf3 1-0", r#"["e4","e5","Nf3"]"#),
            ("e4 e5", r#"["e4","e5"]"#),
            ("d4 1/2", r#"["d4"]"#),
            ("*", "[]"),
        ] {
            let mut out = Vec::new();
            write_value(&Value::Movetext(movetext.into()), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), array);
        }
    }
}
