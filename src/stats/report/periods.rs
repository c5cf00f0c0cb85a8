//! Years or months, and what was played in each.

use std::{cmp::Reverse, collections::BTreeMap, iter, mem, sync::Arc};

use super::slices::Slice;
use crate::stats::tally::{Addend, Mean, Tally};
use crate::stats::{figures::Baseline, game::ScoredGame, openings::LineGroups};
use crate::{chess::Color, select::Speed, stats::key::speed};

/// More months than this are shown as years.
const MAX_MONTHS: i32 = 48;

/// The openings whose popularity is followed.
const FOLLOWED: usize = 8;

/// Years or months.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// `2021`
    Year,
    /// `2021-05`
    Month,
}

/// How popular a family was.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Popularity {
    /// The family.
    pub family: String,
    /// The games per 1,000 of each period, in the order of
    /// [`Report::periods`](super::Report::periods); `None` where a period has no games.
    pub per_1000: Vec<Option<f64>>,
}

/// How the rating of players went at one speed.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct RatingHistory {
    /// The speed; `None` for games that do not say.
    pub speed: Option<String>,
    /// The mean of each period, in the order of [`Report::periods`](super::Report::periods); `None`
    /// where a period has no rated games.
    pub means: Vec<Option<f64>>,
}

/// Games counted by period: by month, as long as there are few months and all dates say them,
/// otherwise by year.
///
/// What is counted of a part does not depend on the order of its games, and where a part has years
/// the whole has them too.
#[derive(Debug, Clone)]
pub(super) struct PeriodCounter {
    families: Arc<LineGroups>,
    unit: Period,
    /// The games of each period that has any, by its number. Months are numbered without gaps.
    periods: BTreeMap<i32, PeriodGames>,
}

#[derive(Debug, Clone, Default)]
struct PeriodGames {
    tally: Tally,
    /// The number of games of each family, as far as there are any.
    families: Vec<u32>,
    /// The own ratings, without a speed and at each.
    ratings: [Mean; 1 + Speed::ALL.len()],
}

impl PeriodGames {
    fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        other.families.iter().enumerate().for_each(|(family, games)| {
            self.add_family(family, *games);
        });
        let ratings = self.ratings.iter_mut().zip(other.ratings);
        ratings.for_each(|(own, other)| own.merge(other));
    }

    fn add_family(&mut self, family: usize, games: u32) {
        if family >= self.families.len() {
            self.families.resize(family + 1, 0);
        }
        self.families[family] = self.families[family].saturating_add(games);
    }
}

impl PeriodCounter {
    pub(super) fn new(families: Arc<LineGroups>) -> Self {
        Self { families, unit: Period::Month, periods: BTreeMap::new() }
    }

    /// The number of groups so far.
    pub(super) fn size(&self) -> usize {
        self.periods.len()
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
        let period = self.period_of(date);
        let family = game.named.map(|named| self.families.id(named.line_index()));
        let speed = speed(game).map_or(0, |speed| 1 + speed as usize);
        let games = self.periods.entry(period).or_default();
        for side in sides {
            games.tally.add_score(&addends[usize::from(side.is_black())]);
            games.ratings[speed].add(game.rating(*side).map(i64::from));
        }
        if let Some(family) = family {
            games.add_family(family as usize, sides.len() as u32);
        }
    }

    /// The period of a date. Months become years where they have to.
    fn period_of(&mut self, date: u32) -> i32 {
        let (year, month) = ((date / 10_000) as i32, (date / 100 % 100) as i32);
        if self.unit == Period::Month {
            let number = 12 * year + month - 1;
            if month > 0 && self.has_few_months(number, number) {
                return number;
            }
            self.count_by_year();
        }
        year
    }

    /// Whether there are few months if games come from one month to another.
    fn has_few_months(&self, first: i32, last: i32) -> bool {
        let (first, last) = match self.ends() {
            Some((own_first, own_last)) => (first.min(own_first), last.max(own_last)),
            None => (first, last),
        };
        last - first < MAX_MONTHS
    }

    /// The first period that has games, and the last.
    fn ends(&self) -> Option<(i32, i32)> {
        let mut known = self.periods.keys().copied();
        let first = known.next()?;
        Some((first, known.next_back().unwrap_or(first)))
    }

    /// Adds the periods without games between others.
    pub(super) fn fill_gaps(&mut self) {
        for period in self.ends().into_iter().flat_map(|(first, last)| first..last) {
            self.periods.entry(period).or_default();
        }
    }

    fn count_by_year(&mut self) {
        if self.unit == Period::Year {
            return;
        }
        self.unit = Period::Year;
        for (month, games) in mem::take(&mut self.periods) {
            self.periods.entry(month / 12).or_default().merge(&games);
        }
    }

    pub(super) fn merge(&mut self, mut other: Self) {
        let Some((first, last)) = other.ends() else { return };
        let are_months = self.unit == Period::Month && other.unit == Period::Month;
        if !(are_months && self.has_few_months(first, last)) {
            self.count_by_year();
            other.count_by_year();
        }
        for (period, games) in &other.periods {
            self.periods.entry(*period).or_default().merge(games);
        }
    }

    pub(super) fn unit(&self) -> Period {
        if self.periods.is_empty() { Period::Year } else { self.unit }
    }

    pub(super) fn slices(&self, baseline: Baseline<'_>) -> Vec<Slice> {
        let label = |period: &i32| match self.unit {
            Period::Year => period.to_string(),
            Period::Month => format!("{:04}-{:02}", period / 12, period % 12 + 1),
        };
        let slice = |(period, games): (&i32, &PeriodGames)| Slice {
            label: label(period),
            figures: baseline.figures(&games.tally),
        };
        self.periods.iter().map(slice).collect()
    }

    /// The ratings at each speed that has some.
    pub(super) fn ratings(&self) -> Vec<RatingHistory> {
        let names = iter::once(None).chain(Speed::ALL.iter().map(|speed| Some(speed.name())));
        let history = |(place, name): (usize, Option<&str>)| RatingHistory {
            speed: name.map(str::to_owned),
            means: self.periods.values().map(|games| games.ratings[place].mean()).collect(),
        };
        let histories = names.enumerate().map(history);
        histories.filter(|history| history.means.iter().any(Option::is_some)).collect()
    }

    /// The share that each of the commonest families has in each period.
    pub(super) fn popularity(&self) -> Vec<Popularity> {
        let mut all = PeriodGames::default();
        self.periods.values().for_each(|games| all.merge(games));
        let played = (0..).zip(&all.families).filter(|(_, games)| **games > 0);
        let mut sorted: Vec<(u32, &u32)> = played.collect();
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
