//! Why batches cannot be encoded.

use arrow_schema::ArrowError;

/// Batches that cannot be encoded, because they do not have the schema of the file.
#[derive(Debug, thiserror::Error)]
#[error("rows cannot be written as columns: {0}")]
pub struct EncodeError(#[source] pub(super) Box<dyn std::error::Error + Send + Sync>);

impl From<ArrowError> for EncodeError {
    fn from(error: ArrowError) -> Self {
        Self(error.into())
    }
}
