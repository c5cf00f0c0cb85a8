//! Text from outside, sanitized: it can neither break a row nor control a terminal.

use std::borrow::Cow;

use crate::{pgn::decode_text, swar::is_printable};

/// Bytes from outside as text that can neither break a row nor control a terminal: control
/// characters become spaces. Bytes that are not UTF-8 are read as Latin-1.
#[must_use]
pub fn sanitize(bytes: &[u8]) -> Cow<'_, str> {
    let text = decode_text(bytes);
    if is_printable(bytes) { text } else { replace_unsafe(text) }
}

/// Appends what [`sanitize`] returns. Nearly all bytes are printable ASCII, and are neither decoded
/// nor checked a second time.
#[inline]
pub(super) fn write_sanitized(bytes: &[u8], out: &mut Vec<u8>) {
    if is_printable(bytes) {
        out.extend_from_slice(bytes);
    } else {
        out.extend_from_slice(sanitize(bytes).as_bytes());
    }
}

fn replace_unsafe(text: Cow<'_, str>) -> Cow<'_, str> {
    let may_be_unsafe = text.bytes().fold(false, |found, byte| found | may_begin_unsafe(byte));
    if may_be_unsafe && text.chars().any(is_unsafe) {
        Cow::Owned(text.chars().map(|c| if is_unsafe(c) { ' ' } else { c }).collect())
    } else {
        text
    }
}

/// Whether the UTF-8 form of an unsafe character may begin with this byte. Names rarely contain
/// such bytes.
fn may_begin_unsafe(byte: u8) -> bool {
    byte < b' ' || matches!(byte, 0x7f | 0xc2 | 0xe2)
}

/// Control characters, and those that change the direction of text or break lines.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_could_break_a_row_or_control_a_terminal_becomes_a_space() {
        assert_eq!(sanitize(b"a\tb\x1b[31m\nc\x9b"), "a b [31m c ");
        assert_eq!(sanitize("a\u{202e}b".as_bytes()), "a b");
        assert_eq!(sanitize("Müller, Łódź".as_bytes()), "Müller, Łódź");
    }

    #[test]
    fn every_unsafe_character_begins_with_a_byte_that_is_searched_for() {
        for c in ('\0'..=char::MAX).filter(|c| is_unsafe(*c)) {
            let first = c.encode_utf8(&mut [0; 4]).as_bytes()[0];
            assert!(may_begin_unsafe(first), "{c:?}");
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
