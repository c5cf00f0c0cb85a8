//! A score, its interval, and what lies between it and expectation.

use super::{expectation::POINT, inference::MIN_RATED, tally::Tally};

/// The normal deviate that 95 % of the cases do not exceed, in both directions together.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The limits between which a value lies with a probability of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// The interval around a value, within `floor` and `ceiling`.
    pub(super) fn around(value: f64, radius: f64, floor: f64, ceiling: f64) -> Self {
        let within = |limit: f64| limit.max(floor).min(ceiling);
        Self { low: within(value - radius), high: within(value + radius) }
    }
}

/// The 95 % interval of a score from 0 to 1, from points out of `games`; `None` without games.
///
/// This is Wilson's score interval without correction for continuity (E. B. Wilson, "Probable
/// inference, the law of succession, and statistical inference", J. Am. Stat. Assoc. 22, 1927). It
/// takes each game for won or lost. Draws bring a score nearer to the truth than that, so the
/// interval of a score with draws is rather too wide than too narrow.
///
/// ```
/// use eco::stats::wilson;
///
/// let interval = wilson(15.0, 148).unwrap();
/// assert_eq!(format!("{:.4} {:.4}", interval.low, interval.high), "0.0624 0.1605");
/// ```
pub fn wilson(points: f64, games: u64) -> Option<Interval> {
    let n = (games > 0).then_some(games as f64)?;
    let share = points / n;
    let z2 = Z_95 * Z_95;
    let center = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = libm::sqrt(share * (1.0 - share) / n + z2 / (4.0 * n * n));
    Some(Interval::around(center, Z_95 * spread / (1.0 + z2 / n), 0.0, 1.0))
}

/// How far a score is from what is expected of it: what the ratings predict, or what they predict
/// and an advantage that all games have.
///
/// # The interval
///
/// Let `r` be the result of a game in points, and `e` the expectation. The value is the mean of
/// `r - e`, and its standard error the root of `v / n`. `v` is the mean square of `r - e` in the
/// games at hand or in all games of the table, whichever is more. So
///
/// * draws count: a drawn game is nearer to its expectation than a decided one, and an opening that
///   is often drawn has a narrower interval, as far as the openings around it have;
/// * few games that happen to be alike, such as five draws, get no narrow interval from that;
/// * results that ratings explain badly widen the interval.
///
/// The interval is the value and 1.96 standard errors in both directions, within what is possible.
/// It is that of a mean by the central limit theorem with the variance around the expectation, as
/// in the score test (C. R. Rao, 1948), of which Wilson's interval is the case without draws and
/// with one expectation.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The number of games with ratings and result.
    pub games: u64,
    /// Their score, from 0 to 1.
    pub score: f64,
    /// What is expected, from 0 to 1.
    pub expected: f64,
    /// The part of it that the ratings do not predict, from -1 to 1.
    pub advantage: f64,
    /// The score minus the expectation.
    pub value: f64,
    /// The 95 % interval of the value.
    pub interval: Interval,
    /// The square of the standard error.
    pub variance: f64,
    /// The probability of a value that is as far from 0, in either direction, if nothing mattered
    /// but what the expectation knows.
    pub p_value: f64,
}

impl Difference {
    /// The difference from what the ratings predict in the games of a tally, which are some of
    /// `all`; `None` if none are rated.
    pub fn new(tally: &Tally, all: &Tally) -> Option<Self> {
        Self::beyond(0.0, tally, all)
    }

    /// The difference from what the ratings predict and an advantage, from -1 to 1, that is added
    /// to it.
    ///
    /// The advantage counts as known. It may be the mean difference in all games: then the value is
    /// a little nearer to 0 by chance than its standard error says, since the games at hand are
    /// among them.
    pub fn beyond(advantage: f64, tally: &Tally, all: &Tally) -> Option<Self> {
        let games = tally.rated();
        let n = (games > 0).then_some(games as f64)?;
        let predicted = tally.sums.expected as f64 / POINT as f64 / n;
        let (score, expected) = (tally.rated_points() / n, predicted + advantage);
        let value = tally.points_above_expectation() / n - advantage;
        // The mean of (r - e - a)^2 is that of (r - e)^2, less 2a times that of (r - e), and a^2.
        let square = |tally: &Tally| {
            let n = tally.rated().max(1) as f64;
            let above = tally.points_above_expectation() / n;
            let squared = tally.sums.squared_errors as f64 / POINT as f64 / n;
            (squared - 2.0 * advantage * above + advantage * advantage).max(0.0)
        };
        let variance = square(tally).max(square(all)) / n;
        let error = libm::sqrt(variance);
        let interval = Interval::around(value, Z_95 * error, -expected, 1.0 - expected);
        let p_value = two_sided(value, error);
        Some(Self { games, score, expected, advantage, value, interval, variance, p_value })
    }
}

/// The normal deviate that is exceeded, in either direction, with this probability.
pub(super) fn deviate(p_value: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        match two_sided(middle, 1.0) > p_value {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// The probability that a normal deviate with this standard error is as far from 0.
pub(super) fn two_sided(value: f64, error: f64) -> f64 {
    // Sums are of billionths of a point: what is less is rounding.
    if value.abs() < 1e-9 {
        return 1.0;
    }
    libm::erfc(value.abs() / error / std::f64::consts::SQRT_2)
}

/// The mean difference of score and expectation: in games that are all seen from White, the
/// advantage of White.
pub(super) fn mean_difference(all: &Tally) -> f64 {
    Difference::new(all, all).map_or(0.0, |all| all.value)
}

/// The advantage of White in games of players: half the difference between their games as White and
/// as Black, each against the ratings. What they score beyond the ratings with both colours stays
/// theirs.
///
/// It is taken from the games themselves, but adds no findings by chance as long as neither colour
/// has more than three times the rated games of the other: then what an opening of `n` games has
/// in common with it takes away as much variance as it adds. For let `v` be the variance of a
/// game, and `w` and `b` the numbers of games; that of the opening's mean less the advantage is
/// `v/n - v/w + v/4w + v/4b`, which is at most `v/n` if `w` is at most `3b`. Beyond that, or with
/// few rated games, it is 0.
pub(crate) fn advantage_of_colors(white: &Tally, black: &Tally) -> f64 {
    let (w, b) = (white.rated(), black.rated());
    let is_known = w.min(b) >= MIN_RATED && w.max(b) <= 3 * w.min(b);
    if is_known { (mean_difference(white) - mean_difference(black)) / 2.0 } else { 0.0 }
}

/// The advantage of White as that of a side: Black has what White lacks.
pub(crate) fn signed(white_advantage: f64, is_black: bool) -> f64 {
    if is_black { 0.0 - white_advantage } else { white_advantage }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::tally::Sample;

    /// The examples of R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
    /// Statistics in Medicine 17, 1998, table I, method 3.
    #[test]
    fn intervals_are_those_of_newcombe() {
        for (points, games, expected) in [
            (81.0, 263, "0.2553 0.3662"),
            (15.0, 148, "0.0624 0.1605"),
            (0.0, 20, "0.0000 0.1611"),
            (1.0, 29, "0.0061 0.1718"),
        ] {
            let found = wilson(points, games).unwrap();
            assert_eq!(format!("{:.4} {:.4}", found.low, found.high), expected, "{points}/{games}");
        }
        assert_eq!(wilson(0.0, 0), None);
    }

    #[test]
    fn wins_and_losses_have_mirrored_intervals() {
        for (points, games) in [(0.0, 1), (2.5, 7), (50.0, 100)] {
            let (one, other) = (wilson(points, games), wilson(games as f64 - points, games));
            let (one, other) = (one.unwrap(), other.unwrap());
            assert!((one.low - (1.0 - other.high)).abs() < 1e-12);
            let score = points / games as f64;
            assert!(one.low <= score && score <= one.high);
        }
    }

    /// Half points.
    const WIN: u8 = 2;
    const DRAW: u8 = 1;
    const LOSS: u8 = 0;

    fn tally(games: &[(u8, u16, u16)]) -> Tally {
        let mut tally = Tally::default();
        for (half_points, own, other) in games {
            let ratings = Some((*own, *other));
            tally.add(&Sample { half_points: Some(*half_points), ratings, ..Sample::default() });
        }
        tally
    }

    #[test]
    fn the_difference_is_that_of_the_mean() {
        // Expectations 0.5, 0.5, 0.7597, 0.0909; results 1, 0.5, 0, 0.5.
        let games = [(WIN, 2000, 2000), (DRAW, 1900, 1900), (LOSS, 2200, 2000), (DRAW, 1500, 2500)];
        let tally = tally(&games);
        let found = Difference::new(&tally, &tally).unwrap();
        assert_eq!(found.games, 4);
        assert!((found.score - 0.5).abs() < 1e-9);
        let errors = [0.5, 0.0, -0.759_747, 0.409_091];
        let mean = errors.iter().sum::<f64>() / 4.0;
        assert!((found.value - mean).abs() < 1e-6, "{found:?}");
        let error = (errors.iter().map(|e| e * e).sum::<f64>() / 16.0).sqrt();
        assert!((found.interval.high - (mean + 1.959_964 * error)).abs() < 1e-6);
        assert!((found.variance - error * error).abs() < 1e-6);
    }

    #[test]
    fn an_advantage_is_expected_of_each_game() {
        let games = tally(&[(WIN, 2000, 2000), (DRAW, 2000, 2000), (LOSS, 2000, 2000)]);
        let found = Difference::beyond(0.1, &games, &games).unwrap();
        // Errors 0.4, -0.1, -0.6.
        assert!((found.expected - 0.6).abs() < 1e-9 && (found.value + 0.1).abs() < 1e-9);
        assert!((found.variance - (0.16 + 0.01 + 0.36) / 9.0).abs() < 1e-9, "{found:?}");
        // All games together are what the advantage was taken from.
        let all = tally(&[(WIN, 2000, 1900), (WIN, 2100, 2000), (DRAW, 1900, 2000)]);
        let advantage = Difference::new(&all, &all).unwrap().value;
        let found = Difference::beyond(advantage, &all, &all).unwrap();
        assert!(found.value.abs() < 1e-9 && found.p_value > 0.999, "{found:?}");
        // Nor is rounding a difference where all results are alike.
        let wins = |count| tally(&vec![(WIN, 2013, 1987); count]);
        let advantage = Difference::new(&wins(30), &wins(30)).unwrap().value;
        for count in 1..30 {
            let found = Difference::beyond(advantage, &wins(count), &wins(30)).unwrap();
            assert!(found.p_value > 0.999, "{found:?}");
        }
    }

    /// The quantiles of the normal distribution, as in every table.
    #[test]
    fn p_values_are_those_of_the_normal_distribution() {
        for (deviate, p) in
            [(1.644_853_627, 0.1), (1.959_963_985, 0.05), (2.575_829_304, 0.01), (4.891_638, 1e-6)]
        {
            let found = two_sided(-deviate, 1.0);
            assert!((found / p - 1.0).abs() < 1e-5, "{found} for {deviate}");
            assert!((super::deviate(p) - deviate).abs() < 1e-5, "{p}");
        }
        assert_eq!(two_sided(0.0, 0.0), 1.0);
    }

    #[test]
    fn games_that_happen_to_be_alike_borrow_the_variance_of_all() {
        let draws = tally(&[(DRAW, 2000, 2010); 5]);
        let mut all = tally(&[(WIN, 2000, 2000), (LOSS, 2000, 2000)]);
        assert!(Difference::new(&draws, &draws).unwrap().p_value < 0.05);
        all.merge(&draws);
        let found = Difference::new(&draws, &all).unwrap();
        assert!(
            found.p_value > 0.5 && (found.interval.low..=found.interval.high).contains(&0.0),
            "{found:?}"
        );
    }

    #[test]
    fn without_rated_games_there_is_no_difference() {
        assert_eq!(Difference::new(&Tally::default(), &Tally::default()), None);
    }
}
