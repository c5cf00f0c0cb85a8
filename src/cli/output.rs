//! Where results go: standard output, or a file.

use std::{
    fs,
    io::{self, IsTerminal, Read, Write, stdout},
    path::Path,
};

use eco::store::Database;

use super::{outcome::Failure, replace::Replacement};

/// The assumed width of a terminal that does not report it.
const DEFAULT_WIDTH: usize = 80;

/// The number of columns of the terminal.
pub(super) fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
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
    stream_file(path, |out| out.write_all(bytes))
}

/// Like [`write_file`], for contents that are not held in memory: `write` writes all of them.
pub(super) fn stream_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if is_database(path) {
        let name = path.display();
        return Err(Failure(format!("{name}: is a database; nothing was written")));
    }
    let whole = || {
        let replacement = Replacement::new(path)?;
        let mut out = io::BufWriter::new(replacement.file()?);
        write(&mut out)?;
        out.flush()?;
        replacement.commit(None)
    };
    whole().map_err(|error| Failure(format!("{}: cannot be written: {error}", path.display())))
}

/// Like [`print`], for contents that are not held in memory.
pub(super) fn stream_out(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let out = stdout().lock();
    let out: Box<dyn Write> =
        if out.is_terminal() { Box::new(ForTerminal::new(out)) } else { Box::new(out) };
    let mut out = io::BufWriter::new(out);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A terminal, protected from the control characters in exported comments: they become spaces,
/// except line feeds and tabs.
struct ForTerminal<W> {
    out: W,
    last: u8,
}

impl<W> ForTerminal<W> {
    fn new(out: W) -> Self {
        Self { out, last: 0 }
    }

    fn sanitize(&mut self, byte: u8) -> u8 {
        let last = std::mem::replace(&mut self.last, byte);
        match byte {
            b'\n' | b'\t' => byte,
            _ if byte.is_ascii_control() => b' ',
            // U+0080 to U+009F, which are controls too, as UTF-8; U+00A0 is a blank.
            0x80..=0x9f if last == 0xc2 => 0xa0,
            _ => byte,
        }
    }
}

impl<W: Write> Write for ForTerminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let shown: Vec<u8> = bytes.iter().map(|byte| self.sanitize(*byte)).collect();
        self.out.write_all(&shown)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a file is an SQLite database.
pub(super) fn is_database(path: &Path) -> bool {
    let mut start = [0; 16];
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    // Anything but a regular file may have no end.
    is_file
        && fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && Database::is_sqlite(&start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_speaks_to_a_terminal() {
        for (text, shown) in [
            ("1. e4 {a\tb}\n", "1. e4 {a\tb}\n"),
            ("\u{1b}[31m\0\r\u{7f}", " [31m   "),
            ("\u{9b}31m \u{a9}\u{e9}\u{2192}", "\u{a0}31m \u{a9}\u{e9}\u{2192}"),
        ] {
            let mut out = Vec::new();
            let mut terminal = ForTerminal::new(&mut out);
            // At every split into pieces.
            text.bytes().for_each(|byte| terminal.write_all(&[byte]).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), shown, "for {text:?}");
        }
    }
}
