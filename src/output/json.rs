//! Objects of several levels as JSON, on one line; rows are written by [`jsonl`](super::jsonl).

use std::fmt::Write;

use serde::Serialize;

use super::sanitize::is_unsafe;

/// A value as JSON. Keys are in the order of the fields.
///
/// Nothing is lost, and nothing can control a terminal: characters that could are escaped, also
/// those that JSON allows in strings as they are, such as U+009B.
#[must_use]
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
}
