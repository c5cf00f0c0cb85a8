//! Which position is meant.

use eco::{chess::PositionKey, classify::Question};

use crate::cli::outcome::Failure;

/// The position that words ask for.
pub(super) fn position_of(words: &[String]) -> Result<PositionKey, Failure> {
    if words.is_empty() {
        return Ok(*eco::chess::Board::default().key());
    }
    let question: Question = words.join(" ").parse()?;
    Ok(question.key())
}
