//! Ratings and dates, as the values of tags have them.

use crate::pgn::GameDate;

/// The highest rating; a greater number is no rating.
const MAX_RATING: u16 = 4000;

/// The rating in the value of `WhiteElo` or `BlackElo`: a number from 1 to 4000.
pub(crate) fn read_rating(value: &[u8]) -> Option<u16> {
    let text = str::from_utf8(value.trim_ascii()).ok()?;
    text.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating))
}

/// The date in the value of `Date` or `UTCDate`, as far as it is known.
pub(crate) fn read_date(value: &[u8]) -> Option<GameDate> {
    whole_date(value).or_else(|| str::from_utf8(value).ok()?.parse().ok())
}

/// A date as nearly all are written, `2021.05.13`; `None` for any other, which may be a date too.
#[inline]
fn whole_date(value: &[u8]) -> Option<GameDate> {
    let [y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = *value else { return None };
    let mut number = 0;
    for digit in [y1, y2, y3, y4, m1, m2, d1, d2] {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = 10 * number + u32::from(digit - b'0');
    }
    let is_whole = (1..=12).contains(&(number / 100 % 100)) && (1..=31).contains(&(number % 100));
    GameDate::from_number(number).filter(|_| is_whole)
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
        fn dates_are_read_in_one_way(text in "[0-2?]{4}[.-][013?][0-9?][.-][0-3?][0-9?]") {
            prop_assert_eq!(read_date(text.as_bytes()), text.parse().ok());
        }
    }
}
