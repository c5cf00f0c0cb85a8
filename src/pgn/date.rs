//! When a game was played, as far as it is known: its date, and the time of day.

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
    pub fn number(self) -> u32 {
        u32::from(self.year.get()) * 10_000 + u32::from(self.month) * 100 + u32::from(self.day)
    }

    /// The date of such a number; `None` for 0.
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        let year = NonZeroU16::new(u16::try_from(number / 10_000).ok()?)?;
        Some(Self { year, month: (number / 100 % 100) as u8, day: (number % 100) as u8 })
    }

    /// Whether it is certainly before another, by the known parts.
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

    /// The days from 1970-01-01 to the first day that it can be.
    pub(crate) fn days_since_1970(self) -> i32 {
        let Self { year, month, day } = self.earliest();
        days_since_1970(year.get().into(), month.into(), day.into())
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

/// The clock that a time of day was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// That of the place, in the tag `Time`.
    Local,
    /// Universal time, in the tag `UTCTime`.
    Utc,
}

/// When a game was played, as far as it is known: what decides wherever games are ordered.
///
/// It is `UTCDate` with `UTCTime`, if both are known; else `Date` with `Time`, or the date alone.
///
/// Later games are greater. Games of one day are ordered by time. Times of two clocks cannot be
/// compared, so games with a UTC time come first there, those with a local time next, and those
/// without a time last, both where the latest games are listed first and where the earliest are.
/// A date of which the day or the month is not known is less than those it can be, and no date is
/// less than any. What comes first of equal ones, each list says.
///
/// ```
/// use eco::{pgn::Game, select::GameInfo};
///
/// let played_at = |tags: &str| GameInfo::read(&Game::from_bytes(tags.as_bytes())).played_at();
/// let morning = played_at("[UTCDate \"2021.05.13\"]\n[UTCTime \"09:59:59\"]\n");
/// let evening = played_at("[UTCDate \"2021.05.13\"]\n[UTCTime \"20:00:00\"]\n");
/// let some_time = played_at("[Date \"2021.05.13\"]\n");
/// assert!(evening > morning && morning > some_time);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayedAt {
    date: Option<GameDate>,
    /// 0 if unknown; from 1 the seconds of a local time; after those the seconds of a UTC time.
    time: u32,
}

/// The seconds of a day.
const DAY: u32 = 86_400;

/// The bits of the number of a time of day.
const TIME_BITS: u32 = 18;

impl PlayedAt {
    /// A date, with a time of day in seconds if the day is known.
    pub(crate) fn new(date: Option<GameDate>, time: Option<(Clock, u32)>) -> Self {
        let time = time.filter(|(_, seconds)| *seconds < DAY && date.is_some_and(|d| d.day > 0));
        let time = time.map_or(0, |(clock, seconds)| match clock {
            Clock::Local => 1 + seconds,
            Clock::Utc => 1 + DAY + seconds,
        });
        Self { date, time }
    }

    /// The date. It differs from that of the game if `UTCDate` differs from `Date`.
    pub fn date(self) -> Option<GameDate> {
        self.date
    }

    /// The time of day in seconds, and the clock.
    pub(crate) fn time(self) -> Option<(Clock, u32)> {
        let seconds = self.time.checked_sub(1)?;
        let utc = seconds.checked_sub(DAY).map(|seconds| (Clock::Utc, seconds));
        Some(utc.unwrap_or((Clock::Local, seconds)))
    }

    /// The date and the time as numbers; 0 for what is not known.
    pub(crate) fn to_numbers(self) -> [u32; 2] {
        [self.date.map_or(0, GameDate::number), self.time]
    }

    /// That of such numbers. No time is later than the last of a day.
    pub(crate) fn from_numbers([date, time]: [u32; 2]) -> Self {
        Self { date: GameDate::from_number(date), time: time.min(2 * DAY) }
    }

    /// As one number that sorts alike, of [`NUMBER_BITS`](Self::NUMBER_BITS).
    pub(crate) fn number(self) -> u64 {
        let [date, time] = self.to_numbers().map(u64::from);
        date << TIME_BITS | time
    }

    /// The [`number`](Self::number) of a date without a time, by the number of the date.
    #[inline(always)]
    pub(crate) fn number_of_date(date: u32) -> u64 {
        u64::from(date) << TIME_BITS
    }

    /// The bits of a [`number`](Self::number): 27 are the date.
    pub(crate) const NUMBER_BITS: u32 = 27 + TIME_BITS;

    /// What such a number stands for.
    pub(crate) fn from_number(number: u64) -> Self {
        Self::from_numbers([(number >> TIME_BITS) as u32, number as u32 & ((1 << TIME_BITS) - 1)])
    }

    /// Whether it is certainly before another: by date, or on one day by times of the same clock.
    pub(crate) fn is_before(self, other: Self) -> bool {
        let (Some(date), Some(other_date)) = (self.date, other.date) else { return false };
        let times = self.time().zip(other.time());
        let is_sooner = times.is_some_and(|((clock, a), (other, b))| clock == other && a < b);
        date.is_before(other_date) || date == other_date && is_sooner
    }

    /// What sorts the earliest first, by the last day that it can be.
    pub(crate) fn earliest_first(self) -> (Option<GameDate>, u32) {
        let time = self.time().map_or(2 * DAY, |(clock, seconds)| match clock {
            Clock::Utc => seconds,
            Clock::Local => DAY + seconds,
        });
        (self.date.map(GameDate::latest), time)
    }
}

/// The days from 1970-01-01 to a day of the Gregorian calendar, which is taken to be valid at all
/// times: Howard Hinnant's `days_from_civil`.
#[inline]
pub(crate) fn days_since_1970(year: i32, month: i32, day: i32) -> i32 {
    // Years begin in March here, so that a leap day is the last one of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // Five months from March or August on have 153 days.
    let before_month = (153 * month + 2) / 5;
    365 * year + leap_days + before_month + day - 1 - DAYS_TO_1970
}

/// From the first day of March in the year 0 to 1970-01-01.
const DAYS_TO_1970: i32 = 719_468;

/// The number that two digits are.
#[inline]
pub(crate) fn two_digits(tens: u8, ones: u8) -> Option<u32> {
    let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
    is_number.then(|| 10 * u32::from(tens - b'0') + u32::from(ones - b'0'))
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

    #[test]
    fn games_of_a_day_are_ordered_by_time_with_utc_first_and_missing_times_last() {
        use Clock::{Local, Utc};
        let at = |date: &str, time| PlayedAt::new(date.parse().ok(), time);
        let latest_first = [
            at("2021-05-14", None),
            at("2021-05-13", Some((Utc, DAY - 1))),
            at("2021-05-13", Some((Utc, 0))),
            at("2021-05-13", Some((Local, DAY - 1))),
            at("2021-05-13", Some((Local, 0))),
            at("2021-05-13", None),
            at("2021-05", None),
            at("", None),
        ];
        assert!(latest_first.is_sorted_by(|a, b| a > b), "{latest_first:?}");
        assert!(latest_first.is_sorted_by_key(|at| std::cmp::Reverse(at.number())));
        for at in latest_first {
            assert_eq!(PlayedAt::from_number(at.number()), at);
            assert!(at.number() < 1 << PlayedAt::NUMBER_BITS);
        }
        let mut earliest_first = latest_first;
        earliest_first.sort_by_key(|at| at.earliest_first());
        let order = earliest_first.map(|at| latest_first.iter().position(|other| *other == at));
        assert_eq!(order.map(Option::unwrap), [7, 2, 1, 4, 3, 5, 0, 6]);
        // Of a day that is not known, there is no time, and none is later than its day.
        assert_eq!(at("2021-05", Some((Utc, 7))), at("2021-05", None));
        assert_eq!(at("2021-05-13", Some((Utc, DAY))), at("2021-05-13", None));
    }

    #[test]
    fn times_of_two_clocks_are_not_compared() {
        use Clock::{Local, Utc};
        let at = |time| PlayedAt::new("2021-05-13".parse().ok(), time);
        for (a, b, is_before) in [
            (Some((Utc, 1)), Some((Utc, 2)), true),
            (Some((Local, 1)), Some((Local, 2)), true),
            (Some((Utc, 2)), Some((Utc, 2)), false),
            (Some((Utc, 1)), Some((Local, 2)), false),
            (Some((Local, 1)), Some((Utc, 2)), false),
            (None, Some((Utc, 2)), false),
            (Some((Utc, 1)), None, false),
        ] {
            assert_eq!(at(a).is_before(at(b)), is_before, "{a:?} {b:?}");
            let tomorrow = PlayedAt::new("2021-05-14".parse().ok(), b);
            assert!(at(a).is_before(tomorrow) && !tomorrow.is_before(at(a)), "{a:?} {b:?}");
        }
    }
}
