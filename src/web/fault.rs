//! Why a request has no answer.

use std::fmt;

use crate::output::sanitize;

/// Why a request has no answer: a status of HTTP, and a line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) status: u16,
    pub(super) text: String,
}

impl Fault {
    /// What the request asks for may stand in the text: a line break in a name is none here.
    fn new(status: u16, text: impl fmt::Display) -> Self {
        Self { status, text: sanitize(text.to_string().as_bytes()).into_owned() }
    }

    /// The request cannot be read.
    pub(super) fn bad_request(text: impl fmt::Display) -> Self {
        Self::new(400, text)
    }

    /// There is no such thing.
    pub(super) fn not_found(text: impl fmt::Display) -> Self {
        Self::new(404, text)
    }

    /// The database cannot be read now.
    pub(super) fn unavailable(text: impl fmt::Display) -> Self {
        Self::new(503, text)
    }

    /// A parameter has a value that cannot be read.
    pub(super) fn parameter(name: &str, reason: impl fmt::Display) -> Self {
        Self::bad_request(format_args!("{name}: {reason}"))
    }
}
