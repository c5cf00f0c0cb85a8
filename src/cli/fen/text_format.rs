//! `--format` of commands that print lines of text or of JSON.

use clap::ValueEnum;
use serde::Serialize;

use super::lines::Unanswered;

/// The format of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TextFormat {
    /// Text for people and for other commands
    Text,
    /// One JSON object per line
    Jsonl,
}

impl TextFormat {
    /// What stands for a line without an answer.
    pub(super) fn unanswered(self) -> Unanswered {
        match self {
            Self::Text => Unanswered::EmptyLine,
            Self::Jsonl => Unanswered::Answer,
        }
    }
}

/// Appends an object as a line.
pub(super) fn json_line(object: &impl Serialize, answer: &mut String) {
    *answer += &serde_json::to_string(object).expect("numbers and text are always JSON");
    answer.push('\n');
}
