//! The rating at which a player performed.

/// Fewer games have no performance.
pub(super) const MIN_GAMES: u64 = 5;

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

/// The same for any number of games; `None` for no game.
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
