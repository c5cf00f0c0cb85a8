//! Captions: broken into lines by the width of their characters.

use unicode_width::UnicodeWidthChar;

/// The most lines of a caption, so that no text makes an image larger than a page.
const MAX_LINES: usize = 4;

/// The most characters of a caption that are read. The lines hold fewer, except of characters
/// without width.
const MAX_CAPTION: usize = 1000;

/// Stands for the rest of a caption that is too long.
const ELLIPSIS: char = '…';

/// Splits a text into lines of at most `ems` ems, between words where possible, and cuts it after
/// [`MAX_LINES`].
pub(super) fn wrap_caption(text: &str, ems: f64) -> Vec<String> {
    let room = (ems * 100.0) as u32;
    let kept = text.char_indices().nth(MAX_CAPTION).map_or(text, |(end, _)| &text[..end]);
    let mut lines = Vec::new();
    for paragraph in kept.lines().filter(|line| !line.trim().is_empty()) {
        wrap(paragraph, room, &mut lines);
    }
    if kept.len() < text.len() || lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        if let Some(last) = lines.last_mut() {
            while text_width(last) + char_width(ELLIPSIS) > room && last.pop().is_some() {}
            last.push(ELLIPSIS);
        }
    }
    lines
}

/// Whether a caption is cut when it is wrapped.
pub(super) fn is_cut(text: &str, ems: f64) -> bool {
    // An ellipsis that the author wrote cuts nothing.
    let wrapped: String = wrap_caption(text, ems).concat();
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    letters(&wrapped) < letters(text)
}

fn wrap(paragraph: &str, room: u32, lines: &mut Vec<String>) {
    let (mut line, mut width) = (String::new(), 0);
    for word in paragraph.split_whitespace() {
        if width > 0 && width + char_width(' ') + text_width(word) > room {
            lines.push(std::mem::take(&mut line));
            width = 0;
        }
        if width > 0 {
            line.push(' ');
            width += char_width(' ');
        }
        for c in word.chars() {
            if width > 0 && width + char_width(c) > room {
                lines.push(std::mem::take(&mut line));
                width = 0;
            }
            line.push(c);
            width += char_width(c);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
}

/// The widths of the characters from the space to the tilde in DejaVu Sans, in hundredths of an em,
/// rounded up. Of the common fonts only Verdana is as wide.
#[rustfmt::skip]
const WIDTHS: [u32; 95] = [
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54,
    100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50,
    50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62,
    64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
];

/// The largest width of a character, in hundredths of an em. Beyond ASCII, all letters count as
/// wide as the widest.
fn char_width(c: char) -> u32 {
    match c {
        ' '..='~' => WIDTHS[c as usize - ' ' as usize],
        _ if c.width().unwrap_or(0) == 0 => 0,
        _ if c.is_lowercase() => 98,
        _ => 110,
    }
}

fn text_width(text: &str) -> u32 {
    text.chars().map(char_width).sum()
}
