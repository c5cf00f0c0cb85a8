//! An Arrow IPC stream.

use std::{fmt, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::concat::concat;

use super::{error::EncodeError, names::join_names};
use crate::pipeline::Workers;

/// A batch of the stream is that large, so that a reader at the other end of a pipe need not wait
/// long, and has work for a while.
/// The threads have to do while one is put together and written.
pub(super) const ROWS_PER_BATCH: usize = 1 << 13;

/// Room for the headers of a batch and of its dictionaries, which are much shorter.
const HEADERS: usize = 1 << 14;

/// A stream that is written.
pub(super) struct IpcStream {
    schema: SchemaRef,
    writer: StreamWriter<Vec<u8>>,
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

    /// The bytes of a batch with these columns, each of which is in several arrays. The caller
    /// takes them, and leaves an empty list.
    pub(super) fn encode(
        &mut self,
        columns: Vec<Vec<ArrayRef>>,
        workers: &Workers,
    ) -> Result<&mut Vec<u8>, EncodeError> {
        let joined = workers.map(columns, |arrays: Vec<ArrayRef>| join(&arrays));
        let joined = joined.into_iter().collect::<Result<_, _>>()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), joined)?;
        self.writer.get_mut().reserve(batch.get_array_memory_size() + HEADERS);
        self.writer.write(&batch)?;
        Ok(self.writer.get_mut())
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, EncodeError> {
        Ok(self.writer.into_inner()?)
    }
}

/// Several arrays as one.
fn join(arrays: &[ArrayRef]) -> Result<ArrayRef, ArrowError> {
    match arrays {
        [array] => Ok(Arc::clone(array)),
        [first, ..] if matches!(first.data_type(), DataType::Dictionary(..)) => {
            Ok(Arc::new(join_names(arrays)?))
        }
        _ => concat(&arrays.iter().map(|array| array.as_ref() as &dyn Array).collect::<Vec<_>>()),
    }
}
