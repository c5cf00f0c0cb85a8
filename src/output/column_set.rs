//! Columns, each with the function that returns its value, so that no name can be paired with the
//! value of another column.

use super::{Audience, Cell, Column, ColumnType, Rows, Value, Width};

/// What returns the value of a column for a row: usually a function,
/// `for<'r> fn(&'r Row) -> Value<'r>`.
pub trait ColumnValue<R> {
    /// The value for a row.
    fn value<'r>(&'r self, row: &'r R) -> Value<'r>;
}

impl<R, F: for<'r> Fn(&'r R) -> Value<'r>> ColumnValue<R> for F {
    #[inline(always)]
    fn value<'r>(&'r self, row: &'r R) -> Value<'r> {
        self(row)
    }
}

/// The columns of rows of one kind, in their order.
///
/// `F` is what returns the [value](ColumnValue) of a column.
///
/// ```
/// use eco::output::{ColumnSet, Format, Value, Width};
///
/// struct Count {
///     name: String,
///     games: u64,
/// }
///
/// type CountColumns = ColumnSet<for<'r> fn(&'r Count) -> Value<'r>>;
///
/// let columns = CountColumns::new()
///     .with("name", Width::Share(1), |count| Value::text(&count.name))
///     .for_machines("letters", |count| count.name.len().into())
///     .with("games", Width::Number, |count| count.games.into());
/// let count = Count { name: "Benoni".to_owned(), games: 3 };
///
/// let mut out = Vec::new();
/// Format::Jsonl.layout(columns.clone()).write(&count, &mut out);
/// Format::Csv.layout(columns).write(&count, &mut out);
/// let rows = ["{\"name\":\"Benoni\",\"letters\":6,\"games\":3}", "Benoni,6,3"];
/// assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), rows);
/// ```
#[derive(Debug, Clone)]
pub struct ColumnSet<F> {
    entries: Vec<Entry<F>>,
}

#[derive(Debug, Clone)]
struct Entry<F> {
    column: Column,
    /// Nobody else gets this column.
    only_for: Option<Audience>,
    value: F,
}

impl<F> Default for ColumnSet<F> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<F> ColumnSet<F> {
    /// No columns.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column.
    #[must_use]
    pub fn with(self, name: &'static str, width: Width, value: F) -> Self {
        self.with_column(Column::new(name, width), None, value)
    }

    /// Adds a column that only programs get: not a table.
    #[must_use]
    pub fn for_machines(self, name: &'static str, value: F) -> Self {
        self.for_machines_as(name, Width::Share(1), value)
    }

    /// The same, with a layout for [those](Self::for_everyone) that ask for it.
    pub(super) fn for_machines_as(self, name: &'static str, width: Width, value: F) -> Self {
        self.with_column(Column::new(name, width), Some(Audience::Machine), value)
    }

    /// Adds a column that only a table has.
    #[must_use]
    pub fn for_humans(self, name: &'static str, width: Width, value: F) -> Self {
        self.with_column(Column::new(name, width), Some(Audience::Human), value)
    }

    pub(super) fn with_column(
        mut self,
        column: Column,
        only_for: Option<Audience>,
        value: F,
    ) -> Self {
        self.entries.push(Entry { column, only_for, value });
        self
    }

    /// Gives the last column this type; by default it is the one that its width suggests.
    #[must_use]
    pub fn of(mut self, kind: ColumnType) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.column.kind = kind;
        }
        self
    }

    /// Says which columns a [table](super::Table) leaves out first where it has not room for all:
    /// those of the first group together, then those of the second. Without this they are left out
    /// from the right, and so are those of no group, which come last.
    #[must_use]
    pub fn leaving_out_first(mut self, groups: &[&[&str]]) -> Self {
        for entry in &mut self.entries {
            let group = groups.iter().position(|group| group.contains(&&*entry.column.name));
            entry.column.rank = group.map_or(0, |group| groups.len() - group);
        }
        self
    }

    /// Moves the column of that name, in tables, to stand right after another that is before it. It
    /// is no longer one of those that are left out first.
    #[must_use]
    pub fn sooner_for_humans(mut self, name: &str, after: &str) -> Self
    where
        F: Clone,
    {
        let place = |name: &str| self.entries.iter().position(|entry| entry.column.name == name);
        if let (Some(at), Some(after)) = (place(name), place(after))
            && at > after
        {
            let mut entry = self.entries[at].clone();
            entry.column.rank = 0;
            self.entries[at].only_for = Some(Audience::Machine);
            self.entries.insert(after + 1, Entry { only_for: Some(Audience::Human), ..entry });
        }
        self
    }

    /// Gives everyone the columns of that name.
    #[must_use]
    pub fn for_everyone(mut self, name: &str) -> Self {
        for entry in self.entries.iter_mut().filter(|entry| entry.column.name == name) {
            entry.only_for = None;
        }
        self
    }

    /// The columns that an audience gets.
    #[must_use]
    pub(crate) fn select(mut self, audience: Audience) -> Self {
        self.entries.retain(|entry| entry.only_for.is_none_or(|only| only == audience));
        self
    }

    /// The names and layouts of the columns.
    #[must_use]
    pub(crate) fn columns(&self) -> Vec<Column> {
        self.entries.iter().map(|entry| entry.column.clone()).collect()
    }

    /// Writes what stands above the rows.
    pub(crate) fn write_header(&self, rows: &impl Rows, out: &mut Vec<u8>) {
        rows.write_header(&self.columns(), out);
    }

    /// Writes the values of a row.
    pub(crate) fn write_row<'r, R>(&'r self, rows: &impl Rows, row: &'r R, out: &mut Vec<u8>)
    where
        F: ColumnValue<R>,
    {
        rows.write_row(self.cells(row), out);
    }

    /// The values of a row.
    pub(super) fn cells<'r, R>(&'r self, row: &'r R) -> impl Iterator<Item = impl Cell<'r>> + Clone
    where
        F: ColumnValue<R>,
    {
        self.entries.iter().map(move |entry| EntryCell { entry, row })
    }
}

/// A cell of a row: its column and the row.
struct EntryCell<'r, F, R> {
    entry: &'r Entry<F>,
    row: &'r R,
}

impl<'r, F, R> Cell<'r> for EntryCell<'r, F, R>
where
    F: ColumnValue<R>,
{
    #[inline]
    fn column(&self) -> &'r Column {
        &self.entry.column
    }

    #[inline]
    fn value(&self) -> Value<'r> {
        self.entry.value.value(self.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::TsvRows;

    #[test]
    fn each_audience_gets_its_columns() {
        let columns = || {
            ColumnSet::<for<'r> fn(&'r (&str, f64)) -> Value<'r>>::new()
                .with("line", Width::LineShare(1), |row| Value::text(row.0))
                .for_machines("cost", |row| Value::Decimal { value: row.1, places: 2 })
                .for_humans("", Width::Number, |row| Value::Decimal { value: row.1, places: 0 })
        };
        let written = |audience| {
            let (columns, mut out) = (columns().select(audience), Vec::new());
            columns.write_header(&TsvRows, &mut out);
            columns.write_row(&TsvRows, &("1. e4", 2.0), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(Audience::Human), "line\t\n1. e4\t2\n");
        let names = |columns: ColumnSet<_>, audience| {
            let columns = columns.select(audience).columns();
            columns.into_iter().map(|column| column.name.into_owned()).collect::<Vec<_>>()
        };
        let moved =
            || columns().with("b", Width::Number, |_| Value::None).sooner_for_humans("b", "line");
        assert_eq!(names(moved(), Audience::Human), ["line", "b", ""]);
        assert_eq!(names(moved(), Audience::Machine), ["line", "cost", "b"]);
        let ranks = |columns: ColumnSet<_>| {
            let columns = columns.select(Audience::Human).columns();
            columns.into_iter().map(|column| column.rank).collect::<Vec<_>>()
        };
        let ranked = moved().leaving_out_first(&[&["b", "x"], &["line"]]);
        assert_eq!(ranks(ranked.clone()), [1, 2, 0]);
        assert_eq!(ranks(ranked.sooner_for_humans("b", "line")), [1, 0, 0]);
        let names = columns().for_everyone("cost").select(Audience::Human).columns();
        assert_eq!(
            names.iter().map(|column| &*column.name).collect::<Vec<_>>(),
            ["line", "cost", ""]
        );
        assert_eq!(written(Audience::Machine), "line\tcost\n1. e4\t2.00\n");
    }
}
