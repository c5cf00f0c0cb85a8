//! Rows that have columns of their own.

/// A row of a table that the library writes: each kind has its columns.
pub trait Row {
    /// A [`ColumnSet`](super::ColumnSet) for rows of this kind.
    type Columns;

    /// The columns.
    #[must_use]
    fn columns() -> Self::Columns;
}
