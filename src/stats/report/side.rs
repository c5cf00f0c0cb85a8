//! The openings of one side.

use std::collections::BTreeMap;

use super::{
    slices::{COMMONEST, Slice, commonest, slice},
    trees::{MoveNode, MoveTree, OpeningNode, OpeningTree},
};
use crate::{
    catalogue::Catalogue,
    chess::Color,
    executor::Executor,
    stats::{
        breakdown::{Breakdown, Group},
        counter::Counted,
        example::Examples,
        figures::Figures,
        findings::Findings,
        group_by::GroupBy,
        key::GroupValue,
        subject::Subject,
        tally::Tally,
    },
};

/// The openings of one side.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SideReport {
    /// `white` or `black`; `None` if all games are seen from White's side.
    pub side: Option<String>,
    /// The numbers of all its games.
    pub figures: Figures,
    /// Volumes, their families, and their variations; in each, the commonest first.
    pub tree: Vec<OpeningNode>,
    /// The commonest variations.
    pub openings: Vec<Slice>,
    /// The first moves; in each node, the commonest first.
    pub first_moves: Vec<MoveNode>,
    /// Variations in which the score is away from expectation.
    pub findings: Findings,
}

pub(super) fn side_report(
    side: Option<Color>,
    counted: &Counted,
    white_advantage: f64,
    catalogue: &Catalogue,
    executor: &impl Executor,
) -> SideReport {
    let [volumes, first_moves] = &counted.breakdowns[..] else {
        unreachable!("a side has two groupings")
    };
    let all = &volumes.all;
    let ((openings, findings), (tree, first_moves)) = executor.join(
        || {
            let variations = regroup(volumes, GroupBy::Variation, str::to_owned);
            let families =
                regroup(volumes, GroupBy::Family, |variation| family(variation).to_owned());
            let openings = commonest(&variations).into_iter().take(COMMONEST);
            let openings = openings.map(|group| slice(group, all)).collect();
            let mut findings = match side {
                Some(side) => Findings::of_color(&variations, &families, side, white_advantage),
                None => Findings::new(&variations, &families, Subject::Archive),
            };
            findings.add_lines(&GroupBy::Variation, &counted.lines, catalogue);
            (openings, findings)
        },
        || (OpeningTree::new(volumes).nodes(all), MoveTree::new(first_moves).nodes(all)),
    );
    let name = side.map(|side| if side.is_white() { "white" } else { "black" }.to_owned());
    SideReport {
        side: name,
        figures: Figures::new(all, all),
        tree,
        openings,
        first_moves,
        findings,
    }
}

/// The family of a variation with its family.
fn family(variation: &str) -> &str {
    variation.split_once(": ").map_or(variation, |(family, _)| family)
}

/// The variations of all volumes, in groups by a name that each has.
fn regroup(volumes: &Breakdown, by: GroupBy, name: impl Fn(&str) -> String) -> Breakdown {
    let mut found: BTreeMap<GroupValue, Group> = BTreeMap::new();
    for group in &volumes.groups {
        let (value, label, own_family) = match &group.values[1] {
            GroupValue::Text { text, .. } => {
                let label = name(text);
                (GroupValue::text(&label), Some(label), Some(family(text).to_owned()))
            }
            other => (other.clone(), None, None),
        };
        let whole = found.entry(value.clone()).or_insert_with(|| Group {
            values: vec![value],
            name: label,
            family: own_family,
            tally: Tally::default(),
            examples: Examples::default(),
            is_twofold: false,
        });
        whole.tally.merge(&group.tally);
        whole.examples.merge(group.examples.clone());
        whole.is_twofold |= group.is_twofold;
    }
    Breakdown::new(vec![by], found.into_values().collect())
}
