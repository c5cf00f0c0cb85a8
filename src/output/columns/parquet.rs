//! A Parquet file.

use std::{fmt, sync::Arc};

use arrow_array::ArrayRef;
use arrow_schema::{DataType, FieldRef, SchemaRef};
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_writer::{
            ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
        },
    },
    basic::{Compression, Encoding, ZstdLevel},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::types::{ColumnDescPtr, ColumnPath},
};

use super::{
    error::EncodeError,
    groups::{Group, MAX_BYTES},
    names::NameBuilder,
    parquet_names::NameChunk,
};
use crate::pipeline::Workers;

/// A row group is that large: readers divide their work by groups.
const ROWS_PER_GROUP: usize = 1 << 16;

/// That many rows are encoded at once, while they are in the cache. They are fewer where texts are
/// long.
pub(super) const ROWS_AT_ONCE: usize = 1 << 13;

/// A file that is written.
pub(super) struct ParquetFile {
    schema: SchemaRef,
    writer: SerializedFileWriter<Vec<u8>>,
    columns: ArrowRowGroupWriterFactory,
    groups: usize,
    group: OpenGroup,
}

/// The row group that is not full yet.
#[derive(Default)]
struct OpenGroup {
    /// None if it has not begun.
    columns: Vec<GroupColumn>,
    rows: usize,
    /// What its rows took in memory.
    bytes: usize,
}

/// A column of a group, and what encodes it.
struct GroupColumn {
    field: FieldRef,
    encoder: ColumnEncoder,
}

enum ColumnEncoder {
    Names(ColumnDescPtr, Box<NameBuilder>),
    Other(Box<ArrowColumnWriter>),
}

/// A column of a group, encoded.
enum Chunk {
    Names(NameChunk),
    Other(ArrowColumnChunk),
}

impl From<ParquetError> for EncodeError {
    fn from(error: ParquetError) -> Self {
        Self(error.into())
    }
}

impl fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetFile").field("groups", &self.groups).finish_non_exhaustive()
    }
}

impl ParquetFile {
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, EncodeError> {
        let writer =
            ArrowWriter::try_new(Vec::new(), Arc::clone(schema), Some(properties(schema)))?;
        let (writer, columns) = writer.into_serialized_writer()?;
        let group = OpenGroup::default();
        Ok(Self { schema: Arc::clone(schema), writer, columns, groups: 0, group })
    }

    /// Encodes rows, and returns the bytes of the row group that is full with them, if one is. The
    /// caller takes them, and leaves an empty list.
    pub(super) fn encode(
        &mut self,
        rows: Group,
        workers: &Workers,
    ) -> Result<&mut Vec<u8>, EncodeError> {
        if self.group.columns.is_empty() {
            self.group.columns = self.begin_group()?;
        }
        self.group.rows += rows.row_count();
        self.group.bytes += rows.byte_count();
        let columns = std::mem::take(&mut self.group.columns);
        let columns = columns.into_iter().zip(rows.into_columns()).collect();
        let added = workers.map(columns, |(mut column, arrays): (GroupColumn, Vec<ArrayRef>)| {
            column.add(&arrays)?;
            Ok(column)
        });
        self.group.columns = added.into_iter().collect::<Result<_, ParquetError>>()?;
        if self.group.is_full() {
            self.end_group(workers)?;
        }
        Ok(self.writer.inner_mut())
    }

    /// The end of the file.
    pub(super) fn finish(mut self, workers: &Workers) -> Result<Vec<u8>, EncodeError> {
        if self.group.rows == 0 {
            return Ok(self.writer.into_inner()?);
        }
        self.end_group(workers)?;
        Ok(self.writer.into_inner()?)
    }

    fn begin_group(&self) -> Result<Vec<GroupColumn>, ParquetError> {
        // Each field is a column of its own: there are no structs.
        let descriptors = self.writer.schema_descr().columns();
        let fields = self.schema.fields().iter().zip(descriptors);
        let columns = fields.zip(self.columns.create_column_writers(self.groups)?);
        let column = |((field, descriptor), writer): ((&FieldRef, &ColumnDescPtr), _)| {
            let encoder = match field.data_type() {
                DataType::Dictionary(..) => ColumnEncoder::Names(
                    Arc::clone(descriptor),
                    Box::new(NameBuilder::joining(ROWS_AT_ONCE)),
                ),
                _ => ColumnEncoder::Other(Box::new(writer)),
            };
            GroupColumn { field: Arc::clone(field), encoder }
        };
        Ok(columns.map(column).collect())
    }

    fn end_group(&mut self, workers: &Workers) -> Result<(), EncodeError> {
        let columns = std::mem::take(&mut self.group).columns;
        let chunks = workers.map(columns, GroupColumn::finish);
        let chunks = chunks.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            match chunk {
                Chunk::Names(chunk) => chunk.append_to(&mut group)?,
                Chunk::Other(chunk) => chunk.append_to_row_group(&mut group)?,
            }
        }
        group.close()?;
        self.groups += 1;
        self.writer.flush().map_err(ParquetError::from)?;
        Ok(())
    }
}

impl OpenGroup {
    /// Whether it has no room for as many rows as may follow at once.
    fn is_full(&self) -> bool {
        self.rows + ROWS_AT_ONCE > ROWS_PER_GROUP || self.bytes >= MAX_BYTES
    }
}

impl GroupColumn {
    fn add(&mut self, arrays: &[ArrayRef]) -> Result<(), ParquetError> {
        for array in arrays {
            match &mut self.encoder {
                ColumnEncoder::Names(_, names) => names.extend(array)?,
                ColumnEncoder::Other(writer) => {
                    for leaf in compute_leaves(&self.field, array)? {
                        writer.write(&leaf)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Chunk, ParquetError> {
        match self.encoder {
            ColumnEncoder::Names(column, mut names) => {
                NameChunk::new(&column, &names.finish()).map(Chunk::Names)
            }
            ColumnEncoder::Other(writer) => writer.close().map(Chunk::Other),
        }
    }
}

/// How files are written. Their metadata is in sight of readers that do not know Arrow's schema.
fn properties(schema: &SchemaRef) -> WriterProperties {
    let metadata = schema.metadata().iter();
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let builder = WriterProperties::builder()
        // Those of a whole group: to compare each value twice is not worth those of a page.
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let columns = schema.fields().iter();
    let builder = columns.fold(builder, |builder, field| {
        let path = ColumnPath::from(vec![field.name().clone()]);
        match field.data_type() {
            // Numbers of games differ, and plies, ratings and days have few bits: a dictionary of
            // them would be no smaller, and takes a hash for each.
            DataType::UInt64 | DataType::UInt16 | DataType::Date32 => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            // Every group has names from A to Z: the first and the last help no reader.
            DataType::Utf8 | DataType::Dictionary(..) => {
                builder.set_column_statistics_enabled(path, EnabledStatistics::None)
            }
            _ => builder,
        }
    });
    builder
        .set_created_by(concat!("eco version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(metadata.collect()))
        .build()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use arrow_array::{DictionaryArray, RecordBatch, cast::AsArray, types::Int32Type};
    use arrow_schema::{Field, Schema};
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use proptest::prelude::*;

    use super::*;

    type Name = Option<String>;

    /// What a file has that is given these names in several parts, each in several arrays.
    fn written(parts: &[Vec<Vec<Name>>]) -> Vec<Name> {
        let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let schema = Arc::new(Schema::new(vec![Field::new("name", kind, true)]));
        let mut parquet = ParquetFile::new(&schema).unwrap();
        let workers = Workers::new(NonZeroUsize::MIN);
        let mut bytes = Vec::new();
        for part in parts {
            let mut rows = Group::default();
            for names in part {
                let names: DictionaryArray<Int32Type> =
                    names.iter().map(Option::as_deref).collect();
                let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(names)]);
                rows.push(batch.unwrap());
            }
            bytes.append(parquet.encode(rows, &workers).unwrap());
        }
        bytes.append(&mut parquet.finish(&workers).unwrap());
        let bytes = Bytes::from(bytes);
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap();
        let read = |batch: Result<RecordBatch, _>| -> Vec<Name> {
            let batch = batch.unwrap();
            let names = batch.column(0).as_dictionary::<Int32Type>();
            let names = names.downcast_dict::<arrow_array::StringArray>().unwrap();
            names.into_iter().map(|name| name.map(str::to_owned)).collect()
        };
        reader.flat_map(read).collect()
    }

    #[test]
    fn names_that_are_all_missing_or_all_the_same_are_read_as_they_are() {
        for name in [None, Some(String::new()), Some("Benoni".to_owned())] {
            for rows in [1, 7, 8, 1000] {
                let names = vec![name.clone(); rows];
                assert_eq!(written(&[vec![names.clone()]]), names, "{rows} rows");
            }
        }
    }

    proptest! {
        #[test]
        fn names_are_read_as_they_are(
            (groups, count) in (1..3_usize, 1..700_u32).prop_flat_map(|(groups, count)| {
                let name = prop_oneof![9 => (0..count).prop_map(Some), 1 => Just(None)];
                let array = prop::collection::vec(name, 0..300);
                (prop::collection::vec(prop::collection::vec(array, 1..6), groups), Just(count))
            }),
            has_gaps: bool,
        ) {
            let name = |number: Option<u32>| match (number, has_gaps) {
                (None, true) => None,
                (number, _) => Some(format!("name {}", number.unwrap_or(count))),
            };
            let groups: Vec<Vec<Vec<Name>>> = groups
                .into_iter()
                .map(|group| {
                    group.into_iter().map(|names| names.into_iter().map(name).collect()).collect()
                })
                .filter(|group: &Vec<Vec<Name>>| group.iter().any(|names| !names.is_empty()))
                .collect();
            let expected: Vec<Name> = groups.iter().flatten().flatten().cloned().collect();
            prop_assert_eq!(written(&groups), expected);
        }
    }
}
