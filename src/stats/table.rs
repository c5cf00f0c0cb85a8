//! The groups of one grouping, while games are counted.

use std::{borrow::Cow, cmp::Reverse, sync::Arc};

use hashbrown::HashMap;

use super::{
    axis::{Axis, NONE, Translation, Values},
    breakdown::{Breakdown, Group},
    example::Examples,
    game::ScoredGame,
    group_by::GroupBy,
    grouping::{Grouping, KeepExamples, KeepUnknown, Lengths},
    key::GroupValue,
    openings::{CatalogueGroups, LineGroups},
    perspective::Perspective,
    tally::{Addend, Tally},
};
use crate::{chess::Color, select::GameInfo};

/// The groups of lines that tables of openings need.
#[derive(Debug, Clone, Default)]
pub(super) struct OpeningGroups {
    pub(super) names: Arc<LineGroups>,
    pub(super) families: Arc<LineGroups>,
}

/// The groups of one grouping.
#[derive(Debug, Clone)]
pub(super) struct Table {
    grouping: Grouping,
    axes: Vec<Axis>,
    /// The indices of the rows by the numbers of their values, which [`packed`] puts together.
    index: HashMap<u64, u32>,
    rows: Vec<Row>,
    /// Whether games are counted from both sides.
    is_twofold: bool,
}

#[derive(Debug, Clone)]
struct Row {
    key: [u32; 2],
    tally: Tally,
    examples: Option<Box<Examples>>,
    /// Whether both sides of a game are in this row.
    is_twofold: bool,
}

impl Table {
    pub(super) fn new(groups: &mut CatalogueGroups<'_>, grouping: &Grouping) -> Self {
        let axis = |by: &GroupBy| Axis::new(by.clone(), groups.by(by));
        Self {
            axes: grouping.by.iter().map(axis).collect(),
            grouping: grouping.clone(),
            index: HashMap::default(),
            rows: Vec::new(),
            is_twofold: false,
        }
    }

    pub(super) fn empty(&self) -> Self {
        Self {
            grouping: self.grouping.clone(),
            axes: self.axes.iter().map(Axis::empty).collect(),
            index: HashMap::default(),
            rows: Vec::new(),
            is_twofold: false,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.rows.len() + self.axes.iter().map(Axis::size).sum::<usize>()
    }

    pub(super) fn needs_more_tags(&self) -> bool {
        self.axes.iter().any(|axis| axis.by.needs_more_tags())
    }

    /// Whether each game belongs to a group of White and to one of Black.
    pub(super) fn is_of_a_side(&self) -> bool {
        self.axes.iter().any(|axis| axis.by.is_of_a_side())
    }

    /// Counts a game, of which the addends are those of White and of Black.
    pub(super) fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        source: &str,
        perspective: Perspective<'_>,
        addends: &[Addend; 2],
    ) {
        let is_of_a_side = self.is_of_a_side();
        let sides: &[Color] = match perspective {
            Perspective::Players(sides) => sides,
            Perspective::Everybody if is_of_a_side => &Color::ALL,
            Perspective::Everybody => &[Color::White],
        };
        let is_twofold = sides.len() > 1;
        self.is_twofold |= is_twofold;
        for side in sides {
            let mut key = [0; 2];
            for (place, axis) in key.iter_mut().zip(&mut self.axes) {
                *place = axis.id(game, *side, perspective, info);
            }
            if key[0] == NONE && self.grouping.unknown == KeepUnknown::Never {
                continue;
            }
            let addend = &addends[usize::from(side.is_black())];
            let has_lengths = self.grouping.lengths == Lengths::Kept;
            let keeps = self.grouping.examples == KeepExamples::Latest;
            let row = self.row(key);
            row.tally.add_score(addend);
            if has_lengths {
                row.tally.add_lengths(addend);
            }
            row.is_twofold |= is_twofold && !is_of_a_side;
            if keeps {
                row.examples.get_or_insert_default().add(game, *side, source);
            }
        }
    }

    #[inline]
    fn row(&mut self, key: [u32; 2]) -> &mut Row {
        let next = self.rows.len();
        let at = *self.index.entry(packed(key)).or_insert(next as u32) as usize;
        if at == next {
            self.rows.push(Row { key, tally: Tally::default(), examples: None, is_twofold: false });
        }
        &mut self.rows[at]
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.is_twofold |= other.is_twofold;
        if self.rows.is_empty() {
            *self = Self { is_twofold: self.is_twofold, ..other };
            return;
        }
        let axes = self.axes.iter_mut().zip(&other.axes);
        let translations: Vec<Translation> =
            axes.map(|(axis, other)| axis.translation(other)).collect();
        for row in other.rows {
            let mut key = row.key;
            for (place, translation) in key.iter_mut().zip(&translations) {
                *place = translation.id(*place);
            }
            let own = self.row(key);
            own.tally.merge(&row.tally);
            own.is_twofold |= row.is_twofold;
            if let Some(examples) = row.examples {
                own.examples.get_or_insert_default().merge(*examples);
            }
        }
    }

    /// The texts of the first field with the most games.
    pub(super) fn commonest(self, most: usize) -> Commonest {
        let values = self.axes[0].values();
        let mut all = Tally::default();
        self.rows.iter().for_each(|row| all.merge(&row.tally));
        let known = self.rows.iter().filter(|row| row.key[0] != NONE);
        let mut known: Vec<_> =
            known.map(|row| (values.text(row.key[0]), Cow::Borrowed(&row.tally))).collect();
        known.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        // Different bytes may be the same text.
        known.dedup_by(|(text, tally), (other, whole)| {
            let is_same = text == other;
            if is_same {
                whole.to_mut().merge(tally);
            }
            is_same
        });
        let count = known.len();
        known.sort_by_key(|(_, tally)| Reverse(tally.games()));
        known.truncate(most);
        let most = known.into_iter().map(|(text, tally)| (text.into_owned(), tally.into_owned()));
        Commonest { count, most: most.collect(), all }
    }

    pub(super) fn finish(self, groups: &OpeningGroups, lines: &[u64]) -> Breakdown {
        let values: Vec<_> = self.axes.iter().map(Axis::values).collect();
        let codes = self.axes.iter().position(|axis| axis.by == GroupBy::Eco);
        let innermost = || self.axes.iter().rposition(|axis| axis.by.is_opening());
        let codes = codes.or_else(innermost);
        let (names, families) = match codes.map(|at| self.axes[at].lines()) {
            Some(own) => {
                (own.commonest(&groups.names, lines), own.commonest(&groups.families, lines))
            }
            None => Default::default(),
        };
        let label = |of: &[Option<u32>], labels: &LineGroups, id: Option<usize>| {
            id.and_then(|id| *of.get(id)?).map(|id| labels.label(id).to_owned())
        };
        let sorted: Vec<SortedValues> = (0..)
            .zip(&values)
            .map(|(at, values)| SortedValues::new(values, self.rows.iter().map(|r| r.key[at])))
            .collect();
        let places = |key: [u32; 2]| {
            let mut places = key;
            let of_axes = sorted.iter().zip(&mut places);
            of_axes.for_each(|(values, place)| *place = values.place(*place));
            places
        };
        let mut rows = self.rows;
        rows.sort_by_cached_key(|row| places(row.key));
        let mut found: Vec<Group> = Vec::with_capacity(rows.len());
        let mut last = None;
        for row in rows {
            let places = places(row.key);
            // Different bytes may be the same text.
            if let Some(group) = found.last_mut().filter(|_| last == Some(places)) {
                group.tally.merge(&row.tally);
                group.is_twofold |= row.is_twofold;
                group.examples.merge(row.examples.map(|examples| *examples).unwrap_or_default());
                continue;
            }
            last = Some(places);
            let id = codes.map(|at| row.key[at] as usize);
            let values = sorted.iter().zip(places);
            found.push(Group {
                values: values.map(|(values, place)| values.list[place as usize].clone()).collect(),
                name: label(&names, &groups.names, id),
                family: label(&families, &groups.families, id),
                tally: row.tally,
                is_twofold: row.is_twofold,
                examples: row.examples.map(|examples| *examples).unwrap_or_default(),
            });
        }
        Breakdown { is_twofold: self.is_twofold, ..Breakdown::new(self.grouping.by.clone(), found) }
    }
}

/// The texts with the most games.
pub(super) struct Commonest {
    /// The number of all texts.
    pub(super) count: usize,
    /// Those with the most games, by these and then by themselves.
    pub(super) most: Vec<(String, Tally)>,
    /// All games, those without a text too.
    pub(super) all: Tally,
}

/// Two numbers as one, which takes fewer steps to hash.
fn packed([one, other]: [u32; 2]) -> u64 {
    u64::from(one) << 32 | u64::from(other)
}

/// The values of an axis that rows have.
struct SortedValues {
    list: Vec<GroupValue>,
    /// The place of each number in the list. Several may stand for one value.
    places: HashMap<u32, u32>,
}

impl SortedValues {
    fn new(values: &Values<'_>, ids: impl Iterator<Item = u32>) -> Self {
        let mut ids: Vec<u32> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        let mut found: Vec<(GroupValue, u32)> =
            ids.into_iter().map(|id| (values.value(id), id)).collect();
        found.sort_unstable();
        let (mut list, mut places) = (Vec::new(), HashMap::with_capacity(found.len()));
        for (value, id) in found {
            if list.last() != Some(&value) {
                list.push(value);
            }
            places.insert(id, list.len() as u32 - 1);
        }
        Self { list, places }
    }

    fn place(&self, id: u32) -> u32 {
        self.places[&id]
    }
}
