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
    /// What its values are, in formats with types.
    pub(crate) kind: ColumnType,
    /// What stands for a missing value in text; JSON has `null`.
    pub(crate) absent: &'static str,
    /// Where a table has not room for all columns, those of the greatest rank are left out first,
    /// and those without a rank, 0, last.
    pub(crate) rank: usize,
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
    /// Lists of text.
    List,
}

impl ColumnType {
    /// The type that columns with this layout have unless they [say another](super::ColumnSet::of).
    pub(crate) fn by_width(width: Width) -> Self {
        match width {
            Width::Number => Self::UInt64,
            Width::Percent => Self::Float64,
            Width::Date => Self::Date,
            Width::NameShare(_) | Width::LongName(_) | Width::PathShare(_) => Self::Name,
            Width::AtMost(_) | Width::Share(_) | Width::LineShare(_) => Self::Text,
        }
    }
}

impl Column {
    /// A column of the type that its layout suggests.
    pub(crate) fn new(name: impl Into<Cow<'static, str>>, width: Width) -> Self {
        Self { name: name.into(), width, kind: ColumnType::by_width(width), absent: "", rank: 0 }
    }
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
