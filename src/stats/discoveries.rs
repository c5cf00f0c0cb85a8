//! Which of many differences count.

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
#[must_use]
pub fn discoveries(p_values: &[f64], rate: f64) -> Vec<bool> {
    let mut sorted = p_values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let passes = |(index, p): &(usize, &f64)| **p <= (index + 1) as f64 / count * rate;
    let last = sorted.iter().enumerate().rfind(passes).map(|(_, p)| *p);
    p_values.iter().map(|p| last.is_some_and(|last| *p <= last)).collect()
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
}
