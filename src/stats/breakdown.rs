//! Groups of games, and their rows: sorted, the small groups added up, and everything in all.
//!
//! There may be millions of groups. So each is kept as it was counted, its values are numbers of
//! values that stand in lists, and a [`Group`] puts both together.

use std::{cmp::Reverse, collections::BTreeMap, convert::Infallible, slice, sync::Arc};

use super::difference::{Difference, advantage_of_colors, mean_difference, signed};
use super::figures::{Baseline, Figures, GAMES, Number, Unit};
use super::grouping::{GroupBy, Subject};
use super::inference::{FALSE_DISCOVERY_RATE, MIN_RATED, discoveries};
use super::{game::Examples, key::GroupValue, openings::OpeningNames, tally::Tally};
use crate::named::named;

/// The games of an archive in groups.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Breakdown {
    /// By what the games are grouped.
    pub by: Vec<GroupBy>,
    /// All groups together. Groups of a side count each game twice, and so do chosen players if
    /// they play each other.
    pub all: Tally,
    /// The groups, sorted by their values.
    pub(super) groups: Vec<CountedGroup>,
    /// Sorted values of each field.
    pub(super) values: Vec<Vec<GroupValue>>,
    /// Whether games are counted from both sides, in one group or in two.
    pub(super) is_twofold: bool,
}

/// A group with numbers instead of its values.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CountedGroup {
    /// While games are counted, the numbers that axes give; then the places in the lists.
    pub(super) key: [u32; 2],
    pub(super) tally: Tally,
    pub(super) examples: Option<Box<Examples>>,
    /// Of openings.
    pub(super) names: Option<Arc<OpeningNames>>,
    /// Whether both sides of a game are in this group.
    pub(super) is_twofold: bool,
}

impl CountedGroup {
    pub(super) fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.is_twofold |= other.is_twofold;
        if let Some(examples) = &other.examples {
            self.examples.get_or_insert_default().merge(examples);
        }
    }
}

/// The games of a group.
#[derive(Debug, Clone, Copy)]
pub struct Group<'b> {
    breakdown: &'b Breakdown,
    pub(super) counted: &'b CountedGroup,
}

impl<'b> Group<'b> {
    /// What they have in common, one value for each field.
    pub fn values(self) -> impl DoubleEndedIterator<Item = &'b GroupValue> {
        let lists = self.breakdown.values.iter().zip(&self.counted.key);
        lists.map(|(values, place)| &values[*place as usize])
    }

    /// What they have in common in the first field, and so on.
    ///
    /// # Panics
    ///
    /// If there are fewer fields.
    pub fn value(self, place: usize) -> &'b GroupValue {
        &self.breakdown.values[place][self.counted.key[place] as usize]
    }

    /// Of openings, the name of the catalogue's shortest line.
    pub fn name(self) -> Option<&'b str> {
        self.counted.names.as_ref()?.name.as_deref()
    }

    /// The games.
    pub fn tally(self) -> &'b Tally {
        &self.counted.tally
    }
}

impl Breakdown {
    /// Groups, which have keys.
    pub(super) fn new(
        by: Vec<GroupBy>,
        values: Vec<Vec<GroupValue>>,
        groups: Vec<CountedGroup>,
    ) -> Self {
        let all = sum(groups.iter());
        Self { by, all, groups, values, is_twofold: false }
    }

    /// The groups, sorted by their values.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.groups.iter().map(|counted| self.group(counted))
    }

    pub(super) fn group<'b>(&'b self, counted: &'b CountedGroup) -> Group<'b> {
        Group { breakdown: self, counted }
    }

    /// What is expected of White besides what the ratings predict. Of players it is known if the
    /// groups are by colour.
    fn white_advantage(&self, subject: Subject) -> f64 {
        match (subject, &self.by[..]) {
            (Subject::Archive, _) => mean_difference(&self.all),
            (Subject::Players, [GroupBy::Color, ..]) => {
                let is_black = |group: &Group<'_>| is_black(group.values().next());
                let (black, white): (Vec<_>, Vec<_>) = self.groups().partition(is_black);
                let sum = |groups: Vec<Group<'_>>| sum(groups.iter().map(|group| group.counted));
                advantage_of_colors(&sum(white), &sum(black))
            }
            (Subject::Players, _) => 0.0,
        }
    }
}

/// The games of several groups.
pub(super) fn sum<'g>(groups: impl Iterator<Item = &'g CountedGroup>) -> Tally {
    let mut all = Tally::default();
    groups.for_each(|group| all.merge(&group.tally));
    all
}

/// Which rows there are, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowOptions {
    /// At most this number of groups, and of groups within each; the others are added up.
    pub top: Option<usize>,
    /// Groups with fewer games are added up.
    pub min_games: u64,
    /// The order. By default groups with an order of their own, such as years, are in that order,
    /// and others by games.
    pub sort: Option<SortBy>,
    /// The direction of that. By default numbers come from the greatest, and what groups have in
    /// common and their first dates from the least.
    pub order: Option<SortOrder>,
    /// Whether the games are those of chosen players, or in groups of a side.
    pub subject: Subject,
    /// Whether rows that add up groups are among them: all games, and the groups without a row.
    pub totals: Totals,
}

/// Whether there are rows that add up groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Totals {
    /// All games come first, the groups without a row come last, and so within each group.
    #[default]
    Shown,
    /// Groups only.
    Hidden,
}

named! {
    /// How sure it is that the score of a group differs from expectation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Certainty {
        /// Among all groups with enough rated games, at a false discovery rate of 10 %.
        Sure = "sure",
        /// Alone, at 5 %: of many groups, one in twenty is that by luck.
        Maybe = "maybe",
        /// It may be luck.
        Unclear = "unclear",
    }
}

/// Below this, what is found alone is not luck.
const P_VALUE: f64 = 0.05;

/// In which direction rows are sorted. Rows without a value come last in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortOrder {
    /// From the least.
    Ascending,
    /// From the greatest.
    Descending,
}

/// By what rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortBy {
    /// By what the games of a group have in common.
    Value,
    /// By a number.
    Number(Number),
}

named! {
    /// What a row stands for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RowKind {
        /// All games.
        All = "all",
        /// A group that the following rows divide.
        Total = "total",
        /// A group.
        Group = "group",
        /// The groups that have no row.
        Others = "others",
    }
}

/// A row of a breakdown.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StatsRow {
    /// What it stands for.
    pub kind: RowKind,
    /// What the games have in common, one value for each field; [`GroupValue::None`] where they do
    /// not say, and in rows that stand for several groups.
    pub values: Vec<GroupValue>,
    /// The fields whose values the row has: none for all games, one for a total.
    pub level: usize,
    /// Whether the games are independent of each other. All games of both sides, and the others,
    /// have each game twice with opposite results, and so have groups in which chosen players play
    /// each other: then intervals mean nothing, and there are none.
    pub has_intervals: bool,
    /// The name of the catalogue's shortest line of an opening.
    pub name: Option<String>,
    /// The opening in English, if the catalogue is in another language.
    pub english: Option<String>,
    /// Of a group with rated games, whether the difference from expectation may be luck.
    pub certainty: Option<Certainty>,
    /// The numbers; games per 1,000 are of all games, or of those of the total above.
    pub figures: Figures,
}

impl StatsRow {
    /// A number of the row, unless it is the limit of an interval that means nothing.
    pub fn number(&self, number: Number) -> Option<f64> {
        number.of(&self.figures).filter(|_| self.has_intervals || number.unit != Unit::Limit)
    }
}

impl Breakdown {
    /// The rows: all games first, then the groups, then the others. In a nested breakdown each
    /// group of the first field has a total, which its rows follow.
    pub fn rows(&self, options: &RowOptions) -> Vec<StatsRow> {
        let mut rows = Vec::new();
        let Ok(()) = self.try_each_row(options, &mut |row| {
            rows.push(row);
            Ok::<(), Infallible>(())
        });
        rows
    }

    /// The rows one by one: of a million groups, they take more memory than the groups.
    ///
    /// # Errors
    ///
    /// The first one of `take`, after which there are no more rows.
    pub fn try_each_row<E>(
        &self,
        options: &RowOptions,
        take: &mut impl FnMut(StatsRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let plan = Plan::new(self, options);
        let take = &mut |row: StatsRow| match (options.totals, row.kind) {
            (Totals::Hidden, RowKind::All | RowKind::Total | RowKind::Others) => Ok(()),
            _ => take(row),
        };
        take(self.labelled(RowKind::All, Vec::new(), &self.all, &self.all, &plan))?;
        if self.by.len() < 2 {
            return self.level(&self.groups, &[], &self.all, &plan, take);
        }
        let inner = self.groups.chunk_by(|one, other| one.key[0] == other.key[0]);
        let inner: BTreeMap<u32, &[CountedGroup]> =
            inner.map(|groups| (groups[0].key[0], groups)).collect();
        let totals: Vec<CountedGroup> = inner.values().map(|groups| self.total(groups)).collect();
        let (shown, others) = self.shown(&totals, 0, &self.all, &plan);
        for total in shown {
            take(self.row(RowKind::Total, total, 1, &self.all, &plan))?;
            let prefix = &self.values[0][total.key[0] as usize];
            let groups = inner[&total.key[0]];
            self.level(groups, slice::from_ref(prefix), &total.tally, &plan, take)?;
        }
        others.map_or(Ok(()), |others| {
            take(self.labelled(RowKind::Others, Vec::new(), &others, &self.all, &plan))
        })
    }

    /// Groups with the same first value as one.
    fn total(&self, groups: &[CountedGroup]) -> CountedGroup {
        let has_name = self.by[0] == GroupBy::Eco;
        CountedGroup {
            key: [groups[0].key[0], 0],
            tally: sum(groups.iter()),
            names: groups[0].names.clone().filter(|_| has_name),
            is_twofold: self.is_twofold && !self.by[0].is_of_a_side(),
            ..CountedGroup::default()
        }
    }

    /// The rows of groups that differ in the field after those of `prefix`, and the others.
    fn level<E>(
        &self,
        groups: &[CountedGroup],
        prefix: &[GroupValue],
        parent: &Tally,
        plan: &Plan<'_>,
        take: &mut impl FnMut(StatsRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let (shown, others) = self.shown(groups, prefix.len(), parent, plan);
        for group in shown {
            take(self.row(RowKind::Group, group, self.by.len(), parent, plan))?;
        }
        others.map_or(Ok(()), |others| {
            take(self.labelled(RowKind::Others, prefix.to_vec(), &others, parent, plan))
        })
    }

    /// The groups that have rows, in their order, and the others together.
    fn shown<'g>(
        &self,
        groups: &'g [CountedGroup],
        place: usize,
        parent: &Tally,
        plan: &Plan<'_>,
    ) -> (Vec<&'g CountedGroup>, Option<Tally>) {
        let options = plan.options;
        let is_large = |group: &&CountedGroup| group.tally.games() >= options.min_games;
        let large = groups.iter().filter(is_large).collect();
        let mut shown = self.sorted(large, plan, place, parent);
        let cut = shown.split_off(options.top.unwrap_or(usize::MAX).min(shown.len()));
        let small = groups.iter().filter(|group| !is_large(group));
        let others = (shown.len() < groups.len()).then(|| sum(small.chain(cut)));
        (shown, others)
    }

    /// The groups in the order of their rows. Equals are in the order of their values, as all are
    /// now.
    fn sorted<'g>(
        &self,
        mut groups: Vec<&'g CountedGroup>,
        plan: &Plan<'_>,
        place: usize,
        parent: &Tally,
    ) -> Vec<&'g CountedGroup> {
        let is_ordered = self.by.get(place).is_some_and(GroupBy::is_ordered);
        let RowOptions { sort, order, .. } = *plan.options;
        let number = match sort {
            Some(SortBy::Number(number)) => number,
            None if !is_ordered => GAMES,
            Some(SortBy::Value) | None => {
                let is_unknown =
                    |group: &&CountedGroup| *self.group(group).value(place) == GroupValue::None;
                if order == Some(SortOrder::Descending) {
                    groups.reverse();
                    groups.sort_by_key(is_unknown);
                }
                return groups;
            }
        };
        let is_ascending = match order {
            Some(order) => order == SortOrder::Ascending,
            None => number.unit == Unit::FirstDate,
        };
        if number == GAMES && !is_ascending {
            groups.sort_by_key(|group| Reverse(group.tally.games()));
            return groups;
        }
        let key = |group: &CountedGroup| {
            let value = self.row(RowKind::Group, group, place + 1, parent, plan).number(number);
            value.map_or(f64::INFINITY, |value| if is_ascending { value } else { -value })
        };
        let mut keyed: Vec<(f64, &CountedGroup)> =
            groups.into_iter().map(|group| (key(group), group)).collect();
        keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        keyed.into_iter().map(|(_, group)| group).collect()
    }

    /// The row of a group, with the values of its first `level` fields.
    fn row(
        &self,
        kind: RowKind,
        counted: &CountedGroup,
        level: usize,
        parent: &Tally,
        plan: &Plan<'_>,
    ) -> StatsRow {
        let group = self.group(counted);
        let values = group.values().take(level).cloned().collect();
        let row = self.labelled(kind, values, &counted.tally, parent, plan);
        let difference = row.figures.difference.filter(|_| !counted.is_twofold);
        StatsRow {
            has_intervals: !counted.is_twofold,
            name: group.name().map(str::to_owned),
            english: counted.names.as_ref().and_then(|names| names.english.clone()),
            certainty: difference.map(|difference| plan.certainty(&difference)),
            ..row
        }
    }

    /// A row of several groups that have these values in common.
    fn labelled(
        &self,
        kind: RowKind,
        mut values: Vec<GroupValue>,
        tally: &Tally,
        parent: &Tally,
        plan: &Plan<'_>,
    ) -> StatsRow {
        let advantage = match (kind, plan.options.subject) {
            (RowKind::All, _) => 0.0,
            (_, Subject::Archive) => plan.advantage,
            _ => signed(plan.advantage, is_black(values.first())),
        };
        let baseline = Baseline { all: &self.all, advantage };
        let level = values.len();
        values.resize(self.by.len(), GroupValue::None);
        let per_1000 = 1000.0 * tally.games() as f64 / parent.games().max(1) as f64;
        StatsRow {
            kind,
            level,
            values,
            has_intervals: !self.is_twofold,
            name: None,
            english: None,
            certainty: None,
            figures: Figures { per_1000: Some(per_1000), ..baseline.figures(tally) },
        }
    }
}

/// What rows are made by.
struct Plan<'o> {
    options: &'o RowOptions,
    /// What is expected of White besides what the ratings predict, and the opposite of Black.
    advantage: f64,
    /// The greatest p-value that is a discovery among all groups.
    threshold: f64,
}

impl<'o> Plan<'o> {
    fn new(breakdown: &Breakdown, options: &'o RowOptions) -> Self {
        let advantage = breakdown.white_advantage(options.subject);
        let mut plan = Self { options, advantage, threshold: 0.0 };
        let p_values: Vec<f64> = breakdown
            .groups()
            .filter(|group| group.tally().rated() >= MIN_RATED)
            .filter_map(|group| {
                let is_black =
                    is_black(group.values().next()) && plan.options.subject == Subject::Players;
                let advantage = signed(advantage, is_black);
                Some(Difference::beyond(advantage, group.tally(), &breakdown.all)?.p_value)
            })
            .collect();
        let found = discoveries(&p_values, FALSE_DISCOVERY_RATE).into_iter().zip(&p_values);
        let found = found.filter(|(is_found, _)| *is_found).map(|(_, p)| *p);
        plan.threshold = found.fold(0.0, f64::max);
        plan
    }

    fn certainty(&self, difference: &Difference) -> Certainty {
        match difference.p_value {
            p if p <= self.threshold && difference.games >= MIN_RATED => Certainty::Sure,
            p if p < P_VALUE => Certainty::Maybe,
            _ => Certainty::Unclear,
        }
    }
}

/// Whether this is the colour black.
fn is_black(value: Option<&GroupValue>) -> bool {
    matches!(value, Some(GroupValue::Text { text, .. }) if **text == *"black")
}
