//! Zip archives: a stream for each entry that holds games.
//!
//! An archive is read by the directory at its end. If that is missing, because the archive was cut
//! off, its entries are read in order, and an error follows them.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    sync::atomic::Ordering,
    vec,
};

use zip::{ZipArchive, read::read_zipfile_from_stream};

use super::{
    counted::Counted,
    file_name::{is_compressed_entry, is_litter, is_pgn_entry},
    stream::{Stream, StreamPosition},
};

const BUFFER_SIZE: usize = 128 * 1024;

/// An archive whose streams are still to be read.
pub(super) enum Archive {
    Listed(ListedArchive),
    Damaged(DamagedArchive),
}

impl Archive {
    /// Opens the archive in `file`.
    pub(super) fn open(file: File, position: StreamPosition) -> io::Result<Self> {
        let counted = Counted::new(file.try_clone()?, &position.counter);
        match ZipArchive::new(BufReader::with_capacity(BUFFER_SIZE, counted)) {
            Ok(archive) => {
                let entries = game_entries(&archive).into_iter();
                Ok(Self::Listed(ListedArchive { archive, entries, position }))
            }
            Err(error) => {
                // What the directory was looked for in does not count.
                Ok(Self::Damaged(DamagedArchive::new(file, position, error.into())?))
            }
        }
    }

    pub(super) fn next_stream(&mut self) -> Option<Stream<'_>> {
        match self {
            Self::Listed(archive) => archive.next_stream(),
            Self::Damaged(archive) => archive.next_stream(),
        }
    }
}

/// An archive with its directory.
pub(super) struct ListedArchive {
    archive: ZipArchive<BufReader<Counted<File>>>,
    /// The number and the name of each entry that is still to be read.
    entries: vec::IntoIter<(usize, String)>,
    position: StreamPosition,
}

impl ListedArchive {
    fn next_stream(&mut self) -> Option<Stream<'_>> {
        let (index, name) = self.entries.next()?;
        let mut position = entry_position(&self.position, &name);
        position.starts_at = position.counter.load(Ordering::Relaxed);
        let reader = match self.archive.by_index(index) {
            Ok(_) if is_compressed_entry(&name) => {
                failing(io::Error::other("packed twice; unpack the archive first"))
            }
            Ok(entry) => {
                position.before = entry.data_start().unwrap_or_default();
                Box::new(entry)
            }
            Err(error) => failing(error.into()),
        };
        Some(Stream { reader, position, compression: None })
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
pub(super) struct DamagedArchive {
    /// Finds the entries.
    file: File,
    /// The same file, with the same cursor, counted: reads the entries.
    counted: Counted<File>,
    position: StreamPosition,
    /// Why there is no directory. It is given after the last entry.
    error: Option<io::Error>,
    /// Whether an entry could not be read to its end. Then nothing follows it.
    is_broken: bool,
}

impl DamagedArchive {
    fn new(mut file: File, position: StreamPosition, error: io::Error) -> io::Result<Self> {
        file.rewind()?;
        let counted = Counted::new(file.try_clone()?, &position.counter);
        Ok(Self { file, counted, position, error: Some(error), is_broken: false })
    }

    fn next_stream(&mut self) -> Option<Stream<'_>> {
        if self.is_broken {
            return None;
        }
        let name = self.find_entry();
        self.count_up_to_cursor();
        let entry = name.and_then(|name| {
            let entry = read_zipfile_from_stream(&mut self.counted).ok()??;
            Some((entry, entry_position(&self.position, &name)))
        });
        let Some((entry, position)) = entry else {
            let (reader, position) = (failing(self.error.take()?), self.position.clone());
            return Some(Stream { reader, position, compression: None });
        };
        let reader = Box::new(EntryReader { entry, is_broken: &mut self.is_broken });
        Some(Stream { reader, position, compression: None })
    }

    /// Moves the cursor to the next entry that holds games, and returns its name.
    fn find_entry(&mut self) -> Option<String> {
        loop {
            let at = self.file.stream_position().ok()?;
            let entry = read_zipfile_from_stream(&mut self.file).ok()??;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            // This skips the entry.
            drop(entry);
            if is_pgn_entry(&name) {
                self.file.seek(SeekFrom::Start(at)).ok()?;
                return Some(name);
            }
        }
    }

    fn count_up_to_cursor(&mut self) {
        let at = self.file.stream_position().unwrap_or_default();
        self.position.counter.store(self.position.starts_at + at, Ordering::Relaxed);
    }
}

/// An entry of a damaged archive.
struct EntryReader<'a, R> {
    entry: R,
    is_broken: &'a mut bool,
}

impl<R: Read> Read for EntryReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.entry.read(buffer);
        *self.is_broken |= result.is_err();
        result
    }
}

fn entry_position(archive: &StreamPosition, name: &str) -> StreamPosition {
    StreamPosition { name: format!("{}/{name}", archive.name), ..archive.clone() }
}

/// The reader of a stream that could not be opened: an error, and then nothing.
struct FailingReader(Option<io::Error>);

impl Read for FailingReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn failing(error: io::Error) -> Box<dyn Read> {
    Box::new(FailingReader(Some(error)))
}
