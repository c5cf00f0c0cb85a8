//! A part of a file, as it is named.

/// A part of a file: a range of its bytes as they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Where it begins.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
}

impl Part {
    /// Where it ends.
    pub(in crate::pgn) fn end(self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}
