//! How a run ends, and the messages on standard error.

use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::{fmt::Display, path::Path};

use eco::{chess::FaultClass, output::sanitize, store::StoreError};

use super::{color::is_colored, home, terminal::lines_of_message};

/// How a completed run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Everything was done.
    Done,
    /// Done, but an input could not be read to its end, or had errors where none were allowed.
    Incomplete,
    /// Done, and `fen check` found a fault of this class.
    Faulty(FaultClass),
}

impl Outcome {
    /// How two runs ended together.
    pub(super) fn and(self, other: Self) -> Self {
        if self == Self::Done { other } else { self }
    }
}

/// Why the run could not be completed, in words for the user.
#[derive(Debug)]
pub(super) struct Failure(pub(super) String);

impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let error: &(dyn std::error::Error + 'static) = &error;
        let hint = error.downcast_ref().map_or("", store_hint);
        Self(format!("{error}{hint}"))
    }
}

/// Refuses to go on, for this reason.
pub(super) fn refuse<T, E: From<Failure>>(why: impl Into<String>) -> Result<T, E> {
    Err(Failure(why.into()).into())
}

/// What to do about an error of the position database, in terms of the command line.
fn store_hint(error: &StoreError) -> &'static str {
    match error {
        StoreError::Inaccessible { name, .. } if home::is_database(Path::new(name)) => {
            "; `eco index GAMES.pgn` and `eco repertoire add NAME LINES.pgn` make it, --db FILE \
             names another"
        }
        StoreError::NotPositionDatabase { .. } => {
            "; `eco index GAMES.pgn --db NEW.db` makes one of games, `eco ingest --db NEW.db` of \
             openings"
        }
        StoreError::DamagedGames { .. } => "; `eco db verify` lists the damage",
        StoreError::OtherSchema { .. } => {
            "; make it again: `eco ingest` for openings, `eco index` for games, `eco repertoire \
             build` and `add`"
        }
        _ => "",
    }
}

/// Prints an error or a warning on standard error, after the program's name.
pub(super) fn complain(what: &dyn Display) {
    let (red, reset) =
        if is_colored(&io::stderr()) { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
    print(&format!("{red}eco:{reset} {}", message(what)));
}

/// Prints a message on standard error. It may contain names from any source, so control characters
/// are replaced. A closed standard error is ignored.
pub(super) fn say(what: &dyn Display) {
    print(&message(what));
}

fn print(message: &str) {
    let mut out = io::stderr().lock();
    lines_of_message(message).iter().for_each(|line| drop(writeln!(out, "{line}")));
}

/// Asks a question that `y` and `yes` answer; any other answer is no.
///
/// # Errors
///
/// `declined` if the answer is no, and `unasked` where nobody can answer.
pub(super) fn confirm(
    question: &dyn Display,
    declined: &str,
    unasked: &dyn Display,
) -> Result<(), Failure> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return refuse(unasked.to_string());
    }
    let mut answer = String::new();
    let asked = write!(io::stderr(), "{} [y/N] ", message(question));
    asked.and_then(|()| io::stderr().flush())?;
    io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") { Ok(()) } else { refuse(declined) }
}

/// The number of the error of a file that is too large, `EFBIG`, on Linux and macOS.
const TOO_LARGE: &str = "27";
const LIMIT: &str = if cfg!(unix) { " (`ulimit -f` shows the limit)" } else { "" };

/// The text of a message: without control characters, long runs of bytes that are no text, and the
/// numbers of errors of the operating system, which their words repeat. Where a file would outgrow
/// the limit of the shell, they do not say whose limit that is.
fn message(what: &dyn Display) -> String {
    let text = without_runs(&sanitize(what.to_string().as_bytes()));
    let mut rest = text.as_str();
    let mut message = String::new();
    while let Some((before, after)) = rest.split_once(" (os error ") {
        message.push_str(before);
        rest = match after.split_once(')') {
            Some((number, rest)) if number.parse::<i32>().is_ok() => {
                message.push_str(if number == TOO_LARGE { LIMIT } else { "" });
                rest
            }
            _ => {
                message.push_str(" (os error ");
                after
            }
        };
    }
    message + rest
}

/// The most replacement characters that are shown in a row. They stand for bytes that are no text.
const SHOWN: usize = 3;

/// A text in which an ellipsis stands for what is foreign in a row: a damaged file has no words.
fn without_runs(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut run = 0;
    for c in text.chars() {
        run = if c == char::REPLACEMENT_CHARACTER { run + 1 } else { 0 };
        match run {
            0..=SHOWN => short.push(c),
            _ if run == SHOWN + 1 => short.push('…'),
            _ => {}
        }
    }
    short
}

/// Why a run that writes to standard output ended early.
pub(super) enum Interruption {
    /// Standard output could not be written to.
    Output(io::Error),
    /// The run could not be completed.
    Failure(Failure),
}

impl Interruption {
    /// What that means for the run. A reader that has closed the pipe has seen enough, and that is
    /// no failure.
    pub(super) fn outcome(self) -> Result<Outcome, Failure> {
        match self {
            Self::Output(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Done),
            Self::Output(error) => Err(Failure(format!("standard output: {error}"))),
            Self::Failure(failure) => Err(failure),
        }
    }
}

impl From<io::Error> for Interruption {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<StoreError> for Interruption {
    fn from(error: StoreError) -> Self {
        Self::Failure(error.into())
    }
}

impl From<Failure> for Interruption {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_control_characters_and_no_error_numbers() {
        for (text, said) in [
            ("a: No such file or directory (os error 2)", "a: No such file or directory"),
            ("a (os error 13); b (os error 2).", "a; b."),
            ("a (os error x) (os error", "a (os error x) (os error"),
            #[cfg(unix)]
            ("a: File too large (os error 27)", "a: File too large (`ulimit -f` shows the limit)"),
            ("\u{1b}[31m\u{9b}x", " [31m x"),
            (
                "move 1. \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}: not a move",
                "move 1. \u{fffd}\u{fffd}\u{fffd}…: not a move",
            ),
        ] {
            assert_eq!(message(&text), said);
        }
    }
}
