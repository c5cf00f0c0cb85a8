//! Groups of games, counted.

use super::{example::Examples, group_by::GroupBy, key::GroupValue, tally::Tally};

/// The games of an archive in groups.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Breakdown {
    /// By what the games are grouped.
    pub by: Vec<GroupBy>,
    /// The groups, sorted by their values.
    pub groups: Vec<Group>,
    /// All of them together. Groups of a side count each game twice, and so do chosen players if
    /// they play each other.
    pub all: Tally,
    /// Whether games are counted from both sides, in one group or in two.
    pub(super) is_twofold: bool,
}

/// The games of a group.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// What they have in common, one value for each field.
    pub values: Vec<GroupValue>,
    /// Of openings, the name of the catalogue's shortest line.
    pub name: Option<String>,
    /// Of openings, the family of most of the games.
    pub family: Option<String>,
    /// The games.
    pub tally: Tally,
    /// The last games won and lost, if they are kept.
    pub examples: Examples,
    /// Whether games are counted from both sides within the group.
    pub(super) is_twofold: bool,
}

impl Breakdown {
    pub(super) fn new(by: Vec<GroupBy>, groups: Vec<Group>) -> Self {
        let all = sum(groups.iter());
        Self { by, groups, all, is_twofold: false }
    }
}

/// The games of several groups.
pub(super) fn sum<'g>(groups: impl Iterator<Item = &'g Group>) -> Tally {
    let mut all = Tally::default();
    groups.for_each(|group| all.merge(&group.tally));
    all
}
