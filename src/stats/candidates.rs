//! The openings that are looked at for findings: how far their scores are from expectation, and
//! what to think of that beside the others of their family and colour.

use std::collections::BTreeMap;

use super::{
    breakdown::{Breakdown, Group},
    difference::Difference,
    discoveries::MIN_RATED,
    group_by::GroupBy,
    shrinkage::{Estimate, Spread, shrink},
    tally::Tally,
};

/// The groups of one colour, or all if colours are not apart.
pub(super) struct Side<'b> {
    pub(super) name: Option<String>,
    openings: Vec<Group<'b>>,
    families: Vec<Group<'b>>,
    /// All games, without their lengths.
    pub(super) all: Tally,
    /// What is expected besides what the ratings predict.
    pub(super) advantage: f64,
}

/// An opening that is looked at.
pub(super) struct Candidate<'s> {
    pub(super) side: &'s Side<'s>,
    pub(super) group: Group<'s>,
    pub(super) difference: Difference,
    pub(super) estimate: f64,
}

impl<'b> Side<'b> {
    pub(super) fn all(openings: &'b Breakdown, families: &'b Breakdown) -> Vec<Self> {
        let is_by_color = openings.by.first() == Some(&GroupBy::Color);
        let name = |group: Group<'_>| is_by_color.then(|| group.value(0).to_text());
        let mut sides: BTreeMap<Option<String>, [Vec<Group<'_>>; 2]> = BTreeMap::new();
        for (place, breakdown) in [openings, families].into_iter().enumerate() {
            for group in breakdown.groups() {
                sides.entry(name(group)).or_default()[place].push(group);
            }
        }
        // White comes first.
        let sides = sides.into_iter().rev().map(|(name, [openings, families])| {
            let mut all = Tally::default();
            openings.iter().for_each(|group| all.merge_score(group.tally()));
            Self { name, openings, families, all, advantage: 0.0 }
        });
        sides.collect()
    }

    pub(super) fn candidates(&self, field: Option<&GroupBy>) -> Vec<Candidate<'_>> {
        let differences = self.openings.iter().filter_map(|group| {
            let difference = self.difference(*group)?;
            Some((*group, difference))
        });
        let differences: Vec<(Group<'_>, Difference)> = differences.collect();
        let families = self.families();
        let mut within: BTreeMap<&str, Vec<Estimate>> = BTreeMap::new();
        for (group, difference) in &differences {
            let family = group.family().unwrap_or_default();
            within.entry(family).or_default().push(estimate(difference));
        }
        let mut spread = Spread::default();
        within.values().for_each(|estimates| spread.add(estimates));
        let spread = spread.variance();
        let is_family = field == Some(&GroupBy::Family);
        let overall = self.overall();
        let candidate = |(group, difference): (Group<'b>, Difference)| {
            let family = group.family().and_then(|family| families.get(family));
            let towards = family.copied().unwrap_or(overall);
            let estimate = match is_family {
                true => towards,
                false => shrink(estimate(&difference), towards, spread),
            };
            Candidate { side: self, group, difference, estimate }
        };
        differences.into_iter().map(candidate).collect()
    }

    /// The families with enough rated games, shrunk towards all.
    pub(super) fn families(&self) -> BTreeMap<String, f64> {
        let found = self.families.iter().filter_map(|group| {
            let difference = self.difference(*group)?;
            Some((group.values().next_back()?.to_text(), estimate(&difference)))
        });
        let found: Vec<(String, Estimate)> = found.collect();
        let mut spread = Spread::default();
        let estimates: Vec<Estimate> = found.iter().map(|(_, estimate)| *estimate).collect();
        spread.add(&estimates);
        let overall = self.overall();
        let shrunk = |(name, e): (String, Estimate)| (name, shrink(e, overall, spread.variance()));
        found.into_iter().map(shrunk).collect()
    }

    /// The difference of a group with an opening and enough rated games.
    fn difference(&self, group: Group<'_>) -> Option<Difference> {
        group.name()?;
        self.beyond(group.tally()).filter(|found| found.games >= MIN_RATED)
    }

    /// The difference of all games.
    fn overall(&self) -> f64 {
        self.beyond(&self.all).map_or(0.0, |all| all.value)
    }

    fn beyond(&self, tally: &Tally) -> Option<Difference> {
        Difference::beyond(self.advantage, tally, &self.all)
    }
}

fn estimate(difference: &Difference) -> Estimate {
    Estimate { value: difference.value, variance: difference.variance }
}
