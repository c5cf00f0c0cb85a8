//! Colours of differences between score and expectation.
//!
//! They run from orange over grey to blue, which people who do not see red and green apart can
//! tell, and are named by classes of the style sheet: `s-4` to `s4`.

use crate::stats::Figures;

/// With fewer rated games, a difference has no colour.
pub(super) const ENOUGH: u64 = 20;

/// The steps of the scale, in percentage points.
const STEPS: [f64; 4] = [1.0, 3.0, 6.0, 10.0];

/// The class of a difference; `None` with too few rated games.
pub(super) fn shade(figures: &Figures) -> Option<&'static str> {
    let difference = figures.difference.as_ref().filter(|found| found.games >= ENOUGH)?;
    Some(class(100.0 * difference.value))
}

fn class(points: f64) -> &'static str {
    let steps = STEPS.iter().filter(|step| points.abs() >= **step).count();
    let (below, above) = (["s0", "s-1", "s-2", "s-3", "s-4"], ["s0", "s1", "s2", "s3", "s4"]);
    if points < 0.0 { below[steps] } else { above[steps] }
}

/// The classes from the lowest to the highest, and what each is for.
pub(super) fn legend() -> Vec<(&'static str, String)> {
    let [a, b, c, d] = STEPS;
    let minus = '\u{2212}';
    vec![
        ("s-4", format!("below {minus}{d}")),
        ("s-3", format!("{minus}{d} to {minus}{c}")),
        ("s-2", format!("{minus}{c} to {minus}{b}")),
        ("s-1", format!("{minus}{b} to {minus}{a}")),
        ("s0", format!("{minus}{a} to +{a}")),
        ("s1", format!("+{a} to +{b}")),
        ("s2", format!("+{b} to +{c}")),
        ("s3", format!("+{c} to +{d}")),
        ("s4", format!("above +{d}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_alike_in_both_directions() {
        for (points, expected) in [
            (0.0, "s0"),
            (-0.99, "s0"),
            (1.0, "s1"),
            (-5.9, "s-2"),
            (6.0, "s3"),
            (-50.0, "s-4"),
            (10.0, "s4"),
        ] {
            assert_eq!(class(points), expected, "{points}");
        }
    }
}
