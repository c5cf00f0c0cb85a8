//! Positions on the command line: one of the words of a command, or lines of them.

use eco::catalogue::Catalogue;
use eco::classify::Question;

use super::outcome::{Failure, say};

/// Reads a position, or the line to it, as [`Question`] says, and says what was forgiven or chosen.
/// The catalogue is asked for codes and names only. No words are the initial position.
pub(super) fn read<E>(
    words: &[String],
    catalogue: impl FnOnce() -> Result<&'static Catalogue, E>,
) -> Result<Question, Failure>
where
    Failure: From<E>,
{
    if words.is_empty() {
        return Ok(Question::initial());
    }
    let question = Question::read(&words.join(" "), &[], || catalogue().map_err(Failure::from))?;
    question.notes().iter().for_each(|note| say(note));
    Ok(question)
}
