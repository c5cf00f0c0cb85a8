//! The lines of a catalogue in groups: by code, family, variation and name.

use std::sync::Arc;

use hashbrown::HashMap;

use super::{grouping::GroupBy, grouping::Perspective, key::NONE};
use crate::{catalogue::Catalogue, chess::Color, lists::Lists, opening::Opening};

/// The family of a variation with its family.
pub(super) fn family(variation: &str) -> &str {
    variation.split_once(": ").map_or(variation, |(family, _)| family)
}

/// The lines of a catalogue in groups.
#[derive(Debug, Default)]
pub(super) struct LineGroups {
    /// The group of each line.
    ids: Vec<u32>,
    /// The label of each group, as UTF-8: of a variation, the name up to the first comma after the
    /// colon.
    labels: Lists<u8>,
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

/// What a group is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OpeningNames {
    /// The name of the catalogue's shortest line.
    pub(super) name: Option<String>,
    /// The group in English, if the catalogue is in another language.
    pub(super) english: Option<String>,
}

impl LineGroups {
    /// The groups of a field; none if it is not one of [openings](GroupBy::is_opening).
    pub(super) fn new(catalogue: &Catalogue, field: &GroupBy) -> Self {
        // What comes before and after a colon.
        let label: fn(&Opening) -> Option<[&str; 2]> = match field {
            GroupBy::Eco => |opening| Some([opening.eco()?.as_str(), ""]),
            GroupBy::Volume => |opening| Some([&opening.eco()?.as_str()[..1], ""]),
            GroupBy::Family => |opening| Some([opening.family(), ""]),
            GroupBy::Variation => |opening| Some([opening.family(), opening.variation()]),
            GroupBy::Opening => |opening| Some([opening.name(), ""]),
            _ => return Self::default(),
        };
        let (mut ids, mut groups) = (Vec::with_capacity(catalogue.lines().len()), Vec::new());
        let mut found: HashMap<[&str; 2], u32> = HashMap::new();
        for line in catalogue.lines() {
            let Some(label) = label(&line.opening) else {
                ids.push(NONE);
                continue;
            };
            // Lines of one code or family are neighbours.
            if let Some(last) = ids.last().filter(|id| groups.get(**id as usize) == Some(&label)) {
                ids.push(*last);
                continue;
            }
            ids.push(*found.entry(label).or_insert_with(|| {
                groups.push(label);
                groups.len() as u32 - 1
            }));
        }
        let mut labels = Lists::default();
        for [family, variation] in groups {
            labels.push_with(|label| {
                label.extend_from_slice(family.as_bytes());
                if !variation.is_empty() {
                    label.extend_from_slice(b": ");
                    label.extend_from_slice(variation.as_bytes());
                }
            });
        }
        Self { ids, labels }
    }

    /// The group of a line; [`NONE`] if it has no code, and the groups are of codes.
    pub(super) fn id(&self, line: usize) -> u32 {
        self.ids[line]
    }

    /// The label of a group; empty for [`NONE`].
    pub(super) fn label(&self, id: u32) -> &str {
        str::from_utf8(self.labels.get(id as usize)).unwrap_or_default()
    }

    /// The group with a label.
    pub(super) fn find(&self, label: &str) -> Option<u32> {
        let place = self.labels.iter().position(|other| other == label.as_bytes())?;
        Some(place as u32)
    }

    /// The names of each group of a field.
    pub(super) fn names(&self, catalogue: &Catalogue, field: &GroupBy) -> Vec<Arc<OpeningNames>> {
        let depth = match field {
            GroupBy::Family => 1,
            GroupBy::Variation => 2,
            _ => 3,
        };
        let names = self.shortest_lines(catalogue).into_iter().map(|shortest| OpeningNames {
            name: shortest.map(|opening| opening.name().to_owned()),
            english: shortest.and_then(|opening| opening.original_name_to(depth)),
        });
        names.map(Arc::new).collect()
    }

    /// For each group, the opening of its shortest line in the catalogue, of equals the first.
    fn shortest_lines<'c>(&self, catalogue: &'c Catalogue) -> Vec<Option<&'c Opening>> {
        let mut shortest: Vec<Option<(usize, &Opening)>> = vec![None; self.labels.len()];
        for (line, id) in catalogue.lines().iter().zip(&self.ids) {
            let plies = catalogue.plies(line).unwrap_or(usize::MAX);
            let Some(shortest) = shortest.get_mut(*id as usize) else { continue };
            if shortest.is_none_or(|(fewest, _)| plies < fewest) {
                *shortest = Some((plies, &line.opening));
            }
        }
        shortest.into_iter().map(|line| line.map(|(_, opening)| opening)).collect()
    }
}

/// How many games each line of a catalogue named, games that are seen from White apart from those
/// that are seen from Black.
///
/// A line names the game that reaches its position last of all named ones, in whatever order of
/// moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineCounts([Vec<u64>; 2]);

impl LineCounts {
    /// No games of this number of lines.
    pub(super) fn new(lines: usize) -> Self {
        Self([vec![0; lines], vec![0; lines]])
    }

    pub(super) fn add(&mut self, line: usize, perspective: Perspective<'_>) {
        let sides = perspective.sides(&[Color::White]);
        sides.iter().for_each(|side| self.0[usize::from(side.is_black())][line] += 1);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (games, more) in self.0.iter_mut().zip(&other.0) {
            assert_eq!(games.len(), more.len(), "both have one catalogue");
            games.iter_mut().zip(more).for_each(|(games, more)| *games += more);
        }
    }

    /// The games of each line, in the order of the lines, that are seen from a side; without one,
    /// of both sides.
    pub fn games(&self, side: Option<Color>) -> Vec<u64> {
        match side {
            Some(side) => self.0[usize::from(side.is_black())].clone(),
            None => self.0[0].iter().zip(&self.0[1]).map(|(w, b)| w + b).collect(),
        }
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
                    GroupBy::Eco => line.opening.code(),
                    GroupBy::Volume => &line.opening.code()[..1],
                    GroupBy::Family => line.opening.family(),
                    _ => line.opening.name(),
                };
                assert_eq!(groups.label(*id), label);
            }
        }
        let volumes = LineGroups::new(catalogue, &GroupBy::Volume);
        let labels: Vec<&str> = (0..5).map(|id| volumes.label(id)).collect();
        assert_eq!((labels, volumes.labels.len()), (vec!["A", "B", "C", "D", "E"], 5));
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
    fn a_code_has_the_name_of_its_shortest_line() {
        let catalogue = Catalogue::builtin();
        let codes = LineGroups::new(catalogue, &GroupBy::Eco);
        let names = codes.shortest_lines(catalogue);
        for (code, name) in [
            ("A00", "Amar Opening"),
            ("B90", "Sicilian Defense: Najdorf Variation"),
            ("D37", "Queen's Gambit Declined: Three Knights Variation"),
        ] {
            let id = (0..names.len()).find(|id| codes.label(*id as u32) == code).unwrap();
            assert_eq!(names[id].map(Opening::name), Some(name), "{code}");
        }
        assert!(names.iter().all(Option::is_some));
    }

    #[test]
    fn games_are_counted_for_the_sides_that_they_are_seen_from() {
        let mut counts = LineCounts::new(3);
        counts.add(2, Perspective::Everybody);
        counts.add(1, Perspective::Players(&[Color::Black]));
        let mut other = LineCounts::new(3);
        other.add(1, Perspective::Players(&Color::ALL));
        counts.merge(&other);
        assert_eq!(counts.games(Some(Color::White)), [0, 1, 1]);
        assert_eq!(counts.games(Some(Color::Black)), [0, 2, 0]);
        assert_eq!(counts.games(None), [0, 3, 1]);
    }
}
