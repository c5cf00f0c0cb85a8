//! How far a stream was read.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::error::{SourceError, SourceFault};

/// The name of a stream, and how far it was read.
#[derive(Debug, Clone)]
pub struct StreamPosition {
    pub(in crate::pgn) name: String,
    /// Counts the bytes that were read from storage.
    pub(in crate::pgn) counter: Arc<AtomicU64>,
    /// The count when the stream was opened.
    pub(in crate::pgn) starts_at: u64,
    /// The number of bytes of the file before the stream.
    pub(in crate::pgn) before: u64,
}

impl StreamPosition {
    /// The position at the beginning of an input of that name.
    pub(in crate::pgn) fn new(name: String, counter: &Arc<AtomicU64>) -> Self {
        let starts_at = counter.load(Ordering::Relaxed);
        Self { name, counter: Arc::clone(counter), starts_at, before: 0 }
    }

    /// Says that bytes were read from storage.
    pub(in crate::pgn) fn advance(&self, count: u64) {
        self.counter.fetch_add(count, Ordering::Relaxed);
    }

    /// Says that of the bytes of a stream this number counts as read, and not that one.
    pub(in crate::pgn) fn correct(&self, wrong: u64, right: u64) {
        // Frames of another stream may have set the counter back meanwhile.
        self.counter.update(Ordering::Relaxed, Ordering::Relaxed, |count| {
            (count + right).saturating_sub(wrong)
        });
    }

    /// Says that the bytes of the stream before this offset were read, and no others.
    #[cfg(feature = "codecs")]
    pub(in crate::pgn) fn set(&self, offset: u64) {
        self.counter.store(self.starts_at + offset, Ordering::Relaxed);
    }

    /// The path as it was given, `-`, or `archive.zip/games.pgn`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the name of the stream and the offset in its file to an error of its reader. If the
    /// stream is not PGN, the error says so instead.
    #[must_use]
    pub fn broken(&self, error: io::Error) -> SourceError {
        let read = self.counter.load(Ordering::Relaxed).saturating_sub(self.starts_at);
        let offset = self.before + read;
        let fault = error.downcast().unwrap_or_else(|error| SourceFault::Broken { offset, error });
        SourceError::new(&self.name, fault)
    }
}
