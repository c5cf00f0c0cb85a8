//! What the page asks of a session: the body of a request.

use serde::Deserialize;

use crate::{chess::UciMove, web::fault::Fault};

/// What the page asks of a session.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Asked {
    /// A new session takes the place of the one that there is.
    Begin {
        /// The number of positions that may be new.
        new: usize,
        /// Whether lines are played from their start.
        line: bool,
    },
    /// The answer to a question.
    Answer {
        /// The number of the question.
        question: u64,
        /// The move in UCI notation; `None` to be shown the answer.
        uci: Option<String>,
    },
}

impl Asked {
    /// Reads the body of a request.
    pub(super) fn read(body: &[u8]) -> Result<Self, Fault> {
        serde_json::from_slice(body).map_err(|error| Fault::bad_request(format_args!("{error}")))
    }
}

/// A move in UCI notation.
pub(super) fn read_move(text: &str) -> Result<UciMove, Fault> {
    text.parse().map_err(|error| Fault::parameter("uci", error))
}
