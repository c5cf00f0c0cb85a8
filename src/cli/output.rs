//! Where results go: standard output, or a file, which appears under its name only when it is
//! complete and is compressed as its name says.

use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::{fs, fs::File};

use eco::output::sanitize;
use eco::pgn::{Compression, Encoder};

use super::args::{Packing, PackingArgs};
use super::outcome::{Failure, Interruption, say};
use super::replace::{Inputs, Replacement, cannot_write, is_database, replacement};

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
    let mut file = Output::create(path, inputs)?;
    let written = write(&mut file).map_err(|error| file.interruption(error));
    written.and_then(|()| file.finish()).or_else(|error| error.outcome().map(drop))
}

/// Where bytes go while they are made.
pub(super) enum Output {
    Stdout(Box<dyn Write + Send>),
    File { name: String, replacement: Replacement, out: Box<Encoder<BufWriter<File>>> },
}

impl Output {
    /// A file to write to, whatever its name. Rules as in [`stream_file`].
    pub(super) fn create(path: &Path, inputs: &Inputs) -> Result<Self, Failure> {
        Self::of(path, replacement(path, inputs)?, Compression::Plain, Packing::new(None, None))
    }

    /// Opens a file, or standard output, for games.
    pub(super) fn for_games(
        path: Option<&Path>,
        packing: Packing,
        inputs: &Inputs,
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            inputs.check_stdout()?;
            return Ok(Self::Stdout(standard_output()));
        };
        // An input or a database with such a name has its own error.
        let replacement = replacement(path, inputs)?;
        check_name(path)?;
        Self::of(path, replacement, Compression::of_name(path), packing)
    }

    fn of(
        path: &Path,
        replacement: Replacement,
        compression: Compression,
        packing: Packing,
    ) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let open = || packing.encoder(compression, BufWriter::new(replacement.file()?));
        let out = Box::new(open().map_err(|error| cannot_write(&name, &error))?);
        Ok(Self::File { name, replacement, out })
    }

    pub(super) fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout(_))
    }

    /// Writes bytes; what goes to standard output is on its way at once.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), Interruption> {
        let written = match self {
            Self::Stdout(out) => out.write_all(bytes).and_then(|()| out.flush()),
            Self::File { out, .. } => out.write_all(bytes),
        };
        written.map_err(|error| self.interruption(error))
    }

    /// Ends the output, and puts a file in its place.
    pub(super) fn finish(self) -> Result<(), Interruption> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File { name, replacement, out } => {
                let end = || {
                    out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
                    replacement.commit()
                };
                end().map_err(|error| cannot_write(&name, &error).into())
            }
        }
    }

    fn interruption(&self, error: io::Error) -> Interruption {
        match self {
            Self::Stdout(_) => error.into(),
            Self::File { name, .. } => cannot_write(name, &error).into(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File { out, .. } => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File { out, .. } => out.flush(),
        }
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

/// Refuses a name that promises something else than games, or a compression which cannot be
/// written.
pub(super) fn check_name(path: &Path) -> Result<(), Failure> {
    check_compression(path)?;
    let name = Compression::unpacked_name(path);
    let ending = name.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    // A database has its own error.
    if !["", "pgn", "txt"].contains(&&*ending) && !is_database(path) {
        let packed = listed("or");
        let known = format!("name a file in .pgn, or .pgn{packed}; `eco classify` writes rows");
        let path = path.display();
        return Err(Failure(format!("{path}: games are not written to .{ending}; {known}")));
    }
    Ok(())
}

/// Refuses a name that promises a compression which cannot be written.
pub(super) fn check_compression(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["zip", "7z", "rar", "lz4", "lzma", "br", "tar", "tgz", "z"].contains(&&*ending) {
        let (path, known) = (path.display(), listed("and"));
        return Err(Failure(format!("{path}: .{ending} is not written; {known} are")));
    }
    Ok(())
}

/// The endings of compressed files.
fn listed(conjunction: &str) -> String {
    let mut endings: Vec<String> = Compression::extensions().map(|end| format!(".{end}")).collect();
    let last = endings.pop().unwrap_or_default();
    format!("{} {conjunction} {last}", endings.join(", "))
}

/// Checks that the output folder is not within an input: the next run would read its own output.
pub(super) fn refuse_nested(folder: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let there = |path: &Path| match path.as_os_str().is_empty() {
        true => fs::canonicalize("."),
        false => fs::canonicalize(path),
    };
    // The folder itself may be new.
    let Some(existing) = folder.ancestors().find_map(|folder| there(folder).ok()) else {
        return Ok(());
    };
    for input in inputs.iter().filter(|input| input.is_dir()) {
        if there(input).is_ok_and(|input| existing.starts_with(input)) {
            let (folder, input) = (folder.display(), input.display());
            return Err(Failure(format!("{folder} is within {input}, which is an input")));
        }
    }
    Ok(())
}

/// Checks that a file with this compression can have the level.
fn check_level(compression: Compression, level: u32) -> Result<(), Failure> {
    let Some(levels) = compression.levels() else {
        return Err(Failure(format!("--level {level}: a file that is not compressed has none")));
    };
    if levels.contains(&level) {
        return Ok(());
    }
    let (name, first, last) = (compression.name(), levels.start(), levels.end());
    Err(Failure(format!("--level {level}: {name} has levels {first} to {last}")))
}

/// Checks that a file with this compression can be written so.
pub(super) fn check_packing(
    compression: Compression,
    packing: &PackingArgs,
) -> Result<(), Failure> {
    if packing.wants_frames() && compression != Compression::Zstd {
        return Err(Failure("--frames: only .zst files are written as frames".to_owned()));
    }
    packing.level.map_or(Ok(()), |level| check_level(compression, level))
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
