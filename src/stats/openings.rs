//! The lines of a catalogue in groups: by code, family, variation and name.

use std::{borrow::Cow, ops::Range, sync::Arc};

use super::group_by::GroupBy;
use crate::{catalogue::Catalogue, opening::Opening};

/// The lines of a catalogue in groups.
#[derive(Debug, Default)]
pub(super) struct LineGroups {
    /// The group of each line.
    ids: Vec<u32>,
    /// The label of each group, in the order of the labels.
    labels: Vec<String>,
}

/// The groups of the lines of one catalogue, each made once.
pub(super) struct CatalogueGroups<'c> {
    pub(super) catalogue: &'c Catalogue,
    made: Vec<(GroupBy, Arc<LineGroups>)>,
}

impl<'c> CatalogueGroups<'c> {
    pub(super) fn new(catalogue: &'c Catalogue) -> Self {
        Self { catalogue, made: Vec::new() }
    }

    /// The groups of a field; none if it is not one of openings.
    pub(super) fn by(&mut self, field: &GroupBy) -> Arc<LineGroups> {
        if let Some((_, groups)) = self.made.iter().find(|(made, _)| made == field) {
            return Arc::clone(groups);
        }
        let groups = Arc::new(LineGroups::new(self.catalogue, field));
        self.made.push((field.clone(), Arc::clone(&groups)));
        groups
    }
}

impl LineGroups {
    /// The groups of a field; none if it is not one of [openings](GroupBy::is_opening).
    pub(super) fn new(catalogue: &Catalogue, field: &GroupBy) -> Self {
        // What comes before and after a colon.
        let label: fn(&Opening) -> [&str; 2] = match field {
            GroupBy::Eco => |opening| [opening.eco().as_str(), ""],
            GroupBy::Volume => |opening| [&opening.eco().as_str()[..1], ""],
            GroupBy::Family => |opening| [opening.family(), ""],
            GroupBy::Variation => |opening| [opening.family(), opening.variation()],
            GroupBy::Opening => |opening| [opening.name(), ""],
            _ => return Self::default(),
        };
        let parts: Vec<[&str; 2]> =
            catalogue.lines().iter().map(|line| label(&line.opening)).collect();
        // Lines of one code or family are neighbours.
        let mut start = 0;
        let mut runs: Vec<(Cow<'_, str>, Range<usize>)> = Vec::new();
        for run in parts.chunk_by(|one, other| one == other) {
            runs.push((joined(run[0]), start..start + run.len()));
            start += run.len();
        }
        runs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let (mut ids, mut labels) = (vec![0; parts.len()], Vec::new());
        for (label, lines) in runs {
            if labels.last().is_none_or(|last: &String| *last != label) {
                labels.push(label.into_owned());
            }
            ids[lines].fill(labels.len() as u32 - 1);
        }
        Self { ids, labels }
    }

    /// The group of a line.
    #[inline]
    pub(super) fn id(&self, line: usize) -> u32 {
        self.ids[line]
    }

    pub(super) fn label(&self, id: u32) -> &str {
        &self.labels[id as usize]
    }

    /// For each group, that of `others` to which most of its games belong, by the number of games
    /// of each line. Of equals it is the first. Groups without games have none.
    pub(super) fn commonest(&self, others: &Self, games: &[u64]) -> Vec<Option<u32>> {
        let lines = games.iter().enumerate().filter(|(_, games)| **games > 0);
        let mut counts: Vec<([u32; 2], u64)> =
            lines.map(|(line, games)| ([self.id(line), others.id(line)], *games)).collect();
        counts.sort_unstable();
        let mut best: Vec<Option<(u64, u32)>> = vec![None; self.labels.len()];
        for both in counts.chunk_by(|(one, _), (other, _)| one == other) {
            let ([id, other], games) = (both[0].0, both.iter().map(|(_, games)| games).sum());
            let best = &mut best[id as usize];
            if best.is_none_or(|(most, _)| games > most) {
                *best = Some((games, other));
            }
        }
        best.into_iter().map(|best| best.map(|(_, other)| other)).collect()
    }
}

/// A label of two parts; of a variation, the name up to the first comma after the colon.
fn joined([family, variation]: [&str; 2]) -> Cow<'_, str> {
    match variation {
        "" => family.into(),
        variation => format!("{family}: {variation}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_a_group_of_each_field() {
        let catalogue = Catalogue::builtin();
        for field in [GroupBy::Eco, GroupBy::Volume, GroupBy::Family, GroupBy::Opening] {
            let groups = LineGroups::new(catalogue, &field);
            assert_eq!(groups.ids.len(), catalogue.lines().len());
            assert!(groups.labels.is_sorted());
        }
        let volumes = LineGroups::new(catalogue, &GroupBy::Volume);
        assert_eq!(volumes.labels, ["A", "B", "C", "D", "E"]);
        let named = |name: &str| {
            let lines = catalogue.lines();
            lines.iter().position(|line| line.opening.name() == name).unwrap()
        };
        let line = named("Sicilian Defense: Najdorf Variation, English Attack");
        let variations = LineGroups::new(catalogue, &GroupBy::Variation);
        let id = variations.id(line);
        assert_eq!(variations.label(id), "Sicilian Defense: Najdorf Variation");
    }

    #[test]
    fn a_code_has_the_commonest_of_its_names() {
        let catalogue = Catalogue::builtin();
        let (codes, names) = (
            LineGroups::new(catalogue, &GroupBy::Eco),
            LineGroups::new(catalogue, &GroupBy::Opening),
        );
        let mut games = vec![0; catalogue.lines().len()];
        let lines: Vec<usize> = (0..games.len())
            .filter(|line| catalogue.lines()[*line].opening.eco().as_str() == "B90")
            .collect();
        assert!(lines.len() > 2);
        games[lines[1]] = 3;
        games[lines[2]] = 2;
        let commonest = codes.commonest(&names, &games);
        assert_eq!(commonest[codes.id(lines[0]) as usize], Some(names.id(lines[1])));
        assert_eq!(commonest.iter().flatten().count(), 1);
    }
}
