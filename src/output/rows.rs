//! The trait of row formats.

use super::{Cell, Column};

/// A format of rows.
///
/// Formats write to memory, so that several threads can write rows at the same time.
pub(crate) trait Rows: Sync {
    /// Writes what stands above the rows, if the format has a header.
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>);

    /// Writes a row.
    // The cells come one by one, so that a row needs no allocation.
    fn write_row<'r>(&self, cells: impl Iterator<Item = impl Cell<'r>> + Clone, out: &mut Vec<u8>);
}
