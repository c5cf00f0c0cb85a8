//! The calendar: days as Arrow counts them.

/// The number of days of a month.
#[inline]
pub(super) fn month_length(year: i32, month: i32) -> i32 {
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i32::from(is_leap_year),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar, which is taken to be valid at all times.
#[inline]
pub(super) fn days(year: i32, month: i32, day: i32) -> i32 {
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
