//! Score against expectation.

use super::{
    interval::{Interval, Z_95},
    tally::Tally,
};

/// How far a score is from what the ratings predict.
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
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Difference {
    /// The number of games with ratings and result.
    pub games: u64,
    /// Their score, from 0 to 1.
    pub score: f64,
    /// What the ratings predict, from 0 to 1.
    pub expected: f64,
    /// The score minus the expectation.
    pub value: f64,
    /// The 95 % interval of the value.
    pub interval: Interval,
    /// The square of the standard error.
    pub variance: f64,
    /// The probability of a value that is as far from 0, in either direction, if the ratings were
    /// all that mattered.
    pub p_value: f64,
}

impl Difference {
    /// The difference in the games of a tally, which are some of `all`; `None` if none are rated.
    #[must_use]
    pub fn new(tally: &Tally, all: &Tally) -> Option<Self> {
        let games = tally.rated();
        let n = (games > 0).then_some(games as f64)?;
        let (score, expected) = (tally.rated_points() / n, tally.expected_points() / n);
        let value = tally.points_above_expectation() / n;
        let square = |tally: &Tally| tally.squared_errors() / tally.rated().max(1) as f64;
        let variance = square(tally).max(square(all)) / n;
        let error = libm::sqrt(variance);
        let interval = Interval::around(value, Z_95 * error, -expected, 1.0 - expected);
        let p_value = two_sided(value, error);
        Some(Self { games, score, expected, value, interval, variance, p_value })
    }
}

/// The probability that a normal deviate with this standard error is as far from 0.
fn two_sided(value: f64, error: f64) -> f64 {
    if value == 0.0 {
        return 1.0;
    }
    libm::erfc(value.abs() / error / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::tally::{Outcome, Sample};

    fn tally(games: &[(Outcome, u16, u16)]) -> Tally {
        let mut tally = Tally::default();
        for (outcome, own, other) in games {
            let ratings = Some((*own, *other));
            tally.add(&Sample { outcome: Some(*outcome), ratings, ..Sample::default() });
        }
        tally
    }

    #[test]
    fn the_difference_is_that_of_the_mean() {
        use Outcome::{Draw, Loss, Win};
        // Expectations 0.5, 0.5, 0.7597, 0.0909; results 1, 0.5, 0, 0.5.
        let games = [(Win, 2000, 2000), (Draw, 1900, 1900), (Loss, 2200, 2000), (Draw, 1500, 2500)];
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

    /// The quantiles of the normal distribution, as in every table.
    #[test]
    fn p_values_are_those_of_the_normal_distribution() {
        for (deviate, p) in
            [(1.644_853_627, 0.1), (1.959_963_985, 0.05), (2.575_829_304, 0.01), (4.891_638, 1e-6)]
        {
            let found = two_sided(-deviate, 1.0);
            assert!((found / p - 1.0).abs() < 1e-5, "{found} for {deviate}");
        }
        assert_eq!(two_sided(0.0, 0.0), 1.0);
    }

    #[test]
    fn games_that_happen_to_be_alike_borrow_the_variance_of_all() {
        let draws = tally(&[(Outcome::Draw, 2000, 2010); 5]);
        let mut all = tally(&[(Outcome::Win, 2000, 2000), (Outcome::Loss, 2000, 2000)]);
        assert!(Difference::new(&draws, &draws).unwrap().p_value < 0.05);
        all.merge(&draws);
        let found = Difference::new(&draws, &all).unwrap();
        assert!(found.p_value > 0.5 && found.interval.contains(0.0), "{found:?}");
    }

    #[test]
    fn without_rated_games_there_is_no_difference() {
        assert_eq!(Difference::new(&Tally::default(), &Tally::default()), None);
    }
}
