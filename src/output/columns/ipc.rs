//! An Arrow IPC stream.

use std::{fmt, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::concat::concat;

use super::{error::EncodeError, names::join_names};

/// A batch of the stream is that large, so that a reader at the other end of a pipe need not wait
/// long, and has work for a while.
pub(super) const ROWS_PER_BATCH: usize = 1 << 13;

/// Room for the headers of a batch and of its dictionaries, which are much shorter.
const HEADERS: usize = 1 << 14;

/// A stream that is written.
pub(super) struct IpcStream {
    schema: SchemaRef,
    /// Has the schema, until the first batch is appended, and ends the stream.
    writer: StreamWriter<Vec<u8>>,
}

/// A batch to be encoded.
pub(super) struct BatchTask {
    schema: SchemaRef,
    /// Each in several arrays.
    columns: Vec<Vec<ArrayRef>>,
}

impl fmt::Debug for IpcStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcStream").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl IpcStream {
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, EncodeError> {
        Ok(Self { schema: Arc::clone(schema), writer: StreamWriter::try_new(Vec::new(), schema)? })
    }

    /// The task of a batch with these columns, each of which is in several arrays.
    pub(super) fn task(&self, columns: Vec<Vec<ArrayRef>>) -> BatchTask {
        BatchTask { schema: Arc::clone(&self.schema), columns }
    }

    /// Appends an encoded batch, after the schema if it is the first.
    pub(super) fn append(&mut self, mut batch: Vec<u8>, out: &mut Vec<u8>) {
        move_bytes(self.writer.get_mut(), out);
        move_bytes(&mut batch, out);
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, EncodeError> {
        Ok(self.writer.into_inner()?)
    }
}

impl BatchTask {
    /// The bytes of the batch, with all its dictionaries: it does not know those of others.
    pub(super) fn run(self) -> Result<Vec<u8>, EncodeError> {
        let joined = self.columns.into_iter().map(|arrays| join(&arrays));
        let joined = joined.collect::<Result<_, _>>()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), joined)?;
        let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
        // It begins with the schema, which the stream has said.
        let bytes = writer.get_mut();
        bytes.clear();
        bytes.reserve(batch.get_array_memory_size() + HEADERS);
        writer.write(&batch)?;
        Ok(std::mem::take(writer.get_mut()))
    }
}

/// Appends bytes, and takes over their memory, if they are appended to nothing.
fn move_bytes(from: &mut Vec<u8>, to: &mut Vec<u8>) {
    match to.is_empty() {
        true => std::mem::swap(from, to),
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
        _ => concat(&arrays.iter().map(|array| array.as_ref() as &dyn Array).collect::<Vec<_>>()),
    }
}
