//! An Arrow IPC stream.

use std::{fmt, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, types::Int32Type};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::concat::concat;

use super::{error::EncodeError, texts::NameBuilder};
use crate::pipeline::{Workers, run};

/// A batch of the stream is that large, so that a reader at the other end of a pipe need not wait
/// long, and has work for a while.
pub(super) const ROWS_PER_BATCH: usize = 1 << 14;

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

    /// The bytes of a batch with these columns, each of which is in several arrays.
    pub(super) fn encode(
        &mut self,
        columns: Vec<Vec<ArrayRef>>,
        workers: &Workers,
    ) -> Result<Vec<u8>, EncodeError> {
        let mut joined = Vec::with_capacity(columns.len());
        run(
            workers,
            |push| columns.into_iter().try_for_each(push),
            |arrays: Vec<ArrayRef>| join(&arrays),
            |array: Result<ArrayRef, ArrowError>| {
                joined.push(array?);
                Ok::<(), ArrowError>(())
            },
        )?;
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), joined)?)?;
        Ok(std::mem::take(self.writer.get_mut()))
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
            join_dictionaries(arrays)
        }
        _ => concat(&arrays.iter().map(|array| array.as_ref() as &dyn Array).collect::<Vec<_>>()),
    }
}

/// Several arrays with a dictionary each as one, whose dictionary has each name once: readers such
/// as pandas need that, and [`concat`] does not promise it.
fn join_dictionaries(arrays: &[ArrayRef]) -> Result<ArrayRef, ArrowError> {
    let mut joined = NameBuilder::new(ROWS_PER_BATCH, 0);
    for array in arrays {
        let rows = array.as_dictionary::<Int32Type>();
        let names = rows.values().as_string_opt().ok_or_else(|| {
            ArrowError::InvalidArgumentError("a dictionary of something but text".to_owned())
        })?;
        joined.extend(rows, names);
    }
    Ok(Arc::new(joined.finish()))
}
