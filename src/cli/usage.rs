//! Usage errors: what somebody may have meant.

use std::{
    io::{self, Write},
    path::Path,
};

use clap::{
    Error,
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

/// Adds to a usage error what may have been meant.
pub(super) fn with_advice(mut error: Error) -> Error {
    let text = |error: &Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    match error.kind() {
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
