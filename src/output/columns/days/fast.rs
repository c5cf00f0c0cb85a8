//! Dates such as `1956.10.17`, of which all is known, as most are.
//!
//! It reads those ten bytes without looking for the parts.

use super::super::calendar::{days, month_length};

/// The day that a text means; `None` if it is not a day as PGN writes it.
#[inline]
pub(super) fn day(text: &[u8]) -> Option<i32> {
    let [y0, y1, y2, y3, b'.', m0, m1, b'.', d0, d1] = *text.first_chunk()? else { return None };
    let digits = [y0, y1, y2, y3, m0, m1, d0, d1];
    if text.len() != 10 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let [y0, y1, y2, y3, m0, m1, d0, d1] = digits.map(|digit| i32::from(digit - b'0'));
    let (year, month, day) = (1000 * y0 + 100 * y1 + 10 * y2 + y3, 10 * m0 + m1, 10 * d0 + d1);
    let is_day =
        year > 0 && (1..=12).contains(&month) && (1..=month_length(year, month)).contains(&day);
    is_day.then(|| days(year, month, day))
}
