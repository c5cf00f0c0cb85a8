//! Lines of FEN: from the command line, a file, or standard input.

use std::{
    error::Error,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, StdoutLock, Write, stdin, stdout},
    path::Path,
};

use eco::{chess::fen::split_fen, pgn::decode_text};

use super::{Ended, args::FenInput};
use crate::cli::{Failure, Outcome, complain};

/// Of a longer line only so much is read. No FEN and no list of moves comes near it.
const MAX_LINE: u64 = 1 << 20;

/// A line, and where it is from.
pub(super) struct Line<'l> {
    /// The text, without line end.
    pub(super) text: &'l [u8],
    /// Its number, if it is not from the command line.
    pub(super) number: Option<u64>,
}

/// What is put before a complaint about a line.
pub(super) fn place(source: &str, number: Option<u64>) -> String {
    number.map_or_else(String::new, |number| format!("{source}:{number}: "))
}

/// Where lines come from.
pub(super) struct Lines {
    /// Its name, for complaints.
    pub(super) source: String,
    given: Vec<String>,
    file: Option<Box<dyn Read>>,
}

impl Lines {
    /// Opens what the command line names. What stands there without quotes is put together.
    pub(super) fn open(input: &FenInput) -> Result<Self, Failure> {
        Self::of(joined(&input.fens), input.file.as_deref())
    }

    /// Lines that are given, or those of a file, or of standard input.
    pub(super) fn of(fens: Vec<String>, file: Option<&Path>) -> Result<Self, Failure> {
        if let Some(path) = file.filter(|path| path.as_os_str() != "-") {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| Failure(format!("{name}: {error}")))?;
            return Ok(Self { source: name, given: Vec::new(), file: Some(Box::new(file)) });
        }
        if file.is_none() && !fens.is_empty() && fens != ["-"] {
            return Ok(Self { source: String::new(), given: fens, file: None });
        }
        if file.is_none() && fens.is_empty() && stdin().is_terminal() {
            let hint = "no FEN; give one in quotes, or lines of them on standard input (--help)";
            return Err(Failure(hint.to_owned()));
        }
        Ok(Self { source: "-".to_owned(), given: Vec::new(), file: Some(Box::new(stdin())) })
    }

    /// Whether there can be more than one.
    pub(super) fn may_be_many(&self) -> bool {
        self.file.is_some() || self.given.len() > 1
    }

    /// Hands every line to `visit`, but for blank ones and those that begin with `#`. A line that
    /// cannot be read ends it.
    pub(super) fn each(
        self,
        mut visit: impl FnMut(Line<'_>) -> Result<(), Ended>,
    ) -> Result<Outcome, Ended> {
        for text in &self.given {
            visit(Line { text: text.as_bytes(), number: None })?;
        }
        let Some(file) = self.file else { return Ok(Outcome::Done) };
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            match read_line(&mut reader, &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    complain(&format_args!("{}: {error}", self.source));
                    return Ok(Outcome::Incomplete);
                }
            }
            let text = line.trim_ascii_end();
            if !text.is_empty() && !text.starts_with(b"#") {
                visit(Line { text, number: Some(number) })?;
            }
        }
        Ok(Outcome::Done)
    }
}

impl Lines {
    /// Prints what `answer` makes of every line. A fault is told with the place of its line, and the
    /// others are done.
    pub(super) fn answer(
        self,
        mut answer: impl FnMut(&str, &mut String) -> Result<(), Box<dyn Error>>,
    ) -> Result<Outcome, Ended> {
        let source = self.source.clone();
        let (mut out, mut text) = (output(), String::new());
        let mut is_whole = true;
        let outcome = self.each(|line| {
            text.clear();
            let answered = answer(&decode_text(line.text), &mut text);
            out.write_all(text.as_bytes())?;
            if let Err(fault) = answered {
                is_whole = false;
                complain(&format_args!("{}{fault}", place(&source, line.number)));
            }
            Ok(())
        })?;
        out.flush()?;
        Ok(if is_whole { outcome } else { Outcome::Incomplete })
    }
}

/// Reads a line, or as much of it as is wanted, and passes over the rest.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', line)?;
    if read as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        reader.skip_until(b'\n')?;
    }
    Ok(read)
}

/// The FENs among words of a command line: a placement and what follows it belong together, even
/// if somebody forgot the quotes.
fn joined(words: &[String]) -> Vec<String> {
    let is_whole = |word: &String| word.contains(char::is_whitespace) || !word.contains('/');
    if words.iter().all(is_whole) {
        return words.to_vec();
    }
    let text = words.join(" ");
    let (mut fens, mut rest) = (Vec::new(), text.as_str());
    while !rest.trim().is_empty() {
        let (fen, after) = split_fen(rest);
        fens.push(fen.trim().to_owned());
        rest = after;
    }
    fens
}

/// Standard output, for many small pieces.
pub(super) fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, stdout().lock())
}
