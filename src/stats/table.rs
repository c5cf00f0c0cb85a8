//! The groups of one grouping, while games are counted.

use std::sync::Arc;

use hashbrown::HashMap;

use super::{
    axis::{Axis, Translation},
    breakdown::{Breakdown, Group},
    example::Examples,
    game::ScoredGame,
    group_by::GroupBy,
    grouping::{Grouping, KeepExamples, Lengths},
    openings::LineGroups,
    perspective::Perspective,
    tally::Tally,
};
use crate::{catalogue::Catalogue, chess::Color, select::GameInfo};

/// The groups of lines that tables of openings need.
#[derive(Debug, Default)]
pub(super) struct OpeningGroups {
    pub(super) names: LineGroups,
    pub(super) families: LineGroups,
}

/// The groups of one grouping.
#[derive(Debug, Clone)]
pub(super) struct Table {
    grouping: Grouping,
    axes: Vec<Axis>,
    /// The indices of the rows by the numbers of their values.
    index: HashMap<[u32; 2], u32>,
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
    pub(super) fn new(catalogue: &Catalogue, grouping: &Grouping) -> Self {
        let axis = |by: &GroupBy| Axis::new(by.clone(), Arc::new(LineGroups::new(catalogue, by)));
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

    pub(super) fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        source: &str,
        perspective: Perspective<'_>,
    ) {
        let is_of_a_side = self.axes.iter().any(|axis| axis.by.is_of_a_side());
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
            let mut sample = game.sample(*side);
            if self.grouping.lengths == Lengths::Dropped {
                (sample.plies, sample.exit) = (None, None);
            }
            let keeps = self.grouping.examples == KeepExamples::Latest;
            let row = self.row(key);
            row.tally.add(&sample);
            row.is_twofold |= is_twofold && !is_of_a_side;
            if keeps {
                row.examples.get_or_insert_default().add(game, *side, source);
            }
        }
    }

    #[inline]
    fn row(&mut self, key: [u32; 2]) -> &mut Row {
        let next = self.rows.len();
        let at = *self.index.entry(key).or_insert(next as u32) as usize;
        if at == next {
            self.rows.push(Row { key, tally: Tally::default(), examples: None, is_twofold: false });
        }
        &mut self.rows[at]
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.is_twofold |= other.is_twofold;
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
        let group = |row: Row| {
            let id = codes.map(|at| row.key[at] as usize);
            Group {
                values: values.iter().zip(row.key).map(|(values, id)| values.value(id)).collect(),
                name: label(&names, &groups.names, id),
                family: label(&families, &groups.families, id),
                tally: row.tally,
                is_twofold: row.is_twofold,
                examples: row.examples.map(|examples| *examples).unwrap_or_default(),
            }
        };
        let mut found: Vec<Group> = self.rows.into_iter().map(group).collect();
        found.sort_by(|a, b| a.values.cmp(&b.values));
        // Different bytes may be the same text.
        found.dedup_by(|group, before| {
            let is_same = group.values == before.values;
            if is_same {
                before.tally.merge(&group.tally);
                before.is_twofold |= group.is_twofold;
                before.examples.merge(std::mem::take(&mut group.examples));
            }
            is_same
        });
        Breakdown { is_twofold: self.is_twofold, ..Breakdown::new(self.grouping.by.clone(), found) }
    }
}
