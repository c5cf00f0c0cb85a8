//! Bytes that are read at offsets, without a cursor.

use std::{
    fs::File,
    io::{self, Read},
    sync::Arc,
};

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
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // No file is longer. The operating system takes such an offset for a mistake, and one that
        // the bytes go beyond.
        if offset.checked_add(buffer.len() as u64).is_none_or(|end| i64::try_from(end).is_err()) {
            return Ok(0);
        }
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        (&self[start..]).read(buffer)
    }
}

/// Reads as many bytes at `offset` as there are, up to the length of `buffer`.
#[cfg(feature = "codecs")]
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

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_sub(self.at).min(self.step - self.at % self.step);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.file.read_at(&mut buffer[..wanted], self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}
