//! By what games are grouped.

use super::group_by::GroupBy;

/// By what games are grouped, and what is kept of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grouping {
    /// One field, or two of which the second divides the groups of the first. None: all games are
    /// one group.
    pub by: Vec<GroupBy>,
    /// Whether the lengths of games are kept, for medians.
    pub lengths: Lengths,
    /// Whether example games are kept.
    pub examples: KeepExamples,
    /// Whether games that do not say the first field are counted.
    pub unknown: KeepUnknown,
}

/// Whether the lengths of games are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// They are.
    Kept,
    /// They are not, which takes less memory.
    Dropped,
}

/// Whether example games are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepExamples {
    /// The last games won and lost of each group.
    Latest,
    /// None.
    Never,
}

/// Whether games that do not say the first field of a grouping are counted in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepUnknown {
    /// They are a group.
    Always,
    /// They are left out.
    Never,
}

impl Grouping {
    /// Groups all games by these fields, with medians and without examples.
    #[must_use]
    pub fn new(by: Vec<GroupBy>) -> Self {
        Self {
            by,
            lengths: Lengths::Kept,
            examples: KeepExamples::Never,
            unknown: KeepUnknown::Always,
        }
    }
}
