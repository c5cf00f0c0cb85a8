//! What `--summary` shows: games by code and by family, the most frequent first.

use std::fmt::Display;

use super::{Column, Rows, Value, Width};
use crate::stats::Summary;

/// The columns of a summary.
pub const SUMMARY_COLUMNS: [Column; 4] = [
    Column { name: "by", width: Width::Fixed(6), absent: "" },
    Column { name: "value", width: Width::Share(1), absent: "" },
    Column { name: "games", width: Width::Number(10), absent: "" },
    Column { name: "percent", width: Width::Number(7), absent: "" },
];

/// Writes a row for all games, those without an opening, and each code and family, with the
/// share of all games in percent.
pub fn write_summary(summary: &Summary, rows: &dyn Rows, out: &mut Vec<u8>) {
    let mut row = |by: &str, value: &dyn Display, games: u64| {
        let percent = 100.0 * games as f64 / (summary.games.max(1)) as f64;
        let values = [
            Value::Text(by.to_owned().into()),
            Value::Text(value.to_string().into()),
            Value::Number(games),
            Value::Text(format!("{percent:.1}").into()),
        ];
        rows.write_row(&SUMMARY_COLUMNS, &values, out);
    };
    row("all", &"games", summary.games);
    row("all", &"without opening", summary.games - summary.named);
    row("all", &"transposed", summary.transposed);
    row("all", &"with error", summary.errors);
    for (eco, games) in by_frequency(&summary.by_eco) {
        row("eco", eco, games);
    }
    for (family, games) in by_frequency(&summary.by_family) {
        row("family", family, games);
    }
}

/// The most frequent first; among equals in the order of their names.
fn by_frequency<K>(counts: &std::collections::BTreeMap<K, u64>) -> Vec<(&K, u64)> {
    let mut sorted: Vec<(&K, u64)> = counts.iter().map(|(key, count)| (key, *count)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sorted
}
