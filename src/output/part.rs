//! Rows about the parts of files.

use super::{ColumnSet, Row, Value, Width};
use crate::pgn::{Compression, source::Part};

/// A part of a file.
#[derive(Debug, Clone)]
pub struct PartRow<'a> {
    /// The path of the file, [sanitized](super::sanitize); in JSON lines, which escape them,
    /// characters below U+0020 may be left.
    pub path: &'a str,
    /// The part.
    pub part: Part,
    /// How the file is compressed.
    pub compression: Compression,
}

impl Row for PartRow<'_> {
    type Columns = ColumnSet<for<'r, 'a> fn(&'r PartRow<'a>) -> Value<'r>>;

    fn columns() -> Self::Columns {
        Self::Columns::new()
            .with("path", Width::PathShare(1), |row| Value::Text(row.path.into()))
            .with("offset", Width::Number, |row| Value::Number(row.part.offset))
            .with("length", Width::Number, |row| Value::Number(row.part.length))
            .with("compression", Width::AtMost(11), |row| {
                Value::Bytes(row.compression.name().as_bytes())
            })
    }
}
