//! The groups of one grouping, while games are counted.

use std::sync::Arc;

use hashbrown::HashMap;

use super::breakdown::{Breakdown, CountedGroup};
use super::grouping::{GroupBy, Grouping, Kept, Perspective};
use super::key::GroupValue;
use super::{axis::Axis, game::ScoredGame, openings::CatalogueGroups, tally::Addend};
use crate::{catalogue::Catalogue, chess::Color, chess::Language, select::GameInfo};

#[derive(Debug, Clone)]
pub(super) struct Table {
    grouping: Grouping,
    axes: Vec<Axis>,
    /// The indices of the rows, by the numbers of their values, which [`packed`] puts together.
    index: HashMap<u64, u32>,
    rows: Vec<CountedGroup>,
    is_of_a_side: bool,
    /// Whether games are counted from both sides.
    is_twofold: bool,
}

impl Table {
    pub(super) fn new(groups: &mut CatalogueGroups<'_>, grouping: &Grouping) -> Self {
        let axis = |by: &GroupBy| Axis::new(by.clone(), groups.by(by));
        Self {
            grouping: grouping.clone(),
            axes: grouping.by.iter().map(axis).collect(),
            index: HashMap::default(),
            rows: Vec::new(),
            is_of_a_side: grouping.by.iter().any(GroupBy::is_of_a_side),
            is_twofold: false,
        }
    }

    /// Whether games are grouped by names.
    pub(super) fn has_names(&self) -> bool {
        self.grouping.by.iter().any(GroupBy::is_name)
    }

    pub(super) fn size(&self) -> usize {
        self.rows.len() + self.axes.iter().map(Axis::size).sum::<usize>()
    }

    pub(super) fn needs_more_tags(&self) -> bool {
        self.axes.iter().any(|axis| axis.by.needs_more_tags())
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
        let everybody: &[Color] = if is_of_a_side { &Color::ALL } else { &[Color::White] };
        let sides = perspective.sides(everybody);
        let is_twofold = sides.len() > 1;
        self.is_twofold |= is_twofold;
        for side in sides {
            let mut key = [0; 2];
            for (place, axis) in key.iter_mut().zip(&mut self.axes) {
                *place = axis.id(game, *side, perspective, info);
            }
            let at = self.row(key);
            let addend = &addends[usize::from(side.is_black())];
            let row = &mut self.rows[at];
            row.tally.add_score(addend);
            if self.grouping.kept != Kept::Scores {
                row.tally.add_lengths(addend);
            }
            row.is_twofold |= is_twofold && !is_of_a_side;
            if self.grouping.kept == Kept::Examples {
                row.examples.get_or_insert_default().add(game, *side, source);
            }
        }
    }

    /// The row of a key; a new one, if it was not there before.
    fn row(&mut self, key: [u32; 2]) -> usize {
        let next = self.rows.len();
        let at = *self.index.entry(packed(key)).or_insert(next as u32) as usize;
        if at == next {
            self.rows.push(CountedGroup { key, ..CountedGroup::default() });
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
        let numbers: Vec<Vec<u32>> =
            axes.map(|(axis, other)| axis.numbers_of_texts(other)).collect();
        for mut row in other.rows {
            for (id, numbers) in row.key.iter_mut().zip(&numbers) {
                *id = numbers.get(*id as usize).copied().unwrap_or(*id);
            }
            let own = self.row(row.key);
            self.rows[own].merge(&row);
        }
    }

    /// The groups, whose names are those of the catalogue.
    pub(super) fn finish(self, catalogue: &Catalogue) -> Breakdown {
        let Self { grouping, axes, index, mut rows, is_twofold, .. } = self;
        // Of many groups, what comes now takes the memory of these.
        drop(index);
        let codes = axes.iter().position(|axis| axis.by == GroupBy::Eco);
        if let Some(at) = codes.or_else(|| axes.iter().rposition(|axis| axis.by.is_opening())) {
            let names = |at: usize| axes[at].lines.names(catalogue, &axes[at].by);
            // The name of a code stands beside the code, and English beside the other name.
            let named = axes.iter().rposition(|axis| axis.by == GroupBy::Opening);
            let deepest = axes.iter().rposition(|axis| axis.by.is_opening());
            let english_at = named.or(deepest).unwrap_or(at);
            let of_codes = names(at);
            let others = (english_at != at && catalogue.language() != Language::English)
                .then(|| names(english_at));
            for row in &mut rows {
                row.names = of_codes.get(row.key[at] as usize).cloned();
                let other = others.as_ref().and_then(|all| all.get(row.key[english_at] as usize));
                if let (Some(names), Some(other)) = (&mut row.names, other) {
                    Arc::make_mut(names).english.clone_from(&other.english);
                }
            }
        }
        let axes = axes.into_iter().enumerate();
        let values = axes.map(|(at, axis)| sorted_values(axis, at, &mut rows)).collect();
        rows.sort_by_cached_key(|row| row.key);
        // Different bytes may be the same text.
        rows.dedup_by(|row, kept| {
            let is_same = row.key == kept.key;
            if is_same {
                kept.merge(row);
            }
            is_same
        });
        Breakdown { is_twofold, ..Breakdown::new(grouping.by, values, rows) }
    }
}

/// Two numbers as one, which takes fewer steps to hash.
fn packed([one, other]: [u32; 2]) -> u64 {
    u64::from(one) << 32 | u64::from(other)
}

/// The values of an axis, sorted. The rows get their places in the list.
fn sorted_values(axis: Axis, at: usize, rows: &mut [CountedGroup]) -> Vec<GroupValue> {
    let mut found = axis.values(rows.iter().map(|row| row.key[at]));
    drop(axis);
    found.sort_unstable();
    let (values, ids): (Vec<GroupValue>, Vec<u32>) = found.into_iter().unzip();
    let mut places = HashMap::with_capacity(ids.len());
    let mut place = 0;
    for (next, id) in ids.into_iter().enumerate() {
        if values[next] != values[place] {
            place = next;
        }
        places.insert(id, place as u32);
    }
    rows.iter_mut().for_each(|row| row.key[at] = places[&row.key[at]]);
    values
}
