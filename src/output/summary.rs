//! The rows of `--summary`: games by code and by family, the most frequent first.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{ColumnSet, ColumnType, Row, Value, Width};
use crate::stats::Summary;

/// A number of games that have something in common.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    /// `all`, `eco` or `family`.
    by: &'static str,
    value: String,
    games: u64,
    /// The share of all games, from 0 to 1.
    share: f64,
}

type SummaryColumns = ColumnSet<for<'r> fn(&'r SummaryRow) -> Value<'r>>;

impl SummaryRow {
    /// A row for all games, for those without an opening, by transposition and with an error, and
    /// for each code and family.
    #[must_use]
    pub fn all(summary: &Summary) -> Vec<Self> {
        let row = |by, value: String, games: u64| {
            let share = games as f64 / summary.games.max(1) as f64;
            Self { by, value, games, share }
        };
        let totals = [
            ("games", summary.games),
            ("without opening", summary.games - summary.named),
            ("transposed", summary.transposed),
            ("with error", summary.errors),
        ];
        let totals = totals.into_iter().map(|(value, games)| row("all", value.to_owned(), games));
        let codes = by_frequency(&summary.by_eco).into_iter();
        let codes = codes.map(|(eco, games)| row("eco", eco.to_string(), games));
        let families = by_frequency(&summary.by_family).into_iter();
        let families = families.map(|(family, games)| row("family", family.clone(), games));
        totals.chain(codes).chain(families).collect()
    }
}

impl Row for SummaryRow {
    type Columns = SummaryColumns;

    fn columns() -> SummaryColumns {
        SummaryColumns::new()
            .with("by", Width::AtMost(6), |row| Value::Text(row.by.into()))
            .of(ColumnType::Name)
            .with("value", Width::NameShare(1), |row| Value::Text(row.value.as_str().into()))
            .with("games", Width::Number, |row| row.games.into())
            .with("percent", Width::Number, |row| Value::Decimal {
                value: 100.0 * row.share,
                places: 1,
            })
            .of(ColumnType::Float64)
    }
}

/// The most frequent first; equals in the order of their names.
fn by_frequency<K>(counts: &BTreeMap<K, u64>) -> Vec<(&K, u64)> {
    let mut sorted: Vec<(&K, u64)> = counts.iter().map(|(key, count)| (key, *count)).collect();
    sorted.sort_by_key(|(_, count)| Reverse(*count));
    sorted
}
