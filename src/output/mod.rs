//! Rows about games, as people and programs want them: tables, tsv, csv, jsonl.
//!
//! Text from files is decoded and sanitized here, once: control characters become spaces, so no
//! tag can break a row or speak to a terminal.

#[cfg(feature = "repertoire")]
mod anki;
#[cfg(feature = "repertoire")]
mod book_moves;
mod changes;
#[cfg(feature = "repertoire")]
mod contents;
mod csv_rows;
#[cfg(feature = "repertoire")]
mod differences;
mod explain;
mod fen;
mod field;
mod jsonl;
mod lookup;
#[cfg(feature = "repertoire")]
mod moves;
#[cfg(feature = "repertoire")]
mod repertoire;
mod sanitize;
mod sheet;
mod summary;
mod table;
mod tsv;

use std::borrow::Cow;

#[cfg(feature = "repertoire")]
pub use anki::{Cards, Picture, write_cards};
#[cfg(feature = "repertoire")]
pub use book_moves::{BOOK_MOVE_COLUMNS, write_book_moves};
pub use changes::{CHANGE_COLUMNS, GAME_CHANGE_COLUMNS, write_changes, write_game_change};
#[cfg(feature = "repertoire")]
pub use contents::{ContentsOptions, contents};
pub use csv_rows::CsvRows;
#[cfg(feature = "repertoire")]
pub use differences::{DIFFERENCE_COLUMNS, difference_rows};
pub use explain::{ExplanationFormat, write_explanation};
pub use fen::reading_json;
pub use field::{Field, ParseFieldError, parse_fields};
pub use jsonl::JsonRows;
pub use lookup::{lookup_json, lookup_text};
#[cfg(feature = "repertoire")]
pub use moves::{
    MOVE_COLUMNS, MOVE_TABLE_COLUMNS, move_rows, move_table_rows, notes_lines, notes_text,
    opening_at, score_bar,
};
#[cfg(feature = "repertoire")]
pub use repertoire::{
    CHECK_COLUMNS, COST_COLUMNS, CheckRecord, FINDING_COLUMNS, GAP_COLUMNS, Lines, NOVELTY_COLUMNS,
    NoveltyRecord, check_values, cost_values, finding_values, gap_values, novelty_values,
};
pub use sanitize::sanitize;
pub use sheet::{Reader, Sheet, SheetColumn};
pub use summary::{SUMMARY_COLUMNS, write_summary};
pub use table::TableRows;
pub use tsv::TsvRows;

use self::sanitize::write_sanitized;
use crate::{
    classify::{Classified, Trace},
    swar::digits,
};

/// What a row tells about: a game, its verdict, and where it is from.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The name of the source, [sanitized](sanitize).
    pub source: &'a str,
    /// The number of the game in its source, from 1.
    pub number: u64,
    /// The game.
    pub game: &'a Classified<'a, 'a>,
    /// Its way, for fields that tell of it.
    pub trace: Option<&'a Trace<'a>>,
}

/// A column of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name, in headers and as a key.
    pub name: &'static str,
    /// How it is laid out in a table.
    pub width: Width,
    /// What stands for a value that is not there, in text; JSON has `null`.
    pub absent: &'static str,
}

/// How a column is laid out in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// So many characters, to the right.
    Number(usize),
    /// So many characters, to the left.
    Fixed(usize),
    /// A share of the room that the others leave, with this weight.
    Share(usize),
    /// The same, for lines of moves: what is too long loses its beginning.
    LineShare(usize),
}

/// A format of rows.
///
/// Formats write to memory, so that workers can write at the same time.
pub trait Rows: Sync {
    /// Writes what stands above the rows, if the format has such a thing.
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>);

    /// Writes a row of values, one for each column.
    fn write_row(&self, columns: &[Column], values: &[Value<'_>], out: &mut Vec<u8>);

    /// Writes the row of a game: the values of its fields, one for each column.
    ///
    /// A format may have a quicker way to the same row.
    fn write_game(
        &self,
        columns: &[Column],
        fields: &[Field],
        record: &Record<'_>,
        out: &mut Vec<u8>,
    ) {
        write_values(self, columns, fields, record, out);
    }
}

/// Writes the row of a game by way of its values.
#[inline(never)]
fn write_values<R: Rows + ?Sized>(
    rows: &R,
    columns: &[Column],
    fields: &[Field],
    record: &Record<'_>,
    out: &mut Vec<u8>,
) {
    // As many as there are fields at all, so that no row allocates.
    let mut values = [const { Value::None }; Field::ALL.len()];
    let count = fields.len().min(values.len());
    for (value, field) in values.iter_mut().zip(fields) {
        *value = field.value(record);
    }
    rows.write_row(columns, &values[..count], out);
}

/// The value of a column in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// Nothing: [`Column::absent`] in text, `null` in JSON.
    None,
    /// A whole number.
    Number(u64),
    /// A number with so many decimals.
    Decimal {
        /// The number; it is finite.
        value: f64,
        /// How many decimals are told.
        places: usize,
    },
    /// Yes or no.
    Bool(bool),
    /// Text without control characters.
    Text(Cow<'a, str>),
    /// Bytes of a file, which are [sanitized](sanitize) when they are written.
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Text from anywhere, [sanitized](sanitize); nothing if it is empty.
    #[must_use]
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        match text.into() {
            text if text.is_empty() => Self::None,
            Cow::Borrowed(text) => Self::Text(sanitize(text.as_bytes())),
            Cow::Owned(text) => Self::Text(sanitize(text.as_bytes()).into_owned().into()),
        }
    }

    /// What is written out as text, if it is there.
    #[must_use]
    pub fn told(value: Option<impl ToString>) -> Self {
        value.map_or(Self::None, |value| Self::text(value.to_string()))
    }

    /// A share or a score from 0 to 1, with four decimals.
    #[must_use]
    pub fn share(share: Option<f64>) -> Self {
        share.map_or(Self::None, |value| Self::Decimal { value, places: 4 })
    }

    /// Writes the value as [`to_text`](Self::to_text) has it.
    #[inline]
    fn write_text(&self, column: &Column, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => out.extend_from_slice(text.as_bytes()),
            Self::Bytes(bytes) => write_sanitized(bytes, out),
            Self::Number(number) => write_number(*number, out),
            other => out.extend_from_slice(other.to_text(column).as_bytes()),
        }
    }

    /// The value as text.
    fn to_text(&self, column: &Column) -> Cow<'_, str> {
        match self {
            Self::None => column.absent.into(),
            Self::Number(number) => number.to_string().into(),
            Self::Decimal { value, places } => decimal(*value, *places).into(),
            Self::Bool(true) => "true".into(),
            Self::Bool(false) => "false".into(),
            Self::Text(text) => text.as_ref().into(),
            Self::Bytes(bytes) => sanitize(bytes),
        }
    }
}

/// A number with so many decimals; what is rounded to 0 has no sign.
fn decimal(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let is_zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

fn write_number(number: u64, out: &mut Vec<u8>) {
    match digits(number) {
        Some((digits, count)) => out.extend_from_slice(&digits[..count]),
        None => out.extend_from_slice(number.to_string().as_bytes()),
    }
}

/// A share or a score in percent, with one decimal.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Rows about games, with the fields that were asked for.
pub struct GameRows<'r> {
    rows: &'r dyn Rows,
    fields: Vec<Field>,
    columns: Vec<Column>,
    needs_trace: bool,
}

impl<'r> GameRows<'r> {
    /// Rows of these fields in this format.
    #[must_use]
    pub fn new(rows: &'r dyn Rows, fields: &[Field]) -> Self {
        let needs_trace = fields.iter().any(|field| field.needs_trace());
        Self { rows, fields: fields.to_vec(), columns: Field::columns(fields), needs_trace }
    }

    /// Whether a row needs [`Record::trace`].
    #[must_use]
    pub fn needs_trace(&self) -> bool {
        self.needs_trace
    }

    /// Writes the row of one game.
    pub fn write(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        self.rows.write_game(&self.columns, &self.fields, record, out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        catalogue::Catalogue,
        classify::{Classifier, Header},
        pgn::Game,
    };

    fn file_bytes() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            any::<Vec<u8>>(),
            any::<String>().prop_map(String::into_bytes),
            "[ -~]{0,30}".prop_map(String::into_bytes),
            // So long that some rows are longer than a format may expect.
            "[ -~]{0,120}".prop_map(String::into_bytes),
        ]
    }

    fn plain_value<'a>(field: Field, record: &Record<'a>) -> Value<'a> {
        match field.value(record) {
            Value::Bytes(bytes) => Value::Text(sanitize(bytes)),
            value => value,
        }
    }

    proptest! {
        /// Whatever a format does to be quick, a row is that of plain text.
        #[test]
        fn rows_of_a_file_are_rows_of_its_sanitized_text(
            tags in [file_bytes(), file_bytes(), file_bytes(), file_bytes()],
            moves in prop_oneof![Just("1. e4 c5 2. Nf3 a6 *"), Just("1. d4 Ke1"), Just("")],
            number in prop_oneof![any::<u64>(), 0..1_000_u64],
        ) {
            let classifier = Classifier::new(Catalogue::builtin());
            let [white, black, result, date] = tags.map(|tag| Some(Cow::Owned(tag)));
            let header = Header { white, black, result, date, ..Header::default() };
            let game = Classified { header, verdict: classifier.classify_movetext(moves.as_bytes()) };
            let trace = classifier.trace(&Game::from_bytes(moves.as_bytes()));
            let record = Record { source: "a.pgn", number, game: &game, trace: Some(&trace) };
            let each = Field::ALL.map(|field| [field]);
            let some = each.iter().map(<[Field; 1]>::as_slice);
            for fields in some.chain([&Field::ALL[..], &Field::FOR_PROGRAMS]) {
                let columns = Field::columns(fields);
                let told: Vec<_> = fields.iter().map(|field| plain_value(*field, &record)).collect();
                let table = TableRows::new(&columns, 300);
                for rows in [&TsvRows as &dyn Rows, &CsvRows, &JsonRows, &table] {
                    let (mut quick, mut plain) = (Vec::new(), Vec::new());
                    GameRows::new(rows, fields).write(&record, &mut quick);
                    rows.write_row(&columns, &told, &mut plain);
                    prop_assert_eq!(String::from_utf8(quick), String::from_utf8(plain));
                }
                let mut row = Vec::new();
                GameRows::new(&TsvRows, fields).write(&record, &mut row);
                let cells = columns.iter().zip(&told).map(|(column, value)| value.to_text(column));
                let line = format!("{}\n", cells.collect::<Vec<_>>().join("\t"));
                prop_assert_eq!(String::from_utf8(row), Ok(line));
            }
        }
    }

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        for number in [0, 1, 9, 10, 99, 100, 5967, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            write_number(number, &mut out);
            assert_eq!(String::from_utf8(out), Ok(number.to_string()));
        }
    }

    #[test]
    fn text_is_a_value_unless_it_is_empty() {
        for (text, expected) in [
            ("", Value::None),
            ("e4", Value::Text("e4".into())),
            ("a\tb", Value::Text("a b".into())),
        ] {
            assert_eq!(Value::text(text), expected, "{text:?}");
            assert_eq!(Value::text(text.to_owned()), expected, "{text:?} as its own");
            assert_eq!(Value::told(Some(text)), expected, "{text:?} written out");
        }
        assert_eq!(Value::told(None::<u32>), Value::None);
    }
}
