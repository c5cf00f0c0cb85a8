//! Ranges, as they are typed.

use std::{ops::RangeInclusive, str::FromStr};

/// The text is not a range of what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct ParseRangeError {
    found: String,
    expected: &'static str,
}

/// Reads a range of ratings: `2000..2400`, `2000..` or `..2400`. Both ends are included.
///
/// # Errors
///
/// If the text is something else, or no number is in the range.
pub fn parse_ratings(text: &str) -> Result<RangeInclusive<u16>, ParseRangeError> {
    let read = || {
        let (first, last) = text.split_once("..")?;
        if first.trim().is_empty() && last.trim().is_empty() {
            return None;
        }
        range(number_or(first, 0)?, number_or(last, u16::MAX)?)
    };
    let expected = "the lowest and the highest rating, such as 2000..2400, or one of them";
    read().ok_or_else(|| ParseRangeError { found: text.to_owned(), expected })
}

/// Reads numbers of games: `7`, `7-12`, or `7-` for all from there on. They begin with 1.
///
/// # Errors
///
/// If the text is something else, or no number is in the range.
pub fn parse_numbers(text: &str) -> Result<RangeInclusive<u64>, ParseRangeError> {
    let read = || {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let first = number_or(first, 0).filter(|first| *first > 0)?;
        range(first, number_or(last, u64::MAX)?)
    };
    let expected = "N, N-M or N-, such as 7-12";
    read().ok_or_else(|| ParseRangeError { found: text.to_owned(), expected })
}

fn range<T: PartialOrd>(first: T, last: T) -> Option<RangeInclusive<T>> {
    (first <= last).then_some(first..=last)
}

/// Reads digits; no text is `absent`.
fn number_or<T: FromStr>(text: &str, absent: T) -> Option<T> {
    let text = text.trim();
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.is_empty() => Some(absent),
        true => text.parse().ok(),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "..", "2400..2000", "2000", "a..b", "-1..2", "1...2", "..70000", "+1..2"] {
            assert!(parse_ratings(text).is_err(), "{text:?}");
        }
        for text in ["", "-", "0", "0-3", "-3", "3-2", "a", "1-2-3", "1..2", "+1"] {
            assert!(parse_numbers(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn ranges_hold_what_lies_between_their_ends(a: u16, b: u16, n: u16) {
            let (min, max) = (a.min(b), a.max(b));
            let is_in = |text: String| parse_ratings(&text).unwrap().contains(&n);
            prop_assert_eq!(is_in(format!("{min}..{max}")), min <= n && n <= max);
            prop_assert_eq!(is_in(format!(" {min} .. ")), min <= n);
            prop_assert_eq!(is_in(format!("..{max}")), n <= max);
            let (first, last, n) = (u64::from(min) + 1, u64::from(max) + 1, u64::from(n));
            let is_in = |text: String| parse_numbers(&text).unwrap().contains(&n);
            prop_assert_eq!(is_in(format!("{first}-{last}")), first <= n && n <= last);
            prop_assert_eq!(is_in(format!("{first}-")), first <= n);
            prop_assert_eq!(is_in(format!("{first}")), first == n);
        }
    }
}
