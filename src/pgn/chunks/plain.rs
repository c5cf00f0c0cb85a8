//! Chunks of a plain file, read by the threads that work on them.
//!
//! A thread that reads a chunk has its bytes in the cache of its core. Where one thread reads for
//! all, the others fetch them from the cache of another core.
//!
//! Which chunks there are is known from the size of the file, before they are read. What is left
//! when no whole chunk is, or what is added meanwhile, the thread that hands out the chunks reads at
//! once. A chunk in which a read fails, or that is not as long as it was to be, is the last one;
//! those after it are handed out by then, but become empty blocks.

use std::{
    fmt, io,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    carry::{Follows, HEADROOM, Raw},
    fill,
};
use crate::pgn::{
    block::BlockOptions,
    buffers::Buffers,
    source::{
        counted::Counted,
        position::StreamPosition,
        read_at::{ReadAt, Section},
        shared_file::PlainFile,
    },
};

/// The most bytes that are read at once where a read has failed: those before the damage count.
const SMALL_STEP: usize = 512;

/// Hands out the chunks of a plain file.
pub(super) struct PlainChunks {
    shared: Arc<Shared>,
    size: u64,
    /// Where the next chunk begins.
    at: u64,
}

/// What those share that read chunks.
struct Shared {
    file: Arc<dyn ReadAt>,
    position: StreamPosition,
    options: BlockOptions,
    buffers: Buffers,
    end: Mutex<Option<End>>,
}

/// Where a file ends, and how.
struct End {
    offset: u64,
    result: io::Result<()>,
}

impl PlainChunks {
    pub(super) fn new(file: PlainFile, options: BlockOptions, buffers: &Buffers) -> Self {
        let PlainFile { file, size, position } = file;
        position.set(0);
        let (buffers, end) = (buffers.clone(), Mutex::default());
        let shared = Shared { file, position, options, buffers, end };
        Self { shared: Arc::new(shared), size, at: 0 }
    }

    /// The next chunk. It may be empty.
    pub(super) fn next(&mut self) -> Unread {
        let chunk = Unread { shared: Arc::clone(&self.shared), at: self.at };
        self.at += self.shared.chunk_size() as u64;
        chunk
    }

    /// Whether the file had the whole of the next chunk when it was opened.
    pub(super) fn is_next_whole(&self) -> bool {
        self.at + self.shared.chunk_size() as u64 <= self.size
    }

    /// How the file ends, once each chunk is read. It is returned once. What was read beyond the end
    /// counts no longer.
    pub(super) fn take_end(&self) -> io::Result<()> {
        let end = self.shared.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(End { offset, result }) = end else { return Ok(()) };
        self.shared.position.set(offset);
        result
    }
}

impl Shared {
    fn chunk_size(&self) -> usize {
        self.options.block_size.max(1)
    }

    /// Reads from this offset on, every byte up to an error. Returns what [`fill`] does.
    fn fill(&self, buffer: &mut [u8], at: u64) -> (usize, Option<io::Result<()>>) {
        let reader = |at, step| {
            Counted::new(Section::new(&self.file, at, u64::MAX, step), &self.position.counter)
        };
        let (end, stream_end) = fill(buffer, HEADROOM, reader(at, usize::MAX));
        if !matches!(stream_end, Some(Err(_))) {
            return (end, stream_end);
        }
        fill(buffer, end, reader(at + (end - HEADROOM) as u64, SMALL_STEP))
    }

    /// Notes an end, unless there is one before it.
    fn end(&self, offset: u64, result: io::Result<()>) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if end.as_ref().is_none_or(|earlier| offset < earlier.offset) {
            *end = Some(End { offset, result });
        }
    }
}

/// A chunk that is still to be read.
pub(super) struct Unread {
    shared: Arc<Shared>,
    /// Where it begins in the file.
    at: u64,
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Unread {
    pub(super) fn read(self) -> Raw {
        let Self { shared, at } = self;
        let mut buffer = shared.buffers.take(HEADROOM + shared.chunk_size());
        let (end, stream_end) = shared.fill(&mut buffer, at);
        let follows = Follows::at(stream_end.as_ref());
        if let Some(result) = stream_end {
            shared.end(at + (end - HEADROOM) as u64, result);
        }
        Raw { buffer, end, follows, max_game: shared.options.max_game }
    }
}
