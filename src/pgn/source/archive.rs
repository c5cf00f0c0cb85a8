//! Zip archives: a stream for each entry that holds games.
//!
//! The crate finds the entries; their bytes are read here, by the same readers as those of other
//! compressed files, so that a damaged entry gives every byte before the damage.
//!
//! An archive is read by the directory at its end. If that is missing, because the archive was cut
//! off, its entries are read in order, and an error follows them.

use std::io::{self, BufReader, Read, Seek};
use std::{cell::Cell, fs::File, path::Path, rc::Rc, sync::Arc, sync::atomic::Ordering, vec};

use zip::{CompressionMethod, ZipArchive, read::read_zipfile_from_stream};

use super::readers::{BUFFER_SIZE, Counted, ReadAt, RecoveringReader, Section};
use super::readers::{StreamPosition, failing, read_there};
use super::{is_compressed_entry, is_litter, is_pgn_entry, stream::Stream};
use crate::pgn::codecs::{EntryCompression, decode_entry};
use crate::pgn::text::Watched;

/// The length of the header before the name of an entry, and where it has the lengths of what
/// follows.
const HEADER_LENGTH: usize = 30;
const NAME_LENGTH_AT: usize = 26;
const EXTRA_LENGTH_AT: usize = 28;

/// Opens the archive at `path`, or else that of the input, which is copied to a nameless temporary
/// file, since an archive is read from its end. Returns its streams.
pub(super) fn open_archive(
    mut input: impl Read,
    mut position: StreamPosition,
    path: Option<&Path>,
) -> io::Result<Box<dyn Iterator<Item = Stream<'static>>>> {
    let file = match path {
        Some(path) => File::open(path)?,
        None => {
            let mut file = tempfile::tempfile()?;
            io::copy(&mut input, &mut file)?;
            file.rewind()?;
            // The bytes were counted on their way into the file.
            (position.counter, position.starts_at) = (Arc::default(), 0);
            file
        }
    };
    let size = file.metadata()?.len();
    let archive = ZipArchive::new(BufReader::with_capacity(BUFFER_SIZE, file.try_clone()?));
    let file = Arc::new(file);
    Ok(match archive {
        Ok(archive) => {
            let entries = game_entries(&archive).into_iter();
            Box::new(ListedArchive { file, archive, entries, position })
        }
        Err(error) => {
            let (error, is_broken) = (Some(error.into()), Rc::default());
            Box::new(DamagedArchive { file, size, at: 0, position, error, is_broken })
        }
    })
}

/// Where the bytes of an entry are, and what they are.
#[derive(Clone, Copy)]
struct Entry {
    start: u64,
    /// The number of compressed bytes.
    size: u64,
    compression: EntryCompression,
    crc: u32,
}

impl Entry {
    /// Opens the entry: a decoder that gives every byte before damage.
    fn open(self, file: &Arc<dyn ReadAt>, position: &StreamPosition) -> io::Result<Box<dyn Read>> {
        let (file, counter) = (Arc::clone(file), Arc::clone(&position.counter));
        let starts_at = position.starts_at;
        let decoder = move || {
            counter.store(starts_at, Ordering::Relaxed);
            let section = Section::new(&file, self.start, self.start + self.size, usize::MAX);
            let mut left = self.size;
            let bytes = Watched::new(section, move |buffer, result| {
                let count = result?;
                left -= count as u64;
                if count == 0 && left > 0 && !buffer.is_empty() {
                    let what = "the file ends before the entry does";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
                }
                Ok(count)
            });
            let input = BufReader::with_capacity(BUFFER_SIZE, bytes);
            Ok(decode_entry(self.compression, self.crc, Counted::new(input, &counter)))
        };
        let reader = decoder()?;
        Ok(Box::new(RecoveringReader::reopening(reader, Box::new(decoder))))
    }
}

/// How an entry is compressed, if it can be read.
fn compression(method: CompressionMethod) -> io::Result<EntryCompression> {
    match method {
        CompressionMethod::Stored => Ok(EntryCompression::Stored),
        CompressionMethod::Deflated => Ok(EntryCompression::Deflated),
        other => Err(io::Error::other(format!("compressed with {other}, which is not read"))),
    }
}

/// An archive with its directory.
struct ListedArchive {
    file: Arc<dyn ReadAt>,
    /// It moves the cursor of the file, which the readers of entries do without.
    archive: ZipArchive<BufReader<File>>,
    /// The number and the name of each entry that is still to be read.
    entries: vec::IntoIter<(usize, String)>,
    position: StreamPosition,
}

impl Iterator for ListedArchive {
    type Item = Stream<'static>;

    fn next(&mut self) -> Option<Stream<'static>> {
        let (index, name) = self.entries.next()?;
        let mut position = entry_position(&self.position, &name);
        let entry = match is_compressed_entry(&name) {
            true => Err(io::Error::other("packed twice; unpack the archive first")),
            false => self.entry(index),
        };
        if let Ok(entry) = &entry {
            position.before = entry.start;
        }
        let reader = entry.and_then(|entry| entry.open(&self.file, &position));
        Some(Stream::of_entry(reader.unwrap_or_else(failing), position))
    }
}

impl ListedArchive {
    fn entry(&mut self, index: usize) -> io::Result<Entry> {
        let entry = self.archive.by_index(index)?;
        Ok(Entry {
            start: entry.data_start().unwrap_or_default(),
            size: entry.compressed_size(),
            compression: compression(entry.compression())?,
            crc: entry.crc32(),
        })
    }
}

/// The entries that hold games, with their names: those named as PGN, or all entries if there are
/// none of these.
fn game_entries<R: Read + Seek>(archive: &ZipArchive<R>) -> Vec<(usize, String)> {
    let name = |index| match archive.name_for_index(index) {
        Some(Ok(name)) => name.into_owned(),
        _ => format!("entry {}", index + 1),
    };
    let mut entries: Vec<(usize, String)> =
        (0..archive.len()).map(|index| (index, name(index))).collect();
    entries.retain(|(_, name)| !name.ends_with('/') && !is_litter(name));
    let is_named = |name: &str| is_pgn_entry(name) || is_compressed_entry(name);
    if entries.iter().any(|(_, name)| is_named(name)) {
        entries.retain(|(_, name)| is_named(name));
    }
    entries
}

/// An archive without its directory.
struct DamagedArchive {
    file: Arc<dyn ReadAt>,
    size: u64,
    /// Where the next entry begins.
    at: u64,
    position: StreamPosition,
    /// Why there is no directory. It is given after the last entry.
    error: Option<io::Error>,
    /// Whether an entry could not be read to its end. Then nothing follows it.
    is_broken: Rc<Cell<bool>>,
}

impl Iterator for DamagedArchive {
    type Item = Stream<'static>;

    fn next(&mut self) -> Option<Stream<'static>> {
        if self.is_broken.get() {
            return None;
        }
        let Some((name, entry)) = self.find_entry() else {
            let mut position = entry_position(&self.position, "");
            position.name.clone_from(&self.position.name);
            position.before = self.at.min(self.size);
            return Some(Stream::of_entry(failing(self.error.take()?), position));
        };
        let mut position = entry_position(&self.position, &name);
        position.before = entry.start;
        let entry = entry.open(&self.file, &position).unwrap_or_else(failing);
        let is_broken = Rc::clone(&self.is_broken);
        let reader =
            Watched::new(entry, move |_, result| result.inspect_err(|_| is_broken.set(true)));
        Some(Stream::of_entry(Box::new(reader), position))
    }
}

impl DamagedArchive {
    /// Finds the next entry that holds games.
    fn find_entry(&mut self) -> Option<(String, Entry)> {
        loop {
            let (name, entry) = self.entry()?;
            self.at = entry.start.checked_add(entry.size)?;
            if is_pgn_entry(&name) {
                return Some((name, entry));
            }
        }
    }

    /// The entry that begins at the cursor.
    fn entry(&self) -> Option<(String, Entry)> {
        let mut section = Section::new(&self.file, self.at, u64::MAX, usize::MAX);
        let mut header = [0; HEADER_LENGTH];
        read_there(&*self.file, &mut header, self.at)
            .ok()
            .filter(|read| read.len() == HEADER_LENGTH)?;
        let length = |at| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let start =
            self.at + HEADER_LENGTH as u64 + length(NAME_LENGTH_AT) + length(EXTRA_LENGTH_AT);
        let entry = read_zipfile_from_stream(&mut section).ok()??;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let (size, crc) = (entry.compressed_size(), entry.crc32());
        let compression = compression(entry.compression()).ok()?;
        Some((name, Entry { start, size, compression, crc }))
    }
}

fn entry_position(archive: &StreamPosition, name: &str) -> StreamPosition {
    let starts_at = archive.counter.load(Ordering::Relaxed);
    StreamPosition { name: format!("{}/{name}", archive.name), starts_at, ..archive.clone() }
}
