//! The tags whose values are in the facts of a game.

use super::tag_columns::ValueSource;
use crate::{chess::Color, opening::Opening, pgn::GameDate, select::GameResult};

/// What the facts say, as far as tags have the same.
#[derive(Debug, Clone)]
pub(super) struct FactValues<'a> {
    pub(super) white: &'a [u8],
    pub(super) black: &'a [u8],
    pub(super) event: &'a [u8],
    /// The whole value, or the first part of an address.
    pub(super) site: &'a [u8],
    pub(super) variant: &'a [u8],
    pub(super) ratings: [Option<u16>; 2],
    pub(super) date: Option<GameDate>,
    pub(super) result: GameResult,
    pub(super) opening: Option<&'a Opening>,
}

impl FactValues<'_> {
    /// The value of a tag of this name, as the facts have it; empty if they do not.
    pub(super) fn value(&self, name: &[u8]) -> Vec<u8> {
        let rating = |color: Color| {
            let rating = self.ratings[usize::from(color.is_black())];
            rating.map(|rating| rating.to_string().into_bytes())
        };
        let value = match name {
            b"White" => Some(self.white.to_vec()),
            b"Black" => Some(self.black.to_vec()),
            b"Event" => Some(self.event.to_vec()),
            b"Site" => Some(self.site.to_vec()),
            b"Variant" => Some(self.variant.to_vec()),
            b"WhiteElo" => rating(Color::White),
            b"BlackElo" => rating(Color::Black),
            b"Date" | b"UTCDate" => self.date.map(pgn_date),
            b"Result" => Some(self.result.as_str().into()),
            b"ECO" => self.opening.map(|opening| opening.eco().as_str().into()),
            b"Opening" => self.opening.map(|opening| opening.name().into()),
            _ => None,
        };
        value.unwrap_or_default()
    }

    /// Where the value of a tag is, and what is left of it for its column. `Site` may be there in
    /// part; any other is there as it is, or not at all.
    pub(super) fn source<'v>(&self, name: &[u8], value: &'v [u8]) -> (ValueSource, &'v [u8]) {
        if name == b"Site" && !self.site.is_empty() {
            return match value.strip_prefix(self.site) {
                Some([]) => (ValueSource::Facts, b""),
                Some(rest) => (ValueSource::Both, rest),
                None => (ValueSource::Column, value),
            };
        }
        let is_there = !value.is_empty() && self.value(name) == value;
        (if is_there { ValueSource::Facts } else { ValueSource::Column }, value)
    }
}

/// The part of `Site` that many games have: all of it, or what leads to the games of a web site.
pub(super) fn shared_site(site: &[u8]) -> &[u8] {
    let is_address = site.starts_with(b"http://") || site.starts_with(b"https://");
    let slash = site.iter().rposition(|byte| *byte == b'/').filter(|_| is_address);
    slash.map_or(site, |slash| &site[..=slash])
}

/// A date as PGN writes it.
fn pgn_date(date: GameDate) -> Vec<u8> {
    let number = date.number();
    let part = |number: u32| match number {
        0 => "??".to_owned(),
        known => format!("{known:02}"),
    };
    let (month, day) = (part(number / 100 % 100), part(number % 100));
    format!("{:04}.{month}.{day}", number / 10_000).into_bytes()
}
