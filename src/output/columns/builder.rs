//! The values of a column, collected to Arrow arrays. Dates are days since 1970-01-01, as Arrow
//! counts them.

use std::{str::FromStr, sync::Arc};

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Float64Builder, ListBuilder, StringBuilder,
    TimestampMicrosecondBuilder, UInt16Builder, UInt64Builder,
};

use super::texts::{NameBuilder, finish_texts, text_of};
use crate::output::{ColumnType, Value};
use crate::pgn::{GameDate, days_since_1970};
use crate::select::read_time;

/// Collects the values of a column.
pub(super) enum ColumnBuilder {
    UInt64(UInt64Builder),
    UInt16(UInt16Builder),
    Float64(Float64Builder),
    Bool(BooleanBuilder),
    Timestamp(TimestampMicrosecondBuilder),
    Text(BinaryBuilder),
    Name(NameBuilder),
    List(ListBuilder<StringBuilder>),
    Date(DateBuilder),
}

/// Dates as they are written, and the first and last days that they can mean.
pub(super) struct DateBuilder {
    texts: BinaryBuilder,
    days: [Date32Builder; 2],
    /// The date before, and its days: the games of a day or an event follow one another.
    last: (Vec<u8>, Option<[i32; 2]>),
}

/// The zone of all moments.
pub(super) const UTC: &str = "UTC";

/// The expected length of a text in bytes, for room that is reserved.
const TEXT_LENGTH: usize = 12;

impl ColumnBuilder {
    /// For about this number of values.
    pub(super) fn new(kind: ColumnType, rows: usize) -> Self {
        let texts = || BinaryBuilder::with_capacity(rows, rows * TEXT_LENGTH);
        match kind {
            ColumnType::UInt64 => Self::UInt64(UInt64Builder::with_capacity(rows)),
            ColumnType::UInt16 => Self::UInt16(UInt16Builder::with_capacity(rows)),
            ColumnType::Float64 => Self::Float64(Float64Builder::with_capacity(rows)),
            ColumnType::Bool => Self::Bool(BooleanBuilder::with_capacity(rows)),
            ColumnType::Timestamp => {
                let moments = TimestampMicrosecondBuilder::with_capacity(rows);
                Self::Timestamp(moments.with_timezone(UTC))
            }
            ColumnType::Text => Self::Text(texts()),
            ColumnType::Name => Self::Name(NameBuilder::new(rows)),
            ColumnType::List => Self::List(ListBuilder::with_capacity(StringBuilder::new(), rows)),
            ColumnType::Date => Self::Date(DateBuilder {
                texts: texts(),
                days: [(); 2].map(|()| Date32Builder::with_capacity(rows)),
                last: (Vec::new(), None),
            }),
        }
    }

    /// Adds a value. One that is not of the type of the column is read from its text.
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
            Self::Timestamp(moments) => moments.append_option(microseconds(&value.to_text(""))),
            Self::Text(texts) => texts.append_option(text_of(value)),
            Self::Name(names) => names.push(value),
            Self::List(lists) => match value {
                Value::List { items, .. } => lists.append_value(items.iter().map(Some)),
                Value::None => lists.append_null(),
                other => lists.append_value([Some(other.to_text(""))]),
            },
            Self::Date(dates) => dates.push(value),
        }
    }

    /// The arrays of the column, and an empty builder.
    pub(super) fn finish(&mut self, arrays: &mut Vec<ArrayRef>) {
        arrays.push(match self {
            Self::UInt64(numbers) => Arc::new(numbers.finish()),
            Self::UInt16(numbers) => Arc::new(numbers.finish()),
            Self::Float64(numbers) => Arc::new(numbers.finish()),
            Self::Bool(values) => Arc::new(values.finish()),
            Self::Timestamp(moments) => Arc::new(moments.finish()),
            Self::Text(texts) | Self::Date(DateBuilder { texts, .. }) => {
                Arc::new(finish_texts(texts))
            }
            Self::Name(names) => Arc::new(names.finish()),
            Self::List(lists) => Arc::new(lists.finish()),
        });
        if let Self::Date(DateBuilder { days, .. }) = self {
            arrays.extend(days.iter_mut().map(|days| Arc::new(days.finish()) as ArrayRef));
        }
    }
}

impl DateBuilder {
    fn push(&mut self, value: &Value<'_>) {
        let text = text_of(value);
        // What is missing is empty, which is no date either.
        let date = text.as_deref().unwrap_or_default();
        if self.last.0 != date {
            self.last = (date.to_owned(), span(date));
        }
        let days = self.last.1.map_or([None; 2], |days| days.map(Some));
        self.days.iter_mut().zip(days).for_each(|(builder, day)| builder.append_option(day));
        self.texts.append_option(text);
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
    let number = str::from_utf8(text).ok()?.parse::<GameDate>().ok()?.number() as i32;
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    let from = days_since_1970(year, month.max(1), day.max(1));
    let last_month = if month == 0 { 12 } else { month };
    // A thirteenth month is the first of the next year.
    let to = days_since_1970(year, last_month + 1, 1) - 1;
    (from <= to).then_some([from, if day == 0 { to } else { from }])
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt16Type;

    use super::*;

    /// The only array of a column with these values.
    fn array(builder: &mut ColumnBuilder, values: &[Value<'_>]) -> ArrayRef {
        let mut arrays = Vec::new();
        values.iter().for_each(|value| builder.push(value));
        builder.finish(&mut arrays);
        assert_eq!(arrays.len(), 1);
        arrays.remove(0)
    }

    #[test]
    fn values_and_gaps_are_kept_and_a_builder_can_be_used_again() {
        let mut numbers = ColumnBuilder::new(ColumnType::UInt16, 0);
        let mut answers = ColumnBuilder::new(ColumnType::Bool, 0);
        for values in [&[Some(7), None, Some(0)][..], &[Some(1)], &[]] {
            let written: Vec<Value<'_>> = values.iter().map(|value| (*value).into()).collect();
            let found = array(&mut numbers, &written);
            let expected: Vec<_> = values.iter().map(|value| value.map(|n| n as u16)).collect();
            assert_eq!(found.as_primitive::<UInt16Type>().iter().collect::<Vec<_>>(), expected);
            let values: Vec<_> = values.iter().map(|value| value.map(|n: u64| n > 0)).collect();
            let written: Vec<Value<'_>> = values.iter().map(|value| (*value).into()).collect();
            let found = array(&mut answers, &written);
            assert_eq!(found.as_boolean().iter().collect::<Vec<_>>(), values);
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
    fn days_follow_one_another_and_months_end_with_their_last() {
        let is_leap_year = |year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let mut expected = days_since_1970(1, 1, 1);
        for year in 1..=2400 {
            for month in 1..=12 {
                let length = match month {
                    2 => 28 + i32::from(is_leap_year(year)),
                    4 | 6 | 9 | 11 => 30,
                    _ => 31,
                };
                let whole = span(format!("{year:04}-{month:02}").as_bytes());
                assert_eq!(whole, Some([expected, expected + length - 1]), "{year}-{month}");
                for day in 1..=length {
                    assert_eq!(days_since_1970(year, month, day), expected, "{year}-{month}-{day}");
                    expected += 1;
                }
                let beyond = format!("{year:04}-{month:02}-{}", length + 1);
                assert_eq!(span(beyond.as_bytes()), None, "{beyond}");
            }
        }
    }
}
