//! Text from outside, made harmless: it cannot break a row or speak to a terminal.

use std::borrow::Cow;

use crate::{pgn::decode_text, swar::is_printable};

/// Bytes from outside as text that cannot break a row or speak to a terminal: control characters
/// become spaces. What is not UTF-8 is read as Latin-1.
#[must_use]
pub fn harmless(bytes: &[u8]) -> Cow<'_, str> {
    let text = decode_text(bytes);
    if is_printable(bytes) { text } else { without_harm(text) }
}

/// Writes bytes as [`harmless`] has them. Nearly all are plain, and are neither decoded nor looked at
/// a second time.
#[inline]
pub(super) fn write_harmless(bytes: &[u8], out: &mut Vec<u8>) {
    if is_printable(bytes) {
        out.extend_from_slice(bytes);
    } else {
        out.extend_from_slice(harmless(bytes).as_bytes());
    }
}

fn without_harm(text: Cow<'_, str>) -> Cow<'_, str> {
    let may_harm = text.bytes().fold(false, |found, byte| found | may_begin_harm(byte));
    if may_harm && text.chars().any(is_harmful) {
        Cow::Owned(text.chars().map(|c| if is_harmful(c) { ' ' } else { c }).collect())
    } else {
        text
    }
}

/// Whether a harmful character may begin with this byte of UTF-8. Names hardly ever have such bytes.
fn may_begin_harm(byte: u8) -> bool {
    byte < b' ' || matches!(byte, 0x7f | 0xc2 | 0xe2)
}

/// Control characters, and those that turn the direction of text or break lines.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_could_break_a_row_or_a_terminal_becomes_a_space() {
        assert_eq!(harmless(b"a\tb\x1b[31m\nc\x9b"), "a b [31m c ");
        assert_eq!(harmless("a\u{202e}b".as_bytes()), "a b");
        assert_eq!(harmless("Müller, Łódź".as_bytes()), "Müller, Łódź");
    }

    #[test]
    fn harm_begins_with_the_bytes_that_it_is_looked_for_by() {
        for harmful in ('\0'..=char::MAX).filter(|c| is_harmful(*c)) {
            let first = harmful.encode_utf8(&mut [0; 4]).as_bytes()[0];
            assert!(may_begin_harm(first), "{harmful:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_is_harmless(
            bytes in prop_oneof![any::<Vec<u8>>(), any::<String>().prop_map(String::into_bytes)],
        ) {
            let mut out = Vec::new();
            write_harmless(&bytes, &mut out);
            let decoded = decode_text(&bytes);
            let plainly: String =
                decoded.chars().map(|c| if is_harmful(c) { ' ' } else { c }).collect();
            prop_assert_eq!(out, plainly.as_bytes());
            prop_assert_eq!(harmless(&bytes), plainly);
        }
    }
}
