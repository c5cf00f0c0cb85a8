//! What ratings predict: the score, and the rating that a score is worth.
//!
//! Sums of expectations are sums of whole numbers, in billionths of a point: so they are the same
//! in any order, on any number of threads.

use std::sync::OnceLock;

use super::inference::Estimate;

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

/// Games of which the same is expected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bin {
    /// The rating difference, limited.
    pub(super) gap: f64,
    /// How much of the second parameter of a [fit] they have.
    pub(super) lever: f64,
    pub(super) games: u64,
    pub(super) half_points: u64,
}

/// What the logarithm of the odds gains by a rating point.
const PER_POINT: f64 = std::f64::consts::LN_10 / 400.0;

/// From anywhere, steps beyond these change no digit that is printed.
const NEWTON_STEPS: usize = 12;

/// The expected score of a player this many rating points above the opponent.
pub(super) fn logistic(gap: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-gap * PER_POINT))
}

/// A rating difference within what counts.
pub(super) fn limited(gap: i16) -> f64 {
    gap.clamp(-(MAX_GAP as i16), MAX_GAP as i16).into()
}

/// The rating points `p` and `q` that are to be added to each rating difference, as `p + q *
/// lever`, for the expected scores to fit the scores: logistic regression by Newton's method, in
/// which a draw is half a win. Each has a prior, its mean and standard deviation, which decides
/// where games do not.
pub(super) fn fit(bins: &[Bin], prior: [(f64, f64); 2]) -> [f64; 2] {
    let precision = prior.map(|(_, deviation)| 1.0 / (deviation * deviation));
    let mut fitted = prior.map(|(mean, _)| mean);
    for _ in 0..NEWTON_STEPS {
        let mut slope = [0, 1].map(|at| (prior[at].0 - fitted[at]) * precision[at]);
        let mut curve = [precision[0], 0.0, precision[1]];
        for bin in bins {
            let expected = logistic(bin.gap + fitted[0] + fitted[1] * bin.lever);
            let games = bin.games as f64;
            let error = PER_POINT * (bin.half_points as f64 / 2.0 - games * expected);
            let weight = PER_POINT * PER_POINT * games * expected * (1.0 - expected);
            slope[0] += error;
            slope[1] += error * bin.lever;
            curve[0] += weight;
            curve[1] += weight * bin.lever;
            curve[2] += weight * bin.lever * bin.lever;
        }
        let determinant = curve[0] * curve[2] - curve[1] * curve[1];
        fitted[0] += (curve[2] * slope[0] - curve[1] * slope[1]) / determinant;
        fitted[1] += (curve[0] * slope[1] - curve[1] * slope[0]) / determinant;
    }
    fitted
}

/// The rating points that the score of games asks for besides what is expected of them now, by one
/// more step of Newton's method: sums over the games.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    error: f64,
    weight: f64,
    games: f64,
}

impl Step {
    /// Adds games with these points in all, of each of which this is expected.
    pub(super) fn add(&mut self, games: f64, points: f64, expected: f64) {
        self.error += points - games * expected;
        self.weight += PER_POINT * games * expected * (1.0 - expected);
        self.games += games;
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            error: self.error + other.error,
            weight: self.weight + other.weight,
            games: self.games + other.games,
        }
    }

    /// The rating points, and the square of their standard error if each result has this variance;
    /// `None` if the games do not say.
    pub(super) fn estimate(self, variance: f64) -> Option<Estimate> {
        let Self { error, weight, games } = self;
        let spread = variance * games / (weight * weight);
        (weight > 0.0).then(|| Estimate { value: error / weight, variance: spread })
    }
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
pub fn performance(half_points: u64, games: u64, opponents: u64) -> Option<u64> {
    if games < MIN_GAMES { None } else { performance_of_any(half_points, games, opponents) }
}

/// The performance rating of any number of games; `None` of no game.
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

    /// Scores are made by a level, White's advantage or a slope, and found again.
    #[test]
    fn what_scores_were_made_by_is_fitted() {
        let bins = |lever: fn(f64) -> f64, truth: [f64; 2]| -> Vec<Bin> {
            let gaps =
                (-8..=8).map(|n| 50.0 * f64::from(n)).flat_map(|gap| [(gap, 1.0), (gap, -1.0)]);
            let bin = |(gap, sign): (f64, f64)| {
                let lever = if lever(gap) == 0.0 { sign } else { lever(gap) };
                let expected = logistic(gap + truth[0] + truth[1] * lever);
                let half_points = libm::round(2e6 * expected) as u64;
                Bin { gap, lever, games: 1_000_000, half_points }
            };
            gaps.map(bin).collect()
        };
        let flat = [(0.0, 200.0), (0.0, 200.0)];
        for (lever, truth) in
            [((|_| 0.0) as fn(f64) -> f64, [-45.0, 33.0]), (|gap| gap + 0.001, [35.0, -0.1])]
        {
            let found = fit(&bins(lever, truth), flat);
            assert!((found[0] - truth[0]).abs() < 0.01, "{found:?} for {truth:?}");
            assert!((found[1] - truth[1]).abs() < 0.01, "{found:?} for {truth:?}");
        }
        // Where all games are won, and where there are none, the prior decides.
        let won = Bin { gap: 0.0, lever: 1.0, games: 50, half_points: 100 };
        assert!(fit(&[won], flat).iter().all(|points| (50.0..500.0).contains(points)));
        assert_eq!(fit(&[], [(5.0, 1.0), (7.0, 1.0)]), [5.0, 7.0]);
        let mut even = Step::default();
        even.add(400.0, 220.0, 0.5);
        let found = even.estimate(0.2).unwrap();
        assert!((found.value - 34.7).abs() < 0.1 && (found.variance.sqrt() - 15.5).abs() < 0.1);
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
