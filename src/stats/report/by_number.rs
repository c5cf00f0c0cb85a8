//! Games by a field that has few numbers as values.

use std::ops::RangeInclusive;

use super::slices::Slice;
use crate::stats::{figures::Baseline, sums::Addend, tally::Tally};

/// The games of each value of a field, such as the day of the week. Its values are few numbers, so
/// their tallies are a list, and none is looked up.
#[derive(Debug, Clone)]
pub(super) struct ByNumber {
    label: fn(i32) -> String,
    /// The least value, and the distance from each to the next.
    least: i32,
    step: i32,
    tallies: Vec<Tally>,
}

impl ByNumber {
    /// No games. `values` are all that the field can have.
    pub(super) fn new(values: RangeInclusive<i32>, step: i32, label: fn(i32) -> String) -> Self {
        let count = (values.end() - values.start()) / step + 1;
        Self {
            label,
            least: *values.start(),
            step,
            tallies: vec![Tally::default(); count as usize],
        }
    }

    /// Counts a game, unless it does not say.
    #[inline]
    pub(super) fn add(&mut self, value: Option<i32>, game: &Addend) {
        let Some(value) = value else { return };
        self.tallies[((value - self.least) / self.step) as usize].add_score(game);
    }

    /// Adds the games of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(own, other)| own.merge(other));
    }

    /// The values that occur, in their order.
    pub(super) fn slices(&self, baseline: Baseline<'_>) -> Vec<Slice> {
        let tallies = self.tallies.iter().enumerate().filter(|(_, tally)| tally.games() > 0);
        let slice = |(place, tally): (usize, &Tally)| Slice {
            label: (self.label)(self.least + self.step * place as i32),
            figures: baseline.figures(tally),
        };
        tallies.map(slice).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::sample::Sample;

    #[test]
    fn each_value_has_its_games() {
        let new = || ByNumber::new(-400..=400, 100, |value| value.to_string());
        let (mut gaps, mut part) = (new(), new());
        let game = Addend::new(Sample::default());
        [Some(-400), Some(0), None].into_iter().for_each(|value| gaps.add(value, &game));
        [Some(0), Some(400)].into_iter().for_each(|value| part.add(value, &game));
        gaps.merge(&part);
        let baseline = Baseline { all: &Tally::default(), advantage: 0.0 };
        let slices = gaps.slices(baseline);
        let found: Vec<_> = slices.iter().map(|s| (&*s.label, s.figures.games)).collect();
        assert_eq!(found, [("-400", 1), ("0", 2), ("400", 1)]);
    }
}
