//! Which of many differences count, and what to think of one that few games show.
//!
//! Of many openings, the one with the greatest difference owes some of it to luck. Empirical Bayes
//! takes that back: a value is drawn towards the mean of those around it, the more, the larger its
//! own variance is beside the spread of the true values (B. Efron and C. Morris, "Data analysis
//! using Stein's estimator and its generalizations", J. Am. Stat. Assoc. 70, 1975).
//!
//! The spread is estimated from the values themselves by the method of moments (R. DerSimonian and
//! N. Laird, "Meta-analysis in clinical trials", Controlled Clinical Trials 7, 1986). With values
//! `y` of variances `s²` and weights `w = 1 / s²`, let `Q` be the sum of `w (y - mean)²` with the
//! weighted mean, `k` the number of values, and `C = Σw - Σw² / Σw`. Then the spread, a variance,
//! is `(Q - (k - 1)) / C`, or 0 if that is negative. Values in several families have one spread:
//! `Q`, `k - 1` and `C` are added up over the families.
//!
//! No other constants are used.

/// The share of false ones that is accepted among the findings.
pub(super) const FALSE_DISCOVERY_RATE: f64 = 0.1;

/// A group with fewer rated games is not looked at.
pub(super) const MIN_RATED: u64 = 20;

/// Which of these hypotheses are rejected, by their p-values, so that at most the share `rate` of
/// those rejected is true on average.
///
/// This is the procedure of Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate",
/// J. R. Stat. Soc. B 57, 1995: of `m` p-values in ascending order, reject all up to the last whose
/// `k`-th is at most `k / m * rate`.
///
/// ```
/// use eco::stats::discoveries;
///
/// assert_eq!(discoveries(&[0.04, 0.9, 0.01], 0.1), [true, false, true]);
/// ```
pub fn discoveries(p_values: &[f64], rate: f64) -> Vec<bool> {
    let mut sorted = p_values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let passes = |(index, p): &(usize, &f64)| **p <= (index + 1) as f64 / count * rate;
    let last = sorted.iter().enumerate().rfind(passes).map(|(_, p)| *p);
    p_values.iter().map(|p| last.is_some_and(|last| *p <= last)).collect()
}

/// A value with its variance, the square of its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The square of its standard error; greater than 0.
    pub variance: f64,
}

/// The spread of true values around the means of their families.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    /// The sum of the weighted squares.
    squares: f64,
    /// What it is on average if there is no spread.
    freedom: f64,
    scale: f64,
}

impl Spread {
    /// Adds the values of a family.
    pub fn add(&mut self, family: &[Estimate]) {
        if family.len() < 2 {
            return;
        }
        let sum = |term: &dyn Fn(&Estimate) -> f64| family.iter().map(term).sum::<f64>();
        let weights = sum(&|e| 1.0 / e.variance);
        let mean = weighted_mean(family);
        self.squares += sum(&|e| (e.value - mean) * (e.value - mean) / e.variance);
        self.freedom += family.len() as f64 - 1.0;
        self.scale += weights - sum(&|e| 1.0 / (e.variance * e.variance)) / weights;
    }

    /// The spread, as a variance.
    pub fn variance(&self) -> f64 {
        if self.scale > 0.0 { ((self.squares - self.freedom) / self.scale).max(0.0) } else { 0.0 }
    }
}

/// The mean of values, each with the weight of its precision.
fn weighted_mean(values: &[Estimate]) -> f64 {
    let weights: f64 = values.iter().map(|e| 1.0 / e.variance).sum();
    values.iter().map(|e| e.value / e.variance).sum::<f64>() / weights
}

/// The value, drawn towards the mean of those around it, whose true values have a spread of this
/// variance: `mean + (value - mean) * spread / (spread + variance)`.
///
/// ```
/// use eco::stats::{Estimate, shrink};
///
/// let estimate = Estimate { value: 0.12, variance: 0.003 };
/// assert!((shrink(estimate, 0.0, 0.001) - 0.03).abs() < 1e-12);
/// ```
pub fn shrink(estimate: Estimate, mean: f64, spread: f64) -> f64 {
    mean + (estimate.value - mean) * spread / (spread + estimate.variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the paper (section 4), 15 comparisons of two treatments: four are rejected at
    /// 0.05, where Bonferroni's rule rejects three.
    #[test]
    fn the_example_of_the_paper_has_four_discoveries() {
        let p_values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let found = discoveries(&p_values, 0.05);
        assert_eq!(found.iter().filter(|is_found| **is_found).count(), 4);
        assert!(found[..4].iter().all(|is_found| *is_found));
        let mut reversed = p_values;
        reversed.reverse();
        let found: Vec<bool> = discoveries(&reversed, 0.05).into_iter().rev().collect();
        assert_eq!(found, discoveries(&p_values, 0.05));
    }

    #[test]
    fn a_later_value_that_passes_carries_the_earlier_ones() {
        // The second alone does not pass, 0.06 > 2/3 * 0.08, but the third does.
        assert_eq!(discoveries(&[0.02, 0.06, 0.07], 0.08), [true, true, true]);
        assert_eq!(discoveries(&[], 0.1), Vec::<bool>::new());
        assert_eq!(discoveries(&[0.5], 0.1), [false]);
    }

    /// Logarithms of risk ratios of 13 trials of the BCG vaccine and their variances, the example
    /// of most texts on the method (G. A. Colditz and others, J. Am. Med. Assoc. 271, 1994; the R
    /// package metadat has them as `dat.bcg`). The method gives a heterogeneity of 152.2330, a
    /// spread of 0.3088 and a mean of -0.7141; the first and the last are what the tests of the R
    /// package metafor expect, as of Stata's metan.
    const TRIALS: [(f64, f64); 13] = [
        (-0.8893, 0.3256),
        (-1.5854, 0.1946),
        (-1.3481, 0.4154),
        (-1.4416, 0.0200),
        (-0.2175, 0.0512),
        (-0.7861, 0.0069),
        (-1.6209, 0.2230),
        (0.0120, 0.0040),
        (-0.4694, 0.0564),
        (-1.3713, 0.0730),
        (-0.3394, 0.0124),
        (0.4459, 0.5325),
        (-0.0173, 0.0714),
    ];

    fn estimates(values: &[(f64, f64)]) -> Vec<Estimate> {
        values
            .iter()
            .map(|(value, variance)| Estimate { value: *value, variance: *variance })
            .collect()
    }

    #[test]
    fn the_spread_of_the_trials_is_the_published_one() {
        let mut spread = Spread::default();
        spread.add(&estimates(&TRIALS));
        // The trials are rounded to four places.
        assert!((spread.squares - 152.23).abs() < 0.5, "{spread:?}");
        assert!((spread.variance() - 0.3088).abs() < 0.002, "{spread:?}");
        let around = |e: Estimate| Estimate { variance: e.variance + spread.variance(), ..e };
        let mean = weighted_mean(&estimates(&TRIALS).into_iter().map(around).collect::<Vec<_>>());
        assert!((mean - -0.7141).abs() < 0.001, "{mean}");
    }

    /// Of equal variances the rule is that of James and Stein with `k - 1` where they have `k - 3`.
    /// Batting averages of 18 players after 45 attempts, and the variance of a mean of 0.265, from
    /// B. Efron and C. Morris, "Stein's paradox in statistics", Scientific American 236, 1977; they
    /// find a factor of 0.212 (with `k - 3`).
    #[test]
    fn batting_averages_shrink_as_in_the_paper() {
        let hits = [18, 17, 16, 15, 14, 14, 13, 12, 11, 11, 10, 10, 10, 10, 10, 9, 8, 7];
        let variance = 0.265 * 0.735 / 45.0;
        let players: Vec<_> = hits.iter().map(|hits| (f64::from(*hits) / 45.0, variance)).collect();
        let players = estimates(&players);
        let mean = weighted_mean(&players);
        assert!((mean - 0.265).abs() < 0.001);
        let mut spread = Spread::default();
        spread.add(&players);
        let factor = 1.0 - 15.0 / spread.squares;
        assert!((factor - 0.212).abs() < 0.01, "{factor}");
        let ours = spread.variance() / (spread.variance() + variance);
        assert!((ours - (1.0 - 17.0 / spread.squares)).abs() < 1e-12);
        let best = shrink(players[0], mean, spread.variance());
        assert!((mean..players[0].value).contains(&best));
    }

    #[test]
    fn values_without_spread_become_their_mean() {
        let mut spread = Spread::default();
        spread.add(&estimates(&[(0.1, 0.01), (0.1, 0.02)]));
        spread.add(&estimates(&[(0.3, 0.01)]));
        assert_eq!(spread.variance(), 0.0);
        assert_eq!(shrink(Estimate { value: 0.3, variance: 0.1 }, 0.1, 0.0), 0.1);
    }
}
