//! Years or months, and what was played in each.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use hashbrown::HashMap;

use super::slices::Slice;
use crate::chess::Color;
use crate::stats::openings::LineGroups;
use crate::stats::tally::{Addend, Tally};
use crate::stats::{figures::Baseline, game::ScoredGame};

/// More months than this are shown as years.
const MAX_MONTHS: u32 = 48;

/// The openings whose popularity is followed.
const FOLLOWED: usize = 8;

/// Years or months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Period {
    /// `2021`
    Year,
    /// `2021-05`
    Month,
}

/// How popular a family was.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Popularity {
    /// The family.
    pub family: String,
    /// The games per 1,000 of each period, in the order of
    /// [`Report::periods`](super::Report::periods); `None` where a period has no games.
    pub per_1000: Vec<Option<f64>>,
}

/// Games counted by month.
#[derive(Debug, Clone)]
pub(super) struct PeriodCounter {
    families: Arc<LineGroups>,
    /// By year and month, 202105; the month is 0 where it is not known.
    months: HashMap<u32, PeriodGames>,
}

#[derive(Debug, Clone, Default)]
struct PeriodGames {
    tally: Tally,
    /// The number of games of each family, as far as there are any.
    families: Vec<u64>,
}

impl PeriodGames {
    fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        other.families.iter().enumerate().for_each(|(family, games)| {
            self.add_family(family, *games);
        });
    }

    #[inline]
    fn add_family(&mut self, family: usize, games: u64) {
        if family >= self.families.len() {
            self.families.resize(family + 1, 0);
        }
        self.families[family] += games;
    }
}

impl PeriodCounter {
    pub(super) fn new(families: Arc<LineGroups>) -> Self {
        Self { families, months: HashMap::new() }
    }

    /// The number of groups so far.
    pub(super) fn size(&self) -> usize {
        self.months.len()
    }

    /// Counts a game for each of these sides, unless it has no year. The addends are those of White
    /// and of Black.
    pub(super) fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        sides: &[Color],
        addends: &[Addend; 2],
    ) {
        let Some(date) = game.date else { return };
        let games = self.months.entry(date / 100).or_default();
        for side in sides {
            games.tally.add_score(&addends[usize::from(side.is_black())]);
        }
        if let Some(named) = game.named {
            let family = self.families.id(named.line_index());
            games.add_family(family as usize, sides.len() as u64);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (month, games) in other.months {
            self.months.entry(month).or_default().merge(&games);
        }
    }

    /// The games by month, if there are few months and all dates say them, otherwise by year.
    pub(super) fn finish(self) -> Periods {
        let number = |month: &u32| 12 * (month / 100) + month % 100 - 1;
        let are_known = self.months.keys().all(|month| month % 100 > 0);
        let numbers = || self.months.keys().map(number);
        let is_short = || Some(numbers().max()? - numbers().min()? < MAX_MONTHS);
        let unit = match are_known && is_short().unwrap_or(false) {
            true => Period::Month,
            false => Period::Year,
        };
        let mut periods: BTreeMap<u32, PeriodGames> = BTreeMap::new();
        for (month, games) in &self.months {
            let period = match unit {
                Period::Year => month / 100,
                Period::Month => number(month),
            };
            periods.entry(period).or_default().merge(games);
        }
        let ends = periods.first_key_value().zip(periods.last_key_value());
        for period in ends.map(|((first, _), (last, _))| *first..=*last).into_iter().flatten() {
            periods.entry(period).or_default();
        }
        Periods { families: self.families, unit, periods }
    }
}

/// Periods from the first to the last, with those between without games.
pub(super) struct Periods {
    families: Arc<LineGroups>,
    pub(super) unit: Period,
    /// By the year, or by the months from the year 0 on.
    periods: BTreeMap<u32, PeriodGames>,
}

impl Periods {
    pub(super) fn slices(&self, baseline: Baseline<'_>) -> Vec<Slice> {
        let label = |period: u32| match self.unit {
            Period::Year => period.to_string(),
            Period::Month => format!("{:04}-{:02}", period / 12, period % 12 + 1),
        };
        let slice = |(period, games): (&u32, &PeriodGames)| Slice {
            label: label(*period),
            figures: baseline.figures(&games.tally),
        };
        self.periods.iter().map(slice).collect()
    }

    /// The share that each of the commonest families has in each period.
    pub(super) fn popularity(&self) -> Vec<Popularity> {
        let mut all = PeriodGames::default();
        self.periods.values().for_each(|games| all.merge(games));
        let played = (0..).zip(&all.families).filter(|(_, games)| **games > 0);
        let mut sorted: Vec<(u32, &u64)> = played.collect();
        sorted.sort_by_key(|(family, games)| (Reverse(*games), self.families.label(*family)));
        let share = |period: &PeriodGames, family: u32| {
            let all = period.tally.games();
            let games = period.families.get(family as usize).copied().unwrap_or(0);
            (all > 0).then(|| 1000.0 * games as f64 / all as f64)
        };
        let followed = sorted.into_iter().take(FOLLOWED).map(|(family, _)| Popularity {
            family: self.families.label(family).to_owned(),
            per_1000: self.periods.values().map(|period| share(period, family)).collect(),
        });
        followed.collect()
    }
}
