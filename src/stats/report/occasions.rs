//! When and against whom: by speed, difference of ratings, day of the week and hour.

use super::by_number::ByNumber;
use crate::{
    chess::Color,
    select::{MAX_RATING, Speed},
    stats::{
        game::ScoredGame,
        group_by::GroupBy,
        key::{GAP_BAND, gap_band, hour, speed, weekday},
        sums::Addend,
    },
};

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
        let max_gap = i32::from(MAX_RATING);
        Self {
            speeds: ByNumber::new(GroupBy::Speed, 0..=Speed::ALL.len() as i32 - 1, 1),
            rating_gaps: ByNumber::new(GroupBy::RatingGap, -max_gap..=max_gap, GAP_BAND),
            weekdays: ByNumber::new(GroupBy::Weekday, 0..=6, 1),
            hours: ByNumber::new(GroupBy::Hour, 0..=23, 1),
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
            self.rating_gaps.add(gap_band(game, *side), addend);
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
