//! What is answered: a status, a body, and how long browsers may keep it; or why nothing is.

use std::hash::{DefaultHasher, Hasher};
use std::{fmt, sync::Arc};

use serde::Serialize;

use crate::output::{sanitize, to_json};
use crate::store::StoreError;

/// An answer, apart from the headers that all answers have.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The body.
    pub body: Arc<[u8]>,
    /// The value of `Cache-Control`.
    pub(super) cache_control: &'static str,
    /// The value of `ETag`, of answers that may be kept.
    etag: Option<u64>,
}

/// Values of `Cache-Control`: a browser keeps nothing, asks each time whether it has changed, or
/// asks again after a minute.
const NEVER: &str = "no-store";
const REVALIDATED: &str = "no-cache";
const MINUTE: &str = "max-age=60, private";

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

impl Answer {
    fn new(content_type: &'static str, body: Vec<u8>, cache_control: &'static str) -> Self {
        let etag = (cache_control != NEVER).then(|| {
            let mut hasher = DefaultHasher::new();
            hasher.write(&body);
            hasher.finish()
        });
        Self { status: 200, content_type, body: body.into(), cache_control, etag }
    }

    /// A file, which another release of the program may change.
    pub(super) fn file(content_type: &'static str, text: &str) -> Self {
        Self::new(content_type, text.into(), REVALIDATED)
    }

    /// A page for a browser that was made of games.
    pub(super) fn page(text: &str) -> Self {
        Self::new(HTML, text.into(), MINUTE)
    }

    pub(super) fn json(value: &impl Serialize) -> Self {
        Self::new(JSON, to_json(value).into_bytes(), MINUTE)
    }

    /// A value as JSON that is true only now.
    pub(super) fn json_once(value: &impl Serialize) -> Self {
        Self::new(JSON, to_json(value).into_bytes(), NEVER)
    }

    /// A value as the only line of a stream of JSON.
    pub(super) fn json_line(value: &impl Serialize) -> Self {
        let line = to_json(value) + "\n";
        Self::new("application/x-ndjson", line.into_bytes(), REVALIDATED)
    }

    pub(super) fn pgn(text: Vec<u8>) -> Self {
        Self::new("application/x-chess-pgn", text, MINUTE)
    }

    /// A line of text with a status.
    pub(super) fn text(status: u16, line: &str) -> Self {
        let body = if line.is_empty() { String::new() } else { format!("{line}\n") };
        Self { status, ..Self::new(TEXT, body.into_bytes(), NEVER) }
    }

    /// The value of `ETag`.
    pub(super) fn etag(&self) -> Option<String> {
        self.etag.map(|etag| format!("\"{etag:016x}\""))
    }

    /// The answer to a client that has the answers of these tags already, as `If-None-Match`
    /// lists them.
    pub(super) fn unless_known(self, known: Option<&str>) -> Self {
        let has = |known: &str, etag: &str| {
            let mut tags = known.split(',').map(|tag| tag.trim().trim_start_matches("W/"));
            tags.any(|tag| tag == etag || tag == "*")
        };
        match (self.etag(), known) {
            (Some(etag), Some(known)) if self.status == 200 && has(known, &etag) => {
                Self { status: 304, body: Arc::default(), ..self }
            }
            _ => self,
        }
    }
}

/// Why a request has no answer: a status of HTTP, and a line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) status: u16,
    pub(super) text: String,
}

impl Fault {
    /// The text may quote the request, whose line breaks it must not have.
    fn new(status: u16, text: impl fmt::Display) -> Self {
        Self { status, text: sanitize(text.to_string().as_bytes()).into_owned() }
    }

    pub(super) fn bad_request(text: impl fmt::Display) -> Self {
        Self::new(400, text)
    }

    pub(super) fn not_found(text: impl fmt::Display) -> Self {
        Self::new(404, text)
    }

    /// The request is about what is no longer there.
    pub(super) fn conflict(text: impl fmt::Display) -> Self {
        Self::new(409, text)
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

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Self {
        Self::text(fault.status, &fault.text)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::DamagedGames { .. } => Self::new(500, error),
            _ => Self::unavailable(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_sent_again() {
        let answer = Answer::json(&[1, 2]);
        let etag = answer.etag().unwrap();
        for (known, status) in [
            (None, 200),
            (Some("\"0\""), 200),
            (Some(etag.as_str()), 304),
            (Some(&*format!("\"0\", W/{etag}")), 304),
            (Some("*"), 304),
            (Some(etag.trim_matches('"')), 200),
        ] {
            let answer = answer.clone().unless_known(known);
            assert_eq!((answer.status, answer.body.is_empty()), (status, status == 304));
            assert_eq!(answer.etag().as_ref(), Some(&etag));
        }
        let fault = Answer::text(404, "nothing");
        assert_eq!(fault.clone().unless_known(Some("*")), fault);
    }
}
