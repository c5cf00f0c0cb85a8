//! Pages at the end of an SQLite file.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// What the header of a file says, by the places of its bytes.
const PAGE_SIZE: usize = 16;
const WRITE_VERSION: usize = 18;
const RESERVED: usize = 20;
const CHANGE_COUNTER: usize = 24;
const PAGE_COUNT: usize = 28;
const LARGEST_ROOT: usize = 52;
const ENCODING: usize = 56;
const VALID_FOR: usize = 92;
const HEADER: usize = 100;

/// SQLite locks the bytes of a file here. The page that has them holds nothing.
const LOCKED_BYTE: u64 = 1 << 30;

/// The bytes that are written at a time.
const BUFFER: usize = 1 << 20;

/// An SQLite file that gets more pages. Nobody else may write it, and what it had when it was
/// opened must be committed.
#[derive(Debug)]
pub(in crate::store) struct PageFile {
    file: BufWriter<File>,
    header: [u8; HEADER],
    page_size: usize,
    /// The number of pages so far.
    count: u32,
}

impl PageFile {
    /// Opens a file; `None` if it is laid out otherwise than SQLite does by default.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(in crate::store) fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut file = File::options().read(true).write(true).open(path)?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header)?;
        let page_size = match u16::from_be_bytes([header[PAGE_SIZE], header[PAGE_SIZE + 1]]) {
            1 => 1 << 16,
            size => usize::from(size),
        };
        let is_plain = header[WRITE_VERSION] == 1
            && header[RESERVED] == 0
            && number_at(&header, LARGEST_ROOT) == 0
            && number_at(&header, ENCODING) == 1;
        let length = file.seek(SeekFrom::End(0))?;
        let count = number_at(&header, PAGE_COUNT);
        if !is_plain || length != u64::from(count) * page_size as u64 {
            return Ok(None);
        }
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Some(Self { file, header, page_size, count }))
    }

    /// The size of a page in bytes.
    pub(in crate::store) fn page_size(&self) -> usize {
        self.page_size
    }

    /// Adds a page, and returns its number.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn append(&mut self, page: &[u8]) -> io::Result<u32> {
        debug_assert_eq!(page.len(), self.page_size);
        if u64::from(self.count) * self.page_size as u64 == LOCKED_BYTE {
            self.write(&vec![0; self.page_size])?;
        }
        self.write(page)?;
        Ok(self.count)
    }

    fn write(&mut self, page: &[u8]) -> io::Result<()> {
        self.file.write_all(page)?;
        let next = self.count.checked_add(1);
        self.count = next.ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        Ok(())
    }

    /// Replaces pages, by their numbers, and makes the pages that were added part of the database.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(in crate::store) fn finish(mut self, replaced: &[(u32, Vec<u8>)]) -> io::Result<()> {
        for (number, page) in replaced {
            let start = u64::from(number - 1) * self.page_size as u64;
            self.file.seek(SeekFrom::Start(start))?;
            self.file.write_all(page)?;
        }
        let counter = number_at(&self.header, CHANGE_COUNTER).wrapping_add(1);
        for (at, value) in
            [(CHANGE_COUNTER, counter), (PAGE_COUNT, self.count), (VALID_FOR, counter)]
        {
            self.header[at..at + 4].copy_from_slice(&value.to_be_bytes());
        }
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&self.header)?;
        self.file.flush()
    }
}

fn number_at(header: &[u8; HEADER], at: usize) -> u32 {
    u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}
