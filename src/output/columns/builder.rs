//! The values of a column, collected to an Arrow array.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, Date32Array,
    builder::{ListBuilder, StringBuilder},
    types::{Float64Type, UInt16Type, UInt64Type},
};

use super::{
    days::span,
    names::NameBuilder,
    nulls::Nulls,
    numbers::{BoolBuilder, NumberBuilder},
    texts::TextBuilder,
};
use crate::output::{ColumnType, Value};

/// Collects the values of a column.
pub(super) enum ColumnBuilder {
    UInt64(NumberBuilder<UInt64Type>),
    UInt16(NumberBuilder<UInt16Type>),
    Float64(NumberBuilder<Float64Type>),
    Bool(BoolBuilder),
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

/// Expected lengths in bytes, for room that is reserved.
const TEXT_LENGTH: usize = 12;
const NAME_LENGTH: usize = 32;

impl ColumnBuilder {
    /// For about this number of values.
    pub(super) fn new(kind: ColumnType, rows: usize) -> Self {
        let texts = || TextBuilder::new(rows, TEXT_LENGTH);
        match kind {
            ColumnType::UInt64 => Self::UInt64(NumberBuilder::new(rows)),
            ColumnType::UInt16 => Self::UInt16(NumberBuilder::new(rows)),
            ColumnType::Float64 => Self::Float64(NumberBuilder::new(rows)),
            ColumnType::Bool => Self::Bool(BoolBuilder::new(rows)),
            ColumnType::Text => Self::Text(texts()),
            ColumnType::Name => Self::Name(NameBuilder::new(rows, NAME_LENGTH)),
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
    #[inline]
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
            Self::Text(texts) => texts.push(value),
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
                let nulls = dates.nulls.finish();
                for days in [&mut dates.from, &mut dates.to] {
                    let days = std::mem::take(days).into();
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

fn push_list(lists: &mut ListBuilder<StringBuilder>, value: &Value<'_>) {
    match value {
        Value::List { items, .. } => lists.append_value(items.iter().map(Some)),
        Value::None => lists.append_null(),
        other => lists.append_value([Some(other.to_text(""))]),
    }
}
