//! The tags of a game that a repertoire reads.

use std::num::{NonZeroU16, NonZeroU32};

use super::tally::GameFacts;
use crate::{
    chess::Color,
    classify::Header,
    pgn::GameDate,
    pgn::{Game, MainLine},
    select::{GameInfo, GameResult},
    stats::{Outcome, Sample},
};

/// The tags of a game that matter here.
pub(in crate::repertoire) struct GameTags<'a> {
    pub(in crate::repertoire) header: Header<'a>,
    pub(in crate::repertoire) info: GameInfo<'a>,
}

impl<'a> GameTags<'a> {
    pub(in crate::repertoire) fn read(game: &Game<'a>) -> Self {
        let info = GameInfo::read(game);
        Self { header: Header::read(info.tags()), info }
    }

    pub(in crate::repertoire) fn main_line(&self) -> MainLine<'a> {
        self.info.main_line()
    }

    pub(in crate::repertoire) fn date(&self) -> Option<GameDate> {
        self.info.date()
    }

    /// The value of the `Result` tag.
    pub(in crate::repertoire) fn result(&self) -> GameResult {
        self.header.result.as_deref().map_or(GameResult::Unknown, GameResult::read)
    }

    /// The facts that a count for a side needs, given the rest of the game.
    pub(in crate::repertoire) fn facts(
        &self,
        number: Option<NonZeroU32>,
        result: GameResult,
        side: Color,
    ) -> GameFacts {
        let opponent = self.rating(!side);
        GameFacts {
            number,
            date: self.date(),
            played_at: self.info.played_at(),
            half_points: result.half_points(side),
            opponent,
        }
    }

    /// What statistics need, given the result, from a side.
    pub(in crate::repertoire) fn sample(&self, result: GameResult, side: Color) -> Sample {
        let outcome = result.half_points(side).map(|half_points| match half_points {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        });
        let ratings = self.info.rating(side).zip(self.info.rating(!side));
        Sample { outcome, ratings, ..Sample::default() }
    }

    pub(super) fn rating(&self, color: Color) -> Option<NonZeroU16> {
        self.info.rating(color).and_then(NonZeroU16::new)
    }
}
