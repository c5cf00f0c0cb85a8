//! Batches as the bytes of a file or a stream.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::{
    error::EncodeError,
    groups::{Group, Groups},
    ipc::IpcStream,
};
use crate::pipeline::Workers;

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
/// Batches are gathered to groups of bounded size, so memory does not grow with their number. The
/// columns of a group are encoded in parallel, on the workers.
#[derive(Debug)]
pub struct BatchEncoder {
    groups: Groups,
    encoding: Encoding,
    workers: Workers,
}

#[derive(Debug)]
enum Encoding {
    Arrow(Box<IpcStream>),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::parquet::ParquetFile>),
}

impl BatchEncoder {
    /// An encoder of batches with this schema, which is part of the file with its metadata.
    ///
    /// # Errors
    ///
    /// If a type of the schema cannot be encoded. Those of a [`BatchLayout`](super::BatchLayout)
    /// can.
    pub fn new(
        format: BatchFormat,
        schema: &SchemaRef,
        workers: &Workers,
    ) -> Result<Self, EncodeError> {
        let (rows, encoding) = match format {
            BatchFormat::Arrow => {
                (super::ipc::ROWS_PER_BATCH, Encoding::Arrow(Box::new(IpcStream::new(schema)?)))
            }
            #[cfg(feature = "parquet")]
            BatchFormat::Parquet => {
                let file = super::parquet::ParquetFile::new(schema)?;
                (super::parquet::ROWS_AT_ONCE, Encoding::Parquet(Box::new(file)))
            }
        };
        Ok(Self { groups: Groups::of_rows(rows), encoding, workers: workers.clone() })
    }

    /// Takes a batch, and appends the bytes that are complete with it; none, for most.
    ///
    /// Clear `out` and hand it in again: then the memory of a group, which is megabytes, is used
    /// again, and no fresh pages are asked for.
    ///
    /// # Errors
    ///
    /// If the batch has another schema.
    pub fn push(&mut self, batch: &RecordBatch, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        for group in self.groups.push(batch) {
            self.encoding.encode(group, &self.workers, out)?;
        }
        Ok(())
    }

    /// The last bytes.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn finish(mut self) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::new();
        if let Some(group) = self.groups.finish() {
            self.encoding.encode(group, &self.workers, &mut bytes)?;
        }
        bytes.append(&mut match self.encoding {
            Encoding::Arrow(stream) => stream.finish()?,
            #[cfg(feature = "parquet")]
            Encoding::Parquet(file) => file.finish(&self.workers)?,
        });
        Ok(bytes)
    }
}

impl Encoding {
    fn encode(
        &mut self,
        group: Group,
        workers: &Workers,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let written = match self {
            Self::Arrow(stream) => stream.encode(group.into_columns(), workers)?,
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.encode(group, workers)?,
        };
        move_bytes(written, out);
        Ok(())
    }
}

/// Appends bytes, and takes over the memory of what they are appended to, if that is empty.
fn move_bytes(from: &mut Vec<u8>, to: &mut Vec<u8>) {
    match to.is_empty() {
        true => std::mem::swap(from, to),
        false => to.append(from),
    }
}
