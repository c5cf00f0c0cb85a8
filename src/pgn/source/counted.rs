//! Readers that count the bytes that are taken from them.

use std::{
    io::{self, BufRead, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

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

    fn count(&self, count: usize) {
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.count(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.count(count);
    }
}
