//! Bytes, blanks and lines: what all readers of this room share.

use std::borrow::Cow;
use std::io::{self, Read};

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The longest excerpt of a word. No move is longer, and a word that is no move may be a megabyte.
const MAX_EXCERPT: usize = 40;

/// A reader with a look at each read: at the buffer, and at the number of bytes that were read into
/// it or why none were. What it returns is what the read returns.
pub(in crate::pgn) struct Watched<R, F>(R, F);

impl<R: Read, F: FnMut(&mut [u8], io::Result<usize>) -> io::Result<usize>> Watched<R, F> {
    pub(in crate::pgn) fn new(reader: R, look: F) -> Self {
        Self(reader, look)
    }
}

impl<R: Read, F: FnMut(&mut [u8], io::Result<usize>) -> io::Result<usize>> Read for Watched<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.0.read(buffer);
        (self.1)(buffer, result)
    }
}

/// Decodes bytes of a file: as UTF-8 if they are valid, as Latin-1 otherwise.
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|b| char::from(*b)).collect(), Cow::Borrowed)
}

/// Decodes a word of movetext for a message. A word longer than 40 bytes is cut and gets dots.
pub(crate) fn decode_word(word: &[u8]) -> String {
    let excerpt = &word[..word.len().min(MAX_EXCERPT)];
    let dots = if excerpt.len() < word.len() { "..." } else { "" };
    format!("{}{dots}", decode_text(excerpt))
}

/// Whether a byte is a blank within a line.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Returns the number of blanks at the beginning of `bytes`.
pub(super) fn count_blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| is_blank(**b)).count()
}

/// Whether a byte is neither white space nor part of a byte order mark.
pub(super) fn is_text(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !BYTE_ORDER_MARK.contains(&byte)
}

/// Whether the end of `bytes` is at the start of a line, except for blanks and byte order marks.
/// `begins_line` says whether their beginning is.
pub(super) fn ends_at_line_start(mut bytes: &[u8], begins_line: bool) -> bool {
    loop {
        bytes = match bytes {
            [rest @ .., last] if is_blank(*last) => rest,
            _ => match bytes.strip_suffix(BYTE_ORDER_MARK) {
                Some(rest) => rest,
                None => return bytes.last().map_or(begins_line, |last| *last == b'\n'),
            },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_utf8_is_latin1() {
        assert_eq!(decode_text(b"Gr\xfcnfeld"), "Grünfeld");
        assert_eq!(decode_text("Grünfeld".as_bytes()), "Grünfeld");
    }

    #[test]
    fn a_long_word_is_cut() {
        assert_eq!(decode_word(b"Nf3"), "Nf3");
        assert_eq!(decode_word(&[b'x'; 41]), format!("{}...", "x".repeat(40)));
    }
}
