//! What ratings predict: the score, and the rating that a score is worth.
//!
//! Sums of expectations are sums of whole numbers, in billionths of a point: so they are the same
//! in any order, on any number of threads.

use std::sync::OnceLock;

/// A greater difference of ratings counts as this one.
const MAX_GAP: u16 = 400;

/// The units that make a point.
pub(super) const POINT: u64 = 1_000_000_000;

/// The expected score of a player rated `gap` points above the opponent, from 0 to 1.
///
/// This is 1 / (1 + 10^(-gap / 400)), with the gap limited to 400 in both directions (A. E. Elo,
/// "The Rating of Chessplayers", 1978, 8.73; the limit is that of the FIDE Handbook, B.02, which
/// since October 2025 has none for players of 2650 and more; here it is one for all).
///
/// ```
/// use eco::stats::expected_score;
///
/// assert_eq!(expected_score(0), 0.5);
/// assert_eq!(format!("{:.4}", expected_score(100)), "0.6401");
/// assert_eq!(expected_score(-900), expected_score(-400));
/// ```
#[must_use]
pub fn expected_score(gap: i32) -> f64 {
    expected_units(gap) as f64 / POINT as f64
}

/// The expected score in billionths of a point. The expectations of both players add up to a point.
pub(super) fn expected_units(gap: i32) -> u64 {
    let size = gap.unsigned_abs().min(u32::from(MAX_GAP)) as usize;
    let better = table()[size];
    if gap < 0 { POINT - better } else { better }
}

/// The expectation of the better player by the difference of ratings.
fn table() -> &'static [u64] {
    static TABLE: OnceLock<Vec<u64>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let expected = |gap: u16| 1.0 / (1.0 + libm::pow(10.0, -f64::from(gap) / 400.0));
        (0..=MAX_GAP).map(|gap| libm::round(expected(gap) * POINT as f64) as u64).collect()
    })
}

/// Fewer games have no performance.
const MIN_GAMES: u64 = 5;

/// The difference of ratings by score in percent, from 50 to 100: FIDE Handbook, B.02, table 8.1.1
/// (formerly 8.1a). Below 50 % it is that of the opponents with the opposite sign.
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, //
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141, //
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, //
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351, //
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, //
    800,
];

/// The performance rating: the mean rating of the opponents, and what FIDE's table adds for the
/// score; `None` for fewer than five games.
///
/// The score, in half points out of `games`, and the mean of the opponents are rounded to whole
/// percents and points, halves up: FIDE's table has whole percents, and norms are calculated with
/// the mean rounded like this (Handbook, B.01, on the average rating of opponents).
///
/// ```
/// use eco::stats::performance;
///
/// // 6 points out of 9 against a mean of 2400.
/// assert_eq!(performance(12, 9, 9 * 2400), Some(2525));
/// assert_eq!(performance(8, 4, 4 * 2400), None);
/// ```
#[must_use]
pub fn performance(half_points: u64, games: u64, opponents: u64) -> Option<u64> {
    if games < MIN_GAMES { None } else { performance_of_any(half_points, games, opponents) }
}

/// The performance rating of any number of games; `None` of no game.
#[must_use]
pub(crate) fn performance_of_any(half_points: u64, games: u64, opponents: u64) -> Option<u64> {
    if games == 0 {
        return None;
    }
    let round = |dividend: u64, divisor: u64| (2 * dividend + divisor) / (2 * divisor);
    let percent = round(100 * half_points, 2 * games).min(100) as usize;
    let added = match percent.checked_sub(50) {
        Some(above) => DIFFERENCES[above],
        None => -DIFFERENCES[50 - percent],
    };
    round(opponents, games).checked_add_signed(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_those_of_elo() {
        for (gap, expected) in [
            (0, "0.500000"),
            (100, "0.640065"),
            (200, "0.759747"),
            (-200, "0.240253"),
            (400, "0.909091"),
            (401, "0.909091"),
            (i32::MIN, "0.090909"),
        ] {
            assert_eq!(format!("{:.6}", expected_score(gap)), expected, "{gap}");
        }
    }

    #[test]
    fn both_players_expect_a_point_together() {
        for gap in -500..=500 {
            assert_eq!(expected_units(gap) + expected_units(-gap), POINT);
        }
    }

    /// Rows of the table in the Handbook.
    #[test]
    fn differences_are_those_of_the_handbook() {
        for (percent, added) in [
            (100, 800),
            (99, 677),
            (98, 589),
            (95, 470),
            (90, 366),
            (83, 273),
            (80, 240),
            (76, 202),
            (75, 193),
            (70, 149),
            (67, 125),
            (60, 72),
            (58, 57),
            (51, 7),
            (50, 0),
            (49, -7),
            (40, -72),
            (33, -125),
            (25, -193),
            (1, -677),
            (0, -800),
        ] {
            let found = performance(2 * percent, 100, 100 * 2000);
            assert_eq!(found, 2000_u64.checked_add_signed(added), "{percent} %");
        }
    }

    #[test]
    fn the_score_is_rounded_to_a_percent_and_the_mean_to_a_point() {
        // 62.5 % is 63 %; a mean of 2400.5 is 2401.
        assert_eq!(performance(10, 8, 8 * 2400), Some(2495));
        assert_eq!(performance(8, 8, 8 * 2400 + 4), Some(2401));
        assert_eq!(performance(0, 5, 5 * 700), None, "no rating is negative");
    }
}
