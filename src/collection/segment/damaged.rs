//! The one error of reading a segment.

/// The bytes are not those of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the games of a collection are damaged: {0}")]
pub(crate) struct DamagedSegment(&'static str);

impl DamagedSegment {
    /// What is wrong, as a few words.
    pub(crate) const fn new(what: &'static str) -> Self {
        Self(what)
    }
}
