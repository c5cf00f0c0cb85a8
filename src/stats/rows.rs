//! A breakdown as rows: sorted, the small groups added up, and everything in all.

use std::{cmp::Reverse, collections::BTreeMap, convert::Infallible, slice, str::FromStr};

use super::{
    breakdown::{Breakdown, CountedGroup, sum},
    figures::Figures,
    grouping::GroupBy,
    key::GroupValue,
    tally::Tally,
};

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
}

/// By what rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortBy {
    /// By what the games of a group have in common.
    Value,
    /// By a number, the greatest first.
    Number(Number),
}

/// A number of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Number {
    /// Games.
    Games,
    /// Games won.
    Won,
    /// Games drawn.
    Drawn,
    /// Games lost.
    Lost,
    /// Score.
    Score,
    /// The lower limit of its interval.
    Low,
    /// The upper limit of its interval.
    High,
    /// Games with ratings.
    Rated,
    /// Expected score.
    Expected,
    /// Score minus expectation.
    Diff,
    /// The lower limit of its interval.
    DiffLow,
    /// The upper limit of its interval.
    DiffHigh,
    /// Performance.
    Performance,
    /// Games per 1,000.
    Per1000,
    /// Median length.
    Plies,
    /// Median exit.
    Exit,
    /// First date; the earliest comes first.
    First,
    /// Last date.
    Last,
}

/// The names of numbers. Some have two, without and with a player.
const NUMBERS: [(&str, Number); 21] = [
    ("games", Number::Games),
    ("white", Number::Won),
    ("won", Number::Won),
    ("draws", Number::Drawn),
    ("drawn", Number::Drawn),
    ("black", Number::Lost),
    ("lost", Number::Lost),
    ("score", Number::Score),
    ("low", Number::Low),
    ("high", Number::High),
    ("rated", Number::Rated),
    ("expected", Number::Expected),
    ("diff", Number::Diff),
    ("diff_low", Number::DiffLow),
    ("diff_high", Number::DiffHigh),
    ("performance", Number::Performance),
    ("per_1000", Number::Per1000),
    ("plies", Number::Plies),
    ("exit", Number::Exit),
    ("first", Number::First),
    ("last", Number::Last),
];

/// The text is not the name of a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot sort by {0:?}; columns are {names}", names = number_names())]
pub struct ParseNumberError(String);

fn number_names() -> String {
    Number::names().collect::<Vec<_>>().join(", ")
}

impl Number {
    /// The names of all numbers.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NUMBERS.iter().map(|(name, _)| *name)
    }
}

impl FromStr for Number {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Self, ParseNumberError> {
        let found = NUMBERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        found
            .map(|(_, number)| *number)
            .ok_or_else(|| ParseNumberError(text.chars().take(40).collect()))
    }
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// All games.
    All,
    /// A group that the following rows divide.
    Total,
    /// A group.
    Group,
    /// The groups that have no row.
    Others,
}

impl RowKind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Total => "total",
            Self::Group => "group",
            Self::Others => "others",
        }
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
    /// The numbers.
    pub figures: Figures,
    /// The games per 1,000 of all games, or of those of the total above.
    pub per_1000: f64,
}

impl StatsRow {
    /// A number of the row; dates count as numbers.
    #[must_use]
    pub fn number(&self, number: Number) -> Option<f64> {
        let figures = &self.figures;
        let count = |count: u64| Some(count as f64);
        let difference = figures.difference.as_ref();
        match number {
            Number::Games => count(figures.games),
            Number::Won => count(figures.won),
            Number::Drawn => count(figures.drawn),
            Number::Lost => count(figures.lost),
            Number::Score => figures.score,
            Number::Low | Number::High | Number::DiffLow | Number::DiffHigh
                if !self.has_intervals =>
            {
                None
            }
            Number::Low => figures.interval.map(|interval| interval.low),
            Number::High => figures.interval.map(|interval| interval.high),
            Number::Rated => count(figures.rated()),
            Number::Expected => difference.map(|d| d.expected),
            Number::Diff => difference.map(|d| d.value),
            Number::DiffLow => difference.map(|d| d.interval.low),
            Number::DiffHigh => difference.map(|d| d.interval.high),
            Number::Performance => figures.performance.map(|rating| rating as f64),
            Number::Per1000 => Some(self.per_1000),
            Number::Plies => figures.plies,
            Number::Exit => figures.exit,
            Number::First => figures.first.as_deref().and_then(date_number).map(|date| -date),
            Number::Last => figures.last.as_deref().and_then(date_number),
        }
    }
}

/// A date as a number that sorts alike.
fn date_number(text: &str) -> Option<f64> {
    let mut parts = text.split('-').map(str::parse::<f64>);
    let mut part = || parts.next().and_then(Result::ok);
    Some(part()? * 1e4 + part().unwrap_or(0.0) * 1e2 + part().unwrap_or(0.0))
}

impl Breakdown {
    /// The rows: all games first, then the groups, then the others. In a nested breakdown each
    /// group of the first field has a total, which its rows follow.
    #[must_use]
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
        take(self.labelled(RowKind::All, &[], &self.all, &self.all))?;
        if self.by.len() < 2 {
            return self.level(&self.groups, &[], &self.all, options, take);
        }
        let inner = self.groups.chunk_by(|one, other| one.key[0] == other.key[0]);
        let inner: BTreeMap<u32, &[CountedGroup]> =
            inner.map(|groups| (groups[0].key[0], groups)).collect();
        let totals: Vec<CountedGroup> = inner.values().map(|groups| self.total(groups)).collect();
        let (shown, others) = self.shown(&totals, 0, &self.all, options);
        for total in shown {
            take(self.row(RowKind::Total, total, 1, &self.all))?;
            let prefix = &self.values[0][total.key[0] as usize];
            let groups = inner[&total.key[0]];
            self.level(groups, slice::from_ref(prefix), &total.tally, options, take)?;
        }
        others
            .map_or(Ok(()), |others| take(self.labelled(RowKind::Others, &[], &others, &self.all)))
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
        options: &RowOptions,
        take: &mut impl FnMut(StatsRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let (shown, others) = self.shown(groups, prefix.len(), parent, options);
        for group in shown {
            take(self.row(RowKind::Group, group, self.by.len(), parent))?;
        }
        others
            .map_or(Ok(()), |others| take(self.labelled(RowKind::Others, prefix, &others, parent)))
    }

    /// The groups that have rows, in their order, and the others together.
    fn shown<'g>(
        &self,
        groups: &'g [CountedGroup],
        place: usize,
        parent: &Tally,
        options: &RowOptions,
    ) -> (Vec<&'g CountedGroup>, Option<Tally>) {
        let is_large = |group: &&CountedGroup| group.tally.games() >= options.min_games;
        let large = groups.iter().filter(is_large).collect();
        let mut shown = self.sorted(large, options.sort, place, parent);
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
        sort: Option<SortBy>,
        place: usize,
        parent: &Tally,
    ) -> Vec<&'g CountedGroup> {
        let is_ordered = self.by.get(place).is_some_and(GroupBy::is_ordered);
        match sort {
            Some(SortBy::Value) => groups,
            None if is_ordered => groups,
            None | Some(SortBy::Number(Number::Games)) => {
                groups.sort_by_key(|group| Reverse(group.tally.games()));
                groups
            }
            Some(SortBy::Number(number)) => {
                let value = |group: &CountedGroup| {
                    let row = self.row(RowKind::Group, group, place + 1, parent);
                    row.number(number).unwrap_or(f64::NEG_INFINITY)
                };
                let mut keyed: Vec<(f64, &CountedGroup)> =
                    groups.into_iter().map(|group| (value(group), group)).collect();
                keyed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
                keyed.into_iter().map(|(_, group)| group).collect()
            }
        }
    }

    /// The row of a group, with the values of its first `level` fields.
    fn row(&self, kind: RowKind, counted: &CountedGroup, level: usize, parent: &Tally) -> StatsRow {
        let group = self.group(counted);
        let mut values: Vec<GroupValue> = group.values().take(level).cloned().collect();
        values.resize(self.by.len(), GroupValue::None);
        StatsRow {
            kind,
            level,
            values,
            has_intervals: !counted.is_twofold,
            name: group.name().map(str::to_owned),
            figures: Figures::new(&counted.tally, &self.all),
            per_1000: per_1000(&counted.tally, parent),
        }
    }

    /// A row of several groups that have the values of `prefix` in common.
    fn labelled(
        &self,
        kind: RowKind,
        prefix: &[GroupValue],
        tally: &Tally,
        parent: &Tally,
    ) -> StatsRow {
        let mut values = prefix.to_vec();
        values.resize(self.by.len(), GroupValue::None);
        let figures = Figures::new(tally, &self.all);
        StatsRow {
            kind,
            level: prefix.len(),
            values,
            has_intervals: !self.is_twofold,
            name: None,
            figures,
            per_1000: per_1000(tally, parent),
        }
    }
}

fn per_1000(tally: &Tally, parent: &Tally) -> f64 {
    1000.0 * tally.games() as f64 / parent.games().max(1) as f64
}
