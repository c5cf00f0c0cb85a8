//! The values of a column, collected to Arrow arrays. Dates are days since 1970-01-01, as Arrow
//! counts them.

use std::{str::FromStr, sync::Arc};

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Date32Builder, Float64Builder, ListBuilder, StringBuilder,
    UInt16Builder, UInt64Builder,
};

use super::names::NameBuilder;
use crate::output::{ColumnType, Value};
use crate::{pgn::GameDate, select::days_since_1970};

/// Collects the values of a column.
pub(super) enum ColumnBuilder {
    UInt64(UInt64Builder),
    UInt16(UInt16Builder),
    Float64(Float64Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
    Name(NameBuilder),
    List(ListBuilder<StringBuilder>),
    Date(DateBuilder),
}

/// Dates as they are written, and the first and last days that they can mean.
#[derive(Default)]
pub(super) struct DateBuilder {
    texts: StringBuilder,
    from: Date32Builder,
    to: Date32Builder,
    /// The date before and its days: the games of a day or an event follow one another.
    last: (String, Option<[i32; 2]>),
}

/// Expected lengths in bytes, for room that is reserved.
const TEXT_LENGTH: usize = 12;
const NAME_LENGTH: usize = 32;

impl ColumnBuilder {
    /// For about this number of values.
    pub(super) fn new(kind: ColumnType, rows: usize) -> Self {
        let texts = || StringBuilder::with_capacity(rows, TEXT_LENGTH * rows);
        match kind {
            ColumnType::UInt64 => Self::UInt64(UInt64Builder::with_capacity(rows)),
            ColumnType::UInt16 => Self::UInt16(UInt16Builder::with_capacity(rows)),
            ColumnType::Float64 => Self::Float64(Float64Builder::with_capacity(rows)),
            ColumnType::Bool => Self::Bool(BooleanBuilder::with_capacity(rows)),
            ColumnType::Text => Self::Text(texts()),
            ColumnType::Name => Self::Name(NameBuilder::new(rows, NAME_LENGTH)),
            ColumnType::List => Self::List(ListBuilder::with_capacity(StringBuilder::new(), rows)),
            ColumnType::Date => Self::Date(DateBuilder {
                texts: texts(),
                from: Date32Builder::with_capacity(rows),
                to: Date32Builder::with_capacity(rows),
                ..DateBuilder::default()
            }),
        }
    }

    /// Adds a value. One that is not of the type of the column is read from its text.
    #[inline]
    pub(super) fn push(&mut self, value: &Value<'_>) {
        match self {
            Self::UInt64(numbers) => numbers.append_option(whole(value)),
            Self::UInt16(numbers) => {
                numbers.append_option(whole(value).and_then(|number| number.try_into().ok()));
            }
            Self::Float64(numbers) => numbers.append_option(read(value)),
            Self::Bool(values) => values.append_option(match value {
                Value::Bool(is_so) => Some(*is_so),
                other => read(other),
            }),
            Self::Text(texts) => push_text(texts, value),
            Self::Name(names) => names.push(value),
            Self::List(lists) => push_list(lists, value),
            Self::Date(dates) => dates.push(value),
        }
    }

    /// The arrays of the column, and an empty builder.
    pub(super) fn finish(&mut self, arrays: &mut Vec<ArrayRef>) {
        match self {
            Self::UInt64(numbers) => arrays.push(Arc::new(numbers.finish())),
            Self::UInt16(numbers) => arrays.push(Arc::new(numbers.finish())),
            Self::Float64(numbers) => arrays.push(Arc::new(numbers.finish())),
            Self::Bool(values) => arrays.push(Arc::new(values.finish())),
            Self::Text(texts) => arrays.push(Arc::new(texts.finish())),
            Self::Name(names) => arrays.push(Arc::new(names.finish())),
            Self::List(lists) => arrays.push(Arc::new(lists.finish())),
            Self::Date(dates) => {
                arrays.push(Arc::new(dates.texts.finish()));
                arrays.extend([&mut dates.from, &mut dates.to].map(ArrayBuilder::finish));
            }
        }
    }
}

impl DateBuilder {
    fn push(&mut self, value: &Value<'_>) {
        // What is missing is empty, which is no date either.
        let text = value.to_text("");
        self.texts.append_option((!matches!(value, Value::None)).then_some(&text));
        if *text != *self.last.0 {
            self.last = (text.to_string(), span(&text));
        }
        let [from, to] = self.last.1.map_or([None; 2], |days| days.map(Some));
        self.from.append_option(from);
        self.to.append_option(to);
    }
}

#[inline]
fn push_text(texts: &mut StringBuilder, value: &Value<'_>) {
    match value {
        Value::None => texts.append_null(),
        other => texts.append_value(other.to_text("")),
    }
}

/// A whole number; `None` for no value.
#[inline]
fn whole(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Number(number) => Some(*number),
        other => read(other),
    }
}

/// A value read from its text, so that a number with decimals is the one that text has; `None` for
/// no value.
fn read<T: FromStr>(value: &Value<'_>) -> Option<T> {
    if matches!(value, Value::None) {
        return None;
    }
    let read = value.to_text("").parse().ok();
    debug_assert!(read.is_some(), "{value:?} is not of the type of its column");
    read
}

fn push_list(lists: &mut ListBuilder<StringBuilder>, value: &Value<'_>) {
    match value {
        Value::List { items, .. } => lists.append_value(items.iter().map(Some)),
        Value::None => lists.append_null(),
        other => lists.append_value([Some(other.to_text(""))]),
    }
}

/// The first and the last day that a date can mean; `None` if the text is no date, or a day that
/// its month does not have.
#[inline]
fn span(text: &str) -> Option<[i32; 2]> {
    let date: GameDate = text.parse().ok()?;
    let [year, month, day] = parts(date);
    let last_month = if month == 0 { 12 } else { month };
    let length = month_length(year, last_month);
    if day > length {
        return None;
    }
    let last_day = if day == 0 { length } else { day };
    Some([
        days_since_1970(year, month.max(1), day.max(1)),
        days_since_1970(year, last_month, last_day),
    ])
}

fn parts(date: GameDate) -> [i32; 3] {
    let number = date.number() as i32;
    [number / 10_000, number / 100 % 100, number % 100]
}

/// The number of days of a month.
#[inline]
fn month_length(year: i32, month: i32) -> i32 {
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i32::from(is_leap_year),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_rows_and_a_builder_can_be_used_again() {
        let long = "x".repeat(100);
        let values = [
            (Value::Bytes(b"a\tb"), Some("a b")),
            (Value::None, None),
            (Value::Bytes(b""), Some("")),
            (Value::Bytes(b"Gr\xfcnfeld"), Some("Grünfeld")),
            (Value::Bytes("Grünfeld".as_bytes()), Some("Grünfeld")),
            (Value::Bytes(long.as_bytes()), Some(&long)),
            (Value::text("text"), Some("text")),
            (Value::Number(7), Some("7")),
            (Value::Bytes(b"a b"), Some("a b")),
        ];
        let mut texts = StringBuilder::new();
        for _ in 0..2 {
            values.iter().for_each(|(value, _)| push_text(&mut texts, value));
            let expected: Vec<_> = values.iter().map(|(_, expected)| *expected).collect();
            assert_eq!(texts.finish().iter().collect::<Vec<_>>(), expected);
        }
        assert_eq!(texts.finish().iter().count(), 0);
    }

    #[test]
    fn a_date_spans_the_days_that_it_can_mean() {
        for (text, expected) in [
            ("1970.01.01", Some([0, 0])),
            ("1970.01.02", Some([1, 1])),
            ("1969-12-31", Some([-1, -1])),
            ("1956.10.17", Some([-4_824, -4_824])),
            ("1956.??.??", Some([-5_114, -4_749])),
            ("1956.02.??", Some([-5_083, -5_055])),
            ("2000.02.29", Some([11_016, 11_016])),
            ("2000", Some([10_957, 11_322])),
            ("1900.02.29", None),
            ("2023.02.30", None),
            ("2024.04.31", None),
            ("????.??.??", None),
            ("????.10.17", None),
            ("", None),
        ] {
            assert_eq!(span(text), expected, "for {text:?}");
        }
    }

    #[test]
    fn days_follow_one_another() {
        let mut expected = days_since_1970(1, 1, 1);
        for year in 1..=2400 {
            for month in 1..=12 {
                for day in 1..=month_length(year, month) {
                    assert_eq!(days_since_1970(year, month, day), expected, "{year}-{month}-{day}");
                    expected += 1;
                }
            }
        }
    }
}
