//! The tags of a game that a repertoire reads.

use std::{
    borrow::Cow,
    num::{NonZeroU16, NonZeroU32},
};

use super::tally::GameFacts;
use crate::{
    chess::Color,
    classify::Header,
    pgn::{GameDate, Tag},
    select::GameResult,
};

/// The highest rating; a greater number is no rating.
const MAX_RATING: u16 = 4000;

/// The tags of a game that matter here.
#[derive(Default)]
pub(in crate::repertoire) struct GameTags<'a> {
    pub(in crate::repertoire) header: Header<'a>,
    pub(super) white_elo: Option<Cow<'a, [u8]>>,
    pub(super) black_elo: Option<Cow<'a, [u8]>>,
    pub(super) site: Option<Cow<'a, [u8]>>,
    pub(super) round: Option<Cow<'a, [u8]>>,
    pub(super) time: Option<Cow<'a, [u8]>>,
}

impl<'a> GameTags<'a> {
    pub(in crate::repertoire) fn read(tags: impl Iterator<Item = Tag<'a>>) -> Self {
        let mut read = Self::default();
        let mut others = Self::default();
        read.header = Header::read(tags.inspect(|tag| {
            let field = match tag.name {
                b"WhiteElo" => &mut others.white_elo,
                b"BlackElo" => &mut others.black_elo,
                b"Site" => &mut others.site,
                b"Round" => &mut others.round,
                b"UTCTime" | b"Time" => &mut others.time,
                _ => return,
            };
            field.get_or_insert_with(|| tag.value());
        }));
        Self { header: read.header, ..others }
    }

    pub(in crate::repertoire) fn date(&self) -> Option<GameDate> {
        str::from_utf8(self.header.date.as_deref()?).ok()?.parse().ok()
    }

    /// The value of the `Result` tag.
    pub(in crate::repertoire) fn result(&self) -> GameResult {
        self.header.result.as_deref().map_or(GameResult::Unknown, GameResult::read)
    }

    /// The facts that a count for a side needs, given the rest of the game.
    pub(in crate::repertoire) fn facts(
        &self,
        number: NonZeroU32,
        result: GameResult,
        side: Color,
    ) -> GameFacts {
        let opponent = if side.is_white() { self.black_rating() } else { self.white_rating() };
        GameFacts { number, date: self.date(), half_points: result.half_points(side), opponent }
    }

    pub(in crate::repertoire) fn white_rating(&self) -> Option<NonZeroU16> {
        rating(self.white_elo.as_deref())
    }

    pub(in crate::repertoire) fn black_rating(&self) -> Option<NonZeroU16> {
        rating(self.black_elo.as_deref())
    }
}

fn rating(value: Option<&[u8]>) -> Option<NonZeroU16> {
    let text = str::from_utf8(value?.trim_ascii()).ok()?;
    NonZeroU16::new(text.parse().ok()?).filter(|rating| rating.get() <= MAX_RATING)
}
