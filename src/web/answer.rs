//! What is answered: a status, a body, and what browsers are told about it.

use std::{
    hash::{DefaultHasher, Hasher},
    sync::Arc,
};

use serde::Serialize;

use super::fault::Fault;
use crate::output::to_json;

/// An answer, apart from the headers that all answers have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The status of HTTP.
    pub(super) status: u16,
    /// The value of `Content-Type`.
    pub(super) content_type: &'static str,
    /// The body.
    pub(super) body: Arc<[u8]>,
    /// How long browsers may keep it.
    pub(super) keeping: Keeping,
    /// The value of `ETag`, of answers that may be kept.
    pub(super) etag: Option<String>,
}

/// How long browsers may keep an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    /// Not at all.
    Never,
    /// As long as they ask each time whether it has changed.
    Revalidated,
    /// For a minute without asking.
    Minute,
}

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

impl Answer {
    /// A body that may be kept.
    pub(super) fn new(content_type: &'static str, body: Vec<u8>, keeping: Keeping) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(&body);
        let etag = format!("\"{:016x}\"", hasher.finish());
        Self { status: 200, content_type, body: body.into(), keeping, etag: Some(etag) }
    }

    /// A value as JSON.
    pub(super) fn json(value: &impl Serialize) -> Self {
        Self::new(JSON, to_json(value).into_bytes(), Keeping::Minute)
    }

    /// A value as JSON that is true only now.
    pub(super) fn json_once(value: &impl Serialize) -> Self {
        let body = to_json(value).into_bytes().into();
        Self { status: 200, content_type: JSON, body, keeping: Keeping::Never, etag: None }
    }

    /// A value as the only line of a stream of JSON.
    pub(super) fn json_line(value: &impl Serialize) -> Self {
        let line = to_json(value) + "\n";
        Self::new("application/x-ndjson", line.into_bytes(), Keeping::Revalidated)
    }

    /// A game as PGN.
    pub(super) fn pgn(text: Vec<u8>) -> Self {
        Self::new("application/x-chess-pgn", text, Keeping::Minute)
    }

    /// A line of text with a status, which is not kept.
    pub(super) fn text(status: u16, line: &str) -> Self {
        let body = if line.is_empty() { String::new() } else { format!("{line}\n") };
        Self {
            status,
            content_type: TEXT,
            body: body.into_bytes().into(),
            keeping: Keeping::Never,
            etag: None,
        }
    }

    /// The answer to somebody who has these answers already, as `If-None-Match` lists them.
    pub(super) fn unless_known(self, known: Option<&str>) -> Self {
        let has = |known: &str, etag: &str| {
            let mut tags = known.split(',').map(|tag| tag.trim().trim_start_matches("W/"));
            tags.any(|tag| tag == etag || tag == "*")
        };
        match (&self.etag, known) {
            (Some(etag), Some(known)) if self.status == 200 && has(known, etag) => {
                Self { status: 304, body: Arc::default(), ..self }
            }
            _ => self,
        }
    }
}

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Self {
        Self::text(fault.status, &fault.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_sent_again() {
        let answer = Answer::json(&[1, 2]);
        let etag = answer.etag.clone().unwrap();
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
            assert_eq!(answer.etag.as_ref(), Some(&etag));
        }
        let fault = Answer::text(404, "nothing");
        assert_eq!(fault.clone().unless_known(Some("*")), fault);
    }
}
