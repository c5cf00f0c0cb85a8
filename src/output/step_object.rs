//! A named position in the course of a game, as an object of JSON.

use serde::Serialize;

use crate::{classify::NamedAt, opening::EcoCode};

/// A named position that a game or a question passes.
#[derive(Serialize)]
pub(super) struct StepObject<'a> {
    ply: usize,
    #[serde(rename = "move")]
    played: Option<String>,
    eco: Option<&'a str>,
    opening: &'a str,
}

impl<'a> StepObject<'a> {
    /// The position, and the move that leads to it, with its number; `None` at the start.
    pub(super) fn new(named: NamedAt<'a>, played: Option<String>) -> Self {
        Self {
            ply: named.ply(),
            played,
            eco: named.opening().eco().map(EcoCode::as_str),
            opening: named.opening().name(),
        }
    }
}
