//! Objects of several levels as JSON, on one line; rows are written by [`jsonl`](super::jsonl).

use serde::Serialize;

/// A value as JSON. Keys are in the order of the fields.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers, text, and structures of them are always JSON")
}
