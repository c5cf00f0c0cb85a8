//! A repertoire and a position of it, as words of a command line.

use clap::Args;
use eco::{
    chess::{Chess, EnPassantMode, PositionKey},
    classify::{Question, QuestionFault},
    store::{Database, RepertoireInfo},
};

use super::resolve_name::named_first;
use crate::cli::{args::DatabaseArgs, completion, outcome::Failure};

/// A repertoire, optional if the database has only one, and a position.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// The repertoire, and a position: FEN, or moves from the initial position [default: that one]
    #[arg(value_name = "NAME] [FEN|MOVES", add = completion::repertoires())]
    words: Vec<String>,

    #[command(flatten)]
    pub(super) database: DatabaseArgs,
}

/// The fault of words that are no position. The first of them may have been meant as a name.
fn unread(
    database: &Database,
    given: &[String],
    words: &[String],
    error: &QuestionFault,
) -> Failure {
    match given.first().filter(|_| given.len() == words.len()) {
        Some(first) => match database.repertoire(first) {
            Err(no_name) => Failure(format!("{error}; and {no_name}")),
            Ok(_) => Failure(error.to_string()),
        },
        None => Failure(error.to_string()),
    }
}

impl PositionArgs {
    /// The repertoire and the position that the words mean.
    pub(super) fn resolve(
        &self,
        database: &Database,
    ) -> Result<(RepertoireInfo, PositionKey), Failure> {
        let (info, key) = self.resolve_optional(database)?;
        let initial = || PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
        Ok((info, key.unwrap_or_else(initial)))
    }

    /// The repertoire, and the position if the words have one.
    pub(super) fn resolve_optional(
        &self,
        database: &Database,
    ) -> Result<(RepertoireInfo, Option<PositionKey>), Failure> {
        let (info, words) = named_first(database, &self.words)?;
        if words.is_empty() {
            return Ok((info, None));
        }
        let question = words.join(" ").parse::<Question>();
        let question = question.map_err(|error| unread(database, &self.words, words, &error))?;
        Ok((info, Some(question.key())))
    }
}
