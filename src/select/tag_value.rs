//! Ratings, dates and times, as the values of tags have them.

use crate::pgn::{Clock, GameDate, PlayedAt};

/// The highest rating; a greater number is no rating.
const MAX_RATING: u16 = 4000;

/// The rating in the value of `WhiteElo` or `BlackElo`: a number from 1 to 4000.
pub(crate) fn read_rating(value: &[u8]) -> Option<u16> {
    // Nearly all have four digits.
    if let [a, b, c, d] = *value
        && [a, b, c, d].iter().all(u8::is_ascii_digit)
    {
        let digits = [a, b, c, d].map(|digit| u16::from(digit - b'0'));
        let rating = digits.into_iter().fold(0, |number, digit| 10 * number + digit);
        return Some(rating).filter(|rating| (1..=MAX_RATING).contains(rating));
    }
    let text = str::from_utf8(value.trim_ascii()).ok()?;
    text.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating))
}

/// The date in the value of `Date` or `UTCDate`, as far as it is known.
pub(crate) fn read_date(value: &[u8]) -> Option<GameDate> {
    whole_date(value).or_else(|| str::from_utf8(value).ok()?.parse().ok())
}

/// A date as nearly all are written, `2021.05.13`, `2021.05.??` or `2021.??.??`; `None` for any
/// other, which may be a date too.
#[inline]
fn whole_date(value: &[u8]) -> Option<GameDate> {
    let [y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = *value else { return None };
    let two = |tens: u8, ones: u8| {
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        is_number.then(|| 10 * u32::from(tens - b'0') + u32::from(ones - b'0'))
    };
    let month = || two(m1, m2).filter(|month| (1..=12).contains(month));
    let day = || two(d1, d2).filter(|day| (1..=31).contains(day));
    let (month, day) = match [m1, m2, d1, d2] {
        [b'?', b'?', b'?', b'?'] => (0, 0),
        [_, _, b'?', b'?'] => (month()?, 0),
        _ => (month()?, day()?),
    };
    let year = 100 * two(y1, y2)? + two(y3, y4)?;
    GameDate::from_number(10_000 * year + 100 * month + day)
}

/// When a game was played, of what its tags say. A time goes with the date of its clock.
pub(crate) fn read_played_at(
    date: Option<GameDate>,
    time: Option<&[u8]>,
    [utc_date, utc_time]: [Option<&[u8]>; 2],
) -> PlayedAt {
    let utc_time = utc_time.and_then(read_time).map(|seconds| (Clock::Utc, seconds));
    let utc = PlayedAt::new(utc_date.and_then(read_date), utc_time);
    if utc.time().is_some() {
        return utc;
    }
    PlayedAt::new(date, time.and_then(read_time).map(|seconds| (Clock::Local, seconds)))
}

/// The seconds of the day in the value of `Time` or `UTCTime`: `23:59:59`.
fn read_time(value: &[u8]) -> Option<u32> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *value.trim_ascii() else { return None };
    let two = |tens: u8, ones: u8, end: u32| {
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        let number = is_number.then(|| 10 * u32::from(tens - b'0') + u32::from(ones - b'0'));
        number.filter(|number| *number < end)
    };
    Some((two(h1, h2, 24)? * 60 + two(m1, m2, 60)?) * 60 + two(s1, s2, 60)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whole_dates_are_read_as_all_others() {
        for text in
            ["2021.05.13", "2021.13.01", "2021.05.00", "0000.01.01", "2021-05-13", "2021", "x", ""]
        {
            assert_eq!(read_date(text.as_bytes()), text.parse().ok(), "{text:?}");
        }
        assert_eq!(read_date(b"\xff"), None);
    }

    proptest! {
        #[test]
        fn ratings_are_read_in_one_way(text in "[0-9+ ?]{0,6}") {
            let plain = text.trim().parse::<u16>().ok().filter(|r| (1..=MAX_RATING).contains(r));
            prop_assert_eq!(read_rating(text.as_bytes()), plain);
        }

        #[test]
        fn dates_are_read_in_one_way(text in "[0-2?]{4}[.-]([013?][0-9?]|00|[?][?])[.-]([0-3?][0-9?]|[?][?])") {
            prop_assert_eq!(read_date(text.as_bytes()), text.parse().ok());
        }
    }
}
