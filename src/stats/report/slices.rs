//! Games that have something in common.

use crate::stats::{
    breakdown::Group,
    figures::{Baseline, Figures},
    key::GroupValue,
};

/// The openings, players and opponents that have a place of their own.
pub(super) const COMMONEST: usize = 20;

/// Games that have something in common.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Slice {
    /// What they have in common. It may be text of a file.
    pub label: String,
    /// The numbers.
    pub figures: Figures,
}

pub(super) fn slice(group: Group<'_>, baseline: Baseline<'_>) -> Slice {
    let label = group.values().next_back().map(GroupValue::to_text).unwrap_or_default();
    Slice { label, figures: baseline.figures(group.tally()) }
}

/// Whether the games of a group say what they have in common.
pub(super) fn is_known(group: Group<'_>) -> bool {
    group.values().all(|value| *value != GroupValue::None)
}

/// The groups of games that say what they have in common, the commonest first.
pub(super) fn commonest<'g>(groups: impl Iterator<Item = Group<'g>>) -> Vec<Group<'g>> {
    let mut known: Vec<Group<'_>> = groups.filter(|group| is_known(*group)).collect();
    known.sort_by_key(|group| std::cmp::Reverse(group.tally().games()));
    known
}
