//! A Parquet file.
//!
//! Columns of names are written here: the names, each once, and for each row the number of its
//! name. Arrays of names have their dictionary already. The writer of `parquet` does not use it,
//! but hashes the name of each row to make its own.
//!
//! Such a column is two pages. The first has the names. The second has, in the words of the format,
//! the definition levels, which say whether a row has a name, and the numbers of the names that
//! there are, both in its hybrid of runs and packed bits.
//!
//! These pages have a budget: without them, rows as Parquet take 12 % more instructions (`valgrind
//! --tool=callgrind eco classify -j 1 -f parquet`, with and without the names of
//! `ColumnTask::run`; 2026-11). Where the writer of `parquet` comes within 5 %, they go.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray, cast::AsArray};
use arrow_schema::{DataType, FieldRef, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, EncodingMask, PageType, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, PageEncodingStats};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath};
use parquet::{arrow::ArrowWriter, column::writer::ColumnCloseResult};
use parquet::{data_type::ByteArray, errors::ParquetError};
use zstd::bulk::Compressor;

use super::EncodeError;
use super::texts::{join_names, names_of_texts};

/// A row group is that large, or smaller where texts are long: readers divide their work by groups.
pub(super) const ROWS_PER_GROUP: usize = 1 << 16;

/// A file that is written.
pub(super) struct ParquetFile {
    schema: SchemaRef,
    writer: SerializedFileWriter<Vec<u8>>,
    columns: ArrowRowGroupWriterFactory,
    /// The number of row groups whose columns have been asked for.
    groups: usize,
    /// The first columns of the next row group.
    chunks: Vec<Chunk>,
}

/// A column of a row group, to be encoded.
pub(super) struct ColumnTask {
    field: FieldRef,
    descriptor: ColumnDescPtr,
    /// What encodes it, unless its texts repeat.
    writer: ArrowColumnWriter,
    arrays: Vec<ArrayRef>,
}

/// A column of a row group, encoded.
pub(super) enum Chunk {
    Names(Bytes, ColumnCloseResult),
    Other(ArrowColumnChunk),
}

impl From<ParquetError> for EncodeError {
    fn from(error: ParquetError) -> Self {
        Self(error.into())
    }
}

impl ParquetFile {
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, EncodeError> {
        let writer =
            ArrowWriter::try_new(Vec::new(), Arc::clone(schema), Some(properties(schema)))?;
        let (writer, columns) = writer.into_serialized_writer()?;
        Ok(Self { schema: Arc::clone(schema), writer, columns, groups: 0, chunks: Vec::new() })
    }

    /// The tasks of a row group with these columns, each of which is in several arrays.
    pub(super) fn tasks(
        &mut self,
        columns: Vec<Vec<ArrayRef>>,
    ) -> Result<Vec<ColumnTask>, EncodeError> {
        let writers = self.columns.create_column_writers(self.groups)?;
        self.groups += 1;
        // Each field is a column of its own: there are no structs.
        let descriptors = self.writer.schema_descr().columns();
        let fields = self.schema.fields().iter().zip(descriptors);
        let tasks = fields.zip(writers).zip(columns);
        let task = |(((field, descriptor), writer), arrays): (((&FieldRef, &_), _), _)| {
            let (field, descriptor) = (Arc::clone(field), Arc::clone(descriptor));
            ColumnTask { field, descriptor, writer, arrays }
        };
        Ok(tasks.map(task).collect())
    }

    /// Takes the next column of a row group, and appends the group if that was its last.
    pub(super) fn append(&mut self, chunk: Chunk, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.chunks.push(chunk);
        if self.chunks.len() < self.schema.fields().len() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for chunk in self.chunks.drain(..) {
            match chunk {
                Chunk::Names(bytes, close) => group.append_column(&bytes, close)?,
                Chunk::Other(chunk) => chunk.append_to_row_group(&mut group)?,
            }
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
    pub(super) fn run(mut self) -> Result<Chunk, EncodeError> {
        let names = match self.field.data_type() {
            DataType::Dictionary(..) => Some(join_names(&self.arrays)?),
            DataType::Utf8 => names_of_texts(&self.arrays),
            _ => None,
        };
        if let Some(names) = names {
            return Ok(Chunk::of_names(&self.descriptor, &names)?);
        }
        for array in &self.arrays {
            for leaf in compute_leaves(&self.field, array)? {
                self.writer.write(&leaf)?;
            }
        }
        Ok(Chunk::Other(self.writer.close()?))
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
        .set_key_value_metadata(Some(metadata.collect()))
        .build()
}

impl Chunk {
    /// Encodes the names of all rows of a group.
    fn of_names(
        column: &ColumnDescPtr,
        rows: &DictionaryArray<Int32Type>,
    ) -> Result<Self, ParquetError> {
        let names = rows.values().as_string();
        let mut out = TrackedWrite::new(Vec::new());
        let level = ZstdLevel::default();
        let mut compressor = Compressor::new(level.compression_level())?;
        let mut write = |page: &[u8], wrap: fn(Bytes, u32) -> Page, count: usize| {
            let compressed = compressor.compress(page)?;
            let wrapped = wrap(compressed.into(), count.try_into()?);
            let wrapped = CompressedPage::new(wrapped, page.len());
            SerializedPageWriter::new(&mut out).write_page(wrapped)
        };
        let first = write(&plain(names), names_page, names.len())?;
        let second = write(&numbered(rows.keys(), names.len()), rows_page, rows.len())?;
        let metadata = ColumnChunkMetaData::builder(ColumnDescPtr::clone(column))
            .set_compression(Compression::ZSTD(level))
            .set_encodings_mask(EncodingMask::new_from_encodings(ENCODINGS.iter()))
            .set_page_encoding_stats(page_encodings())
            .set_num_values(rows.len().try_into()?)
            .set_statistics(statistics(rows, names))
            .set_total_compressed_size((first.compressed_size + second.compressed_size).try_into()?)
            .set_total_uncompressed_size(
                (first.uncompressed_size + second.uncompressed_size).try_into()?,
            )
            .set_dictionary_page_offset(Some(first.offset.try_into()?))
            .set_data_page_offset(second.offset.try_into()?)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: first.bytes_written + second.bytes_written,
            rows_written: rows.len() as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(Self::Names(out.into_inner()?.into(), close))
    }
}

/// The first and the last name, and how many rows have none. There are few names.
fn statistics(rows: &DictionaryArray<Int32Type>, names: &StringArray) -> Statistics {
    let name = |name: Option<&str>| name.map(ByteArray::from);
    let [first, last] = [names.iter().flatten().min(), names.iter().flatten().max()].map(name);
    Statistics::byte_array(first, last, None, Some(rows.null_count() as u64), false)
}

const ENCODINGS: [Encoding; 3] = [Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY];

fn page_encodings() -> Vec<PageEncodingStats> {
    let page = |page_type, encoding| PageEncodingStats { page_type, encoding, count: 1 };
    vec![
        page(PageType::DICTIONARY_PAGE, Encoding::PLAIN),
        page(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY),
    ]
}

fn names_page(buf: Bytes, num_values: u32) -> Page {
    Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false }
}

fn rows_page(buf: Bytes, num_values: u32) -> Page {
    Page::DataPage {
        buf,
        num_values,
        encoding: Encoding::RLE_DICTIONARY,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    }
}

/// Names, each after its length.
fn plain(names: &StringArray) -> Vec<u8> {
    let mut page = Vec::with_capacity(names.value_data().len() + 4 * names.len());
    for name in names.iter().flatten() {
        page.extend_from_slice(&(name.len() as u32).to_le_bytes());
        page.extend_from_slice(name.as_bytes());
    }
    page
}

/// The definition levels of the rows after their length, the width of the numbers, the numbers.
fn numbered(rows: &Int32Array, names: usize) -> Vec<u8> {
    let mut page = vec![0; size_of::<u32>()];
    let width = usize::BITS - names.saturating_sub(1).leading_zeros();
    match rows.nulls() {
        None => {
            write_run(rows.len(), 1, 1, &mut page);
            end_levels(&mut page);
            write_numbers(width, rows.values(), &mut page);
        }
        Some(nulls) => {
            let levels: Vec<i32> = nulls.iter().map(i32::from).collect();
            write_hybrid(1, &levels, &mut page);
            end_levels(&mut page);
            let named: Vec<i32> = rows.iter().flatten().collect();
            write_numbers(width, &named, &mut page);
        }
    }
    page
}

/// Writes the length of the levels before them.
fn end_levels(page: &mut [u8]) {
    let (length, levels) = page.split_at_mut(size_of::<u32>());
    length.copy_from_slice(&(levels.len() as u32).to_le_bytes());
}

fn write_numbers(width: u32, numbers: &[i32], page: &mut Vec<u8>) {
    page.push(width as u8);
    write_hybrid(width, numbers, page);
}

/// The number of values that are packed together. Fewer equal values are not a run.
const GROUP: usize = 8;

/// Writes values of as many bits each: those that repeat as runs, what is between them packed.
fn write_hybrid(width: u32, values: &[i32], page: &mut Vec<u8>) {
    // What begins at `packed` is to be packed up to `at`, in whole groups.
    let (mut packed, mut at) = (0, 0);
    while at < values.len() {
        let rest = &values[at..];
        let run = rest.iter().take_while(|value| **value == rest[0]).count();
        if run < GROUP {
            at += GROUP.min(rest.len());
            continue;
        }
        write_packed(width, &values[packed..at], page);
        write_run(run, rest[0], width, page);
        at += run;
        packed = at;
    }
    write_packed(width, &values[packed..], page);
}

/// Writes a run of a value.
fn write_run(count: usize, value: i32, width: u32, page: &mut Vec<u8>) {
    write_varint(count << 1, page);
    page.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Writes values in groups, unless there are none; the last group is filled with zeros.
fn write_packed(width: u32, values: &[i32], page: &mut Vec<u8>) {
    let groups = values.len().div_ceil(GROUP);
    if groups == 0 {
        return;
    }
    write_varint(groups << 1 | 1, page);
    let end = page.len() + groups * width as usize;
    page.reserve(end - page.len() + size_of::<u32>());
    let (mut bits, mut filled) = (0_u64, 0);
    for value in values {
        bits |= u64::from(*value as u32) << filled;
        filled += width;
        if filled >= u32::BITS {
            page.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= u32::BITS;
            filled -= u32::BITS;
        }
    }
    page.extend_from_slice(&(bits as u32).to_le_bytes());
    page.resize(end, 0);
}

/// Writes seven bits a byte, the lowest first; the highest bit says whether others follow.
fn write_varint(mut number: usize, page: &mut Vec<u8>) {
    while number > 0x7f {
        page.push(number as u8 | 0x80);
        number >>= 7;
    }
    page.push(number as u8);
}

#[cfg(test)]
mod tests {
    use arrow_array::RecordBatch;
    use arrow_schema::{Field, Schema};
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
            for task in parquet.tasks(columns).unwrap() {
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
