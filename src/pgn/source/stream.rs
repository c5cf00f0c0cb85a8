//! A stream of PGN bytes, and how far it was read.

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{
    error::{SourceError, SourceFault},
    line_ends::{LineEnds, with_line_feeds},
};
use crate::pgn::Compression;

/// A stream of PGN bytes: a file, or one entry of a zip archive.
#[non_exhaustive]
pub struct Stream<'a> {
    /// The decompressed bytes.
    pub reader: Box<dyn Read + 'a>,
    /// Its name, and how far it was read.
    pub position: StreamPosition,
    /// How the file is compressed; `None` for an entry of an archive.
    pub compression: Option<Compression>,
    /// How its lines end.
    pub line_ends: LineEnds,
}

impl<'a> Stream<'a> {
    pub(super) fn new(
        reader: Box<dyn Read + 'a>,
        position: StreamPosition,
        compression: Option<Compression>,
    ) -> Self {
        let (reader, line_ends) = with_line_feeds(reader);
        Self { reader, position, compression, line_ends }
    }
}

/// The name of a stream, and how far it was read.
#[derive(Debug, Clone)]
pub struct StreamPosition {
    pub(super) name: String,
    /// Counts the bytes that were read from storage.
    pub(super) counter: Arc<AtomicU64>,
    /// The count when the stream was opened.
    pub(super) starts_at: u64,
    /// The number of bytes of the file before the stream.
    pub(super) before: u64,
}

impl StreamPosition {
    /// The position at the beginning of an input of that name.
    pub(super) fn new(name: String, counter: &Arc<AtomicU64>) -> Self {
        let starts_at = counter.load(Ordering::Relaxed);
        Self { name, counter: Arc::clone(counter), starts_at, before: 0 }
    }

    /// The path as it was given, `-`, or `archive.zip/games.pgn`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the name of the stream and the offset in its file to an error of its reader.
    #[must_use]
    pub fn broken(&self, error: io::Error) -> SourceError {
        let read = self.counter.load(Ordering::Relaxed).saturating_sub(self.starts_at);
        let offset = self.before + read;
        SourceError::new(&self.name, SourceFault::Broken { offset, error })
    }
}
