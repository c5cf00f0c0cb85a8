//! A Parquet file.
//!
//! Columns of names are written in `names`: the names, each once, and for each row the number of
//! its name. Arrays of names have their dictionary already. The writer of `parquet` does not use
//! it, but hashes the name of each row to make its own.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::{DataType, FieldRef, Schema, SchemaRef};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, get_column_writer};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath};

use super::EncodeError;
use super::texts::{join_names, names_of_texts};

mod arrays;
mod names;

/// A row group is that large, or smaller where texts are long: readers divide their work by groups.
pub(super) const ROWS_PER_GROUP: usize = 1 << 16;

/// A file that is written.
pub(super) struct ParquetFile {
    schema: SchemaRef,
    writer: SerializedFileWriter<Vec<u8>>,
    /// The first columns of the next row group.
    chunks: Vec<Chunk>,
}

/// A column of a row group, to be encoded.
pub(super) struct ColumnTask {
    field: FieldRef,
    descriptor: ColumnDescPtr,
    properties: WriterPropertiesPtr,
    arrays: Vec<ArrayRef>,
}

/// A column of a row group, encoded.
pub(super) struct Chunk(Bytes, ColumnCloseResult);

impl From<ParquetError> for EncodeError {
    fn from(error: ParquetError) -> Self {
        Self(error.into())
    }
}

impl ParquetFile {
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, EncodeError> {
        let properties = Arc::new(properties(schema));
        let writer = SerializedFileWriter::new(Vec::new(), arrays::row_type(schema)?, properties)?;
        Ok(Self { schema: Arc::clone(schema), writer, chunks: Vec::new() })
    }

    /// The tasks of a row group with these columns, each of which is in several arrays.
    pub(super) fn tasks(&self, columns: Vec<Vec<ArrayRef>>) -> Vec<ColumnTask> {
        // Each field is a column of its own: there are no structs.
        let descriptors = self.writer.schema_descr().columns();
        let fields = self.schema.fields().iter().zip(descriptors);
        let task = |((field, descriptor), arrays): ((&FieldRef, &_), _)| ColumnTask {
            field: Arc::clone(field),
            descriptor: Arc::clone(descriptor),
            properties: Arc::clone(self.writer.properties()),
            arrays,
        };
        fields.zip(columns).map(task).collect()
    }

    /// Takes the next column of a row group, and appends the group if that was its last.
    pub(super) fn append(&mut self, chunk: Chunk, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.chunks.push(chunk);
        if self.chunks.len() < self.schema.fields().len() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for chunk in self.chunks.drain(..) {
            group.append_column(&chunk.0, chunk.1)?;
        }
        group.close()?;
        self.writer.flush().map_err(ParquetError::from)?;
        out.append(self.writer.inner_mut());
        Ok(())
    }

    /// The end of the file.
    pub(super) fn finish(self) -> Result<Vec<u8>, EncodeError> {
        Ok(self.writer.into_inner()?)
    }
}

impl ColumnTask {
    pub(super) fn run(self) -> Result<Chunk, EncodeError> {
        let names = match self.field.data_type() {
            DataType::Dictionary(..) => Some(join_names(&self.arrays)?),
            DataType::Utf8 => names_of_texts(&self.arrays),
            _ => None,
        };
        if let Some(names) = names {
            let (pages, close) = names::encode_names(&self.descriptor, &names)?;
            return Ok(Chunk(pages, close));
        }
        let mut pages = TrackedWrite::new(Vec::new());
        let writer = Box::new(SerializedPageWriter::new(&mut pages));
        let mut column = get_column_writer(self.descriptor, self.properties, writer);
        self.arrays.iter().try_for_each(|array| arrays::write_array(&mut column, array))?;
        let close = column.close()?;
        Ok(Chunk(pages.into_inner()?.into(), close))
    }
}

/// How files are written. Their metadata is in sight of readers that do not know Arrow's schema.
fn properties(schema: &Schema) -> WriterProperties {
    let metadata = schema.metadata().iter();
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let arrow = KeyValue::new("ARROW:schema".to_owned(), encoded_schema(schema));
    let builder = WriterProperties::builder()
        // Those of a whole group: to compare each value twice is not worth those of a page.
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let columns = schema.fields().iter();
    let builder = columns.fold(builder, |builder, field| {
        let path = ColumnPath::from(vec![field.name().clone()]);
        match field.data_type() {
            // Numbers of games differ, and plies, ratings and days have few bits: a dictionary of
            // them would be no smaller, and takes a hash for each.
            DataType::UInt64 | DataType::UInt16 | DataType::Date32 | DataType::Timestamp(..) => {
                builder
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
            }
            // Those with a dictionary are encoded elsewhere. Of other texts every group has some
            // from A to Z: the first and the last help no reader.
            DataType::Utf8 | DataType::Dictionary(..) => builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_statistics_enabled(path, EnabledStatistics::None),
            _ => builder,
        }
    });
    builder
        .set_created_by(concat!("eco version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(metadata.chain([arrow]).collect()))
        .build()
}

/// The schema as readers for Arrow look for it: a message of Arrow IPC, in Base64.
fn encoded_schema(schema: &Schema) -> String {
    let message = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(
        schema,
        &mut DictionaryTracker::new(true),
        &IpcWriteOptions::default(),
    );
    let message = message.ipc_message;
    let length = (message.len() as u32).to_le_bytes();
    BASE64_STANDARD.encode([&u32::MAX.to_le_bytes()[..], &length, &message].concat())
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;
    use arrow_array::{DictionaryArray, RecordBatch, StringArray, cast::AsArray};
    use arrow_schema::Field;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use proptest::prelude::*;

    use super::*;

    type Name = Option<String>;

    /// What a file has that is given these names as row groups, each in several arrays; and the
    /// same names as texts.
    fn written(groups: &[Vec<Vec<Name>>]) -> Vec<Name> {
        let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let fields = [Field::new("name", kind, true), Field::new("text", DataType::Utf8, true)];
        let schema = Arc::new(Schema::new(fields.to_vec()));
        let mut parquet = ParquetFile::new(&schema).unwrap();
        let mut bytes = Vec::new();
        for arrays in groups {
            let names = |names: &Vec<Name>| {
                let names = names.iter().map(Option::as_deref);
                Arc::new(names.collect::<DictionaryArray<Int32Type>>()) as ArrayRef
            };
            let texts = |names: &Vec<Name>| {
                Arc::new(names.iter().map(Option::as_deref).collect::<StringArray>()) as ArrayRef
            };
            let columns =
                vec![arrays.iter().map(names).collect(), arrays.iter().map(texts).collect()];
            for task in parquet.tasks(columns) {
                parquet.append(task.run().unwrap(), &mut bytes).unwrap();
            }
        }
        bytes.append(&mut parquet.finish().unwrap());
        let bytes = Bytes::from(bytes);
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap();
        let read = |batch: Result<RecordBatch, _>| -> Vec<Name> {
            let batch = batch.unwrap();
            let names = batch.column(0).as_dictionary::<Int32Type>();
            let names = names.downcast_dict::<StringArray>().unwrap();
            assert!(names.into_iter().eq(batch.column(1).as_string::<i32>()));
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

    #[test]
    fn texts_that_rarely_repeat_have_no_dictionary() {
        for (distinct, has_dictionary) in [(2_000, true), (9_000, false)] {
            let texts = (0..10_000).map(|row| Some(format!("text {}", row % distinct)));
            let texts: ArrayRef = Arc::new(texts.collect::<StringArray>());
            assert_eq!(names_of_texts(&[texts]).is_some(), has_dictionary, "{distinct}");
            let long = (0..4000).map(|row| Some(format!("{row:>500}")));
            let long: ArrayRef = Arc::new(long.collect::<StringArray>());
            assert!(names_of_texts(&[long]).is_none(), "a dictionary of 2 MB");
        }
        let names: Vec<Name> =
            (0..20_000).map(|row| Some(format!("text {}", row % 9_500))).collect();
        let groups = [vec![names.clone()], vec![names.clone()]];
        assert!(written(&groups) == [names.clone(), names].concat());
    }

    proptest! {
        #[test]
        fn names_are_read_as_they_are(
            (groups, count) in (1..3_usize, 1..700_u32).prop_flat_map(|(groups, count)| {
                let name = prop_oneof![9 => (0..count).prop_map(Some), 1 => Just(None)];
                // Some names are repeated.
                let run = prop_oneof![5 => Just(1), 2 => 1..30_usize];
                let array = prop::collection::vec((name, run), 0..100);
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
                    let names = |(number, run)| std::iter::repeat_n(name(number), run);
                    group.into_iter().map(|runs| runs.into_iter().flat_map(names).collect()).collect()
                })
                .filter(|group: &Vec<Vec<Name>>| group.iter().any(|names| !names.is_empty()))
                .collect();
            let expected: Vec<Name> = groups.iter().flatten().flatten().cloned().collect();
            prop_assert_eq!(written(&groups), expected);
        }
    }
}
