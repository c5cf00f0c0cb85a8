//! Openings in which the score is away from expectation, with good reason to believe so.

use std::collections::BTreeMap;

use super::{
    breakdown::{Breakdown, Group, sum},
    difference::Difference,
    discoveries::{FALSE_DISCOVERY_RATE, MIN_RATED, discoveries},
    example::Examples,
    figures::Figures,
    group_by::GroupBy,
    key::GroupValue,
    shrinkage::{Estimate, Spread, shrink},
    tally::Tally,
};

/// An opening in which the score is away from expectation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The colour, if the openings of both are apart: `white` or `black`.
    pub side: Option<String>,
    /// The opening: a code, or a name.
    pub opening: String,
    /// The commonest name of the opening.
    pub name: String,
    /// Its numbers.
    pub figures: Figures,
    /// The difference of score and expectation, shrunk towards its family, and that towards all.
    pub estimate: f64,
    /// Games to look at.
    pub examples: Examples,
}

/// The openings in which the score is away from expectation.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Findings {
    /// The number of openings that had enough rated games to be looked at.
    pub looked_at: usize,
    /// Where the score is above expectation, the greatest estimate first.
    pub strengths: Vec<Finding>,
    /// Where it is below, the least estimate first.
    pub weaknesses: Vec<Finding>,
}

impl Findings {
    /// The openings of a breakdown in which the difference of score and expectation is not 0, at a
    /// false discovery rate of 10 %.
    ///
    /// `openings` is by a field of openings, or by colour and such a field; `families` is by family
    /// in the same way, and counts the same games. Groups with at least 20 rated games are looked
    /// at, of both colours together; [`discoveries`] says which differences count.
    ///
    /// What is found is ordered by its estimate: the difference, [shrunk](shrink) towards that of
    /// its family, which is itself shrunk towards that of all games of the colour. The
    /// [spread](Spread) of families is that of families with at least 20 rated games, the spread
    /// of openings within families that of the openings looked at. An opening whose family has
    /// fewer rated games is shrunk towards all.
    #[must_use]
    pub fn new(openings: &Breakdown, families: &Breakdown) -> Self {
        let looked_at: Vec<Candidate<'_>> = Side::all(openings, families)
            .iter()
            .flat_map(|side| side.candidates(openings.by.last()))
            .collect();
        let p_values: Vec<f64> = looked_at.iter().map(|c| c.difference.p_value).collect();
        let found = discoveries(&p_values, FALSE_DISCOVERY_RATE);
        let mut findings = Self { looked_at: looked_at.len(), ..Self::default() };
        for (candidate, _) in looked_at.into_iter().zip(found).filter(|(_, is_found)| *is_found) {
            let list = match candidate.difference.value > 0.0 {
                true => &mut findings.strengths,
                false => &mut findings.weaknesses,
            };
            list.push(candidate.into_finding());
        }
        findings.strengths.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        findings.weaknesses.sort_by(|a, b| a.estimate.total_cmp(&b.estimate));
        findings
    }
}

/// The groups of one colour, or all if colours are not apart.
struct Side<'b> {
    name: Option<String>,
    openings: Vec<&'b Group>,
    families: Vec<&'b Group>,
    all: Tally,
}

/// An opening that is looked at.
struct Candidate<'b> {
    side: Option<String>,
    group: &'b Group,
    all: Tally,
    difference: Difference,
    estimate: f64,
}

impl<'b> Side<'b> {
    fn all(openings: &'b Breakdown, families: &'b Breakdown) -> Vec<Self> {
        let is_by_color = openings.by.first() == Some(&GroupBy::Color);
        let name = |group: &Group| is_by_color.then(|| group.values[0].to_text());
        let mut sides: BTreeMap<Option<String>, [Vec<&Group>; 2]> = BTreeMap::new();
        for (place, breakdown) in [openings, families].into_iter().enumerate() {
            for group in &breakdown.groups {
                sides.entry(name(group)).or_default()[place].push(group);
            }
        }
        // White comes first.
        let sides = sides.into_iter().rev().map(|(name, [openings, families])| {
            let all = sum(openings.iter().copied());
            Self { name, openings, families, all }
        });
        sides.collect()
    }

    fn candidates(&self, field: Option<&GroupBy>) -> Vec<Candidate<'b>> {
        let differences = self.openings.iter().filter_map(|group| {
            let difference = self.difference(group)?;
            Some((*group, difference))
        });
        let differences: Vec<(&Group, Difference)> = differences.collect();
        let families = self.families();
        let mut within: BTreeMap<&str, Vec<Estimate>> = BTreeMap::new();
        for (group, difference) in &differences {
            let family = group.family.as_deref().unwrap_or_default();
            within.entry(family).or_default().push(estimate(difference));
        }
        let mut spread = Spread::default();
        within.values().for_each(|estimates| spread.add(estimates));
        let spread = spread.variance();
        let is_family = field == Some(&GroupBy::Family);
        let overall = Difference::new(&self.all, &self.all).map_or(0.0, |all| all.value);
        let candidate = |(group, difference): (&'b Group, Difference)| {
            let family = group.family.as_deref().and_then(|family| families.get(family));
            let towards = family.copied().unwrap_or(overall);
            let estimate = match is_family {
                true => towards,
                false => shrink(estimate(&difference), towards, spread),
            };
            let (side, all) = (self.name.clone(), self.all.clone());
            Candidate { side, group, all, difference, estimate }
        };
        differences.into_iter().map(candidate).collect()
    }

    /// The families with enough rated games, shrunk towards all.
    fn families(&self) -> BTreeMap<String, f64> {
        let found = self.families.iter().filter_map(|group| {
            let difference = self.difference(group)?;
            Some((group.values.last()?.to_text(), estimate(&difference)))
        });
        let found: Vec<(String, Estimate)> = found.collect();
        let mut spread = Spread::default();
        let estimates: Vec<Estimate> = found.iter().map(|(_, estimate)| *estimate).collect();
        spread.add(&estimates);
        let overall = Difference::new(&self.all, &self.all).map_or(0.0, |all| all.value);
        let shrunk = |(name, e): (String, Estimate)| (name, shrink(e, overall, spread.variance()));
        found.into_iter().map(shrunk).collect()
    }

    /// The difference of a group with an opening and enough rated games.
    fn difference(&self, group: &Group) -> Option<Difference> {
        group.name.as_ref()?;
        Difference::new(&group.tally, &self.all).filter(|found| found.games >= MIN_RATED)
    }
}

fn estimate(difference: &Difference) -> Estimate {
    Estimate { value: difference.value, variance: difference.variance }
}

impl Candidate<'_> {
    fn into_finding(self) -> Finding {
        Finding {
            side: self.side,
            opening: self.group.values.last().map(GroupValue::to_text).unwrap_or_default(),
            name: self.group.name.clone().unwrap_or_default(),
            figures: Figures::new(&self.group.tally, &self.all),
            estimate: self.estimate,
            examples: self.group.examples.clone(),
        }
    }
}
