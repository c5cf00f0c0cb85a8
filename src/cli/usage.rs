//! Usage errors: what somebody may have meant.

use std::{
    error::Error as _,
    io::{self, Write},
    net::AddrParseError,
    num::{IntErrorKind, ParseIntError},
    path::Path,
};

use clap::{
    Command, Error,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use eco::output::sanitize;

use super::outcome::{Failure, Interruption, Outcome, complain, say};

/// Options that other programs have, and what does the same here.
const ELSEWHERE: [(&str, &str); 8] = [
    ("--json", "'--format jsonl'"),
    ("--jsonl", "'--format jsonl'"),
    ("--csv", "'--format csv'"),
    ("--tsv", "'--format tsv'"),
    ("--sort", "'--format tsv', whose rows sort(1) can sort"),
    ("--jobs", "'--threads'"),
    ("--out", "'--output'"),
    ("--limit", "head(1), which ends the run early; `eco search --limit` is for openings"),
];

/// Adds to a usage error of a command what may have been meant.
pub(super) fn with_advice(mut error: Error, command: &Command) -> Error {
    let text = |error: &Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            if let Some(expected) = expected(&error) {
                let value = text(&error, ContextKind::InvalidValue).unwrap_or_default();
                let option = text(&error, ContextKind::InvalidArg).unwrap_or_default();
                let message = format!(
                    "invalid value '{value}' for '{option}': {expected}\n\n\
                     For more information, try '--help'.\n"
                );
                return Error::raw(ErrorKind::ValueValidation, message).with_cmd(command);
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(&error, ContextKind::InvalidSubcommand).unwrap_or_default();
            if is_input(&word) {
                advise(
                    &mut error,
                    &format!("to name the openings of games: 'eco classify {word}'"),
                );
            }
        }
        ErrorKind::UnknownArgument => {
            let word = text(&error, ContextKind::InvalidArg).unwrap_or_default();
            let name = word.split('=').next().unwrap_or_default();
            // What clap suggests for a value that begins with dashes; few mean that.
            error.remove(ContextKind::Suggested);
            if let Some((_, here)) = ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == name) {
                advise(&mut error, &format!("there is {here}"));
            }
        }
        _ => {}
    }
    error
}

/// What was expected where the standard library could not read a value; it says only what it found.
fn expected(error: &Error) -> Option<&'static str> {
    let source = error.source()?;
    if source.is::<AddrParseError>() {
        return Some("expected an IP address such as 192.168.1.5 or ::1");
    }
    Some(match source.downcast_ref::<ParseIntError>()?.kind() {
        IntErrorKind::PosOverflow => "expected a smaller number",
        IntErrorKind::Zero => "expected a whole number from 1",
        _ => "expected a whole number, without sign or unit",
    })
}

/// Whether a word is rather an input than a command.
fn is_input(word: &str) -> bool {
    Path::new(word).exists() || word == "-" || word.to_ascii_lowercase().contains(".pgn")
}

fn advise(error: &mut Error, advice: &str) {
    let advice = ContextValue::StyledStrs(vec![StyledStr::from(advice.to_owned())]);
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, advice);
}

/// Prints help, the version, or what is wrong with the arguments, and ends the program.
pub(super) fn exit(error: &Error) -> ! {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().flush());
        let ended = printed.map(|()| Outcome::Done).map_err(Interruption::from);
        if let Err(Failure(reason)) = ended.or_else(Interruption::outcome) {
            complain(&reason);
            std::process::exit(2)
        }
        std::process::exit(0)
    }
    // Arguments are repeated in the message, and may be names of files that somebody else chose.
    let text = error.render().to_string();
    if text.lines().all(|line| sanitize(line.as_bytes()) == line) {
        error.exit();
    }
    text.lines().for_each(|line| say(&line));
    std::process::exit(2)
}
