//! The values of a column, collected to Arrow arrays. Dates are days since 1970-01-01, as Arrow
//! counts them.

use std::{mem, str::FromStr, sync::Arc};

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array};
use arrow_array::{TimestampMicrosecondArray, UInt16Array, UInt64Array};
use arrow_buffer::NullBuffer;

use super::texts::{NameBuilder, Nulls, TextBuilder};
use crate::output::{ColumnType, Value};
use crate::{pgn::GameDate, select::days_since_1970, select::read_time};

/// Collects the values of a column.
pub(super) enum ColumnBuilder {
    UInt64(Values<u64>),
    UInt16(Values<u16>),
    Float64(Values<f64>),
    Bool(Values<bool>),
    Timestamp(Values<i64>),
    Text(TextBuilder),
    Name(NameBuilder),
    List(ListBuilder<StringBuilder>),
    Date(DateBuilder),
}

/// Dates as they are written, and the first and last days that they can mean.
pub(super) struct DateBuilder {
    texts: TextBuilder,
    from: Vec<i32>,
    to: Vec<i32>,
    /// Of both.
    nulls: Nulls,
    /// The days of the date before: the games of a day or an event follow one another.
    last: Option<[i32; 2]>,
}

/// The zone of all moments.
pub(super) const UTC: &str = "UTC";

/// The expected length of a text in bytes, for room that is reserved.
const TEXT_LENGTH: usize = 12;

impl ColumnBuilder {
    /// For about this number of values.
    pub(super) fn new(kind: ColumnType, rows: usize) -> Self {
        let texts = || TextBuilder::new(rows, TEXT_LENGTH);
        match kind {
            ColumnType::UInt64 => Self::UInt64(Values::new(rows)),
            ColumnType::UInt16 => Self::UInt16(Values::new(rows)),
            ColumnType::Float64 => Self::Float64(Values::new(rows)),
            ColumnType::Bool => Self::Bool(Values::new(rows)),
            ColumnType::Timestamp => Self::Timestamp(Values::new(rows)),
            ColumnType::Text => Self::Text(texts()),
            ColumnType::Name => Self::Name(NameBuilder::new(rows)),
            ColumnType::List => Self::List(ListBuilder::with_capacity(StringBuilder::new(), rows)),
            ColumnType::Date => Self::Date(DateBuilder {
                texts: texts(),
                from: Vec::with_capacity(rows),
                to: Vec::with_capacity(rows),
                nulls: Nulls::new(rows),
                last: None,
            }),
        }
    }

    /// Adds a value. One that is not of the type of the column is read from its text.
    pub(super) fn push(&mut self, value: &Value<'_>) {
        match self {
            Self::UInt64(numbers) => numbers.push(whole(value)),
            Self::UInt16(numbers) => {
                numbers.push(whole(value).and_then(|number| number.try_into().ok()));
            }
            Self::Float64(numbers) => numbers.push(read(value)),
            Self::Bool(values) => values.push(match value {
                Value::Bool(is_so) => Some(*is_so),
                other => read(other),
            }),
            Self::Timestamp(moments) => moments.push(microseconds(&value.to_text(""))),
            Self::Text(texts) => texts.push(value),
            Self::Name(names) => names.push(value),
            Self::List(lists) => push_list(lists, value),
            Self::Date(dates) => dates.push(value),
        }
    }

    /// The arrays of the column, and an empty builder.
    pub(super) fn finish(&mut self, arrays: &mut Vec<ArrayRef>) {
        match self {
            Self::UInt64(numbers) => arrays.push(Arc::new(numbers.finish(UInt64Array::new))),
            Self::UInt16(numbers) => arrays.push(Arc::new(numbers.finish(UInt16Array::new))),
            Self::Float64(numbers) => arrays.push(Arc::new(numbers.finish(Float64Array::new))),
            Self::Bool(values) => arrays.push(Arc::new(values.finish(BooleanArray::new))),
            Self::Timestamp(moments) => {
                let moments = moments.finish(TimestampMicrosecondArray::new);
                arrays.push(Arc::new(moments.with_timezone(UTC)));
            }
            Self::Text(texts) => arrays.push(Arc::new(texts.finish())),
            Self::Name(names) => arrays.push(Arc::new(names.finish())),
            Self::List(lists) => arrays.push(Arc::new(lists.finish())),
            Self::Date(dates) => {
                arrays.push(Arc::new(dates.texts.finish()));
                let nulls = dates.nulls.finish();
                for days in [&mut dates.from, &mut dates.to] {
                    let days = mem::take(days).into();
                    arrays.push(Arc::new(Date32Array::new(days, nulls.clone())));
                }
            }
        }
    }
}

impl DateBuilder {
    fn push(&mut self, value: &Value<'_>) {
        let row = self.texts.len();
        self.texts.push(value);
        let text = self.texts.get(row);
        if row == 0 || text != self.texts.get(row - 1) {
            // What is missing is empty, which is no date either.
            self.last = span(text);
        }
        let [from, to] = self.last.unwrap_or_default();
        self.from.push(from);
        self.to.push(to);
        self.nulls.push(self.last.is_some());
    }
}

/// A whole number; `None` for no value.
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

/// Values of a type that Arrow stores as they are.
pub(super) struct Values<T> {
    values: Vec<T>,
    nulls: Nulls,
}

impl<T: Default> Values<T> {
    /// For about this number of values.
    fn new(count: usize) -> Self {
        Self { values: Vec::with_capacity(count), nulls: Nulls::new(count) }
    }

    fn push(&mut self, value: Option<T>) {
        self.nulls.push(value.is_some());
        self.values.push(value.unwrap_or_default());
    }

    /// The values as an array, and an empty builder.
    fn finish<B: From<Vec<T>>, A>(&mut self, array: fn(B, Option<NullBuffer>) -> A) -> A {
        array(mem::take(&mut self.values).into(), self.nulls.finish())
    }
}

/// The microseconds from 1970-01-01 to `2019-03-01T18:22:05Z`; `None` if the text is no moment.
fn microseconds(text: &str) -> Option<i64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [day, _] = span(date.as_bytes())?;
    let seconds = i64::from(day) * 86_400 + i64::from(read_time(time.as_bytes())?);
    Some(seconds * 1_000_000)
}

/// The first and the last day that a date can mean; `None` if the text is no date, or a day that
/// its month does not have.
fn span(text: &[u8]) -> Option<[i32; 2]> {
    let date: GameDate = str::from_utf8(text).ok()?.parse().ok()?;
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
    fn values_and_gaps_are_kept_and_a_builder_can_be_used_again() {
        let (mut numbers, mut answers) = (Values::<u16>::new(0), Values::<bool>::new(0));
        for values in [&[Some(7), None, Some(0)][..], &[Some(1)], &[]] {
            values.iter().for_each(|value| numbers.push(*value));
            assert_eq!(numbers.finish(UInt16Array::new).iter().collect::<Vec<_>>(), values);
            let values: Vec<_> = values.iter().map(|value| value.map(|n| n > 0)).collect();
            values.iter().for_each(|value| answers.push(*value));
            assert_eq!(answers.finish(BooleanArray::new).iter().collect::<Vec<_>>(), values);
        }
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
            assert_eq!(span(text.as_bytes()), expected, "for {text:?}");
        }
    }

    #[test]
    fn a_moment_is_counted_in_microseconds_of_utc() {
        for (text, expected) in [
            ("1970-01-01T00:00:01Z", Some(1_000_000)),
            ("1969-12-31T23:59:59Z", Some(-1_000_000)),
            ("2019-03-01T18:22:05Z", Some(1_551_464_525_000_000)),
            ("2019-02-30T18:22:05Z", None),
            ("2019-03-01T24:00:00Z", None),
            ("2019-03-01", None),
            ("", None),
        ] {
            assert_eq!(microseconds(text), expected, "for {text:?}");
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
