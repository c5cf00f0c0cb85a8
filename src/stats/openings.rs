//! The lines of a catalogue in groups: by code, family, variation and name.

use std::{hash::BuildHasher, sync::Arc};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::group_by::GroupBy;
use crate::{catalogue::Catalogue, opening::Opening};

/// The lines of a catalogue in groups.
#[derive(Debug, Default)]
pub(super) struct LineGroups {
    /// The group of each line.
    ids: Vec<u32>,
    labels: Labels,
}

/// The labels of groups, one after another: there are thousands, and each run needs them.
#[derive(Debug, Default)]
struct Labels {
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Labels {
    /// The labels of these parts: of a variation, the name up to the first comma after the colon.
    fn of(parts: &[[&str; 2]]) -> Self {
        let mut labels = Self::default();
        for [family, variation] in parts {
            labels.text.push_str(family);
            if !variation.is_empty() {
                labels.text.push_str(": ");
                labels.text.push_str(variation);
            }
            labels.ends.push(labels.text.len());
        }
        labels
    }

    fn get(&self, id: usize) -> &str {
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[id]]
    }
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
        let (mut ids, mut groups) = (Vec::with_capacity(catalogue.lines().len()), Vec::new());
        let (hasher, mut found) = (DefaultHashBuilder::default(), HashTable::<u32>::new());
        for line in catalogue.lines() {
            let label = label(&line.opening);
            // Lines of one code or family are neighbours.
            if let Some(last) = ids.last().copied().filter(|id| groups[*id as usize] == label) {
                ids.push(last);
                continue;
            }
            let entry = found.entry(
                hasher.hash_one(label),
                |id| groups[*id as usize] == label,
                |id| hasher.hash_one(groups[*id as usize]),
            );
            let id = *entry.or_insert(groups.len() as u32).get();
            if id as usize == groups.len() {
                groups.push(label);
            }
            ids.push(id);
        }
        Self { ids, labels: Labels::of(&groups) }
    }

    /// The group of a line.
    #[inline]
    pub(super) fn id(&self, line: usize) -> u32 {
        self.ids[line]
    }

    pub(super) fn label(&self, id: u32) -> &str {
        self.labels.get(id as usize)
    }

    /// For each group, the label to which most of its games belong, by the number of games of each
    /// line. Of equals it is the first. Groups without games have none.
    pub(super) fn commonest<'c>(
        &self,
        catalogue: &'c Catalogue,
        label: fn(&Opening) -> &str,
        games: &[u64],
    ) -> Vec<Option<&'c str>> {
        let lines = catalogue.lines().iter().zip(&self.ids).zip(games);
        let played = lines.filter(|(_, games)| **games > 0);
        let mut counts: Vec<((u32, &str), u64)> =
            played.map(|((line, id), games)| ((*id, label(&line.opening)), *games)).collect();
        counts.sort_unstable();
        let mut best: Vec<Option<(u64, &str)>> = vec![None; self.labels.ends.len()];
        for both in counts.chunk_by(|(one, _), (other, _)| one == other) {
            let ((id, label), games) = (both[0].0, both.iter().map(|(_, games)| games).sum());
            let best = &mut best[id as usize];
            if best.is_none_or(|(most, _)| games > most) {
                *best = Some((games, label));
            }
        }
        best.into_iter().map(|best| best.map(|(_, label)| label)).collect()
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
            for (line, id) in catalogue.lines().iter().zip(&groups.ids) {
                let label = match field {
                    GroupBy::Eco => line.opening.eco().as_str(),
                    GroupBy::Volume => &line.opening.eco().as_str()[..1],
                    GroupBy::Family => line.opening.family(),
                    _ => line.opening.name(),
                };
                assert_eq!(groups.label(*id), label);
            }
        }
        let volumes = LineGroups::new(catalogue, &GroupBy::Volume);
        let labels: Vec<&str> = (0..5).map(|id| volumes.label(id)).collect();
        assert_eq!((labels, volumes.labels.ends.len()), (vec!["A", "B", "C", "D", "E"], 5));
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
        let codes = LineGroups::new(catalogue, &GroupBy::Eco);
        let mut games = vec![0; catalogue.lines().len()];
        let lines: Vec<usize> = (0..games.len())
            .filter(|line| catalogue.lines()[*line].opening.eco().as_str() == "B90")
            .collect();
        assert!(lines.len() > 2);
        games[lines[1]] = 3;
        games[lines[2]] = 2;
        let commonest = codes.commonest(catalogue, Opening::name, &games);
        let name = catalogue.lines()[lines[1]].opening.name();
        assert_eq!(commonest[codes.id(lines[0]) as usize], Some(name));
        assert_eq!(commonest.iter().flatten().count(), 1);
        // Of equals the first by its text.
        games[lines[2]] = 3;
        let first = lines[1..3].iter().map(|line| catalogue.lines()[*line].opening.name()).min();
        let commonest = codes.commonest(catalogue, Opening::name, &games);
        assert_eq!(commonest[codes.id(lines[0]) as usize], first);
    }
}
