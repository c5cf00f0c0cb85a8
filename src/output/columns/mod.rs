//! Rows as typed columns: Arrow record batches, and the files and streams that are made of them.
//!
//! A [`BatchLayout`] knows the columns of rows of one kind, by the same [`ColumnSet`] that text
//! has, so names, order and values are those of tab-separated rows. A worker writes rows into a
//! [`BatchBuilder`] and finishes it to a [`RecordBatch`]; a [`BatchEncoder`] turns the batches of
//! all workers, in order, into the bytes of an Arrow IPC stream or a Parquet file, on as many
//! threads.
//!
//! Text is decoded and [sanitized](super::sanitize()) as in all rows. A missing value is null. A
//! column of dates has the dates as they are written, and two more beside it: the first and the
//! last day that a date can mean, `date_from` and `date_to`, null where it cannot be read.
//!
//! [`ColumnSet`]: super::ColumnSet

mod builder;
mod calendar;
mod days;
mod encoder;
mod error;
mod groups;
mod ipc;
mod layout;
mod movetexts;
mod names;
mod nulls;
mod numbers;
mod origin;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_names;
mod schema;
mod texts;

// So that those who take batches from here have the same versions.
pub use arrow_array::{self, RecordBatch};
pub use arrow_schema;

pub use encoder::{BatchEncoder, BatchFormat, EncodeTask, EncodedPart};
pub use error::EncodeError;
pub use layout::{BatchBuilder, BatchLayout, schema_of};
pub use movetexts::{MovetextError, OpeningColumn};
pub use origin::origin;
