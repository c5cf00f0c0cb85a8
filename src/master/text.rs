//! What the formats have in common as text: lines, names, codes and positions.

use std::borrow::Cow;

use crate::{
    chess::{EnPassantMode, FenFault, PositionKey, read_fen},
    opening::EcoCode,
    pgn::decode_text,
};

/// The lines of a file with their numbers from 1, as text, without byte order mark and line ends.
/// Lines that begin with `#` are comments in every format that is read by lines, and are skipped.
pub(super) fn numbered_lines(bytes: &[u8]) -> impl Iterator<Item = (u32, Cow<'_, str>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end + 1)..end]));
    let lines = lines.map(|line| decode_text(line.strip_suffix(b"\r").unwrap_or(line)));
    (1_u32..).zip(lines).filter(|(_, line)| !line.starts_with('#'))
}

/// Whether a line begins with an ECO code and a blank.
pub(super) fn starts_with_code(line: &str) -> bool {
    let code = line.split(char::is_whitespace).next().unwrap_or_default();
    code.len() < line.len() && code.parse::<EcoCode>().is_ok()
}

/// The key of a position that a master gives as FEN or EPD.
pub(super) fn read_key(fen: &str) -> Result<PositionKey, FenFault> {
    read_fen(fen.trim().as_bytes())
        .map(|position| PositionKey::from_position(&position, EnPassantMode::Legal))
}

/// Whether a text has control characters, which would break the lines and columns of what is
/// printed.
pub(crate) fn has_control(text: &str) -> bool {
    // Most texts have none. Control characters beyond ASCII begin with the byte 0xc2.
    let may_be_control = |byte: u8| byte < b' ' || matches!(byte, 0x7f | 0xc2);
    text.bytes().fold(false, |found, byte| found | may_be_control(byte))
        && text.chars().any(char::is_control)
}

/// A name without control characters and without blanks around it.
pub(crate) fn clean(name: &str) -> String {
    if has_control(name) {
        let clean: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        return clean.trim().to_owned();
    }
    name.trim().to_owned()
}
