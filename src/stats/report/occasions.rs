//! When and against whom: by speed, difference of ratings, day of the week and hour.

use super::by_number::ByNumber;
use crate::{
    chess::Color,
    select::Speed,
    stats::{
        game::ScoredGame,
        group_by::GroupBy,
        key::{GAP_BAND, GroupValue, gap_band, hour, speed, weekday},
        sums::Addend,
    },
};

/// The bands of rating gaps from here on are one, and so are those on the other side: there are few
/// such games, and the expectation is the same beyond [400](crate::stats::expected_score).
const WIDEST_GAP: i32 = 5 * GAP_BAND;

/// Games by what fields with few values say of them.
#[derive(Debug, Clone)]
pub(super) struct Occasions {
    pub(super) speeds: ByNumber,
    pub(super) rating_gaps: ByNumber,
    pub(super) weekdays: ByNumber,
    pub(super) hours: ByNumber,
}

impl Occasions {
    /// No games.
    pub(super) fn new() -> Self {
        let last_speed = Speed::ALL.len() as i32 - 1;
        Self {
            speeds: ByNumber::new(0..=last_speed, 1, |n| label(&GroupBy::Speed, n)),
            rating_gaps: ByNumber::new(-WIDEST_GAP..=WIDEST_GAP, GAP_BAND, gap_label),
            weekdays: ByNumber::new(0..=6, 1, |n| label(&GroupBy::Weekday, n)),
            hours: ByNumber::new(0..=23, 1, |n| label(&GroupBy::Hour, n)),
        }
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
            let addend = &addends[usize::from(side.is_black())];
            self.speeds.add(speed, addend);
            let gap = gap_band(game, *side).map(|gap| gap.clamp(-WIDEST_GAP, WIDEST_GAP));
            self.rating_gaps.add(gap, addend);
            self.weekdays.add(weekday, addend);
            self.hours.add(hour, addend);
        }
    }

    /// Adds the games of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        self.speeds.merge(&other.speeds);
        self.rating_gaps.merge(&other.rating_gaps);
        self.weekdays.merge(&other.weekdays);
        self.hours.merge(&other.hours);
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
