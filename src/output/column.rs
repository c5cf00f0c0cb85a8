//! A column of rows, and a value in it.

use std::borrow::Cow;

use super::Value;

/// The name and the layout of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name, in headers and as a key.
    pub(crate) name: Cow<'static, str>,
    /// How it is laid out in a table.
    pub(crate) width: Width,
    /// What stands for a missing value in text; JSON has `null`.
    pub(crate) absent: &'static str,
}

/// How a column is laid out in a [table](super::Table). Widths are in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// As wide as its numbers, aligned to the right. Numbers are never cut.
    Number,
    /// The same, for shares and scores from 0 to 1: a table has them in percent.
    Percent,
    /// For dates: a table writes them as `1956-10-17`, `1956-10` or `1956`, and nothing for one
    /// of which not even the year is known.
    Date,
    /// As wide as its texts, up to this width.
    AtMost(usize),
    /// As wide as its texts; where the table does not fit, a share with this weight of the width
    /// that the other columns leave.
    Share(usize),
    /// The same, for names of openings: what is cut off is the beginning or the middle.
    NameShare(usize),
    /// The same, for names of openings that keep this width as long as columns to their right can
    /// be left out.
    LongName(usize),
    /// The same, for names of files: what is cut off is the beginning.
    PathShare(usize),
    /// The same, for lines of moves: what is cut off is moves of the beginning.
    LineShare(usize),
}

/// A cell of a row. Its value is made where it is written, so that no value is moved.
pub(crate) trait Cell<'r> {
    /// The column that it stands in.
    fn column(&self) -> &'r Column;

    /// Its value.
    fn value(&self) -> Value<'r>;
}

/// Who reads rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Somebody at a terminal: the columns that fit on it.
    Human,
    /// A program: everything.
    Machine,
}
