//! The groups of one grouping, while games are counted.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::{
    axis::{Axis, NONE, Translation, Values},
    breakdown::{Breakdown, Group},
    example::Examples,
    game::ScoredGame,
    group_by::GroupBy,
    grouping::{Grouping, KeepExamples, KeepUnknown, Lengths},
    key::GroupValue,
    openings::CatalogueGroups,
    perspective::Perspective,
    shortcuts::Shortcuts,
    sums::Addend,
    tally::Tally,
};
use crate::{catalogue::Catalogue, chess::Color, select::GameInfo};

/// After this many rows, the memory that they had is given back.
const FREED_AT_ONCE: usize = 1 << 14;

/// The groups of one grouping.
#[derive(Debug, Clone)]
pub(super) struct Table {
    grouping: Grouping,
    axes: Vec<Axis>,
    /// The indices of the rows by the numbers of their values, which [`packed`] puts together.
    index: HashMap<u64, u32>,
    shortcuts: Shortcuts,
    rows: Vec<Row>,
    is_of_a_side: bool,
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
            shortcuts: Shortcuts::new(&grouping.by),
            rows: Vec::new(),
            is_of_a_side: grouping.by.iter().any(GroupBy::is_of_a_side),
            is_twofold: false,
        }
    }

    pub(super) fn empty(&self) -> Self {
        Self {
            grouping: self.grouping.clone(),
            axes: self.axes.iter().map(Axis::empty).collect(),
            index: HashMap::default(),
            shortcuts: Shortcuts::new(&self.grouping.by),
            rows: Vec::new(),
            is_of_a_side: self.is_of_a_side,
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
        self.is_of_a_side
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
        let is_of_a_side = self.is_of_a_side;
        let sides: &[Color] = match perspective {
            Perspective::Players(sides) => sides,
            Perspective::Everybody if is_of_a_side => &Color::ALL,
            Perspective::Everybody => &[Color::White],
        };
        let is_twofold = sides.len() > 1;
        self.is_twofold |= is_twofold;
        for side in sides {
            let Some(row) = self.row_of(game, *side, perspective, info) else { continue };
            let addend = &addends[usize::from(side.is_black())];
            let has_lengths = self.grouping.lengths == Lengths::Kept;
            let keeps = self.grouping.examples == KeepExamples::Latest;
            let row = &mut self.rows[row];
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

    /// The row of a game, if it has one.
    #[inline]
    fn row_of(
        &mut self,
        game: &ScoredGame<'_, '_>,
        side: Color,
        perspective: Perspective<'_>,
        info: Option<&GameInfo<'_>>,
    ) -> Option<usize> {
        let line = self.shortcuts.of_line(game);
        if let Some(row) = line.and_then(|line| self.shortcuts.row(line)) {
            return Some(row);
        }
        let mut key = [0; 2];
        for (place, axis) in key.iter_mut().zip(&mut self.axes) {
            *place = axis.id(game, side, perspective, info);
        }
        if key[0] == NONE && self.grouping.unknown == KeepUnknown::Never {
            return None;
        }
        let number = line.or_else(|| self.shortcuts.of_key(key));
        if let Some(row) = number.and_then(|number| self.shortcuts.row(number)) {
            return Some(row);
        }
        let row = self.row(key);
        number.into_iter().for_each(|number| self.shortcuts.keep(number, row));
        Some(row)
    }

    /// The row of a key.
    #[inline(never)]
    fn row(&mut self, key: [u32; 2]) -> usize {
        let next = self.rows.len();
        let at = *self.index.entry(packed(key)).or_insert(next as u32) as usize;
        if at == next {
            self.rows.push(Row { key, tally: Tally::default(), examples: None, is_twofold: false });
        }
        at
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
            let own = &mut self.rows[own];
            own.tally.merge(&row.tally);
            own.is_twofold |= row.is_twofold;
            if let Some(examples) = row.examples {
                own.examples.get_or_insert_default().merge(*examples);
            }
        }
    }

    /// The groups, whose names are those of the catalogue. `lines` are the games of its lines.
    pub(super) fn finish(self, catalogue: &Catalogue, lines: &[u64]) -> Breakdown {
        let values: Vec<_> = self.axes.iter().map(Axis::values).collect();
        let codes = self.axes.iter().position(|axis| axis.by == GroupBy::Eco);
        let innermost = || self.axes.iter().rposition(|axis| axis.by.is_opening());
        let codes = codes.or_else(innermost);
        let of_codes = codes.map(|at| self.axes[at].lines());
        let names = of_codes.map(|codes| codes.shortest_names(catalogue)).unwrap_or_default();
        let families =
            of_codes.map(|codes| codes.commonest_families(catalogue, lines)).unwrap_or_default();
        let label = |of: &[Option<&str>], id: Option<usize>| {
            id.and_then(|id| *of.get(id)?).map(str::to_owned)
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
        drop(self.index);
        let mut rows = self.rows;
        // The first is the last, so that rows give back their memory as they become groups.
        rows.sort_by_cached_key(|row| Reverse(places(row.key)));
        let mut found: Vec<Group> = Vec::with_capacity(rows.len());
        let mut last = None;
        while let Some(row) = rows.pop() {
            if rows.len().is_multiple_of(FREED_AT_ONCE) {
                rows.shrink_to_fit();
            }
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
                values: values.map(|(sorted, place)| sorted.value(place)).collect(),
                name: label(&names, id),
                family: label(&families, id),
                tally: row.tally,
                is_twofold: row.is_twofold,
                examples: row.examples.map(|examples| *examples).unwrap_or_default(),
            });
        }
        Breakdown { is_twofold: self.is_twofold, ..Breakdown::new(self.grouping.by.clone(), found) }
    }
}

/// Two numbers as one, which takes fewer steps to hash.
fn packed([one, other]: [u32; 2]) -> u64 {
    u64::from(one) << 32 | u64::from(other)
}

/// The values of an axis that rows have.
struct SortedValues<'v> {
    values: &'v Values<'v>,
    /// One number of each value, in the order of values.
    list: Vec<u32>,
    /// The place of each number in the list. Several may stand for one value.
    places: HashMap<u32, u32>,
}

impl<'v> SortedValues<'v> {
    fn new(values: &'v Values<'v>, ids: impl Iterator<Item = u32>) -> Self {
        let mut ids: Vec<u32> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        let mut found: Vec<(GroupValue, u32)> =
            ids.into_iter().map(|id| (values.value(id), id)).collect();
        found.sort_unstable();
        let (mut list, mut places) = (Vec::new(), HashMap::with_capacity(found.len()));
        for same in found.chunk_by(|one, other| one.0 == other.0) {
            places.extend(same.iter().map(|(_, id)| (*id, list.len() as u32)));
            list.push(same[0].1);
        }
        Self { values, list, places }
    }

    fn value(&self, place: u32) -> GroupValue {
        self.values.value(self.list[place as usize])
    }

    fn place(&self, id: u32) -> u32 {
        self.places[&id]
    }
}
