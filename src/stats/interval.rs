//! The interval of a score.

/// The normal deviate that 95 % of the cases do not exceed, in both directions together.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The limits between which a value lies with a probability of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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

    /// Whether a value is in the interval.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
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
#[must_use]
pub fn wilson(points: f64, games: u64) -> Option<Interval> {
    let n = (games > 0).then_some(games as f64)?;
    let share = points / n;
    let z2 = Z_95 * Z_95;
    let center = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = libm::sqrt(share * (1.0 - share) / n + z2 / (4.0 * n * n));
    Some(Interval::around(center, Z_95 * spread / (1.0 + z2 / n), 0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(one.contains(points / games as f64));
        }
    }
}
