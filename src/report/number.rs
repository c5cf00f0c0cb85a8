//! Numbers as people read them.

/// A space that does not break lines.
const NO_BREAK: char = '\u{a0}';

/// A count: `84,849`.
pub(super) fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of games: `1 game`, `84,849 games`.
pub(super) fn games(games: u64) -> String {
    let noun = if games == 1 { "game" } else { "games" };
    format!("{}{NO_BREAK}{noun}", count(games))
}

/// A number with this number of places; zero has no sign.
pub(super) fn decimal(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("\u{2212}{digits}"),
        None => text,
    }
}

/// A share as percent: `52.3`.
pub(super) fn percent(share: f64) -> String {
    decimal(100.0 * share, 1)
}

/// A share with its sign: `52.3 %`.
pub(super) fn with_sign(share: f64) -> String {
    format!("{}{NO_BREAK}%", percent(share))
}

/// A share in words and pictures, without places: `52 %`.
pub(super) fn round_percent(share: f64) -> String {
    format!("{}{NO_BREAK}%", decimal(100.0 * share, 0))
}

/// A difference of shares in percentage points: `+3.4`.
pub(super) fn points(difference: f64) -> String {
    let text = percent(difference);
    match text.starts_with('\u{2212}') || text.bytes().all(|b| matches!(b, b'0' | b'.')) {
        true => text,
        false => format!("+{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(count(number), text);
        }
        assert_eq!(games(1), "1\u{a0}game");
        assert_eq!(percent(0.5234), "52.3");
        for (difference, text) in
            [(0.034, "+3.4"), (-0.034, "\u{2212}3.4"), (-0.0001, "0.0"), (0.0, "0.0")]
        {
            assert_eq!(points(difference), text);
        }
    }
}
