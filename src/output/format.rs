//! Rows in a format, with the columns for those who read that.

use std::{borrow::Cow, path::Path};

use csv_core::Writer;

use super::column::{Audience, Column};
use super::{ColumnSet, ColumnValue, Table, TableOptions, Value, Width, json, tsv};
use crate::{chess::Language, pgn::GameDate};

/// A format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A table for people, with the columns that fit on a terminal.
    Table,
    /// Tab-separated values.
    Tsv,
    /// Comma-separated values.
    Csv,
    /// Comma-separated values for spreadsheets: text that they would take for a formula, because it
    /// begins with `=`, `+`, `-` or `@`, has an apostrophe before it.
    SafeCsv,
    /// An object for each row, each on a line of its own.
    Jsonl,
    /// Typed columns as an Apache Arrow IPC stream, not compressed.
    #[cfg(feature = "arrow")]
    Arrow,
    /// Typed columns as an Apache Parquet file, compressed with zstd.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Other endings than their names that files of formats have.
const ENDINGS: &[(&str, Format)] = &[
    ("txt", Format::Table),
    // Whoever names a file so may open it in a spreadsheet.
    ("csv", Format::SafeCsv),
    ("tab", Format::Tsv),
    ("ndjson", Format::Jsonl),
    ("json", Format::Jsonl),
    #[cfg(feature = "arrow")]
    ("arrows", Format::Arrow),
];

impl Format {
    /// The name of each format and what it is.
    pub const CHOICES: &[(&str, &str, Self)] = &[
        ("table", "Columns for a terminal", Self::Table),
        ("tsv", "Tab-separated values", Self::Tsv),
        ("csv", "Comma-separated values", Self::Csv),
        ("csv-safe", "csv whose text a spreadsheet never runs as a formula", Self::SafeCsv),
        ("jsonl", "One JSON object per line", Self::Jsonl),
        #[cfg(feature = "arrow")]
        ("arrow", "Typed columns as an Apache Arrow IPC stream, for a pipe or a file", Self::Arrow),
        #[cfg(feature = "parquet")]
        ("parquet", "Typed columns as an Apache Parquet file, compressed", Self::Parquet),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Self::CHOICES.iter().find(|(_, _, format)| *format == self);
        found.expect("every format has a name").0
    }

    /// What the names of its files end with.
    pub fn ending(self) -> &'static str {
        if self == Self::SafeCsv { "csv" } else { self.name() }
    }

    /// The format of files with this name, by its ending; csv is [safe](Self::SafeCsv).
    pub fn by_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let named = Self::CHOICES.iter().map(|(name, _, format)| (*name, *format)).skip(1);
        let mut endings = ENDINGS.iter().copied().chain(named);
        endings.find(|(other, _)| *other == ending).map(|(_, format)| format)
    }

    /// Whether its columns have types: rows are batches, and not text.
    pub fn is_typed(self) -> bool {
        !matches!(self, Self::Table | Self::Tsv | Self::Csv | Self::SafeCsv | Self::Jsonl)
    }

    /// The columns in this format.
    ///
    /// # Panics
    ///
    /// If its columns [have types](Self::is_typed): they have another layout, and an encoder.
    pub fn layout<F>(self, columns: ColumnSet<F>) -> Layout<F> {
        assert!(!self.is_typed(), "{} is not text", self.name());
        let audience = if self == Self::Table { Audience::Human } else { Audience::Machine };
        Layout { columns: columns.select(audience), format: self }
    }
}

/// Columns in a format: writes rows to memory, so that several threads can write them at the same
/// time.
#[derive(Debug, Clone)]
pub struct Layout<F> {
    columns: ColumnSet<F>,
    format: Format,
}

impl<F> Layout<F> {
    /// What stands above the rows; empty for [`Format::Jsonl`], and for [`Format::Table`], whose
    /// [`Table`] writes it.
    pub fn header(&self) -> Vec<u8> {
        let (columns, mut out) = (self.columns.columns(), Vec::new());
        let names = columns.iter().map(|column| &*column.name);
        match self.format {
            Format::Tsv => tsv::write_header(names, &mut out),
            Format::Csv | Format::SafeCsv => write_csv_record(names, &mut out),
            _ => {}
        }
        out
    }

    /// Writes a row; for [`Format::Table`], one that its [`Table`] takes.
    pub fn write<'r, R>(&'r self, row: &'r R, out: &mut Vec<u8>)
    where
        F: ColumnValue<R>,
    {
        let cells = self.columns.cells(row);
        let text =
            |(column, value): (&Column, Value<'_>)| value.to_text(column.absent).into_owned();
        match self.format {
            Format::Table => tsv::write_cells(cells.map(|cell| self.for_people(cell)), out),
            Format::Tsv => tsv::write_row(&self.columns, row, out),
            Format::Csv => write_csv_record(cells.map(text), out),
            Format::SafeCsv => write_csv_record(cells.map(not_a_formula), out),
            Format::Jsonl => json::write_object(cells, out),
            #[cfg(feature = "arrow")]
            _ => unreachable!("no layout is made of typed columns"),
        }
    }

    /// Whether its rows are for a [`Table`].
    pub fn is_table(&self) -> bool {
        self.format == Format::Table
    }

    /// A cell as people read it: a table has one spelling of dates and of shares, wherever they
    /// come from, and moves in their language. Programs get a date as its tag has it, and a share
    /// as a number of percent.
    fn for_people<'r>(&self, (column, value): (&'r Column, Value<'r>)) -> (&'r Column, Value<'r>) {
        let language = self.columns.language;
        let value = match (column.width, value) {
            (Width::Date, value) => Value::text(date(value.to_text("")).into_owned()),
            (Width::Percent, Value::Decimal { value, .. }) => Value::text(format!("{value:.1}%")),
            (_, value) if column.has_moves && language != Language::English => {
                Value::text(in_letters_of(language, &value.to_text("")))
            }
            (_, value) => value,
        };
        (column, value)
    }

    /// The table for the rows of [`Format::Table`]; `None` for other formats.
    pub fn table(&self, options: TableOptions) -> Option<Table> {
        self.is_table().then(|| Table::new(self.columns.columns(), options))
    }

    /// Rows as the text of a whole table; empty for other formats.
    pub fn table_text<'r, R: 'r>(
        &'r self,
        rows: impl Iterator<Item = &'r R>,
        options: TableOptions,
    ) -> String
    where
        F: ColumnValue<R>,
    {
        let Some(mut table) = self.table(options) else { return String::new() };
        let (mut written, mut out) = (Vec::new(), Vec::new());
        rows.for_each(|row| self.write(row, &mut written));
        table.push(&written, &mut out);
        table.finish(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// Moves with the piece letters of a language. A position, which may stand where its moves are not
/// known, stays as it is.
pub(super) fn in_letters_of(language: Language, moves: &str) -> String {
    if moves.contains('/') { moves.to_owned() } else { language.translated(moves) }
}

/// A date, as far as it is known; nothing if nothing is. Text that is no date stays as it is.
fn date(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.parse::<GameDate>() {
        Ok(date) => date.to_string().into(),
        Err(_) if text.chars().all(|c| "?.-/ ".contains(c)) => "".into(),
        Err(_) => text,
    }
}

/// The text of a cell for spreadsheets: one that they would take for a formula, because it begins
/// with `=`, `+`, `-` or `@`, gets an apostrophe before it. Tabs and carriage returns, which begin
/// formulas too, are spaces in it. Numbers stay as they are.
fn not_a_formula((column, value): (&Column, Value<'_>)) -> String {
    let text = value.to_text(column.absent);
    let is_text = matches!(value, Value::Text(_) | Value::Bytes(_) | Value::Display(_));
    match is_text && text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.into_owned(),
    }
}

/// Writes a line with these fields.
pub(super) fn write_csv_record(fields: impl Iterator<Item = impl AsRef<str>>, out: &mut Vec<u8>) {
    let (mut writer, mut end) = (Writer::new(), out.len());
    for (index, field) in fields.enumerate() {
        let field = field.as_ref().as_bytes();
        out.resize(end + 2 * field.len() + MAX_BETWEEN, 0);
        if index > 0 {
            end += writer.delimiter(&mut out[end..]).1;
        }
        end += writer.field(field, &mut out[end..]).2;
    }
    out.resize(end + MAX_BETWEEN, 0);
    end += writer.terminator(&mut out[end..]).1;
    out.truncate(end);
}

/// The most bytes around the bytes of a field, of which each may be doubled: the quote that ends
/// the one before, a separator or two quotes for a record of one empty field, and its own quote.
const MAX_BETWEEN: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    type Columns = ColumnSet<for<'r> fn(&'r (&'static str, Option<f64>)) -> Value<'r>>;

    fn written(format: Format, date: &'static str, score: Option<f64>) -> String {
        let columns = Columns::new()
            .with("date", Width::Date, |row| Value::Bytes(row.0.as_bytes()))
            .with("share", Width::Percent, |row| {
                row.1.map_or(Value::None, |value| Value::Decimal { value, places: 2 })
            });
        let mut out = Vec::new();
        format.layout(columns).write(&(date, score), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_name_of_a_file_decides_about_the_format() {
        for (name, format) in [
            ("a.csv", Some(Format::SafeCsv)),
            ("a.TSV", Some(Format::Tsv)),
            ("a.jsonl", Some(Format::Jsonl)),
            ("a.b.txt", Some(Format::Table)),
            ("a.table", None),
            #[cfg(feature = "parquet")]
            ("a.Parquet", Some(Format::Parquet)),
            #[cfg(feature = "arrow")]
            ("a.arrow", Some(Format::Arrow)),
            #[cfg(feature = "arrow")]
            ("a.arrows", Some(Format::Arrow)),
            ("a", None),
            ("csv", None),
        ] {
            assert_eq!(Format::by_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn tables_have_one_spelling_of_dates_and_shares() {
        for (date, score, row) in [
            ("1956.10.17", Some(50.0), "1956-10-17\t50.0%\n"),
            ("1956-10-17", Some(100.0), "1956-10-17\t100.0%\n"),
            ("1956.10.??", Some(0.0), "1956-10\t0.0%\n"),
            ("1956.??.??", Some(33.333), "1956\t33.3%\n"),
            ("1956", None, "1956\t\n"),
            ("????.??.??", None, "\t\n"),
            ("?", None, "\t\n"),
            ("", None, "\t\n"),
            ("????.10.17", None, "????.10.17\t\n"),
            ("1956.13.17", None, "1956.13.17\t\n"),
            ("spring\t1956", None, "spring 1956\t\n"),
        ] {
            assert_eq!(written(Format::Table, date, score), row, "{date:?}");
        }
    }

    #[test]
    fn programs_get_dates_and_shares_as_they_are() {
        assert_eq!(written(Format::Tsv, "1956.10.??", Some(50.0)), "1956.10.??\t50.00\n");
        assert_eq!(written(Format::Csv, "????.??.??", None), "????.??.??,\n");
        let object = "{\"date\":\"1956.10.17\",\"share\":50.00}\n";
        assert_eq!(written(Format::Jsonl, "1956.10.17", Some(50.0)), object);
    }

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
            write_csv_record(fields.iter(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
