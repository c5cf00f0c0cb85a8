//! The values of a column, collected to an Arrow array.

use std::sync::Arc;

use arrow_array::{
    ArrayRef,
    builder::{
        BooleanBuilder, Date32Builder, Float64Builder, ListBuilder, StringBuilder,
        StringDictionaryBuilder, UInt16Builder, UInt64Builder,
    },
    types::Int32Type,
};

use super::days::span;
use crate::output::{ColumnType, Value, sanitize};

/// Collects the values of a column.
pub(super) enum ColumnBuilder {
    UInt64(UInt64Builder),
    UInt16(UInt16Builder),
    Float64(Float64Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
    Name(StringDictionaryBuilder<Int32Type>),
    List(ListBuilder<StringBuilder>),
    Date(DateBuilder),
}

/// Dates as they are written, and the first and last days that they can mean.
pub(super) struct DateBuilder {
    texts: StringBuilder,
    from: Date32Builder,
    to: Date32Builder,
    /// The date before, and its days: the games of a day or an event follow one another.
    last: (String, Option<[i32; 2]>),
}

/// Expected lengths in bytes, for room that is reserved.
const TEXT_LENGTH: usize = 12;
const NAME_LENGTH: usize = 32;

/// As many rows share a name.
const ROWS_PER_NAME: usize = 4;

impl ColumnBuilder {
    /// For about this number of values.
    pub(super) fn new(kind: ColumnType, rows: usize) -> Self {
        let texts = || StringBuilder::with_capacity(rows, rows * TEXT_LENGTH);
        match kind {
            ColumnType::UInt64 => Self::UInt64(UInt64Builder::with_capacity(rows)),
            ColumnType::UInt16 => Self::UInt16(UInt16Builder::with_capacity(rows)),
            ColumnType::Float64 => Self::Float64(Float64Builder::with_capacity(rows)),
            ColumnType::Bool => Self::Bool(BooleanBuilder::with_capacity(rows)),
            ColumnType::Text => Self::Text(texts()),
            ColumnType::Name => Self::Name(StringDictionaryBuilder::with_capacity(
                rows,
                rows / ROWS_PER_NAME,
                rows / ROWS_PER_NAME * NAME_LENGTH,
            )),
            ColumnType::List => Self::List(ListBuilder::with_capacity(StringBuilder::new(), rows)),
            ColumnType::Date => Self::Date(DateBuilder {
                texts: texts(),
                from: Date32Builder::with_capacity(rows),
                to: Date32Builder::with_capacity(rows),
                last: (String::new(), None),
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
            Self::Text(texts) => with_text(value, |text| texts.append_option(text)),
            Self::Name(names) => with_text(value, |text| names.append_option(text)),
            Self::List(lists) => push_list(lists, value),
            Self::Date(dates) => with_text(value, |text| dates.push(text)),
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
                arrays.push(Arc::new(dates.from.finish()));
                arrays.push(Arc::new(dates.to.finish()));
            }
        }
    }
}

impl DateBuilder {
    fn push(&mut self, text: Option<&str>) {
        let days = text.and_then(|text| self.days(text));
        self.texts.append_option(text);
        self.from.append_option(days.map(|[first, _]| first));
        self.to.append_option(days.map(|[_, last]| last));
    }

    fn days(&mut self, text: &str) -> Option<[i32; 2]> {
        let (last, days) = &mut self.last;
        if last != text {
            last.clear();
            last.push_str(text);
            *days = span(text);
        }
        *days
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
fn read<T: std::str::FromStr>(value: &Value<'_>) -> Option<T> {
    if matches!(value, Value::None) {
        return None;
    }
    let read = value.to_text("").parse().ok();
    debug_assert!(read.is_some(), "{value:?} is not of the type of its column");
    read
}

/// The text of a value; `None` for no value.
#[inline]
fn with_text(value: &Value<'_>, use_text: impl FnOnce(Option<&str>)) {
    match value {
        Value::None => use_text(None),
        Value::Text(text) => use_text(Some(text)),
        Value::Bytes(bytes) => use_text(Some(&sanitize(bytes))),
        other => use_text(Some(&other.to_text(""))),
    }
}

fn push_list(lists: &mut ListBuilder<StringBuilder>, value: &Value<'_>) {
    match value {
        Value::List { items, .. } => lists.append_value(items.iter().map(Some)),
        Value::None => lists.append_null(),
        other => lists.append_value([Some(other.to_text(""))]),
    }
}
