//! JSON, on one line: objects of several levels, and rows, whose columns are the keys. A missing
//! value is `null`.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Value, column::Column, value::is_unsafe};
use crate::pgn::{MainLine, Token};

/// A value as JSON. Keys are in the order of the fields.
///
/// Nothing is lost, and nothing can control a terminal: characters that could are escaped, also
/// those that JSON allows in strings as they are, such as U+009B.
pub fn to_json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value);
    escape(json.expect("numbers, text, and structures of them are always JSON"))
}

/// Outside of strings, JSON has only printable ASCII.
fn escape(json: String) -> String {
    if !json.contains(is_unsafe) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unsafe(c) {
            write!(escaped, "\\u{:04x}", u32::from(c)).expect("a string takes every text");
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Writes a row as an object on a line.
pub(super) fn write_object<'r>(
    cells: impl Iterator<Item = (&'r Column, Value<'r>)>,
    out: &mut Vec<u8>,
) {
    for (index, (column, value)) in cells.enumerate() {
        out.push(if index == 0 { b'{' } else { b',' });
        write_json(&column.name, out);
        out.push(b':');
        write_value(&value, out);
    }
    out.extend_from_slice(b"}\n");
}

fn write_value(value: &Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::List { items, .. } => write_json(items, out),
        Value::Movetext(text) => {
            let mut moves: Vec<&str> = text.split(' ').collect();
            moves.pop_if(|last| is_result(last));
            write_json(&moves, out);
        }
        Value::Text(_) | Value::Bytes(_) | Value::Display(_) => write_json(&value.to_text(""), out),
        Value::None | Value::Number(_) | Value::Decimal { .. } | Value::Bool(_) => {
            out.extend_from_slice(value.to_text("null").as_bytes());
        }
    }
}

fn is_result(word: &str) -> bool {
    matches!(MainLine::from_movetext(word.as_bytes()).next(), Some(Token::Result(_)))
}

fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("memory takes every byte, and texts are JSON");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_control_a_terminal_is_escaped_and_not_lost() {
        let text = "a\u{1b}[31m\u{9b}31m\u{7f}\u{202e}\u{2028}\u{e9}\n";
        let json = to_json(&text);
        assert_eq!(json, "\"a\\u001b[31m\\u009b31m\\u007f\\u202e\\u2028\u{e9}\\n\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

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
