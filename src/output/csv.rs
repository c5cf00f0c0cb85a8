//! Comma-separated values, quoted where RFC 4180 requires it: the door to `csv-core`.

use csv_core::{WriteResult, Writer};

use super::{Value, column::Column};

/// The text of a cell for spreadsheets: one that they would take for a formula, because it begins
/// with `=`, `+`, `-` or `@`, gets an apostrophe before it. Tabs and carriage returns, which begin
/// formulas too, are spaces in it. Numbers stay as they are.
pub(super) fn not_a_formula((column, value): (&Column, Value<'_>)) -> String {
    let text = value.to_text(column.absent);
    let is_text = matches!(value, Value::Text(_) | Value::Bytes(_) | Value::Display(_));
    match is_text && text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.into_owned(),
    }
}

/// Writes a line with these fields.
pub(super) fn write_record(fields: impl Iterator<Item = impl AsRef<str>>, out: &mut Vec<u8>) {
    let mut writer = Writer::new();
    for (index, field) in fields.enumerate() {
        if index > 0 {
            append(out, MAX_SEPARATOR, |room| writer.delimiter(room));
        }
        let field = field.as_ref().as_bytes();
        append(out, max_length(field), |room| {
            let (result, _, written) = writer.field(field, room);
            (result, written)
        });
    }
    append(out, MAX_SEPARATOR, |room| writer.terminator(room));
}

/// A separator may have a closing quote before it; an empty record is two quotes and a line feed.
const MAX_SEPARATOR: usize = 3;

/// The most that a field takes: an opening quote, and each quote in it doubled.
fn max_length(field: &[u8]) -> usize {
    1 + 2 * field.len()
}

/// Appends what is written into `max` bytes of room.
fn append(out: &mut Vec<u8>, max: usize, write: impl FnOnce(&mut [u8]) -> (WriteResult, usize)) {
    let start = out.len();
    out.resize(start + max, 0);
    let (result, written) = write(&mut out[start..]);
    assert_eq!(result, WriteResult::InputEmpty, "there is room for what is written");
    out.truncate(start + written);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{ColumnSet, Format, Width};

    #[test]
    fn no_cell_is_a_formula() {
        for (value, expected) in [
            (Value::Text("=1+1".into()), "'=1+1\n"),
            (Value::Bytes(b"+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0\n"),
            (Value::Bytes(b"-x"), "'-x\n"),
            (Value::Display(&"@SUM(A1)"), "'@SUM(A1)\n"),
            (Value::Bytes(b"\t=1"), " =1\n"),
            (Value::Bytes(b"1-0"), "1-0\n"),
            (Value::Decimal { value: -0.5, places: 1 }, "-0.5\n"),
            (Value::None, "\"\"\n"),
        ] {
            let columns = ColumnSet::<for<'r> fn(&'r Value<'_>) -> Value<'r>>::new();
            let columns = columns.with("x", Width::AtMost(1), |value| value.clone());
            let mut out = Vec::new();
            Format::SafeCsv.layout(columns).write(&value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        for (fields, expected) in [
            (&["e4", "", "c5"][..], "e4,,c5\n"),
            (&["a,b", "\"", "x\ny", "\"\"\""], "\"a,b\",\"\"\"\",\"x\ny\",\"\"\"\"\"\"\"\"\n"),
            (&[""], "\"\"\n"),
        ] {
            let mut out = Vec::new();
            write_record(fields.iter(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
