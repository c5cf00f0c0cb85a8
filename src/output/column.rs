//! Columns, each with the function that returns its value, so that no name can be paired with the
//! value of another column.

use std::borrow::Cow;

use super::Value;
use crate::{catalogue::Translation, chess::Language};

/// The columns of rows of this kind.
pub type RowColumns<R> = ColumnSet<for<'r> fn(&'r R) -> Value<'r>>;

/// The name and the layout of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name, in headers and as a key.
    pub(crate) name: Cow<'static, str>,
    /// How it is laid out in a table.
    pub(crate) width: Width,
    /// What its values are, in formats with types.
    pub(crate) kind: ColumnType,
    /// What stands for a missing value in text; JSON has `null`.
    pub(crate) absent: &'static str,
    /// Whether its values are moves, which tables have in the letters of their readers.
    pub(crate) has_moves: bool,
    /// Where a table has not room for all columns, those of the greatest rank are left out first,
    /// and those without a rank, 0, last.
    pub(crate) rank: usize,
}

/// How a column is laid out in a [table](super::Table). Widths are in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// As wide as its numbers, aligned to the right. Numbers are never cut.
    Number,
    /// As `Number`, for shares in percent: a table has them with one decimal and the sign.
    Percent,
    /// As `Number`, for scores, and what they differ by, in percent with one decimal.
    Score,
    /// For dates: a table writes them as `1956-10-17`, `1956-10` or `1956`, and nothing for one
    /// of which not even the year is known.
    Date,
    /// As wide as its texts, up to this width.
    AtMost(usize),
    /// As wide as its texts; where the table does not fit, a share with this weight of the width
    /// that the other columns leave.
    Share(usize),
    /// As `Share`, for names of openings: what is cut off is the beginning or the middle.
    NameShare(usize),
    /// As wide as its names of openings, which keep this width as long as columns to their right
    /// can be left out.
    LongName(usize),
    /// As `Share`, for names of files: what is cut off is the beginning.
    PathShare(usize),
    /// As `Share`, for lines of moves: what is cut off is moves of the beginning.
    LineShare(usize),
}

/// What the values of a column are, in formats with types. Text has them all as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnType {
    /// Whole numbers, not negative.
    UInt64,
    /// Whole numbers up to 65,535, not negative: plies and ratings.
    UInt16,
    /// Numbers with decimals.
    Float64,
    /// Yes or no.
    Bool,
    /// Text.
    Text,
    /// Text of which there are few, such as names of openings.
    Name,
    /// Dates of games, as far as they are known.
    Date,
    /// Moments in UTC, written as `2019-03-01T18:22:05Z`.
    Timestamp,
    /// Lists of text.
    List,
}

impl ColumnType {
    /// The type that columns with this layout have unless they [say another](ColumnSet::of).
    pub(crate) fn by_width(width: Width) -> Self {
        match width {
            Width::Number => Self::UInt64,
            Width::Percent | Width::Score => Self::Float64,
            Width::Date => Self::Date,
            Width::NameShare(_) | Width::LongName(_) | Width::PathShare(_) => Self::Name,
            Width::AtMost(_) | Width::Share(_) | Width::LineShare(_) => Self::Text,
        }
    }
}

impl Column {
    /// A column of the type that its layout suggests.
    pub(crate) fn new(name: impl Into<Cow<'static, str>>, width: Width) -> Self {
        let has_moves = matches!(width, Width::LineShare(_));
        let (name, kind) = (name.into(), ColumnType::by_width(width));
        Self { name, width, kind, absent: "", has_moves, rank: 0 }
    }
}

/// Who reads rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Somebody at a terminal: the columns that fit on it.
    Human,
    /// A program: everything, but for what only translations have.
    Machine,
    /// A program that reads names in another language than English.
    Translated,
}

/// What returns the value of a column for a row: for most rows a function,
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
/// use eco::output::{ColumnSet, ColumnType, Format, Value, Width};
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
///     .for_machines("letters", ColumnType::UInt64, |count| count.name.len().into())
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
#[must_use]
pub struct ColumnSet<F> {
    /// The columns, each with what returns its value.
    pub(super) entries: Vec<Entry<F>>,
    /// The language of names, and of moves in tables.
    pub(super) language: Language,
}

/// A column with what returns its value.
#[derive(Debug, Clone)]
pub(super) struct Entry<F> {
    pub(super) column: Column,
    /// Nobody else gets this column.
    only_for: Option<Audience>,
    pub(super) value: F,
}

impl<F> Default for ColumnSet<F> {
    fn default() -> Self {
        Self { entries: Vec::new(), language: Language::default() }
    }
}

impl<F> ColumnSet<F> {
    /// No columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column.
    pub fn with(self, name: &'static str, width: Width, value: F) -> Self {
        self.with_column(Column::new(name, width), None, value)
    }

    /// Adds a column of texts of which there are few, such as codes of openings.
    pub fn with_name(self, name: &'static str, width: usize, value: F) -> Self {
        self.with(name, Width::AtMost(width), value).of(ColumnType::Name)
    }

    /// Adds a column of whole numbers up to 65,535.
    pub fn with_small(self, name: &'static str, value: F) -> Self {
        self.with(name, Width::Number, value).of(ColumnType::UInt16)
    }

    /// Adds a column of lists, of a share of this weight.
    pub fn with_list(self, name: &'static str, weight: usize, value: F) -> Self {
        self.with(name, Width::Share(weight), value).of(ColumnType::List)
    }

    /// Adds a column of moves: a table has them with the piece letters of its readers, as it has
    /// [lines](Width::LineShare).
    pub fn with_moves(self, name: &'static str, width: Width, value: F) -> Self {
        self.with_column(Column { has_moves: true, ..Column::new(name, width) }, None, value)
    }

    /// Adds a column that only programs get, not a table.
    pub fn for_machines(self, name: &'static str, kind: ColumnType, value: F) -> Self {
        let column = Column { kind, ..Column::new(name, Width::Share(1)) };
        self.with_column(column, Some(Audience::Machine), value)
    }

    /// Adds the English name of an opening as a column that programs get beside a name [in another
    /// language](Self::in_language).
    pub fn opening_en(self, value: F) -> Self {
        let column =
            Column { kind: ColumnType::Name, ..Column::new("opening_en", Width::Share(1)) };
        self.with_column(column, Some(Audience::Translated), value)
    }

    /// The columns of rows whose names of openings are in a language. A table has its piece
    /// letters; data have English ones.
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        if Translation::of(language).is_some() {
            let translated = |entry: &&mut Entry<F>| entry.only_for == Some(Audience::Translated);
            let entries = self.entries.iter_mut().filter(translated);
            entries.for_each(|entry| entry.only_for = Some(Audience::Machine));
        }
        self
    }

    /// Adds a column that only a table has.
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
    pub fn of(self, kind: ColumnType) -> Self {
        self.with_last(|column| column.kind = kind)
    }

    /// Lets a missing number of the last column be 0 in text.
    pub(super) fn or_zero(self) -> Self {
        self.with_last(|column| column.absent = "0")
    }

    /// Gives the last column, which a table does not have by default, this layout there.
    pub(super) fn laid_out(self, width: Width) -> Self {
        self.with_last(|column| column.width = width)
    }

    fn with_last(mut self, change: impl FnOnce(&mut Column)) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            change(&mut entry.column);
        }
        self
    }

    /// Only the columns of these names, in their order, and for everyone.
    pub(super) fn only(self, names: &[&str]) -> Self
    where
        F: Clone,
    {
        let named = |name: &&str| self.entries.iter().find(|entry| entry.column.name == *name);
        let entries = names.iter().filter_map(named).cloned();
        let entries = entries.map(|entry| Entry { only_for: None, ..entry }).collect();
        Self { entries, ..self }
    }

    /// Moves the column of that name, in tables, to stand right after another that is before it. It
    /// is no longer one of those that are left out first.
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
    pub fn for_everyone(mut self, name: &str) -> Self {
        for entry in self.entries.iter_mut().filter(|entry| entry.column.name == name) {
            entry.only_for = None;
        }
        self
    }

    /// Columns of names as those of any text, without a dictionary.
    pub(super) fn with_names_as_text(mut self) -> Self {
        let columns = self.entries.iter_mut().map(|entry| &mut entry.column);
        for column in columns.filter(|column| column.kind == ColumnType::Name) {
            column.kind = ColumnType::Text;
        }
        self
    }

    /// The columns that an audience gets.
    pub(crate) fn select(mut self, audience: Audience) -> Self {
        self.entries.retain(|entry| entry.only_for.is_none_or(|only| only == audience));
        self
    }

    /// The names and layouts of the columns.
    pub(crate) fn columns(&self) -> Vec<Column> {
        self.entries.iter().map(|entry| entry.column.clone()).collect()
    }

    /// The columns and their values for a row.
    pub(super) fn cells<'r, R>(
        &'r self,
        row: &'r R,
    ) -> impl Iterator<Item = (&'r Column, Value<'r>)>
    where
        F: ColumnValue<R>,
    {
        self.entries.iter().map(move |entry| (&entry.column, entry.value.value(row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Format;

    #[test]
    fn each_audience_gets_its_columns() {
        let columns = || {
            ColumnSet::<for<'r> fn(&'r (&str, f64)) -> Value<'r>>::new()
                .with("line", Width::LineShare(1), |row| Value::text(row.0))
                .for_machines("cost", ColumnType::Float64, |row| Value::Decimal {
                    value: row.1,
                    places: 2,
                })
                .for_humans("", Width::Number, |row| Value::Decimal { value: row.1, places: 0 })
        };
        let written = |format: Format| {
            let layout = format.layout(columns());
            let mut out = layout.header();
            layout.write(&("1. e4", 2.0), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(Format::Table), "1. e4\t2\n");
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
        let mut ranked = moved();
        ranked.entries.iter_mut().zip([1, 2]).for_each(|(entry, rank)| entry.column.rank = rank);
        assert_eq!(ranks(ranked.sooner_for_humans("b", "line")), [1, 0, 0]);
        let names = columns().for_everyone("cost").select(Audience::Human).columns();
        assert_eq!(
            names.iter().map(|column| &*column.name).collect::<Vec<_>>(),
            ["line", "cost", ""]
        );
        assert_eq!(written(Format::Tsv), "line\tcost\n1. e4\t2.00\n");
    }
}
