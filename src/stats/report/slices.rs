//! Games that have something in common: when they were played, how fast, and against whom.

use std::{cmp::Reverse, ops::RangeInclusive};

use crate::stats::figures::{Baseline, Figures};
use crate::stats::key::{GAP_BAND, GroupValue, gap_band, hour, speed, weekday};
use crate::stats::tally::{Addend, Tally};
use crate::stats::{breakdown::Group, game::ScoredGame, grouping::GroupBy};
use crate::{chess::Color, select::Speed};

/// The openings, players and opponents that have a place of their own.
pub(super) const COMMONEST: usize = 20;

/// Games that have something in common.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Slice {
    /// What they have in common. It may be text of a file.
    pub label: String,
    /// The numbers.
    pub figures: Figures,
}

pub(super) fn slice(group: Group<'_>, baseline: Baseline<'_>) -> Slice {
    let label = group.values().next_back().map(GroupValue::to_text).unwrap_or_default();
    Slice { label, figures: baseline.figures(group.tally()) }
}

/// Whether the games of a group say what they have in common.
pub(super) fn is_known(group: Group<'_>) -> bool {
    group.values().all(|value| *value != GroupValue::None)
}

/// The groups of games that say what they have in common, the commonest first.
pub(super) fn commonest<'g>(groups: impl Iterator<Item = Group<'g>>) -> Vec<Group<'g>> {
    let mut known: Vec<Group<'_>> = groups.filter(|group| is_known(*group)).collect();
    known.sort_by_key(|group| Reverse(group.tally().games()));
    known
}

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

/// The bands of rating gaps from here on are one, and so are those on the other side: there are few
/// such games, and the expectation is the same beyond [400](crate::stats::expected_score).
const WIDEST_GAP: i32 = 5 * GAP_BAND;

/// Games by what fields with few values say of them: speed, difference of ratings, day of the week
/// and hour.
#[derive(Debug, Clone)]
pub(super) struct Occasions([ByNumber; 4]);

impl Occasions {
    pub(super) fn new() -> Self {
        let last_speed = Speed::ALL.len() as i32 - 1;
        Self([
            ByNumber::new(0..=last_speed, 1, |n| label(&GroupBy::Speed, n)),
            ByNumber::new(-WIDEST_GAP..=WIDEST_GAP, GAP_BAND, gap_label),
            ByNumber::new(0..=6, 1, |n| label(&GroupBy::Weekday, n)),
            ByNumber::new(0..=23, 1, |n| label(&GroupBy::Hour, n)),
        ])
    }

    /// Counts a game for each of these sides. The addends are those of White and of Black.
    pub(super) fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        sides: &[Color],
        addends: &[Addend; 2],
    ) {
        let (speed, weekday) = (speed(game), game.date.and_then(weekday));
        let hour = game.time().and_then(hour);
        for side in sides {
            let gap = gap_band(game, *side).map(|gap| gap.clamp(-WIDEST_GAP, WIDEST_GAP));
            let addend = &addends[usize::from(side.is_black())];
            for (field, value) in self.0.iter_mut().zip([speed, gap, weekday, hour]) {
                field.add(value, addend);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(field, other)| field.merge(other));
    }

    pub(super) fn slices(&self, baseline: Baseline<'_>) -> [Vec<Slice>; 4] {
        self.0.each_ref().map(|field| field.slices(baseline))
    }
}

fn label(field: &GroupBy, number: i32) -> String {
    GroupValue::of_number(field, number).to_text()
}

/// The limits of a band of rating gaps, of which the widest have one.
fn gap_label(middle: i32) -> String {
    let limit = middle.abs() - GAP_BAND / 2;
    match middle {
        WIDEST_GAP.. => format!("+{limit} or more"),
        _ if middle <= -WIDEST_GAP => format!("-{limit} or less"),
        _ => label(&GroupBy::RatingGap, middle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::tally::Sample;

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
