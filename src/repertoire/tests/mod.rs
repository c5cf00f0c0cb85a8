//! What tests of several files need, and the counts of games against the obvious count.

#[cfg(feature = "collection")]
mod counts;
pub(crate) mod plain;
pub(super) mod random;
