//! Fields and arrays of Arrow as columns of Parquet, of the types that rows have.
//!
//! The writer of `parquet` knows all types of Arrow, and takes three times as long to compile for
//! it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Float64Type, TimestampMicrosecondType, UInt16Type, UInt64Type,
};
use arrow_array::{Array, ListArray, StringArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::{Type, TypePtr};
use parquet::{column::writer::ColumnWriter, data_type::ByteArray, errors::ParquetError};

/// The type of rows with these fields, each of which may be missing.
pub(super) fn row_type(schema: &Schema) -> Result<TypePtr, ParquetError> {
    let fields = schema.fields().iter().map(|field| column_type(field).map(Arc::new));
    let fields = fields.collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("arrow_schema").with_fields(fields).build()?))
}

fn column_type(field: &Field) -> Result<Type, ParquetError> {
    let (physical, logical) = match field.data_type() {
        DataType::UInt64 => (Physical::INT64, Some(LogicalType::integer(64, false))),
        DataType::UInt16 => (Physical::INT32, Some(LogicalType::integer(16, false))),
        DataType::Float64 => (Physical::DOUBLE, None),
        DataType::Boolean => (Physical::BOOLEAN, None),
        DataType::Date32 => (Physical::INT32, Some(LogicalType::Date)),
        DataType::Timestamp(arrow_schema::TimeUnit::Microsecond, Some(_)) => {
            (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS)))
        }
        DataType::Utf8 | DataType::Dictionary(..) => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        }
        DataType::List(item) => {
            let items = Type::group_type_builder("list")
                .with_fields(vec![Arc::new(column_type(item)?)])
                .with_repetition(Repetition::REPEATED)
                .build()?;
            return Type::group_type_builder(field.name())
                .with_fields(vec![Arc::new(items)])
                .with_logical_type(Some(LogicalType::List))
                .with_repetition(Repetition::OPTIONAL)
                .build();
        }
        other => return Err(ParquetError::NYI(format!("no column has the type {other}"))),
    };
    Type::primitive_type_builder(field.name(), physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

/// Writes the rows of an array to the column of its field.
pub(super) fn write_array(
    column: &mut ColumnWriter<'_>,
    array: &dyn Array,
) -> Result<(), ParquetError> {
    use {ColumnWriter as To, DataType as From};
    let levels = levels(array.nulls(), array.len());
    let levels = Some(&levels[..]);
    match (column, array.data_type()) {
        (To::Int64ColumnWriter(column), From::UInt64) => {
            let numbers = values::<UInt64Type, _>(array, u64::cast_signed);
            column.write_batch(&numbers, levels, None)
        }
        (To::Int32ColumnWriter(column), From::UInt16) => {
            column.write_batch(&values::<UInt16Type, _>(array, i32::from), levels, None)
        }
        (To::DoubleColumnWriter(column), From::Float64) => {
            column.write_batch(&values::<Float64Type, _>(array, |value| value), levels, None)
        }
        (To::Int32ColumnWriter(column), From::Date32) => {
            column.write_batch(&values::<Date32Type, _>(array, |day| day), levels, None)
        }
        (To::Int64ColumnWriter(column), From::Timestamp(..)) => {
            let moments = values::<TimestampMicrosecondType, _>(array, |moment| moment);
            column.write_batch(&moments, levels, None)
        }
        (To::BoolColumnWriter(column), From::Boolean) => {
            let values: Vec<bool> = array.as_boolean().iter().flatten().collect();
            column.write_batch(&values, levels, None)
        }
        (To::ByteArrayColumnWriter(column), From::Utf8) => {
            column.write_batch(&texts(array.as_string()), levels, None)
        }
        (To::ByteArrayColumnWriter(column), From::List(_)) => {
            let (items, levels, repeats) = items(array.as_list());
            column.write_batch(&items, Some(&levels), Some(&repeats))
        }
        (_, other) => {
            return Err(ParquetError::General(format!("a column is given an array of {other}")));
        }
    }?;
    Ok(())
}

/// For each row 1, or 0 if its value is missing.
fn levels(nulls: Option<&NullBuffer>, rows: usize) -> Vec<i16> {
    nulls.map_or_else(|| vec![1; rows], |nulls| nulls.iter().map(i16::from).collect())
}

/// The values that there are.
fn values<A: ArrowPrimitiveType, T>(array: &dyn Array, value: impl Fn(A::Native) -> T) -> Vec<T> {
    array.as_primitive::<A>().iter().flatten().map(value).collect()
}

/// The texts that there are. They share their memory.
fn texts(array: &StringArray) -> Vec<ByteArray> {
    let offsets = array.value_offsets();
    let start = offsets[0] as usize;
    let bytes = Bytes::copy_from_slice(&array.value_data()[start..offsets[array.len()] as usize]);
    let text = |row| {
        let (from, to) = (offsets[row] as usize - start, offsets[row + 1] as usize - start);
        ByteArray::from(bytes.slice(from..to))
    };
    (0..array.len()).filter(|row| array.is_valid(*row)).map(text).collect()
}

/// The items of all lists that there are; and for each item, and each list without one, how much of
/// it there is (0 for no list, 1 for an empty one, 2 for an item that is missing, 3 for an item),
/// and whether it continues a list (1) or begins one.
fn items(lists: &ListArray) -> (Vec<ByteArray>, Vec<i16>, Vec<i16>) {
    let (mut levels, mut repeats) = (Vec::new(), Vec::new());
    let mut present = Vec::new();
    for list in lists {
        let list = list.as_ref().map(AsArray::as_string::<i32>);
        let count = list.map_or(0, Array::len);
        repeats.extend((0..count.max(1)).map(|at| i16::from(at > 0)));
        match list {
            Some(list) if count > 0 => {
                levels.extend((0..count).map(|at| if list.is_valid(at) { 3 } else { 2 }));
                present.append(&mut texts(list));
            }
            none => levels.push(i16::from(none.is_some())),
        }
    }
    (present, levels, repeats)
}

#[cfg(test)]
mod tests {
    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Float64Array, Int8Array, RecordBatch,
        TimestampMicrosecondArray, UInt16Array, UInt64Array,
    };
    use arrow_schema::SchemaRef;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::super::ParquetFile;
    use super::*;

    /// Five rows of each type, of which the first is missing.
    fn arrays() -> Vec<(&'static str, ArrayRef)> {
        let mut lists = ListBuilder::new(StringBuilder::new());
        lists.append_null();
        lists.append_value([Some("b"), None, Some("")]);
        lists.append_value([None::<&str>; 0]);
        lists.append_value([None, Some("c")]);
        lists.append_value([Some("\u{e9}")]);
        let moments = vec![None, Some(i64::MIN), Some(0), Some(1_551_464_525_000_000), None];
        vec![
            (
                "games",
                Arc::new(UInt64Array::from(vec![None, Some(0), Some(u64::MAX), None, Some(1)])),
            ),
            (
                "ply",
                Arc::new(UInt16Array::from(vec![None, Some(0), Some(u16::MAX), None, Some(1)])),
            ),
            (
                "share",
                Arc::new(Float64Array::from(vec![None, Some(-0.5), None, Some(1e300), None])),
            ),
            (
                "rated",
                Arc::new(BooleanArray::from(vec![None, Some(true), Some(false), None, None])),
            ),
            ("day", Arc::new(Date32Array::from(vec![None, Some(-1), Some(19_000), None, Some(0)]))),
            ("at", Arc::new(TimestampMicrosecondArray::from(moments).with_timezone("UTC"))),
            (
                "text",
                Arc::new(StringArray::from(vec![None, Some(""), Some("a\nb"), None, Some("x")])),
            ),
            ("lists", Arc::new(lists.finish())),
        ]
    }

    fn schema(arrays: &[(&str, ArrayRef)]) -> SchemaRef {
        let fields =
            arrays.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }

    #[test]
    fn arrays_of_each_type_are_read_as_they_were_written() {
        let arrays = arrays();
        let schema = schema(&arrays);
        let mut parquet = ParquetFile::new(&schema).unwrap();
        let mut bytes = Vec::new();
        // The rows whole, and in slices that begin within.
        let rows = [0..5, 1..3, 2..2, 3..5];
        let columns = arrays.iter().map(|(_, array)| {
            rows.iter().map(|rows| array.slice(rows.start, rows.len())).collect()
        });
        for task in parquet.tasks(columns.collect()) {
            parquet.append(task.run().unwrap(), &mut bytes).unwrap();
        }
        bytes.append(&mut parquet.finish().unwrap());
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).unwrap();
        assert_eq!(reader.schema(), &schema);
        let read: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
        let [read] = &read[..] else { panic!("{} batches", read.len()) };
        let mut start = 0;
        for rows in rows {
            for ((name, array), read) in arrays.iter().zip(read.columns()) {
                let expected = array.slice(rows.start, rows.len());
                assert_eq!(&read.slice(start, rows.len()), &expected, "{name}, {rows:?}");
            }
            start += rows.len();
        }
    }

    #[test]
    fn a_type_that_no_column_has_is_refused() {
        let number: ArrayRef = Arc::new(Int8Array::from(vec![1]));
        let local: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1]));
        for (array, kind) in [(number, "Int8"), (local, "Timestamp")] {
            let error = ParquetFile::new(&schema(&[("n", array)])).map(drop).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(&format!("no column has the type {kind}")), "{error}");
        }
    }
}
