//! When something is trained.

use crate::pgn::GameDate;

/// A second of time, counted from the beginning of 1970 in UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

impl Moment {
    /// The moment this many seconds after the beginning of 1970.
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// The seconds since the beginning of 1970.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0
    }

    /// The moment a number of days later.
    #[must_use]
    pub fn plus_days(self, days: u32) -> Self {
        Self(self.0.saturating_add(i64::from(days) * SECONDS_A_DAY))
    }

    /// The days since an earlier moment, rounded: who trains every day, but not at the same hour,
    /// lets a day pass each time. 0 if that moment is later.
    #[must_use]
    pub fn days_since(self, earlier: Self) -> u32 {
        let seconds = self.0.saturating_sub(earlier.0).max(0);
        u32::try_from(seconds.saturating_add(SECONDS_A_DAY / 2) / SECONDS_A_DAY).unwrap_or(u32::MAX)
    }

    /// Whether something that is due at a moment is due now: then, or on the same day, as
    /// [`days_since`](Self::days_since) counts days.
    #[must_use]
    pub fn has_come(self, due: Self) -> bool {
        self.0.saturating_add(SECONDS_A_DAY / 2) >= due.0
    }

    /// The beginning of the first day that a date can be.
    #[must_use]
    pub fn start_of(date: GameDate) -> Self {
        Self(days_before(date.earliest()).saturating_mul(SECONDS_A_DAY))
    }

    /// The end of the last day that a date can be.
    #[must_use]
    pub fn end_of(date: GameDate) -> Self {
        Self((days_before(date.latest()) + 1).saturating_mul(SECONDS_A_DAY))
    }
}

/// The days from the beginning of 1970 to that of a day, by Howard Hinnant's `days_from_civil`:
/// years begin with March, so that the day that leap years have comes last.
fn days_before(day: GameDate) -> i64 {
    let number = i64::from(day.number());
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_counted_as_calendars_do() {
        // From `date -u -d DATE +%s`.
        for (date, seconds) in [
            ("1970-01-01", 0),
            ("1970-03-01", 5_097_600),
            ("1956-10-17", -416_793_600),
            ("2000-02-29", 951_782_400),
            ("2000-03-01", 951_868_800),
            ("2026-11-23", 1_795_392_000),
            ("2100-03-01", 4_107_542_400),
        ] {
            let date: GameDate = date.parse().unwrap();
            assert_eq!(Moment::start_of(date), Moment(seconds), "{date}");
            assert_eq!(Moment::end_of(date), Moment(seconds + 86_400), "{date}");
        }
        let [start, end] = [Moment::start_of, Moment::end_of].map(|f| f("2024".parse().unwrap()));
        assert_eq!(end.0 - start.0, 366 * 86_400);
    }

    #[test]
    fn an_hour_earlier_is_still_a_day() {
        let evening = Moment(20 * 3600);
        for (hours, days) in [(0, 0), (11, 0), (12, 1), (23, 1), (25, 1), (36, 2), (-5, 0)] {
            let later = Moment(evening.0 + hours * 3600);
            assert_eq!(later.days_since(evening), days, "{hours} hours");
            if days > 0 {
                assert!(later.has_come(evening.plus_days(days)), "{hours} hours");
                assert!(!later.has_come(evening.plus_days(days + 1)), "{hours} hours");
            }
        }
        let end = Moment(i64::MAX);
        assert_eq!(end.plus_days(u32::MAX), end);
        assert_eq!(end.days_since(Moment(i64::MIN)), u32::MAX);
    }
}
