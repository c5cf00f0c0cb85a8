//! Years or months, and what was played in each.

use std::collections::BTreeMap;

use crate::stats::{breakdown::Breakdown, key::GroupValue, tally::Tally};

/// More months than this are shown as years.
const MAX_MONTHS: i64 = 48;

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

/// The families of each period; the empty name stands for no opening.
pub(super) type Periods = Vec<(String, BTreeMap<String, Tally>)>;

/// Months if there are few and all dates say them, otherwise years. `years` has the games without a
/// month.
pub(super) fn periods(months: &Breakdown, years: &Breakdown) -> (Period, Periods) {
    let (mut by_month, mut by_year) = (by_period(months), by_period(years));
    let ends = |periods: &BTreeMap<i64, BTreeMap<String, Tally>>| {
        Some((*periods.first_key_value()?.0, *periods.last_key_value()?.0))
    };
    // Months are numbered without gaps.
    if let Some((first, last)) = ends(&by_month)
        && last - first < MAX_MONTHS
        && by_year.is_empty()
    {
        let label = |month: i64| format!("{:04}-{:02}", month / 12, month % 12 + 1);
        let periods =
            (first..=last).map(|month| (label(month), by_month.remove(&month).unwrap_or_default()));
        return (Period::Month, periods.collect());
    }
    for (month, families) in by_month {
        let year = by_year.entry(month / 12).or_default();
        for (family, tally) in families {
            year.entry(family).or_default().merge(&tally);
        }
    }
    let Some((first, last)) = ends(&by_year) else { return (Period::Year, Vec::new()) };
    let periods =
        (first..=last).map(|year| (year.to_string(), by_year.remove(&year).unwrap_or_default()));
    (Period::Year, periods.collect())
}

/// The families by the number of the year, or of the month counted from the year 0.
fn by_period(breakdown: &Breakdown) -> BTreeMap<i64, BTreeMap<String, Tally>> {
    let mut periods: BTreeMap<i64, BTreeMap<String, Tally>> = BTreeMap::new();
    for group in &breakdown.groups {
        let period = match &group.values[0] {
            GroupValue::Number(year) => *year,
            GroupValue::Text { place, .. } => place / 100 * 12 + place % 100 - 1,
            GroupValue::None => continue,
        };
        let family = group.values[1].to_text();
        periods.entry(period).or_default().entry(family).or_default().merge(&group.tally);
    }
    periods
}

pub(super) fn popularity(periods: &Periods) -> Vec<Popularity> {
    let mut games: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, families) in periods {
        for (family, tally) in families.iter().filter(|(family, _)| !family.is_empty()) {
            *games.entry(family).or_default() += tally.games();
        }
    }
    let mut sorted: Vec<(&str, u64)> = games.into_iter().collect();
    sorted.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let share = |families: &BTreeMap<String, Tally>, family: &str| {
        let all: u64 = families.values().map(Tally::games).sum();
        let games = families.get(family).map_or(0, Tally::games);
        (all > 0).then(|| 1000.0 * games as f64 / all as f64)
    };
    let followed = sorted.into_iter().take(FOLLOWED).map(|(family, _)| Popularity {
        family: family.to_owned(),
        per_1000: periods.iter().map(|(_, families)| share(families, family)).collect(),
    });
    followed.collect()
}
