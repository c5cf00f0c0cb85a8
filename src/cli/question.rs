//! The position that a command is about, as it is typed.

use std::borrow::Cow;

use eco::chess::fen::{complete_fen, unwrap_fen};
use eco::{classify::Question, opening::EcoCode};

use super::outcome::Failure;

/// The initial position, as engines call it.
pub(super) const START: &str = "startpos";
pub(super) const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN of the initial position for `startpos`, as UCI calls it, and the FEN in what it was
/// copied with, with all fields, as `eco fen` reads them. Other text stays as it is.
pub(super) fn unnamed(text: &str) -> Cow<'_, str> {
    if text.trim() == START {
        return INITIAL_FEN.into();
    }
    let (fen, _) = unwrap_fen(text);
    if Question::looks_like_fen(&fen) {
        complete_fen(&fen).0.into_owned().into()
    } else {
        text.into()
    }
}

/// Reads a FEN, `startpos`, or moves from the initial position. Words are rather the name of an
/// opening.
pub(super) fn read_question(text: &str) -> Result<Question, Failure> {
    let text = &*unnamed(text);
    if Question::looks_like_fen(text) {
        return Ok(text.parse()?);
    }
    read_moves(text).map_err(Failure)
}

/// Reads moves from the initial position. A code or a name is refused with a hint at `eco search`.
pub(super) fn read_moves(text: &str) -> Result<Question, String> {
    Question::from_typed(text).map_err(|error| match text.trim().parse::<EcoCode>() {
        Ok(code) => format!("{code} is a code; `eco search {code}` lists its openings"),
        Err(_) if is_name(text) => format!("{error}; `eco search` finds openings by name"),
        Err(_) => error.to_string(),
    })
}

/// Whether the first word is neither a move nor a number: the only moves without a digit are
/// castling, which has hyphens, and captures by files (`dc`).
fn is_name(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.len() > 2 && first.chars().all(char::is_alphabetic)
}
