//! Games that have something in common: when they were played, how fast, and against whom.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::stats::breakdown::{Breakdown, Group};
use crate::stats::figures::{Baseline, Figures};
use crate::stats::key::{GAP_BAND, GroupValue};
use crate::stats::{grouping::GroupBy, tally::Tally};

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
    known.sort_by_key(|group| Reverse(group.tally().games()));
    known
}

/// The bands of rating gaps from here on are one, and so are those on the other side: there are few
/// such games, and the expectation is the same beyond [400](crate::stats::expected_score).
const WIDEST_GAP: i32 = 5 * GAP_BAND;

/// The values of a field that occur, in their order.
pub(super) fn slices(counted: &Breakdown, baseline: Baseline<'_>) -> Vec<Slice> {
    counted.groups().filter(|group| is_known(*group)).map(|group| slice(group, baseline)).collect()
}

/// Those of rating gaps, of which the widest are one.
pub(super) fn gap_slices(counted: &Breakdown, baseline: Baseline<'_>) -> Vec<Slice> {
    let mut bands: BTreeMap<i32, Tally> = BTreeMap::new();
    for group in counted.groups() {
        if let GroupValue::Text { place, .. } = group.value(0) {
            let band = (*place as i32).clamp(-WIDEST_GAP, WIDEST_GAP);
            bands.entry(band).or_default().merge(group.tally());
        }
    }
    let slice = |(middle, tally): (i32, Tally)| {
        let limit = middle.abs() - GAP_BAND / 2;
        let label = match middle {
            WIDEST_GAP.. => format!("+{limit} or more"),
            _ if middle <= -WIDEST_GAP => format!("-{limit} or less"),
            _ => GroupValue::of_number(&GroupBy::RatingGap, middle).to_text(),
        };
        Slice { label, figures: baseline.figures(&tally) }
    };
    bands.into_iter().map(slice).collect()
}
