//! The tags whose values are in the facts of a game.

use super::tag_columns::ValueSource;
use crate::{
    chess::Color,
    opening::Opening,
    pgn::{Clock, GameDate, PlayedAt},
    select::GameResult,
};

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
    pub(super) played_at: PlayedAt,
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
            b"Date" => self.date.map(|date| pgn_date(date).to_vec()),
            b"UTCDate" => self.utc_date().map(|date| pgn_date(date).to_vec()),
            b"Time" => self.time(Clock::Local).map(|time| time.to_vec()),
            b"UTCTime" => self.time(Clock::Utc).map(|time| time.to_vec()),
            b"Result" => Some(self.result.as_str().into()),
            b"ECO" => self.opening.map(|opening| opening.code().into()),
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
        let is_there = !value.is_empty() && self.has_value(name, value);
        (if is_there { ValueSource::Facts } else { ValueSource::Column }, value)
    }

    /// Whether a tag has the value that [`value`](Self::value) returns. Made for each tag of each
    /// game, it takes no memory.
    fn has_value(&self, name: &[u8], value: &[u8]) -> bool {
        match name {
            b"White" => value == self.white,
            b"Black" => value == self.black,
            b"Event" => value == self.event,
            b"Variant" => value == self.variant,
            b"WhiteElo" => is_number(value, self.ratings[0]),
            b"BlackElo" => is_number(value, self.ratings[1]),
            b"Date" => self.date.is_some_and(|date| pgn_date(date) == value),
            b"UTCDate" => self.utc_date().is_some_and(|date| pgn_date(date) == value),
            b"Time" => self.time(Clock::Local).is_some_and(|time| time == value),
            b"UTCTime" => self.time(Clock::Utc).is_some_and(|time| time == value),
            b"Result" => value == self.result.as_str().as_bytes(),
            b"ECO" => self.opening.is_some_and(|o| value == o.code().as_bytes()),
            b"Opening" => self.opening.is_some_and(|o| value == o.name().as_bytes()),
            _ => false,
        }
    }

    fn utc_date(&self) -> Option<GameDate> {
        let utc = self.played_at.time().filter(|(clock, _)| *clock == Clock::Utc);
        utc.map_or(self.date, |_| self.played_at.date())
    }

    /// The time of a clock as PGN writes it.
    fn time(&self, of: Clock) -> Option<[u8; 8]> {
        let (_, seconds) = self.played_at.time().filter(|(clock, _)| *clock == of)?;
        let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        let [[a, b], [c, d], [e, f]] = [hours, minutes, seconds].map(digits);
        Some([a, b, b':', c, d, b':', e, f])
    }
}

/// Whether a value is this number as it is written.
fn is_number(value: &[u8], number: Option<u16>) -> bool {
    let Some(mut rest) = number.filter(|number| *number > 0) else { return false };
    let is_written = value.iter().rev().all(|digit| {
        let is_digit = rest > 0 && *digit == b'0' + (rest % 10) as u8;
        rest /= 10;
        is_digit
    });
    is_written && rest == 0
}

/// The part of `Site` that many games have: all of it, or what leads to the games of a web site.
pub(super) fn shared_site(site: &[u8]) -> &[u8] {
    let is_address = site.starts_with(b"http://") || site.starts_with(b"https://");
    let slash = site.iter().rposition(|byte| *byte == b'/').filter(|_| is_address);
    slash.map_or(site, |slash| &site[..=slash])
}

/// A number below 100 as two digits.
fn digits(number: u32) -> [u8; 2] {
    [number / 10, number % 10].map(|digit| b'0' + digit as u8)
}

/// A date as PGN writes it.
fn pgn_date(date: GameDate) -> [u8; 10] {
    let number = date.number();
    let part = |number: u32| if number == 0 { *b"??" } else { digits(number) };
    let ([a, b], [c, d]) = (digits(number / 1_000_000), digits(number / 10_000 % 100));
    let ([e, f], [g, h]) = (part(number / 100 % 100), part(number % 100));
    [a, b, c, d, b'.', e, f, b'.', g, h]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_give_back_what_they_take() {
        let opening = Opening::new("A00".parse().ok(), "Grob");
        let values = FactValues {
            white: b"W",
            black: b"",
            event: b"E",
            site: b"https://x.org/",
            variant: b"",
            ratings: [Some(2345), Some(1000)],
            date: "1956-10".parse().ok(),
            played_at: PlayedAt::new("1956-10-17".parse().ok(), Some((Clock::Utc, 3607))),
            result: GameResult::Draw,
            opening: Some(&opening),
        };
        for (name, value, is_there) in [
            ("White", "W", true),
            ("White", "V", false),
            ("Black", "", false),
            ("WhiteElo", "2345", true),
            ("WhiteElo", "02345", false),
            ("WhiteElo", "345", false),
            ("BlackElo", "1000", true),
            ("BlackElo", "", false),
            ("Date", "1956.10.??", true),
            ("UTCDate", "1956.10", false),
            ("UTCDate", "1956.10.??", false),
            ("UTCDate", "1956.10.17", true),
            ("UTCTime", "01:00:07", true),
            ("UTCTime", "1:00:07", false),
            ("Time", "01:00:07", false),
            ("Result", "1/2-1/2", true),
            ("Result", "1/2", false),
            ("ECO", "A00", true),
            ("Opening", "Grob", true),
            ("Round", "1", false),
        ] {
            let (source, rest) = values.source(name.as_bytes(), value.as_bytes());
            assert_eq!(source == ValueSource::Facts, is_there, "{name} {value}");
            assert_eq!(rest, value.as_bytes());
            if is_there {
                assert_eq!(values.value(name.as_bytes()), value.as_bytes());
            }
        }
        let site = values.source(b"Site", b"https://x.org/7");
        assert_eq!(site, (ValueSource::Both, &b"7"[..]));
        assert_eq!(shared_site(b"https://x.org/7"), values.site);
        assert_eq!(shared_site(b"a/b"), b"a/b");
    }
}
