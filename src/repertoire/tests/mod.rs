//! What tests of several files need, and the counts of games against the obvious count.

mod counts;
pub(crate) mod plain;
pub(super) mod random;
