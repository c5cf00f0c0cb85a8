//! The score that ratings predict.
//!
//! Sums of expectations are sums of whole numbers, in billionths of a point: so they are the same
//! in any order, on any number of threads.

use std::sync::OnceLock;

/// A greater difference of ratings counts as this one.
pub(super) const MAX_GAP: u16 = 400;

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

/// The same in billionths of a point. What one player can expect and what the other can make a
/// point.
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
}
