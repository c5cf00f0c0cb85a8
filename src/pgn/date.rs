//! The date of a game, as far as it is known.

use std::{fmt, num::NonZeroU16, str::FromStr};

/// A date of which the day, or the month and the day, may not be known.
///
/// It prints as `2021-05-13`, `2021-05` or `2021`, so that text sorts like dates do and SQLite's
/// functions understand it. It reads that and what PGN has, `2021.05.??`.
///
/// ```
/// use eco::pgn::GameDate;
///
/// let date: GameDate = "1956.10.??".parse().unwrap();
/// assert_eq!(date.to_string(), "1956-10");
/// assert!(date < "1956-10-17".parse().unwrap());
/// assert!("????.??.??".parse::<GameDate>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameDate {
    year: NonZeroU16,
    /// 0 if unknown, like the day.
    month: u8,
    day: u8,
}

impl GameDate {
    /// As one number that sorts alike, 20210513; never 0.
    #[must_use]
    pub fn number(self) -> u32 {
        u32::from(self.year.get()) * 10_000 + u32::from(self.month) * 100 + u32::from(self.day)
    }

    /// The date of such a number; `None` for 0.
    #[must_use]
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        let year = NonZeroU16::new(u16::try_from(number / 10_000).ok()?)?;
        Some(Self { year, month: (number / 100 % 100) as u8, day: (number % 100) as u8 })
    }

    /// Whether it is certainly before another, by the known parts.
    #[must_use]
    pub(crate) fn is_before(self, other: Self) -> bool {
        self.latest() < other.earliest()
    }

    /// The last day that it can be.
    pub(crate) fn latest(self) -> Self {
        let end = |known: u8, last: u8| if known == 0 { last } else { known };
        Self { year: self.year, month: end(self.month, 12), day: end(self.day, 31) }
    }

    /// The first day that it can be.
    pub(crate) fn earliest(self) -> Self {
        Self { year: self.year, month: self.month.max(1), day: self.day.max(1) }
    }
}

impl fmt::Display for GameDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if self.month > 0 {
            write!(f, "-{:02}", self.month)?;
        }
        if self.day > 0 {
            write!(f, "-{:02}", self.day)?;
        }
        Ok(())
    }
}

/// The text is not a date, not even a year.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a date such as 2021-05-13, 2021-05 or 2021: {0:?}")]
pub struct ParseDateError(String);

impl FromStr for GameDate {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let mut part = |most: u16| -> Option<Option<u16>> {
            let Some(digits) = parts.next() else { return Some(None) };
            if !digits.is_empty() && digits.bytes().all(|b| b == b'?') {
                return Some(None);
            }
            let is_number = digits.bytes().all(|b| b.is_ascii_digit()) && digits.len() <= 4;
            let number = digits.parse().ok().filter(|n| is_number && *n <= most)?;
            Some(Some(number).filter(|n| *n > 0))
        };
        let mut read = || {
            let year = NonZeroU16::new(part(9999)??)?;
            let month = part(12)?.unwrap_or(0) as u8;
            let day = part(31)?.unwrap_or(0) as u8;
            // A day of an unknown month means nothing.
            Some(Self { year, month, day: if month > 0 { day } else { 0 } })
        };
        let date = read().filter(|_| parts.next().is_none());
        date.ok_or_else(|| ParseDateError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        for (text, expected) in [
            ("2021.05.13", Some("2021-05-13")),
            ("2021-05-13", Some("2021-05-13")),
            ("2021/5/3", Some("2021-05-03")),
            ("2021.05.??", Some("2021-05")),
            ("2021.??.13", Some("2021")),
            ("2021.00.00", Some("2021")),
            ("1849", Some("1849")),
            (" 2021-05 ", Some("2021-05")),
            ("????.??.??", None),
            ("0000.01.01", None),
            ("2021.13.01", None),
            ("2021.01.32", None),
            ("2021.01.01.01", None),
            ("20210513", None),
            ("yesterday", None),
            ("", None),
        ] {
            let date = text.parse::<GameDate>().ok();
            assert_eq!(date.map(|date| date.to_string()).as_deref(), expected, "for {text:?}");
            assert_eq!(date.and_then(|date| GameDate::from_number(date.number())), date);
        }
    }

    #[test]
    fn only_what_is_surely_earlier_is_before() {
        let is_before = |a: &str, b: &str| {
            let (a, b): (GameDate, GameDate) = (a.parse().unwrap(), b.parse().unwrap());
            a.is_before(b)
        };
        assert!(is_before("2021-05-13", "2021-05-14"));
        assert!(is_before("2020", "2021"));
        assert!(is_before("2021-04", "2021-05"));
        assert!(!is_before("2021", "2021-05-13"));
        assert!(!is_before("2021-05-13", "2021-05"));
        assert!(!is_before("2021-05-13", "2021-05-13"));
    }
}
