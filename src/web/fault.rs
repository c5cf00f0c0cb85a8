//! Why a request has no answer.

use std::fmt;

/// Why a request has no answer: a status of HTTP, and a line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) status: u16,
    pub(super) text: String,
}

impl Fault {
    /// The request cannot be read.
    pub(super) fn bad_request(text: impl fmt::Display) -> Self {
        Self { status: 400, text: text.to_string() }
    }

    /// There is no such thing.
    pub(super) fn not_found(text: impl fmt::Display) -> Self {
        Self { status: 404, text: text.to_string() }
    }

    /// The database cannot be read now.
    pub(super) fn unavailable(text: impl fmt::Display) -> Self {
        Self { status: 503, text: text.to_string() }
    }

    /// A parameter has a value that cannot be read.
    pub(super) fn parameter(name: &str, reason: impl fmt::Display) -> Self {
        Self::bad_request(format_args!("{name}: {reason}"))
    }
}
