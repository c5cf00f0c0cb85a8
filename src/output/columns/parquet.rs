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
    schema::types::ColumnPath,
};

use super::error::EncodeError;
use crate::pipeline::{Workers, run};

/// A row group is that large: readers divide their work by groups, and it is in memory while it is
/// written.
pub(super) const ROWS_PER_GROUP: usize = 1 << 16;

/// A file that is written.
pub(super) struct ParquetFile {
    schema: SchemaRef,
    writer: SerializedFileWriter<Vec<u8>>,
    columns: ArrowRowGroupWriterFactory,
    groups: usize,
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

/// A column of a group: its field, its arrays, and what encodes them.
type PlainColumn = (FieldRef, Vec<ArrayRef>, ArrowColumnWriter);

impl ParquetFile {
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, EncodeError> {
        let writer =
            ArrowWriter::try_new(Vec::new(), Arc::clone(schema), Some(properties(schema)))?;
        let (writer, columns) = writer.into_serialized_writer()?;
        Ok(Self { schema: Arc::clone(schema), writer, columns, groups: 0 })
    }

    /// The bytes of a row group with these columns, each of which is in several arrays.
    pub(super) fn encode(
        &mut self,
        columns: Vec<Vec<ArrayRef>>,
        workers: &Workers,
    ) -> Result<Vec<u8>, EncodeError> {
        let writers = self.columns.create_column_writers(self.groups)?;
        let columns = self.schema.fields().iter().cloned().zip(columns).zip(writers);
        let mut columns = columns.map(|((field, arrays), writer)| (field, arrays, writer));
        let mut chunks = Vec::new();
        run(
            workers,
            |push| columns.try_for_each(push),
            encode_column,
            |chunk: Result<ArrowColumnChunk, ParquetError>| {
                chunks.push(chunk?);
                Ok::<(), ParquetError>(())
            },
        )?;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.groups += 1;
        self.writer.flush().map_err(ParquetError::from)?;
        Ok(std::mem::take(self.writer.inner_mut()))
    }

    /// The end of the file.
    pub(super) fn finish(self) -> Result<Vec<u8>, EncodeError> {
        Ok(self.writer.into_inner()?)
    }
}

fn encode_column(column: PlainColumn) -> Result<ArrowColumnChunk, ParquetError> {
    let (field, arrays, mut writer) = column;
    for array in arrays {
        for leaf in compute_leaves(&field, &array)? {
            writer.write(&leaf)?;
        }
    }
    writer.close()
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
