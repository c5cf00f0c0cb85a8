//! The rows of a table, as its [`Table`](super::Table) takes them: tab-separated, with one spelling
//! of dates and of scores for people, wherever they come from. The formats for programs have them
//! as they are: a date of a game as its tag has it, a score as a number from 0 to 1.

use std::borrow::Cow;

use super::{Cell, Column, Rows, TsvRows, Value, Width, percent};
use crate::pgn::GameDate;

/// The rows of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableRows;

impl Rows for TableRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        TsvRows.write_header(columns, out);
    }

    fn write_row<'r>(&self, cells: impl Iterator<Item = impl Cell<'r>> + Clone, out: &mut Vec<u8>) {
        TsvRows.write_row(cells.map(ForPeople), out);
    }
}

/// A cell as people read it.
struct ForPeople<C>(C);

impl<'r, C: Cell<'r>> Cell<'r> for ForPeople<C> {
    fn column(&self) -> &'r Column {
        self.0.column()
    }

    fn value(&self) -> Value<'r> {
        match (self.column().width, self.0.value()) {
            (Width::Date, value) => Value::text(date(value.to_text("")).into_owned()),
            (Width::Percent, Value::Decimal { value, .. }) => Value::text(percent(value)),
            (_, value) => value,
        }
    }
}

/// A date, as far as it is known; nothing if nothing is. Text that is no date stays as it is.
fn date(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.parse::<GameDate>() {
        Ok(date) => date.to_string().into(),
        Err(_) if text.chars().all(|c| "?.-/ ".contains(c)) => "".into(),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{ColumnSet, Format};

    type Columns = ColumnSet<for<'r> fn(&'r (&'static str, Option<f64>)) -> Value<'r>>;

    fn written(format: Format, date: &'static str, score: Option<f64>) -> String {
        let columns = Columns::new()
            .with("date", Width::Date, |row| Value::Bytes(row.0.as_bytes()))
            .with("score", Width::Percent, |row| {
                row.1.map_or(Value::None, |value| Value::Decimal { value, places: 4 })
            });
        let mut out = Vec::new();
        format.layout(columns).write(&(date, score), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tables_have_one_spelling_of_dates_and_scores() {
        for (date, score, row) in [
            ("1956.10.17", Some(0.5), "1956-10-17\t50.0%\n"),
            ("1956-10-17", Some(1.0), "1956-10-17\t100.0%\n"),
            ("1956.10.??", Some(0.0), "1956-10\t0.0%\n"),
            ("1956.??.??", Some(0.33333), "1956\t33.3%\n"),
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
    fn programs_get_dates_and_scores_as_they_are() {
        assert_eq!(written(Format::Tsv, "1956.10.??", Some(0.5)), "1956.10.??\t0.5000\n");
        assert_eq!(written(Format::Csv, "????.??.??", None), "????.??.??,\n");
        let object = "{\"date\":\"1956.10.17\",\"score\":0.5000}\n";
        assert_eq!(written(Format::Jsonl, "1956.10.17", Some(0.5)), object);
    }
}
