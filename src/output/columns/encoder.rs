//! Batches as the bytes of a file or a stream.
//!
//! Three steps, of which the second is nearly all the work, and can be done on any thread: batches
//! are gathered to parts of the file, each part is encoded by itself, and the bytes are put one
//! after another.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

#[cfg(feature = "parquet")]
use super::parquet::{Chunk, ColumnTask, ParquetFile, ROWS_PER_GROUP};
use super::{
    error::EncodeError,
    groups::{Group, Groups},
    ipc::{BatchTask, IpcStream, ROWS_PER_BATCH},
};

/// What batches are encoded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchFormat {
    /// An Arrow IPC stream, not compressed.
    Arrow,
    /// A Parquet file, compressed with zstd.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Encodes batches, in order: what it returns, one after another, is the file.
///
/// [`push`](Self::push) does that on the calling thread. With several threads,
/// [`gather`](Self::gather) turns batches into tasks, which any thread may [run](EncodeTask::run),
/// and [`append`](Self::append) takes what becomes of them, in the order of the tasks. The file is
/// the same.
///
/// Batches are gathered to parts of bounded size, so memory does not grow with their number.
#[derive(Debug)]
pub struct BatchEncoder {
    groups: Groups,
    file: EncodedFile,
}

#[derive(Debug)]
enum EncodedFile {
    Arrow(Box<IpcStream>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFile>),
}

/// Rows that become a part of the file.
#[must_use]
pub struct EncodeTask(Task);

enum Task {
    Arrow(BatchTask),
    #[cfg(feature = "parquet")]
    Parquet(Box<ColumnTask>),
}

/// A part of the file, or why there is none.
#[must_use]
pub struct EncodedPart(Result<Part, EncodeError>);

enum Part {
    Arrow(Vec<u8>),
    #[cfg(feature = "parquet")]
    Parquet(Box<Chunk>),
}

impl EncodeTask {
    /// Encodes the rows.
    pub fn run(self) -> EncodedPart {
        EncodedPart(match self.0 {
            Task::Arrow(task) => task.run().map(Part::Arrow),
            #[cfg(feature = "parquet")]
            Task::Parquet(task) => task.run().map(|chunk| Part::Parquet(Box::new(chunk))),
        })
    }
}

impl BatchEncoder {
    /// An encoder of batches with this schema, which is part of the file with its metadata.
    ///
    /// # Errors
    ///
    /// If a type of the schema cannot be encoded. Those of a [`BatchLayout`](super::BatchLayout)
    /// can.
    pub fn new(format: BatchFormat, schema: &SchemaRef) -> Result<Self, EncodeError> {
        let (rows, file) = match format {
            BatchFormat::Arrow => {
                (ROWS_PER_BATCH, EncodedFile::Arrow(Box::new(IpcStream::new(schema)?)))
            }
            #[cfg(feature = "parquet")]
            BatchFormat::Parquet => {
                (ROWS_PER_GROUP, EncodedFile::Parquet(Box::new(ParquetFile::new(schema)?)))
            }
        };
        Ok(Self { groups: Groups::of_rows(rows), file })
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
        self.groups.push(batch).into_iter().try_for_each(|group| self.file.split(group, tasks))
    }

    /// Adds the last tasks, after the last batch.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn gather_rest(&mut self, tasks: &mut Vec<EncodeTask>) -> Result<(), EncodeError> {
        self.groups.finish().map_or(Ok(()), |group| self.file.split(group, tasks))
    }

    /// Takes what became of the next task, and appends the bytes that are complete with it.
    ///
    /// # Errors
    ///
    /// That of the task.
    pub fn append(&mut self, part: EncodedPart, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match (&mut self.file, part.0?) {
            (EncodedFile::Arrow(stream), Part::Arrow(batch)) => stream.append(batch, out),
            #[cfg(feature = "parquet")]
            (EncodedFile::Parquet(file), Part::Parquet(chunk)) => file.append(*chunk, out)?,
            #[cfg(feature = "parquet")]
            _ => unreachable!("a part is appended to the file whose task it was"),
        }
        Ok(())
    }

    /// The last bytes. What [`gather_rest`](Self::gather_rest) adds is encoded, if nobody asked for
    /// it.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn finish(mut self) -> Result<Vec<u8>, EncodeError> {
        let (mut tasks, mut out) = (Vec::new(), Vec::new());
        self.gather_rest(&mut tasks)?;
        self.run_all(tasks, &mut out)?;
        out.append(&mut match self.file {
            EncodedFile::Arrow(stream) => stream.finish()?,
            #[cfg(feature = "parquet")]
            EncodedFile::Parquet(file) => file.finish()?,
        });
        Ok(out)
    }

    fn run_all(&mut self, tasks: Vec<EncodeTask>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        tasks.into_iter().try_for_each(|task| self.append(task.run(), out))
    }
}

impl EncodedFile {
    /// The tasks of a group.
    fn split(&mut self, group: Group, tasks: &mut Vec<EncodeTask>) -> Result<(), EncodeError> {
        match self {
            Self::Arrow(stream) => {
                let task = stream.task(group.into_columns());
                tasks.push(EncodeTask(Task::Arrow(task)));
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => {
                let columns = file.tasks(group.into_columns())?.into_iter();
                tasks.extend(columns.map(|task| EncodeTask(Task::Parquet(Box::new(task)))));
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for EncodeTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EncodeTask").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for EncodedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EncodedPart").field("is_ok", &self.0.is_ok()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
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

    fn formats() -> Vec<BatchFormat> {
        vec![
            BatchFormat::Arrow,
            #[cfg(feature = "parquet")]
            BatchFormat::Parquet,
        ]
    }

    #[test]
    fn a_file_has_the_same_bytes_whoever_runs_its_tasks_and_when() {
        let layout = layout();
        let batches: Vec<RecordBatch> = (0..150_u64)
            .map(|block| {
                let mut rows = layout.builder();
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
}
