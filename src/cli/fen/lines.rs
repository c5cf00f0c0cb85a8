//! What the subcommands of `eco fen` have in common: lines of FEN, from the command line, a file or
//! standard input, and the choices that several of them offer.

use std::io::{self, BufWriter, IsTerminal, Read, StdoutLock, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::{borrow::Cow, cell::Cell, error::Error, fs::File};

use clap::Args;
use eco::chess::fen::{complete_fen, unwrap_fen};
use eco::chess::{Chess, EnPassantMode, Epd, Fen, Forgiven, Language};
use eco::pgn::source::Source;
use eco::pgn::{decode_text, play_typed};
use serde::Serialize;

use crate::cli::input::Length;
use crate::cli::outcome::{Failure, Interruption, Outcome, complain};
use crate::cli::{completion, input, replace};

/// The initial position, as engines call it.
const START: &str = "startpos";
const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The en passant squares that `--ep` writes.
pub(super) const EN_PASSANT: &[completion::Choice<EnPassantMode>] = {
    use EnPassantMode::{Always, Legal, PseudoLegal};
    &[
        ("legal", "Only where a pawn can capture without leaving its king in check", Legal),
        ("pseudo-legal", "Where an opposing pawn stands beside, pinned or not", PseudoLegal),
        ("always", "After every double step, as the FEN standard has it", Always),
    ]
};

/// The format of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TextFormat {
    /// Text for people and for other commands
    Text,
    /// One JSON object per line
    Jsonl,
}

impl TextFormat {
    /// What stands in the output for a line without an answer, so that answers line up with lines;
    /// an object says itself what is wrong.
    pub(super) fn unanswered(self) -> &'static str {
        match self {
            Self::Text => "\n",
            Self::Jsonl => "",
        }
    }
}

/// Appends an object as a line.
pub(super) fn json_line(object: &impl Serialize, answer: &mut String) {
    *answer += &serde_json::to_string(object).expect("numbers and text are always JSON");
    answer.push('\n');
}

/// Which FENs.
#[derive(Debug, Args)]
pub(super) struct FenInput {
    /// One or more FENs in quotes, startpos, or moves from there; - or none reads lines from
    /// standard input
    #[arg(value_name = "FEN")]
    pub(super) fens: Vec<String>,

    /// Read a file with one FEN or EPD per line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fens")]
    pub(super) file: Option<PathBuf>,
}

/// A line, and where it comes from.
pub(super) struct Line<'l> {
    text: Result<&'l str, TooLong>,
    /// What was taken off the FEN.
    pub(super) forgiven: &'l [Forgiven],
    /// The number of characters of the line as it was given.
    pub(super) columns: usize,
    /// Its number, counted from 1; `None` if it is the only one on the command line.
    pub(super) number: Option<u64>,
    /// The name of the input; empty for the command line.
    source: &'l str,
    /// The number of FENs so far that lacked fields.
    short: &'l Cell<u64>,
}

/// The line is longer than [`MAX_LINE`](crate::cli::input::MAX_LINE), and was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line longer than 1 MiB")]
pub(super) struct TooLong;

impl Line<'_> {
    /// The text, without the line end and without what a FEN was copied with. `startpos` has become
    /// the FEN that it stands for.
    pub(super) fn text(&self) -> Result<&str, TooLong> {
        self.text
    }

    /// The position and its operations, though fields of the FEN may be missing. The first time
    /// that is reported.
    pub(super) fn epd(&self) -> Result<Epd, Box<dyn Error>> {
        Ok(self.complete(self.text()?).parse()?)
    }

    /// The text of its FEN with all fields.
    pub(super) fn complete<'t>(&self, fen: &'t str) -> Cow<'t, str> {
        let (text, missing) = complete_fen(fen);
        if !missing.is_empty() && self.short.replace(self.short.get() + 1) == 0 {
            let missing: Vec<String> = missing.iter().map(Forgiven::to_string).collect();
            complain(&format_args!("{}forgiven: {}", self.place(), missing.join("; ")));
        }
        text
    }

    /// Its number in a file or in standard input.
    pub(super) fn number_in_file(&self) -> Option<u64> {
        self.number.filter(|_| !self.source.is_empty())
    }

    /// The prefix of messages about the line.
    pub(super) fn place(&self) -> String {
        match (self.number, self.source) {
            (None, _) => String::new(),
            (Some(number), "") => format!("FEN {number}: "),
            (Some(number), source) => format!("{source}:{number}: "),
        }
    }
}

/// Opens a file to read. A folder is an error.
fn open_file(path: &Path) -> Result<File, Failure> {
    let failed = |error: io::Error| Failure(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    Ok(file)
}

/// The lines of an input.
pub(super) struct Lines {
    /// The name of the input, for messages; empty for the command line.
    source: String,
    given: Vec<String>,
    file: Option<Box<dyn Read>>,
    /// The number of FENs that lacked fields.
    short: Cell<u64>,
}

impl Lines {
    /// Opens the input that the command line names. Words of a FEN without quotes are joined.
    pub(super) fn open(input: &FenInput) -> Result<Self, Failure> {
        let given = match after_moves(&input.fens)? {
            Some(fen) => vec![fen],
            None => joined(&input.fens),
        };
        Self::of(given, input.file.as_deref())
    }

    /// The lines of the command line, of a file, or of standard input.
    pub(super) fn of(fens: Vec<String>, file: Option<&Path>) -> Result<Self, Failure> {
        if let Some(path) = file.filter(|path| path.as_os_str() != "-") {
            let name = path.display().to_string();
            let file = Box::new(open_file(path)?);
            replace::Inputs::of([&Source::File(path.to_owned())]).check_stdout()?;
            return Ok(Self::new(&name, Vec::new(), Some(file)));
        }
        if file.is_none() && !fens.is_empty() && fens != ["-"] {
            return Ok(Self::new("", fens, None));
        }
        if file.is_none() && fens.is_empty() && stdin().is_terminal() {
            let hint = "no FEN; give one in quotes, or lines of them on standard input (--help)";
            return Err(Failure(hint.to_owned()));
        }
        replace::Inputs::of([&Source::Stdin]).check_stdout()?;
        Ok(Self::new("-", Vec::new(), Some(Box::new(stdin()))))
    }

    fn new(source: &str, given: Vec<String>, file: Option<Box<dyn Read>>) -> Self {
        Self { source: source.to_owned(), given, file, short: Cell::new(0) }
    }

    /// The name of the input, and what is read; nothing, if the lines are those of the command
    /// line.
    pub(super) fn into_reader(self) -> (String, Box<dyn Read>) {
        (self.source, self.file.unwrap_or_else(|| Box::new(io::empty())))
    }

    /// Calls `visit` with every line, except blank ones and those that begin with `#`. A read error
    /// ends the input.
    pub(super) fn each(
        mut self,
        visit: impl FnMut(Line<'_>) -> Result<(), Interruption>,
    ) -> Result<Outcome, Interruption> {
        let outcome = self.visit(visit)?;
        self.report_short();
        Ok(outcome)
    }

    fn visit(
        &mut self,
        mut visit: impl FnMut(Line<'_>) -> Result<(), Interruption>,
    ) -> Result<Outcome, Interruption> {
        let (source, short) = (&self.source, &self.short);
        let mut visit = |text: Result<&[u8], TooLong>, number| {
            let text = match text {
                Ok(text) => text,
                Err(fault) => {
                    let (text, forgiven) = (Err(fault), &[][..]);
                    return visit(Line { text, forgiven, columns: 0, number, source, short });
                }
            };
            let given = decode_text(text);
            let (fen, forgiven) = unwrap_fen(&given);
            let (text, columns) = (Ok(&*with_start(&fen)), given.chars().count());
            visit(Line { text, forgiven: &forgiven, columns, number, source, short })
        };
        let is_only = self.given.len() == 1;
        for (number, text) in (1..).zip(&self.given) {
            visit(Ok(text.as_bytes()), (!is_only).then_some(number))?;
        }
        let Some(file) = self.file.take() else { return Ok(Outcome::Done) };
        let failed = |fault: &dyn Error| {
            complain(&format_args!("{source}: {fault}"));
            Ok(Outcome::Incomplete)
        };
        let mut reader = match input::lines_of(file) {
            Ok(Ok(reader)) => reader,
            Ok(Err(fault)) => return failed(&fault),
            Err(error) => return failed(&error),
        };
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            match input::read_line(&mut reader, &mut line) {
                Ok(Length::End) => break,
                Ok(Length::Whole) => {}
                Ok(Length::TooLong) => {
                    visit(Err(TooLong), Some(number))?;
                    continue;
                }
                Err(error) => return failed(&error),
            }
            let text = line.trim_ascii_end();
            let text = text.strip_prefix(MARK).filter(|_| number == 1).unwrap_or(text);
            if !text.is_empty() && !text.starts_with(b"#") {
                visit(Ok(text), Some(number))?;
            }
        }
        Ok(Outcome::Done)
    }

    /// Reports how many FENs were short besides the first.
    fn report_short(&self) {
        if let more @ 1.. = self.short.get().saturating_sub(1) {
            complain(&format_args!("forgiven: {more} more FENs lack fields"));
        }
    }

    /// Prints the text that `answer` writes for every line. A fault is reported with the position
    /// of its line, something stands in its place, and the next line follows.
    pub(super) fn answer(
        mut self,
        unanswered: &str,
        mut answer: impl FnMut(&Line<'_>, &mut String) -> Result<(), Box<dyn Error>>,
    ) -> Result<Outcome, Interruption> {
        let (mut out, mut text) = (output(), String::new());
        let mut is_whole = true;
        let outcome = self.visit(|line| {
            text.clear();
            let answered = answer(&line, &mut text);
            if let (Err(_), true) = (&answered, line.number.is_some()) {
                text += unanswered;
            }
            out.write_all(text.as_bytes())?;
            if let Err(fault) = answered {
                is_whole = false;
                complain(&format_args!("{}{fault}", line.place()));
            }
            Ok(())
        })?;
        out.flush()?;
        self.report_short();
        Ok(if is_whole { outcome } else { Outcome::Incomplete })
    }
}

/// The byte order mark that some editors write before the first line.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Replaces `startpos` at the beginning of a line by the FEN of the initial position.
fn with_start(line: &str) -> Cow<'_, str> {
    match line.trim_ascii_start().strip_prefix(START) {
        Some(rest) if rest.bytes().next().is_none_or(|b| b.is_ascii_whitespace() || b == b';') => {
            [INITIAL_FEN, rest].concat().into()
        }
        _ => line.into(),
    }
}

/// The FEN after moves from the initial position, as people type them. `None` if the words are no
/// moves: not even the first of them can be played.
fn after_moves(words: &[String]) -> Result<Option<String>, Failure> {
    if words.iter().any(|word| word.contains('/') || word == START) {
        return Ok(None);
    }
    let mut is_played = false;
    let end = play_typed(Chess::default(), &words.join(" "), Language::English, |_, _| {
        is_played = true;
    });
    match end {
        _ if !is_played => Ok(None),
        Ok(end) => Ok(Some(Fen::from_position(&end, EnPassantMode::Always).to_string())),
        Err(fault) => Err(Failure(fault.to_string())),
    }
}

/// The FENs among the words of a command line. The fields of a FEN without quotes are joined; each
/// word with slashes begins one.
fn joined(words: &[String]) -> Vec<String> {
    let is_whole = |word: &String| {
        word.contains(char::is_whitespace) || !word.contains('/') || !unwrap_fen(word).1.is_empty()
    };
    if words.iter().all(is_whole) {
        return words.to_vec();
    }
    let mut fens: Vec<String> = Vec::new();
    for word in words {
        match fens.last_mut().filter(|_| !word.contains('/')) {
            Some(fen) => *fen = format!("{fen} {word}"),
            None => fens.push(word.clone()),
        }
    }
    fens
}

/// Standard output, buffered.
pub(super) fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, stdout().lock())
}
