//! Where results go: standard output, or a file.

use std::{
    fs,
    io::{self, IsTerminal, Write, stderr, stdout},
    path::Path,
};

use eco::output::sanitize;

use super::{
    outcome::{Failure, say},
    replace::{Inputs, Replacement, cannot_write},
};

/// The assumed columns and lines of a terminal that does not report them.
const DEFAULT_SIZE: [usize; 2] = [80, 24];

/// The number of columns and of lines of the terminal.
pub(super) fn terminal_size() -> [usize; 2] {
    terminal_size::terminal_size()
        .map_or(DEFAULT_SIZE, |(width, height)| [width.0.into(), height.0.into()])
}

/// The number of columns of the terminal.
pub(super) fn terminal_width() -> usize {
    let [width, _] = terminal_size();
    width
}

/// Prints a note on standard error, on a terminal in lines that break between words.
pub(super) fn say_in_lines(note: &str) {
    if stderr().is_terminal() {
        lines_of(note, terminal_width()).iter().for_each(|line| say(line));
    } else {
        say(&note);
    }
}

/// A text in lines of at most this number of characters, if its words are no longer.
pub(super) fn lines_of(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is one from the start");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Writes to standard output. A closed pipe is not an error.
pub(super) fn print(bytes: &[u8]) -> Result<(), Failure> {
    stream_out(|out| out.write_all(bytes))
}

/// Writes a file, which appears under its name only when it is complete. Links are followed, an
/// existing file keeps its permissions, and anything but a regular file, such as a pipe, is written
/// to directly.
///
/// A database is never overwritten.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    stream_file(path, &Inputs::none(), |out| out.write_all(bytes))
}

/// Like [`write_file`], for contents that are not held in memory: `write` writes all of them. No
/// input is overwritten either.
pub(super) fn stream_file(
    path: &Path,
    inputs: &Inputs,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut file = OutputFile::create(path, inputs)?;
    write(&mut file.out).map_err(|error| file.cannot_write(&error))?;
    file.commit()
}

/// A file that is written little by little, and appears under its name only when it is complete.
pub(super) struct OutputFile {
    name: String,
    replacement: Replacement,
    out: io::BufWriter<fs::File>,
}

impl OutputFile {
    /// A file to write to. Rules as in [`stream_file`].
    pub(super) fn create(path: &Path, inputs: &Inputs) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let replacement = Replacement::new(path, inputs)?;
        let file = replacement.file().map_err(|error| cannot_write(&name, &error))?;
        Ok(Self { name, replacement, out: io::BufWriter::new(file) })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(|error| self.cannot_write(&error))
    }

    /// Puts the file in its place.
    pub(super) fn commit(mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| self.cannot_write(&error))?;
        drop(self.out);
        self.replacement.commit().map_err(|error| cannot_write(&self.name, &error))
    }

    fn cannot_write(&self, error: &io::Error) -> Failure {
        cannot_write(&self.name, error)
    }
}

/// Like [`print`], for contents that are not held in memory.
pub(super) fn stream_out(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(standard_output());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Standard output for bytes that a file may have brought in: games, comments, names. A terminal is
/// protected from them; into a pipe or a file they go as they are.
pub(super) fn standard_output() -> Box<dyn Write + Send> {
    let out = stdout();
    if out.is_terminal() { Box::new(ForTerminal::new(out)) } else { Box::new(out) }
}

/// A terminal, protected from characters that could control it: they become spaces, except line
/// feeds and tabs. A byte that is not UTF-8 becomes U+FFFD.
struct ForTerminal<W> {
    out: W,
    /// The beginning of a character whose end is still to come.
    begun: Vec<u8>,
}

impl<W: Write> ForTerminal<W> {
    fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }

    /// Writes the characters that are complete, and keeps the one that is not.
    fn write_complete(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.begun);
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
            let mut terminal = ForTerminal::new(&mut out);
            terminal.write_all(text).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), shown, "for {text:?}");
            // At every split into pieces.
            let mut out = Vec::new();
            let mut terminal = ForTerminal::new(&mut out);
            text.iter().for_each(|byte| terminal.write_all(&[*byte]).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), shown, "for {text:?}, byte by byte");
        }
    }
}
