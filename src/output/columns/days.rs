//! Dates as days since 1970-01-01, as Arrow counts them.

use super::calendar::{days, month_length};
use crate::pgn::GameDate;

/// The first and the last day that a date can mean; `None` if the text is no date, or a day that
/// its month does not have.
#[inline]
pub(super) fn span(text: &[u8]) -> Option<[i32; 2]> {
    let date: GameDate = str::from_utf8(text).ok()?.parse().ok()?;
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
            assert_eq!(span(text.as_bytes()), expected, "for {text:?}");
        }
    }
}
