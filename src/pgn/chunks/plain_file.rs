//! Chunks of a plain file, read by the threads that work on them.
//!
//! A thread that reads a chunk has its bytes in the cache of its core. Where one thread reads for
//! all, the others fetch them from the cache of another core.
//!
//! Which chunks there are is known from the size of the file, before they are read. The thread that
//! hands them out reads those before the first game, what is less than a chunk at the end, what is
//! added meanwhile, and in the end those that nobody has begun. A chunk in which a read fails, or
//! that is shorter than it was to be, is the last one. Those after it that are handed out by then
//! become empty blocks.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::carry::{Follows, HEADROOM, Raw, fill};
use crate::pgn::{buffers::Buffers, game::BlockOptions, source::shared_file::SharedFile};
use crate::{executor::lock, pgn::source::readers::Section};

/// The most bytes that are read at once where a read has failed: those before the damage count.
const SMALL_STEP: usize = 512;

/// Hands out the chunks of a plain file.
pub(super) struct PlainChunks {
    readers: Arc<Readers>,
    /// Where the next chunk begins.
    at: u64,
}

/// What the threads that read chunks share.
struct Readers {
    file: SharedFile,
    options: BlockOptions,
    buffers: Buffers,
    /// The number of bytes that count as read in the position.
    counted: AtomicU64,
    end: Mutex<Option<End>>,
}

/// Where the file ends, and how.
struct End {
    offset: u64,
    result: io::Result<()>,
}

impl PlainChunks {
    pub(super) fn new(
        file: SharedFile,
        peeked: u64,
        options: BlockOptions,
        buffers: &Buffers,
    ) -> Self {
        let (counted, end) = (AtomicU64::new(peeked), Mutex::default());
        let readers = Readers { file, options, buffers: buffers.clone(), counted, end };
        readers.count_only(0);
        Self { readers: Arc::new(readers), at: 0 }
    }

    /// The next chunk. It may be empty.
    pub(super) fn next(&mut self) -> Unread {
        let chunk = Unread { readers: Arc::clone(&self.readers), at: self.at };
        self.at += self.readers.chunk_size() as u64;
        chunk
    }

    /// Whether the file had the whole of the next chunk when it was opened.
    pub(super) fn is_next_whole(&self) -> bool {
        self.at + self.readers.chunk_size() as u64 <= self.readers.file.size
    }

    /// Whether an end of the file has been found.
    pub(super) fn has_end(&self) -> bool {
        lock(&self.readers.end).is_some()
    }

    /// How the file ends, once each chunk before its end is read. The bytes before the end count as
    /// read then, and no others.
    pub(super) fn take_end(&self) -> io::Result<()> {
        let Some(End { offset, result }) = &mut *lock(&self.readers.end) else { return Ok(()) };
        self.readers.count_only(*offset);
        std::mem::replace(result, Ok(()))
    }
}

impl Readers {
    fn chunk_size(&self) -> usize {
        self.options.block_size.max(1)
    }

    /// Notes an end, unless there is one before it.
    fn note_end(&self, offset: u64, result: io::Result<()>) {
        let mut end = lock(&self.end);
        if end.as_ref().is_none_or(|earlier| offset < earlier.offset) {
            *end = Some(End { offset, result });
        }
    }

    fn ends_before(&self, offset: u64) -> bool {
        lock(&self.end).as_ref().is_some_and(|end| end.offset <= offset)
    }

    /// Reads from this offset on, every byte up to an error. Returns what [`fill`] does.
    fn fill(&self, buffer: &mut [u8], at: u64) -> (usize, Option<io::Result<()>>) {
        let from = |at, step| Section::new(&self.file.file, at, u64::MAX, step);
        let (end, stream_end) = fill(buffer, HEADROOM, from(at, usize::MAX));
        if !matches!(stream_end, Some(Err(_))) {
            return (end, stream_end);
        }
        fill(buffer, end, from(at + (end - HEADROOM) as u64, SMALL_STEP))
    }

    /// Lets this number of bytes count as read, no more and no fewer.
    fn count_only(&self, bytes: u64) {
        self.file.position.correct(self.counted.swap(bytes, Ordering::Relaxed), bytes);
    }
}

/// A chunk that is still to be read.
pub(super) struct Unread {
    readers: Arc<Readers>,
    /// Where it begins in the file.
    at: u64,
}

impl Unread {
    pub(super) fn read(self) -> Raw {
        let Self { readers, at } = self;
        let max_game = readers.options.max_game;
        if readers.ends_before(at) {
            let (buffer, end) = (readers.buffers.take(HEADROOM), HEADROOM);
            return Raw { buffer, end, follows: Follows::Nothing, max_game };
        }
        let mut buffer = readers.buffers.take(HEADROOM + readers.chunk_size());
        let (end, stream_end) = readers.fill(&mut buffer, at);
        let bytes = (end - HEADROOM) as u64;
        readers.counted.fetch_add(bytes, Ordering::Relaxed);
        readers.file.position.advance(bytes);
        let follows = Follows::at(stream_end.as_ref());
        if let Some(result) = stream_end {
            readers.note_end(at + bytes, result);
        }
        Raw { buffer, end, follows, max_game }
    }
}
