//! The values of rows, and how they are written as text. Text from outside is sanitized: it can
//! neither break a row nor control a terminal.

use std::{borrow::Cow, fmt, fmt::Display};

use crate::swar::{digits, is_printable};
use crate::{catalogue::Catalogue, chess::PositionKey, opening::Opening, pgn::decode_text};

/// The value of a column in a row.
#[derive(Clone)]
// A tag of its own is read at once; hidden among the capacities of the text, it takes ten
// instructions for each value.
#[repr(u8)]
pub enum Value<'a> {
    /// No value: empty in text, if the column has nothing else for it, `null` in JSON.
    None,
    /// A whole number.
    Number(u64),
    /// A number with a fixed number of decimals.
    Decimal {
        /// The number; it is finite.
        value: f64,
        /// The number of decimals.
        places: usize,
    },
    /// Yes or no.
    Bool(bool),
    /// Text without control characters.
    Text(Cow<'a, str>),
    /// Bytes of a file. They are [sanitized](super::sanitize) when they are written.
    Bytes(&'a [u8]),
    /// Moves between blanks, and perhaps a result after them, without control characters: in JSON
    /// an array of the moves.
    Movetext(Cow<'a, str>),
    /// Texts without control characters: an array in JSON, joined elsewhere.
    List {
        /// The texts.
        items: Vec<String>,
        /// What stands between them where they are joined.
        separator: &'static str,
    },
    /// A value that is formatted, and [sanitized](super::sanitize), when it is written.
    Display(&'a dyn Display),
}

impl<'a> Value<'a> {
    /// Text from any source, [sanitized](super::sanitize); no value if it is empty.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        match text.into() {
            text if text.is_empty() => Self::None,
            Cow::Borrowed(text) => Self::Text(sanitize(text.as_bytes())),
            Cow::Owned(text) => Self::Text(sanitize(text.as_bytes()).into_owned().into()),
        }
    }

    /// Text without control characters, if there is any.
    pub(crate) fn optional_text(text: Option<String>) -> Self {
        text.map_or(Self::None, |text| Self::Text(text.into()))
    }

    /// The text of a value, [sanitized](super::sanitize); no value if there is none, or no text.
    pub fn optional(value: Option<impl ToString>) -> Self {
        value.map_or(Self::None, |value| Self::text(value.to_string()))
    }

    /// Texts from any source, [sanitized](super::sanitize).
    pub fn list<T: AsRef<str>>(
        items: impl IntoIterator<Item = T>,
        separator: &'static str,
    ) -> Self {
        let items = items.into_iter().map(|item| sanitize(item.as_ref().as_bytes()).into_owned());
        Self::List { items: items.collect(), separator }
    }

    /// A share from 0 to 1 in percent, with two decimals.
    pub(crate) fn share(share: Option<f64>) -> Self {
        share.map_or(Self::None, |share| Self::Decimal { value: 100.0 * share, places: 2 })
    }

    /// A score from 0 to 1, a limit of one or a difference of two, in percent with one decimal.
    pub(crate) fn score(score: Option<f64>) -> Self {
        score.map_or(Self::None, |score| Self::Decimal { value: 100.0 * score, places: 1 })
    }

    /// Appends what [`to_text`](Self::to_text) returns.
    #[inline]
    pub(super) fn write_text(&self, absent: &str, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) | Self::Movetext(text) => out.extend_from_slice(text.as_bytes()),
            Self::Bytes(bytes) => write_sanitized(bytes, out),
            Self::Number(number) => write_number(*number, out),
            other => out.extend_from_slice(other.to_text(absent).as_bytes()),
        }
    }

    /// The value as text; `absent` if there is none.
    pub(super) fn to_text<'s>(&'s self, absent: &'s str) -> Cow<'s, str> {
        match self {
            Self::None => absent.into(),
            Self::Number(number) => number.to_string().into(),
            Self::Decimal { value, places } => decimal(*value, *places).into(),
            Self::Bool(true) => "true".into(),
            Self::Bool(false) => "false".into(),
            Self::Text(text) | Self::Movetext(text) => text.as_ref().into(),
            Self::Bytes(bytes) => sanitize(bytes),
            Self::List { items, separator } => items.join(separator).into(),
            Self::Display(value) => sanitize(value.to_string().as_bytes()).into_owned().into(),
        }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            other => write!(f, "{:?}", other.to_text("")),
        }
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

/// Bytes of a file.
impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Bytes(text.as_bytes())
    }
}

impl From<bool> for Value<'_> {
    fn from(is_so: bool) -> Self {
        Self::Bool(is_so)
    }
}

impl<'a, T: Into<Self>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

/// A number with a fixed number of decimals. A number that is rounded to 0 has no sign.
pub(crate) fn decimal(value: f64, places: usize) -> String {
    // Evaluations are whole: to format one as a fraction takes 2,000 instructions.
    if places == 0 && value.fract() == 0.0 && value.abs() < 1e9 {
        return (value as i64).to_string();
    }
    let text = format!("{value:.places$}");
    let is_zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

fn write_number(number: u64, out: &mut Vec<u8>) {
    match digits(number) {
        Some((digits, count)) => out.extend_from_slice(&digits[..count]),
        None => out.extend_from_slice(number.to_string().as_bytes()),
    }
}

/// A share or a score in percent, with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Bytes from outside as text that can neither break a row nor control a terminal: control
/// characters become spaces. Bytes that are not UTF-8 are read as Latin-1.
pub fn sanitize(bytes: &[u8]) -> Cow<'_, str> {
    let text = decode_text(bytes);
    match is_printable(bytes) || !text.contains(is_unsafe) {
        true => text,
        false => text.replace(is_unsafe, " ").into(),
    }
}

/// Appends what [`sanitize`] returns. Nearly all bytes are printable ASCII, and are neither decoded
/// nor checked a second time.
#[inline]
fn write_sanitized(bytes: &[u8], out: &mut Vec<u8>) {
    if is_printable(bytes) {
        out.extend_from_slice(bytes);
    } else {
        out.extend_from_slice(sanitize(bytes).as_bytes());
    }
}

/// Control characters, and those that change the direction of text or break lines.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The name that a catalogue has for a position.
pub(super) fn opening_at<'c>(catalogue: &'c Catalogue, key: &PositionKey) -> Option<&'c Opening> {
    catalogue.get(key).map(|line| &line.opening)
}

/// The ECO code of an opening.
pub(super) fn code(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.code()))
}

/// The name of an opening.
pub(super) fn name(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.name()))
}

/// Its English name.
pub(super) fn english_name(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.english_name()))
}

/// The width of a [score bar](score_bar) in characters.
pub(super) const BAR_WIDTH: usize = 10;

/// A bar of won, drawn and lost games, `███▒▒▒▒░░░`; blank if no game has a result.
pub(super) fn score_bar([won, drawn, lost]: [u64; 3]) -> String {
    let all = won + drawn + lost;
    if all == 0 {
        return String::new();
    }
    // The rounded end of each part, so that the parts always fill the bar.
    let end = |games: u64| ((games * 2 * BAR_WIDTH as u64 + all) / (2 * all)) as usize;
    let (won, drawn) = (end(won), end(won + drawn));
    ["█".repeat(won), "▒".repeat(drawn - won), "░".repeat(BAR_WIDTH - drawn)].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_written_as_they_are_converted_to_text() {
        let decimal = |value| Value::Decimal { value, places: 2 };
        for (value, expected) in [
            (Value::None, "-"),
            (Value::from(None::<u64>), "-"),
            (Value::from(Some(7_u32)), "7"),
            (Value::from(true), "true"),
            (decimal(-0.004), "0.00"),
            (decimal(-0.006), "-0.01"),
            (Value::share(Some(0.5)), "50.00"),
            (Value::score(Some(0.125)), "12.5"),
            (Value::Bytes(b"a\tb"), "a b"),
            (Value::Display(&"a\tb"), "a b"),
        ] {
            let mut out = Vec::new();
            value.write_text("-", &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert_eq!(value.to_text("-"), expected);
        }
    }

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        for number in [0, 1, 9, 10, 99, 100, 5967, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            write_number(number, &mut out);
            assert_eq!(String::from_utf8(out), Ok(number.to_string()));
        }
    }

    #[test]
    fn text_is_a_value_unless_it_is_empty() {
        for (text, expected) in [("", "-"), ("e4", "e4"), ("a\tb", "a b")] {
            assert_eq!(Value::text(text).to_text("-"), expected);
            assert_eq!(Value::text(text.to_owned()).to_text("-"), expected, "{text:?}, owned");
            assert_eq!(Value::optional(Some(text)).to_text("-"), expected, "{text:?}, optional");
        }
        assert!(matches!(Value::optional(None::<u32>), Value::None));
    }

    #[test]
    fn what_could_break_a_row_or_control_a_terminal_becomes_a_space() {
        assert_eq!(sanitize(b"a\tb\x1b[31m\nc\x9b"), "a b [31m c ");
        assert_eq!(sanitize("a\u{202e}b".as_bytes()), "a b");
        assert_eq!(sanitize("Müller, Łódź".as_bytes()), "Müller, Łódź");
    }

    #[test]
    fn score_bars_are_always_full() {
        const MANY: u64 = u32::MAX as u64;
        for (results, bar) in [
            ([0, 0, 0], ""),
            ([1, 0, 0], "██████████"),
            ([0, 0, 7], "░░░░░░░░░░"),
            ([5, 0, 5], "█████░░░░░"),
            ([1, 1, 1], "███▒▒▒▒░░░"),
            ([1, 1000, 1], "▒▒▒▒▒▒▒▒▒▒"),
            ([MANY, MANY, 2], "█████▒▒▒▒▒"),
            ([MANY, 2, 0], "██████████"),
        ] {
            assert_eq!(score_bar(results), bar, "for {results:?}");
        }
    }

    proptest! {
        #[test]
        fn fast_paths_replace_what_the_definition_replaces(
            bytes in prop_oneof![any::<Vec<u8>>(), any::<String>().prop_map(String::into_bytes)],
        ) {
            let mut out = Vec::new();
            write_sanitized(&bytes, &mut out);
            let decoded = decode_text(&bytes);
            let expected: String =
                decoded.chars().map(|c| if is_unsafe(c) { ' ' } else { c }).collect();
            prop_assert_eq!(out, expected.as_bytes());
            prop_assert_eq!(sanitize(&bytes), expected);
        }
    }
}
