//! What stands between storage and a stream: bytes that are read at offsets, readers that count
//! what is taken from them, and decoders that give every byte before damage.
//!
//! Decoders drop what they have decompressed in the call in which they find the stream damaged. So
//! a damaged file is decompressed a second time, from the byte where the first time ended one byte
//! at a time. An input that cannot be opened again is decompressed in small steps from the
//! beginning, so that no more than one step is lost.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs::File, sync::Arc};

use super::{SourceError, SourceFault};

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
    pub(in crate::pgn) fn set(&self, offset: u64) {
        self.counter.store(self.starts_at + offset, Ordering::Relaxed);
    }

    /// The path as it was given, `-`, or `archive.zip/games.pgn`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the name of the stream and the offset in its file to an error of its reader. If the
    /// stream is not PGN, the error says so instead.
    pub fn broken(&self, error: io::Error) -> SourceError {
        let read = self.counter.load(Ordering::Relaxed).saturating_sub(self.starts_at);
        let offset = self.before + read;
        let fault = error.downcast().unwrap_or_else(|error| SourceFault::Broken { offset, error });
        SourceError::new(&self.name, fault)
    }
}

/// A reader that adds the number of bytes taken from it to a counter. Bytes in a buffer below it do
/// not count until they are taken; bytes that are skipped by seeking do not count.
pub(in crate::pgn) struct Counted<R> {
    reader: R,
    counter: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    pub(in crate::pgn) fn new(reader: R, counter: &Arc<AtomicU64>) -> Self {
        Self { reader, counter: Arc::clone(counter) }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
    }
}

/// An error where there is one, and then nothing.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The reader of a stream that could not be opened.
pub(in crate::pgn) fn failing(error: io::Error) -> Box<dyn Read> {
    Box::new(Failing(Some(error)))
}

/// The size of the buffer below a decoder.
pub(super) const BUFFER_SIZE: usize = 128 * 1024;

/// Bytes that several threads can read at once, each at its own offset: a file, bytes in memory, or
/// an object in a store.
pub trait ReadAt: Send + Sync {
    /// Reads bytes at `offset`, and returns their number: 0 only at the end or beyond, or if
    /// `buffer` is empty.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // No file is longer. Operating systems take such an offset for a mistake or a sign, and one
        // that the bytes go beyond.
        if offset.checked_add(buffer.len() as u64).is_none_or(|end| i64::try_from(end).is_err()) {
            return Ok(0);
        }
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read;
        #[cfg(not(any(unix, windows)))]
        let read = |_: &Self, _: &mut [u8], _| Err(io::ErrorKind::Unsupported.into());
        read(self, buffer, offset)
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        (&self[start..]).read(buffer)
    }
}

/// Reads as many bytes at `offset` as there are, up to the length of `buffer`.
pub(in crate::pgn) fn read_there<'b>(
    file: &dyn ReadAt,
    buffer: &'b mut [u8],
    offset: u64,
) -> io::Result<&'b [u8]> {
    let mut end = 0;
    while end < buffer.len() {
        match file.read_at(&mut buffer[end..], offset.saturating_add(end as u64)) {
            Ok(0) => break,
            Ok(count) => end += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&buffer[..end])
}

/// A range of a file, with a cursor of its own.
pub(in crate::pgn) struct Section {
    file: Arc<dyn ReadAt>,
    at: u64,
    end: u64,
    /// No read crosses a multiple of this offset.
    step: u64,
}

impl Section {
    /// The bytes from `at` to `end`, or to the end of the file. Reads end at multiples of `step`,
    /// so a buffer of that size is filled as if the file were read from its beginning: the offset
    /// of damage depends on it.
    pub(in crate::pgn) fn new(file: &Arc<dyn ReadAt>, at: u64, end: u64, step: usize) -> Self {
        Self { file: Arc::clone(file), at, end, step: step as u64 }
    }
}

/// The bytes from `start` to `end`, or to the end of the file, buffered for a decoder and counted.
pub(in crate::pgn) fn packed_section(
    file: &Arc<dyn ReadAt>,
    start: u64,
    end: u64,
    counter: &Arc<AtomicU64>,
) -> Counted<io::BufReader<Section>> {
    let section = Section::new(file, start, end, BUFFER_SIZE);
    Counted::new(io::BufReader::with_capacity(BUFFER_SIZE, section), counter)
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_sub(self.at).min(self.step - self.at % self.step);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.file.read_at(&mut buffer[..wanted], self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Opens the input again, from its beginning.
type Reopen = Box<dyn Fn() -> io::Result<Box<dyn Read>>>;

/// The number of bytes requested at once from an input that cannot be opened again.
const SMALL_STEP: usize = 4 * 1024;

/// The number of bytes before the damage that are decompressed one at a time.
const LAST_BYTES: u64 = 64 * 1024;

pub(super) struct RecoveringReader {
    reader: Box<dyn Read>,
    /// The number of bytes that were read.
    delivered: u64,
    reopen: Option<Reopen>,
    /// The most bytes that are asked for at once.
    step: usize,
}

impl RecoveringReader {
    /// Reads an input that can be opened again.
    pub(super) fn reopening(reader: Box<dyn Read>, reopen: Reopen) -> Self {
        Self { reader, delivered: 0, reopen: Some(reopen), step: usize::MAX }
    }

    /// Reads an input that cannot be opened again.
    pub(super) fn stepping(reader: Box<dyn Read>) -> Self {
        Self { reader, delivered: 0, reopen: None, step: SMALL_STEP }
    }

    fn begin_again(&mut self, reopen: &Reopen) -> io::Result<()> {
        self.reader = reopen()?;
        self.step = 1;
        // What comes right before the damage is read in small steps now too: where a checksum is
        // wrong, a decoder drops all that it is asked for together with the end of the frame.
        let last = self.delivered.min(LAST_BYTES);
        let reader = &mut self.reader;
        io::copy(&mut reader.take(self.delivered - last), &mut io::sink())?;
        (0..last).try_for_each(|_| reader.read_exact(&mut [0]))
    }
}

impl Read for RecoveringReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(self.step);
        match self.reader.read(&mut buffer[..len]) {
            Ok(count) => {
                self.delivered += count as u64;
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => match self.reopen.take() {
                Some(reopen) => {
                    self.begin_again(&reopen)?;
                    self.read(buffer)
                }
                None => Err(error),
            },
        }
    }
}
