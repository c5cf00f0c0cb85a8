//! Years or months, and what was played in each.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use hashbrown::HashMap;

use super::slices::Slice;
use crate::{
    chess::Color,
    stats::{
        axis::NONE,
        figures::Baseline,
        game::ScoredGame,
        openings::LineGroups,
        tally::{Addend, Tally},
    },
};

/// More months than this are shown as years.
const MAX_MONTHS: i32 = 48;

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

/// Games counted by period: by month, as long as there are few months and all dates say them,
/// otherwise by year.
///
/// What is counted of a part does not depend on the order of its games, and where a part has years
/// the whole has them too.
#[derive(Debug, Clone)]
pub(super) struct PeriodCounter {
    families: Arc<LineGroups>,
    unit: Period,
    /// The games of each period, by its number. Months are numbered without gaps.
    tallies: HashMap<i32, Tally>,
    /// The number of games of each family in each period, by both as [`packed`] has them; [`NONE`]
    /// stands for no opening.
    games: HashMap<u64, u64>,
    /// The first and the last month.
    months: Option<(i32, i32)>,
}

/// The games of a period.
#[derive(Debug, Default)]
pub(super) struct PeriodGames {
    label: String,
    tally: Tally,
    /// The number of games of each family.
    families: HashMap<u32, u64>,
}

impl PeriodCounter {
    pub(super) fn new(families: Arc<LineGroups>) -> Self {
        Self {
            families,
            unit: Period::Month,
            tallies: HashMap::default(),
            games: HashMap::default(),
            months: None,
        }
    }

    /// The same families without games.
    pub(super) fn empty(&self) -> Self {
        Self::new(Arc::clone(&self.families))
    }

    /// The number of groups so far.
    pub(super) fn size(&self) -> usize {
        self.tallies.len() + self.games.len()
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
        let (year, month) = ((date / 10_000) as i32, (date / 100 % 100) as i32);
        if self.unit == Period::Month {
            match month {
                0 => self.count_by_year(),
                _ => self.span(12 * year + month - 1, 12 * year + month - 1),
            }
        }
        let period = match self.unit {
            Period::Year => year,
            Period::Month => 12 * year + month - 1,
        };
        let family = game.named.map_or(NONE, |named| self.families.id(named.line_index()));
        let tally = self.tallies.entry(period).or_default();
        sides.iter().for_each(|side| tally.add_score(&addends[usize::from(side.is_black())]));
        *self.games.entry(packed(period, family)).or_default() += sides.len() as u64;
    }

    /// Notes that there are games from one month to another.
    fn span(&mut self, first: i32, last: i32) {
        let (first, last) = match self.months {
            Some((earliest, latest)) => (first.min(earliest), last.max(latest)),
            None => (first, last),
        };
        self.months = Some((first, last));
        if last - first >= MAX_MONTHS {
            self.count_by_year();
        }
    }

    /// Makes months years.
    fn count_by_year(&mut self) {
        if self.unit == Period::Year {
            return;
        }
        self.unit = Period::Year;
        for (month, tally) in std::mem::take(&mut self.tallies) {
            self.tallies.entry(month / 12).or_default().merge(&tally);
        }
        for (key, games) in std::mem::take(&mut self.games) {
            let (month, family) = unpacked(key);
            *self.games.entry(packed(month / 12, family)).or_default() += games;
        }
    }

    /// Adds the games of another part.
    pub(super) fn merge(&mut self, mut other: Self) {
        if let Some((first, last)) = other.months {
            self.span(first, last);
        }
        if self.unit == Period::Year || other.unit == Period::Year {
            self.count_by_year();
            other.count_by_year();
        }
        for (period, tally) in other.tallies {
            self.tallies.entry(period).or_default().merge(&tally);
        }
        for (key, games) in other.games {
            *self.games.entry(key).or_default() += games;
        }
    }

    /// The periods from the first to the last, those between without games too.
    pub(super) fn finish(&self) -> (Period, Vec<PeriodGames>) {
        let (Some(first), Some(last)) = (self.tallies.keys().min(), self.tallies.keys().max())
        else {
            return (Period::Year, Vec::new());
        };
        let label = |period: i32| match self.unit {
            Period::Year => period.to_string(),
            Period::Month => format!("{:04}-{:02}", period / 12, period % 12 + 1),
        };
        let mut periods: Vec<PeriodGames> = (*first..=*last)
            .map(|period| PeriodGames {
                label: label(period),
                tally: self.tallies.get(&period).cloned().unwrap_or_default(),
                families: HashMap::default(),
            })
            .collect();
        for (key, games) in &self.games {
            let (period, family) = unpacked(*key);
            periods[(period - first) as usize].families.insert(family, *games);
        }
        (self.unit, periods)
    }

    /// The share that each of the commonest families has in each period.
    pub(super) fn popularity(&self, periods: &[PeriodGames]) -> Vec<Popularity> {
        let mut games: BTreeMap<u32, u64> = BTreeMap::new();
        for (key, count) in &self.games {
            let (_, family) = unpacked(*key);
            if family != NONE {
                *games.entry(family).or_default() += count;
            }
        }
        let mut sorted: Vec<(u32, u64)> = games.into_iter().collect();
        sorted.sort_by_key(|(family, games)| (Reverse(*games), self.families.label(*family)));
        let share = |period: &PeriodGames, family: u32| {
            let all = period.tally.games();
            let games = period.families.get(&family).copied().unwrap_or(0);
            (all > 0).then(|| 1000.0 * games as f64 / all as f64)
        };
        let followed = sorted.into_iter().take(FOLLOWED).map(|(family, _)| Popularity {
            family: self.families.label(family).to_owned(),
            per_1000: periods.iter().map(|period| share(period, family)).collect(),
        });
        followed.collect()
    }
}

/// A period and a family as one number, which takes fewer steps to hash.
fn packed(period: i32, family: u32) -> u64 {
    u64::from(period as u32) << 32 | u64::from(family)
}

fn unpacked(key: u64) -> (i32, u32) {
    ((key >> 32) as i32, key as u32)
}

impl PeriodGames {
    /// The games as a slice.
    pub(super) fn slice(&self, baseline: Baseline<'_>) -> Slice {
        Slice { label: self.label.clone(), figures: baseline.figures(&self.tally) }
    }
}
