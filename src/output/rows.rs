//! The trait of row formats.

use super::{Cell, Column};

/// A format of rows.
///
/// Formats write to memory, so that several threads can write rows at the same time.
pub trait Rows: Sync {
    /// Writes what stands above the rows, if the format has a header.
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>);

    /// Writes a row.
    fn write_row(&self, cells: &[Cell<'_>], out: &mut Vec<u8>);
}
