//! Which games a repertoire is built from.

use std::num::NonZeroU16;

use super::{date::GameDate, player::Player, reader::GameTags, result::GameResult};
use crate::{chess::Color, classify::Header, pgn::decode_text};

/// Which games are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The side the repertoire is for.
    pub color: Color,
    /// Whose games: those in which one of them plays this side. Of nobody's: all games.
    pub players: Vec<Player>,
    /// Not surely before this date. A game without a date is left out, here and below.
    pub since: Option<GameDate>,
    /// Not surely after this date.
    pub until: Option<GameDate>,
    /// The opponent is rated so much at least; if all games are taken, both sides are. An unrated one is
    /// left out, here and below.
    pub min_rating: Option<u16>,
    /// The same, at most.
    pub max_rating: Option<u16>,
    /// With one of these results; with any, if none is named.
    pub results: Vec<GameResult>,
}

impl Selection {
    /// All games.
    #[must_use]
    pub fn all(color: Color) -> Self {
        Self {
            color,
            players: Vec::new(),
            since: None,
            until: None,
            min_rating: None,
            max_rating: None,
            results: Vec::new(),
        }
    }

    /// Whether one of the players plays the side of the repertoire.
    #[must_use]
    pub fn is_ours(&self, header: &Header<'_>) -> bool {
        let name = if self.color.is_white() { &header.white } else { &header.black };
        self.players.is_empty()
            || self
                .players
                .contains(&Player::new(&decode_text(name.as_deref().unwrap_or_default())))
    }

    pub(in crate::repertoire) fn takes(&self, tags: &GameTags<'_>, result: GameResult) -> bool {
        let fits = |rating: Option<NonZeroU16>| {
            let rating = rating.map_or(0, NonZeroU16::get);
            self.min_rating.is_none_or(|least| rating >= least)
                && self.max_rating.is_none_or(|most| (1..=most).contains(&rating))
        };
        let date = tags.date();
        let opponent = [tags.white_rating(), tags.black_rating()];
        let rated = match (self.players.is_empty(), self.color) {
            (true, _) => &opponent[..],
            (false, Color::White) => &opponent[1..],
            (false, Color::Black) => &opponent[..1],
        };
        self.since.is_none_or(|since| date.is_some_and(|date| !date.is_before(since)))
            && self.until.is_none_or(|until| date.is_some_and(|date| !until.is_before(date)))
            && rated.iter().all(|rating| fits(*rating))
            && (self.results.is_empty() || self.results.contains(&result))
            && self.is_ours(&tags.header)
    }
}
