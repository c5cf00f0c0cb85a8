//! The terminal: its size, text in lines that fit, and what protects it from bytes of files.

use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::mem;

use anstream::adapter::strip_str;
use eco::output::sanitize;

/// The assumed columns and lines of a terminal that does not report them.
const DEFAULT_SIZE: [usize; 2] = [80, 24];

/// The number of columns and of lines of the terminal.
pub(super) fn terminal_size() -> [usize; 2] {
    terminal_size::terminal_size()
        .map_or(DEFAULT_SIZE, |(width, height)| [width.0.into(), height.0.into()])
}

/// A text in lines of at most this number of characters, if its words are no longer, each indented
/// as the text is. Escape sequences take no room.
pub(super) fn lines_of(text: &str, width: usize) -> Vec<String> {
    let length = |text: &str| strip_str(text).to_string().chars().count();
    let words = text.trim_start_matches(' ');
    let indent = &text[..text.len() - words.len()];
    let (mut lines, mut line) = (Vec::new(), indent.to_owned());
    for word in words.split(' ') {
        let is_begun = line.len() > indent.len();
        if is_begun && length(&line) + 1 + length(word) > width {
            lines.push(mem::replace(&mut line, indent.to_owned()));
        } else if is_begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// The lines of a message as standard error gets them: on a terminal they break between words.
pub(super) fn lines_of_message(text: &str) -> Vec<String> {
    if stderr().is_terminal() { lines_of(text, terminal_size()[0]) } else { vec![text.to_owned()] }
}

/// Standard output for bytes that a file may have brought in: games, comments, names. A terminal is
/// protected from them; into a pipe or a file they go as they are.
pub(super) fn standard_output() -> Box<dyn Write + Send> {
    let out = stdout();
    if out.is_terminal() { Box::new(ForTerminal { out, begun: Vec::new() }) } else { Box::new(out) }
}

/// A terminal, protected from characters that could control it: they become spaces, except line
/// feeds and tabs. A byte that is not UTF-8 becomes U+FFFD.
struct ForTerminal<W> {
    out: W,
    /// The beginning of a character whose end is still to come.
    begun: Vec<u8>,
}

impl<W: Write> ForTerminal<W> {
    /// Writes the characters that are complete, and keeps the one that is not.
    fn write_complete(&mut self) -> io::Result<()> {
        let bytes = mem::take(&mut self.begun);
        let mut shown = String::with_capacity(bytes.len());
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for line in chunk.valid().split_inclusive(['\n', '\t']) {
                let end = line.len() - usize::from(line.ends_with(['\n', '\t']));
                shown.push_str(&sanitize(&line.as_bytes()[..end]));
                shown.push_str(&line[end..]);
            }
            let invalid = chunk.invalid();
            if chunks.peek().is_none() && may_begin_character(invalid) {
                self.begun = invalid.to_owned();
            } else if !invalid.is_empty() {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.out.write_all(shown.as_bytes())
    }
}

/// Whether bytes that are not a character may become one with those that follow.
fn may_begin_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

impl<W: Write> Write for ForTerminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        self.write_complete()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_break_between_words() {
        for (text, lines) in [
            ("one two three", &["one two", "three"][..]),
            ("one two", &["one two"]),
            ("incomprehensible one", &["incomprehensible", "one"]),
            ("", &[""]),
            ("  one two", &["  one", "  two"]),
            ("\u{1b}[1mone\u{1b}[0m two", &["\u{1b}[1mone\u{1b}[0m two"]),
        ] {
            assert_eq!(lines_of(text, 8), lines, "{text:?}");
        }
    }

    #[test]
    fn no_text_controls_a_terminal() {
        for (text, shown) in [
            (&b"1. e4 {a\tb}\n"[..], "1. e4 {a\tb}\n"),
            (b"\x1b[31m\0\r\x7f", " [31m   "),
            ("\u{9b}31m \u{a9}\u{e9}\u{2192}".as_bytes(), " 31m \u{a9}\u{e9}\u{2192}"),
            ("a\u{202e}b".as_bytes(), "a b"),
            // Latin-1, in which these bytes are a control sequence and a letter.
            (b"\x9b31m M\xfcller\n", "\u{fffd}31m M\u{fffd}ller\n"),
        ] {
            let mut out = Vec::new();
            let mut terminal = ForTerminal { out: &mut out, begun: Vec::new() };
            terminal.write_all(text).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), shown, "for {text:?}");
            // At every split into pieces.
            let mut out = Vec::new();
            let mut terminal = ForTerminal { out: &mut out, begun: Vec::new() };
            text.iter().for_each(|byte| terminal.write_all(&[*byte]).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), shown, "for {text:?}, byte by byte");
        }
    }
}
