//! Positions on the command line: one of the words of a command, several, or lines of them from
//! standard input.

use std::io::{BufRead as _, BufWriter, IsTerminal, Read, StdoutLock, Write, stdin, stdout};
use std::{borrow::Cow, cell::Cell, error::Error, str::FromStr};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::chess::fen::{FenTable, complete_fen, unwrap_fen};
use eco::chess::{EnPassantMode, Epd, Fen, Forgiven};
use eco::classify::{Question, QuestionFault};
use eco::output::sanitize;
use eco::pgn::{decode_text, source::Source};
use eco::quoted::counted;
use serde::Serialize;

use super::outcome::{Failure, Interruption, Outcome, complain, refuse};
use super::{completion, input, input::Length, replace};

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

/// The plies of a line or of a game whose positions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ply {
    All,
    At(usize),
}

impl FromStr for Ply {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        text.parse().map(Self::At).map_err(|_| "expected a number of plies, or all")
    }
}

/// Reads a position, or the line to it, as [`Question`] says, and says what was forgiven or chosen.
/// The catalogue is asked for codes and names only. No words are the initial position.
pub(super) fn read(
    words: &[String],
    catalogue: impl FnOnce() -> Result<&'static Catalogue, Failure>,
) -> Result<Question, Failure> {
    if words.is_empty() {
        return Ok(Question::initial());
    }
    let question = Question::read(&words.join(" "), &[], catalogue)?;
    say_notes(&question);
    Ok(question)
}

/// Says what was forgiven, chosen or corrected.
pub(super) fn say_notes(question: &Question) {
    question.notes().iter().for_each(|note| complain(note));
}

/// Which positions.
#[derive(Debug, Args)]
pub(super) struct PositionsArgs {
    /// FEN, moves, an address, a code such as B90, or an opening's name; several in quotes; - or
    /// none reads one a line from standard input
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
}

impl PositionsArgs {
    /// The positions, of which those without quotes are joined from their words.
    pub(super) fn lines(&self) -> Result<Lines, Failure> {
        Lines::of(joined(&self.words))
    }
}

/// A position as text, and where it comes from.
pub(super) struct Line<'l> {
    /// As it was given, without the line end, or why it was not read.
    given: Result<&'l str, String>,
    /// The number of its line or argument, counted from 1; `None` if it is the only argument.
    pub(super) number: Option<u64>,
    is_argument: bool,
    /// The number of lines so far with something to say.
    noted: &'l Cell<u64>,
}

impl<'l> Line<'l> {
    /// The text as it was given.
    pub(super) fn given(&self) -> Result<&'l str, String> {
        self.given.clone()
    }

    /// The text of a FEN without what it was copied with, and what that was. `startpos` becomes the
    /// FEN that it stands for, and so does what is no FEN and can be read.
    pub(super) fn fen(&self) -> Result<(Cow<'l, str>, Vec<Forgiven>), String> {
        let (fen, forgiven) = unwrap_fen(self.given()?);
        if !fen.contains('/') && forgiven.is_empty() && fen.trim() != START {
            let read = fen.parse::<Question>();
            return match read {
                Ok(question) => Ok((self.fen_at(&question).to_string().into(), forgiven)),
                // One word may be meant as a FEN; moves that begin well are not.
                Err(QuestionFault::Moves { .. }) => {
                    read.map(|_| (fen, forgiven)).map_err(|fault| fault.to_string())
                }
                Err(_) => Ok((fen, forgiven)),
            };
        }
        Ok((with_start(fen), forgiven))
    }

    /// The position and its operations. It does not have to be possible.
    pub(super) fn epd(&self) -> Result<Epd, Box<dyn Error>> {
        let given = self.given()?;
        let (fen, forgiven) = unwrap_fen(given);
        let fen = with_start(fen);
        let is_fen = !forgiven.is_empty() || fen.contains('/');
        let (text, missing) = complete_fen(&fen);
        match text.parse::<Epd>() {
            Ok(epd) => {
                self.note_forgiven(&missing);
                return Ok(epd);
            }
            Err(fault) if is_fen && given.parse::<Question>().is_err() => return Err(fault.into()),
            Err(_) => {}
        }
        Ok(Epd::new(self.fen_at(&given.parse()?)))
    }

    fn fen_at(&self, question: &Question) -> Fen {
        self.note(question.notes());
        Fen::from_position(question.end(), EnPassantMode::Always)
    }

    fn note_forgiven(&self, missing: &[Forgiven]) {
        if !missing.is_empty() {
            let missing: Vec<String> = missing.iter().map(Forgiven::to_string).collect();
            self.note(&[format!("forgiven: {}", missing.join("; "))]);
        }
    }

    /// Says how the text was read, for the first line with something to say.
    pub(super) fn note(&self, notes: &[String]) {
        if !notes.is_empty() && self.noted.replace(self.noted.get() + 1) == 0 {
            complain(&format_args!("{}{}", self.place(), notes.join("; ")));
        }
    }

    /// Its number in standard input.
    pub(super) fn number_in_file(&self) -> Option<u64> {
        self.number.filter(|_| !self.is_argument)
    }

    /// The prefix of messages about the line.
    pub(super) fn place(&self) -> String {
        match self.number {
            None => String::new(),
            Some(number) if self.is_argument => format!("position {number}: "),
            Some(number) => format!("line {number}: "),
        }
    }
}

/// The positions of the command line, or the lines of standard input.
pub(super) struct Lines {
    /// `None` if standard input is read.
    given: Option<Vec<String>>,
    noted: Cell<u64>,
}

impl Lines {
    /// These positions; `-` or none are the lines of standard input.
    pub(super) fn of(given: Vec<String>) -> Result<Self, Failure> {
        let noted = Cell::new(0);
        if !given.is_empty() && given != ["-"] {
            return Ok(Self { given: Some(given), noted });
        }
        if given.is_empty() && stdin().is_terminal() {
            return refuse("no position; give one, or lines of them on standard input (--help)");
        }
        let lines = Self { given: None, noted };
        lines.inputs().check_stdout()?;
        Ok(lines)
    }

    /// What no output must replace.
    pub(super) fn inputs(&self) -> replace::Inputs {
        match self.given {
            Some(_) => replace::Inputs::none(),
            None => replace::Inputs::of([&Source::Stdin]),
        }
    }

    /// Calls `visit` with every line, except blank ones and those that begin with `#`. Tables of
    /// FENs in JSON are read as their FENs. A read error ends the input.
    pub(super) fn each(
        &self,
        mut visit: impl FnMut(Line<'_>) -> Result<(), Interruption>,
    ) -> Result<Outcome, Interruption> {
        let noted = &self.noted;
        let is_argument = self.given.is_some();
        let mut visit =
            |given: Result<&str, String>, number| visit(Line { given, number, is_argument, noted });
        let outcome = match &self.given {
            Some(given) => {
                for (number, text) in (1..).zip(given) {
                    visit(Ok(text), (given.len() > 1).then_some(number))?;
                }
                Outcome::Done
            }
            None => each_line(stdin().lock(), visit)?,
        };
        if let more @ 1.. = noted.get().saturating_sub(1) {
            complain(&format_args!("and {} like it", counted(more, "more line")));
        }
        Ok(outcome)
    }

    /// Prints the text that `answer` writes for every line. A fault is reported with the position
    /// of its line, something stands in its place, and the next line follows.
    pub(super) fn answer(
        &self,
        unanswered: &str,
        mut answer: impl FnMut(&Line<'_>, &mut String) -> Result<(), Box<dyn Error>>,
    ) -> Result<Outcome, Interruption> {
        let (mut out, mut text) = (output(), String::new());
        let mut is_whole = true;
        let outcome = self.each(|line| {
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
        Ok(if is_whole { outcome } else { Outcome::Incomplete })
    }
}

fn each_line(
    input: impl Read,
    mut visit: impl FnMut(Result<&str, String>, Option<u64>) -> Result<(), Interruption>,
) -> Result<Outcome, Interruption> {
    let failed = |fault: &dyn Error| {
        complain(&format_args!("standard input: {fault}"));
        Ok(Outcome::Incomplete)
    };
    let mut reader = match input::lines_of(input) {
        Ok(Ok(reader)) => reader,
        Ok(Err(fault)) => return failed(&fault),
        Err(error) => return failed(&error),
    };
    if reader.fill_buf()?.trim_ascii_start().starts_with(b"{") {
        for (number, table) in (1..).zip(FenTable::read_json(reader)) {
            let fen = table.and_then(|table| table.to_fen());
            let fen = fen.map(|fen| fen.to_string());
            let fen =
                fen.as_deref().map_err(|fault| sanitize(fault.to_string().as_bytes()).into_owned());
            visit(fen, Some(number))?;
        }
        return Ok(Outcome::Done);
    }
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match input::read_line(&mut reader, &mut line) {
            Ok(Length::End) => break,
            Ok(Length::Whole) => {}
            Ok(Length::TooLong) => {
                visit(Err("longer than 1 MiB".to_owned()), Some(number))?;
                continue;
            }
            Err(error) => return failed(&error),
        }
        let text = line.trim_ascii_end();
        let text = text.strip_prefix(MARK).filter(|_| number == 1).unwrap_or(text);
        if !text.is_empty() && !text.starts_with(b"#") {
            visit(Ok(&decode_text(text)), Some(number))?;
        }
    }
    Ok(Outcome::Done)
}

/// The byte order mark that some editors write before the first line.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Replaces `startpos` at the beginning of a line by the FEN of the initial position.
fn with_start(line: Cow<'_, str>) -> Cow<'_, str> {
    match line.trim_ascii_start().strip_prefix(START) {
        Some(rest) if rest.bytes().next().is_none_or(|b| b.is_ascii_whitespace() || b == b';') => {
            [INITIAL_FEN, rest].concat().into()
        }
        _ => line,
    }
}

/// The positions among the words of a command line. Words without quotes are one position, and so
/// are the fields of a FEN: each word with slashes begins one.
fn joined(words: &[String]) -> Vec<String> {
    let is_own =
        |word: &String| word.contains(char::is_whitespace) || word.contains('/') || word == START;
    let own = words.iter().filter(|word| is_own(word)).count();
    let is_one = own == 0 || own == 1 && words[0] == START;
    if words.len() > 1 && is_one {
        return vec![words.join(" ")];
    }
    let is_whole = |word: &String| {
        word.contains(char::is_whitespace) || !word.contains('/') || !unwrap_fen(word).1.is_empty()
    };
    if words.iter().all(is_whole) {
        return words.to_vec();
    }
    let mut positions: Vec<String> = Vec::new();
    for word in words {
        match positions.last_mut().filter(|_| !word.contains('/')) {
            Some(position) => *position = format!("{position} {word}"),
            None => positions.push(word.clone()),
        }
    }
    positions
}

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
        if self == Self::Text { "\n" } else { "" }
    }
}

/// Appends an object as a line.
pub(super) fn json_line(object: &impl Serialize, answer: &mut String) {
    *answer += &serde_json::to_string(object).expect("numbers and text are always JSON");
    answer.push('\n');
}

/// Standard output, buffered.
pub(super) fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, stdout().lock())
}
