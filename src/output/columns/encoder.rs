//! Batches as the bytes of a file or a stream.
//!
//! Three steps, of which the second is nearly all the work, and can be done on any thread: batches
//! are gathered to parts of the file, each part is encoded by itself, and the bytes are put one
//! after another.

use std::{mem, num::NonZeroUsize, ops::Range, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, make_array, types::Int32Type};
use arrow_data::transform::MutableArrayData;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, SchemaRef};

#[cfg(feature = "parquet")]
use super::parquet::{Chunk, ParquetFile, ROWS_PER_GROUP};
use super::{EncodeError, texts::join_names};
use crate::output::Format;

/// Encodes batches, in order: what it returns, one after another, is the file.
///
/// [`push`](Self::push) does that on the calling thread. With several threads,
/// [`gather`](Self::gather) turns batches into tasks, which any thread may [run](EncodeTask::run),
/// and [`append`](Self::append) takes what they return, in the order of the tasks. The file is the
/// same.
///
/// Batches are gathered to parts of bounded size, so memory does not grow with their number.
pub struct BatchEncoder {
    groups: Groups,
    schema: SchemaRef,
    file: EncodedFile,
}

enum EncodedFile {
    /// Writes the schema and the end of the stream; batches are encoded apart.
    Arrow(Box<StreamWriter<Vec<u8>>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFile>),
}

/// Rows that become a part of the file.
#[must_use]
pub struct EncodeTask {
    /// The number of the file, where there are several.
    pub(super) file: usize,
    encode: Box<dyn FnOnce() -> Result<Part, EncodeError> + Send>,
}

/// A part of the file, or why there is none.
#[must_use]
pub struct EncodedPart {
    pub(super) file: usize,
    part: Result<Part, EncodeError>,
}

enum Part {
    Arrow(Vec<u8>),
    #[cfg(feature = "parquet")]
    Parquet(Box<Chunk>),
}

impl EncodeTask {
    fn new(encode: impl FnOnce() -> Result<Part, EncodeError> + Send + 'static) -> Self {
        Self { file: 0, encode: Box::new(encode) }
    }

    /// Encodes the rows.
    pub fn run(self) -> EncodedPart {
        EncodedPart { file: self.file, part: (self.encode)() }
    }
}

impl BatchEncoder {
    /// An encoder of batches with this schema, which is part of the file with its metadata.
    ///
    /// # Errors
    ///
    /// If a type of the schema cannot be encoded. Those of a [`BatchLayout`](super::BatchLayout)
    /// can.
    ///
    /// # Panics
    ///
    /// If the columns of the format have no [types](Format::is_typed).
    pub fn new(format: Format, schema: &SchemaRef) -> Result<Self, EncodeError> {
        let (rows, file) = match format {
            Format::Arrow => {
                let writer = StreamWriter::try_new(Vec::new(), schema)?;
                (ROWS_PER_BATCH, EncodedFile::Arrow(Box::new(writer)))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                (ROWS_PER_GROUP, EncodedFile::Parquet(Box::new(ParquetFile::new(schema)?)))
            }
            text => panic!("{} has no batches", text.name()),
        };
        Ok(Self { groups: Groups::of_rows(rows), schema: Arc::clone(schema), file })
    }

    /// Sets the most rows of a group, which long texts end earlier. The rows of a group are held in
    /// memory until it is full.
    #[must_use]
    pub fn with_rows_per_group(self, rows: NonZeroUsize) -> Self {
        Self { groups: Groups::of_rows(rows.get()), ..self }
    }

    /// About the number of bytes of the rows that do not fill a group yet.
    pub(super) fn held(&self) -> usize {
        self.groups.pending.bytes
    }

    /// Takes a batch, and appends the bytes that are complete with it; none, for most.
    ///
    /// # Errors
    ///
    /// If the batch has another schema.
    pub fn push(&mut self, batch: &RecordBatch, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut tasks = Vec::new();
        self.gather(batch, &mut tasks)?;
        self.run_all(tasks, out)
    }

    /// Takes a batch, and adds the tasks that are complete with it; none, for most.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn gather(
        &mut self,
        batch: &RecordBatch,
        tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), EncodeError> {
        self.groups.push(batch).into_iter().try_for_each(|group| self.split(group, tasks))
    }

    /// Adds the last tasks, after the last batch.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn gather_rest(&mut self, tasks: &mut Vec<EncodeTask>) -> Result<(), EncodeError> {
        self.groups.finish().map_or(Ok(()), |group| self.split(group, tasks))
    }

    /// Joins the batches that are held, if they are many and small: each takes room of its own.
    pub(super) fn join_small(&mut self) -> Result<(), EncodeError> {
        let held = &mut self.groups.pending;
        if held.batches.len() < MANY || held.bytes > MANY * SMALL {
            return Ok(());
        }
        let batches = mem::take(held).batches;
        held.push(join_batches(&self.schema, batches)?);
        Ok(())
    }

    /// Takes what the next task has returned, and appends the bytes that are complete with it.
    ///
    /// # Errors
    ///
    /// That of the task.
    pub fn append(&mut self, part: EncodedPart, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match (&mut self.file, part.part?) {
            (EncodedFile::Arrow(writer), Part::Arrow(mut batch)) => {
                // The schema, if this is the first batch.
                move_bytes(writer.get_mut(), out);
                move_bytes(&mut batch, out);
            }
            #[cfg(feature = "parquet")]
            (EncodedFile::Parquet(file), Part::Parquet(chunk)) => file.append(*chunk, out)?,
            #[cfg(feature = "parquet")]
            _ => unreachable!("a part is appended to the file whose task it was"),
        }
        Ok(())
    }

    /// The last bytes. Rows that [`gather_rest`](Self::gather_rest) was not called for are encoded.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn finish(mut self) -> Result<Vec<u8>, EncodeError> {
        let (mut tasks, mut out) = (Vec::new(), Vec::new());
        self.gather_rest(&mut tasks)?;
        self.run_all(tasks, &mut out)?;
        out.append(&mut match self.file {
            EncodedFile::Arrow(writer) => writer.into_inner()?,
            #[cfg(feature = "parquet")]
            EncodedFile::Parquet(file) => file.finish()?,
        });
        Ok(out)
    }

    fn run_all(&mut self, tasks: Vec<EncodeTask>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        tasks.into_iter().try_for_each(|task| self.append(task.run(), out))
    }

    /// Adds the tasks of a group.
    fn split(&mut self, group: Group, tasks: &mut Vec<EncodeTask>) -> Result<(), EncodeError> {
        let columns = group.into_columns();
        match &mut self.file {
            EncodedFile::Arrow(_) => {
                let schema = Arc::clone(&self.schema);
                let encode = move || encode_batch(&schema, columns).map(Part::Arrow);
                tasks.push(EncodeTask::new(encode));
            }
            #[cfg(feature = "parquet")]
            EncodedFile::Parquet(file) => {
                for task in file.tasks(columns) {
                    let encode = || task.run().map(|chunk| Part::Parquet(Box::new(chunk)));
                    tasks.push(EncodeTask::new(encode));
                }
            }
        }
        Ok(())
    }
}

/// A group has no more rows than are wanted, and not much more than this number of bytes for each
/// of them, or for those of a short group, so that long texts do not add up. Some groups are
/// encoded while the next is gathered.
pub(super) const BYTES_PER_ROW: usize = 1 << 8;
const MIN_ROWS: usize = 1 << 16;

/// Batches are joined once there are this many, if they have no more bytes than this on average.
const MANY: usize = 64;
const SMALL: usize = 1 << 14;

/// Batches that do not fill a group yet.
pub(super) struct Groups {
    max_rows: usize,
    max_bytes: usize,
    pending: Group,
}

/// Rows that are encoded together.
#[derive(Default)]
pub(super) struct Group {
    pub(super) batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Groups {
    /// Groups with this number of rows.
    pub(super) fn of_rows(max_rows: usize) -> Self {
        let max_bytes = BYTES_PER_ROW.saturating_mul(max_rows.max(MIN_ROWS));
        Self { max_rows, max_bytes, pending: Group::default() }
    }

    /// Adds a batch, and returns the groups that are full with it.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Vec<Group> {
        let mut full = Vec::new();
        let mut start = 0;
        while start < batch.num_rows() {
            let count = (batch.num_rows() - start).min(self.max_rows - self.pending.rows);
            let is_whole = count == batch.num_rows();
            self.pending.push(if is_whole { batch.clone() } else { batch.slice(start, count) });
            start += count;
            if self.pending.rows == self.max_rows || self.pending.bytes >= self.max_bytes {
                full.push(mem::take(&mut self.pending));
            }
        }
        full
    }

    /// The last rows, if there are any.
    pub(super) fn finish(&mut self) -> Option<Group> {
        let last = mem::take(&mut self.pending);
        (last.rows > 0).then_some(last)
    }
}

impl Group {
    fn push(&mut self, batch: RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += batch.columns().iter().map(byte_count).sum::<usize>();
        self.batches.push(batch);
    }

    /// The arrays of each column.
    fn into_columns(self) -> Vec<Vec<ArrayRef>> {
        let count = self.batches.first().map_or(0, RecordBatch::num_columns);
        (0..count)
            .map(|at| self.batches.iter().map(|batch| batch.column(at).clone()).collect())
            .collect()
    }
}

/// About the number of bytes that an array takes in memory, without the names of a dictionary: they
/// are few, and arrays of many batches may share them.
fn byte_count(array: &ArrayRef) -> usize {
    match array.as_dictionary_opt::<Int32Type>() {
        Some(names) => names.keys().get_array_memory_size(),
        None => array.get_array_memory_size(),
    }
}

/// A batch of the stream is that large, so that a reader at the other end of a pipe need not wait
/// long, and has work for a while.
const ROWS_PER_BATCH: usize = 1 << 13;

/// Room for the headers of a batch and of its dictionaries, which are much shorter.
const HEADERS: usize = 1 << 14;

/// The bytes of a batch with these columns, each of which is in several arrays, with all its
/// dictionaries: it does not know those of others.
fn encode_batch(schema: &SchemaRef, columns: Vec<Vec<ArrayRef>>) -> Result<Vec<u8>, EncodeError> {
    let batch = join_columns(schema, columns)?;
    let mut writer = StreamWriter::try_new(Vec::new(), schema)?;
    // It begins with the schema, which the stream has said.
    let bytes = writer.get_mut();
    bytes.clear();
    bytes.reserve(batch.get_array_memory_size() + HEADERS);
    writer.write(&batch)?;
    Ok(mem::take(writer.get_mut()))
}

/// Batches of one schema as one, in which a column of names has a single dictionary.
///
/// # Errors
///
/// If a batch has another schema.
pub fn join_batches(
    schema: &SchemaRef,
    batches: Vec<RecordBatch>,
) -> Result<RecordBatch, EncodeError> {
    join_columns(schema, Group { batches, ..Group::default() }.into_columns())
}

/// The rows of columns, each of which is in several arrays.
fn join_columns(
    schema: &SchemaRef,
    columns: Vec<Vec<ArrayRef>>,
) -> Result<RecordBatch, EncodeError> {
    let joined = columns.into_iter().map(|arrays| join(&arrays));
    let joined = joined.collect::<Result<_, _>>()?;
    Ok(RecordBatch::try_new(Arc::clone(schema), joined)?)
}

/// Appends bytes, and takes over their memory, if they are appended to nothing.
fn move_bytes(from: &mut Vec<u8>, to: &mut Vec<u8>) {
    match to.is_empty() {
        true => mem::swap(from, to),
        false => to.append(from),
    }
}

/// Several arrays as one.
fn join(arrays: &[ArrayRef]) -> Result<ArrayRef, ArrowError> {
    match arrays {
        [first, ..] if matches!(first.data_type(), DataType::Dictionary(..)) => {
            Ok(Arc::new(join_names(arrays)?))
        }
        [array] => Ok(Arc::clone(array)),
        _ => gather(arrays, arrays.iter().map(|array| 0..array.len()).enumerate()),
    }
}

/// Rows of arrays of one type as one array: the index of the array for each range of rows.
/// `arrow-select` does this too, with half a megabyte of code for types that no column has.
pub(super) fn gather(
    arrays: &[ArrayRef],
    rows: impl Iterator<Item = (usize, Range<usize>)> + Clone,
) -> Result<ArrayRef, ArrowError> {
    if !arrays.windows(2).all(|pair| pair[0].data_type() == pair[1].data_type()) {
        return Err(ArrowError::SchemaError("arrays of several types in one column".to_owned()));
    }
    let arrays: Vec<_> = arrays.iter().map(Array::to_data).collect();
    let count = rows.clone().map(|(_, rows)| rows.len()).sum();
    let mut gathered = MutableArrayData::new(arrays.iter().collect(), false, count);
    for (at, rows) in rows {
        gathered.try_extend(at, rows.start, rows.end)?;
    }
    Ok(make_array(gathered.freeze()))
}

#[cfg(test)]
mod tests {
    use arrow_array::{Int32Array, StringArray};

    use super::*;
    use crate::output::{ColumnSet, ColumnType, Value, Width, columns::BatchLayout};

    type Columns = ColumnSet<for<'r> fn(&'r u64) -> Value<'r>>;

    fn layout() -> BatchLayout<for<'r> fn(&'r u64) -> Value<'r>> {
        BatchLayout::new(
            Columns::new()
                .with("game", Width::Number, |row| Value::Number(*row))
                .with("text", Width::Share(1), |row| Value::text((row % 700).to_string()))
                .with("unique", Width::Share(1), |row| Value::text(row.to_string()))
                .with("name", Width::Share(1), |row| {
                    if row % 5 == 0 { Value::None } else { Value::text((row % 9).to_string()) }
                })
                .of(ColumnType::Name)
                .with("date", Width::Date, |row| Value::text(format!("19{:02}.??.??", row % 80)))
                .with("is_even", Width::AtMost(5), |row| (row % 2 == 0).into())
                .of(ColumnType::Bool),
        )
    }

    fn formats() -> Vec<Format> {
        vec![
            Format::Arrow,
            #[cfg(feature = "parquet")]
            Format::Parquet,
        ]
    }

    #[test]
    fn a_file_has_the_same_bytes_whoever_runs_its_tasks_and_when() {
        let layout = layout();
        let batches: Vec<RecordBatch> = (0..150_u64)
            .map(|block| {
                let mut rows = layout.builder(0);
                (0..1000).for_each(|row| layout.write(&(1000 * block + row), &mut rows));
                rows.finish()
            })
            .collect();
        for format in formats() {
            let mut plain = BatchEncoder::new(format, &layout.schema()).unwrap();
            let mut expected = Vec::new();
            batches.iter().for_each(|batch| plain.push(batch, &mut expected).unwrap());
            expected.append(&mut plain.finish().unwrap());

            let mut encoder = BatchEncoder::new(format, &layout.schema()).unwrap();
            let (mut tasks, mut found) = (Vec::new(), Vec::new());
            batches.iter().for_each(|batch| encoder.gather(batch, &mut tasks).unwrap());
            encoder.gather_rest(&mut tasks).unwrap();
            // The last one first.
            let mut parts: Vec<EncodedPart> =
                tasks.into_iter().rev().map(EncodeTask::run).collect();
            while let Some(part) = parts.pop() {
                encoder.append(part, &mut found).unwrap();
            }
            found.append(&mut encoder.finish().unwrap());
            assert!(found == expected, "{format:?}: other bytes");
            assert!(found.len() > 50_000, "{format:?}: {} bytes", found.len());
        }
    }

    /// A batch of texts that are as long.
    fn batch(lengths: &[usize]) -> RecordBatch {
        let texts = lengths.iter().map(|length| "x".repeat(*length));
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
        RecordBatch::try_from_iter([("text", texts)]).unwrap()
    }

    #[test]
    fn batches_of_two_schemas_are_not_joined() {
        let texts = batch(&[1]);
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        let numbers = RecordBatch::try_from_iter([("text", numbers)]).unwrap();
        assert!(join_batches(&texts.schema(), vec![texts.clone(), numbers]).is_err());
        let twice = join_batches(&texts.schema(), vec![texts.clone(), texts]).unwrap();
        assert_eq!(twice.num_rows(), 2);
    }

    #[test]
    fn a_group_has_as_many_rows_as_it_may_and_long_texts_end_it() {
        let mut groups = Groups { max_bytes: 100_000, ..Groups::of_rows(10) };
        let mut rows = Vec::new();
        // What is measured is the memory of a batch, which has some bytes besides its text.
        for lengths in [&[1; 3][..], &[1; 25], &[], &[120_000], &[1; 4], &[60_000], &[60_000], &[1]]
        {
            rows.extend(groups.push(&batch(lengths)).into_iter().map(|group| group.rows));
        }
        let last = groups.finish().unwrap();
        assert_eq!((rows, last.rows), (vec![10, 10, 9, 6], 1));
        assert_eq!(last.into_columns().len(), 1);
        assert!(groups.finish().is_none());
    }
}
