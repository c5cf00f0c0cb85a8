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

use std::collections::HashMap;

use crate::{catalogue::Catalogue, master::MasterInfo};

mod builder;
#[cfg(all(feature = "parquet", feature = "codecs"))]
mod dataset;
mod encoder;
mod layout;
mod movetexts;
#[cfg(feature = "parquet")]
mod parquet;
mod texts;

// So that those who take batches from here have the same versions.
pub use arrow_array::{self, RecordBatch};
pub use arrow_schema;

#[cfg(all(feature = "parquet", feature = "codecs"))]
pub use dataset::{DatasetOptions, DatasetWriter, PartitionError};
pub use encoder::{BatchEncoder, EncodeTask, EncodedPart, join_batches};
pub use layout::{BatchBuilder, BatchLayout};
pub use movetexts::{MovetextError, OpeningColumn};

/// Batches that cannot be encoded, because they do not have the schema of the file.
#[derive(Debug, thiserror::Error)]
#[error("rows cannot be written as columns: {0}")]
pub struct EncodeError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl From<arrow_schema::ArrowError> for EncodeError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        Self(error.into())
    }
}

/// The metadata of a file: `eco.program`, this program and its version, and, of the catalogues
/// that named openings, `eco.catalogue`, their masters with their versions, and
/// `eco.catalogue_fingerprint`, the SHA-256 of the files that each was read from. Several masters
/// are separated by `"; "`.
pub fn origin<'c>(catalogues: impl IntoIterator<Item = &'c Catalogue>) -> HashMap<String, String> {
    let masters: Vec<&MasterInfo> = catalogues.into_iter().flat_map(Catalogue::masters).collect();
    let join = |text: fn(&MasterInfo) -> String| {
        let texts: Vec<String> = masters.iter().map(|master| text(master)).collect();
        texts.join("; ")
    };
    let mut metadata = HashMap::from([("eco.program".to_owned(), PROGRAM.to_owned())]);
    if !masters.is_empty() {
        metadata.insert("eco.catalogue".to_owned(), join(ToString::to_string));
        metadata.insert(
            "eco.catalogue_fingerprint".to_owned(),
            join(|master| master.fingerprint.clone()),
        );
    }
    metadata
}

const PROGRAM: &str = concat!("eco ", env!("CARGO_PKG_VERSION"));
