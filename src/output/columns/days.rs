//! Dates as days since 1970-01-01, as Arrow counts them.

use crate::pgn::GameDate;

/// The first and the last day that a date can mean; `None` if the text is no date, or a day that
/// its month does not have.
pub(super) fn span(text: &str) -> Option<[i32; 2]> {
    let date: GameDate = text.parse().ok()?;
    let [year, month, day] = parts(date);
    let last_month = if month == 0 { 12 } else { month };
    let length = month_length(year, last_month);
    if day > length {
        return None;
    }
    let last_day = if day == 0 { length } else { day };
    Some([days(year, month.max(1), day.max(1)), days(year, last_month, last_day)])
}

fn parts(date: GameDate) -> [i32; 3] {
    let number = date.number() as i32;
    [number / 10_000, number / 100 % 100, number % 100]
}

fn month_length(year: i32, month: i32) -> i32 {
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i32::from(is_leap_year),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar, which is taken to be valid at all times.
fn days(year: i32, month: i32, day: i32) -> i32 {
    // Years begin in March here, so that a leap day is the last one of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // Five months from March or August on have 153 days.
    let before_month = (153 * month + 2) / 5;
    365 * year + leap_days + before_month + day - 1 - DAYS_TO_1970
}

/// From the first day of March in the year 0 to 1970-01-01.
const DAYS_TO_1970: i32 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_spans_the_days_that_it_can_mean() {
        for (text, expected) in [
            ("1970.01.01", Some([0, 0])),
            ("1970.01.02", Some([1, 1])),
            ("1969-12-31", Some([-1, -1])),
            ("1956.10.17", Some([-4_824, -4_824])),
            ("1956.??.??", Some([-5_114, -4_749])),
            ("1956.02.??", Some([-5_083, -5_055])),
            ("2000.02.29", Some([11_016, 11_016])),
            ("2000", Some([10_957, 11_322])),
            ("1900.02.29", None),
            ("2023.02.30", None),
            ("2024.04.31", None),
            ("????.??.??", None),
            ("????.10.17", None),
            ("", None),
        ] {
            assert_eq!(span(text), expected, "for {text:?}");
        }
    }

    #[test]
    fn days_follow_one_another() {
        let mut expected = days(1, 1, 1);
        for year in 1..=2400 {
            for month in 1..=12 {
                for day in 1..=month_length(year, month) {
                    assert_eq!(days(year, month, day), expected, "{year}-{month}-{day}");
                    expected += 1;
                }
            }
        }
    }
}
