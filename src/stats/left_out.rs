//! What was not counted.

use super::{game::ScoredGame, sample::Sample};
use crate::chess::Color;

/// What was not counted, or not in every column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LeftOut {
    /// Games of other variants, which are not counted at all.
    pub variants: u64,
    /// Games without a result, which have no part in scores.
    pub without_result: u64,
    /// Games in which a rating is missing, of those with a result; they have no part in
    /// expectations.
    pub without_ratings: u64,
    /// Games without an opening.
    pub without_opening: u64,
    /// Games in which a name is missing, if they are grouped by players or opponents.
    pub without_player: u64,
    /// Games that came before, of which whoever counts games left out all but the first.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub repeats: u64,
}

#[cfg(feature = "serde")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Whether games are grouped by names, so that one without them is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    Grouped,
    NotGrouped,
}

impl LeftOut {
    /// Notes what a game lacks that is counted. The sample is from either side.
    pub(super) fn add(&mut self, game: &ScoredGame<'_, '_>, sample: &Sample, names: Names) {
        self.without_opening += u64::from(game.named.is_none());
        self.without_result += u64::from(sample.outcome.is_none());
        let is_unrated = sample.outcome.is_some() && sample.ratings.is_none();
        self.without_ratings += u64::from(is_unrated);
        let is_nameless = || Color::ALL.iter().any(|side| game.name(*side).is_none());
        self.without_player += u64::from(names == Names::Grouped && is_nameless());
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.variants += other.variants;
        self.without_result += other.without_result;
        self.without_ratings += other.without_ratings;
        self.without_opening += other.without_opening;
        self.without_player += other.without_player;
        self.repeats += other.repeats;
    }
}
