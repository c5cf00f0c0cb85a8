//! Which games a repertoire is built from.

use std::num::NonZeroU16;

use super::tags::GameTags;
use crate::{
    chess::Color,
    classify::Header,
    pgn::{GameDate, decode_text},
    select::{GameResult, Player},
};

/// Which games are taken: those of a side and its players that pass a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The side that the repertoire is for.
    pub color: Color,
    /// The players one of whom has this side. If there are none, anybody may have it.
    pub players: Vec<Player>,
    /// Further conditions on a game.
    pub filter: GameFilter,
}

/// Conditions on the date, the ratings and the result of a game. The default takes all games.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameFilter {
    /// Only games that are not certainly before this date. A game without a date is left out, here
    /// and below.
    pub since: Option<GameDate>,
    /// Only games that are not certainly after this date.
    pub until: Option<GameDate>,
    /// The minimum rating of the opponent; if the selection names no players, of both sides. An
    /// unrated player is left out, here and below.
    pub min_rating: Option<u16>,
    /// The maximum rating, likewise.
    pub max_rating: Option<u16>,
    /// Only games with one of these results; if there are none, with any.
    pub results: Vec<GameResult>,
}

impl Selection {
    /// All games.
    #[must_use]
    pub fn all(color: Color) -> Self {
        Self { color, players: Vec::new(), filter: GameFilter::default() }
    }

    /// Whether one of the players has the side of the repertoire.
    fn has_player(&self, header: &Header<'_>) -> bool {
        let name = if self.color.is_white() { &header.white } else { &header.black };
        self.players.is_empty()
            || self
                .players
                .contains(&Player::new(&decode_text(name.as_deref().unwrap_or_default())))
    }

    pub(in crate::repertoire) fn takes(&self, tags: &GameTags<'_>, result: GameResult) -> bool {
        let ratings = [tags.white_rating(), tags.black_rating()];
        let rated = match (self.players.is_empty(), self.color) {
            (true, _) => &ratings[..],
            (false, Color::White) => &ratings[1..],
            (false, Color::Black) => &ratings[..1],
        };
        self.filter.has_date(tags.date())
            && rated.iter().all(|rating| self.filter.has_rating(*rating))
            && self.filter.has_result(result)
            && self.has_player(&tags.header)
    }
}

impl GameFilter {
    fn has_date(&self, date: Option<GameDate>) -> bool {
        self.since.is_none_or(|since| date.is_some_and(|date| !date.is_before(since)))
            && self.until.is_none_or(|until| date.is_some_and(|date| !until.is_before(date)))
    }

    fn has_rating(&self, rating: Option<NonZeroU16>) -> bool {
        let rating = rating.map_or(0, NonZeroU16::get);
        self.min_rating.is_none_or(|least| rating >= least)
            && self.max_rating.is_none_or(|most| (1..=most).contains(&rating))
    }

    fn has_result(&self, result: GameResult) -> bool {
        self.results.is_empty() || self.results.contains(&result)
    }
}
