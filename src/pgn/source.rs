//! Where PGN comes from: files, folders, standard input; plain or compressed.
//!
//! Compression is told by the first bytes, not by the name. A stream that is broken gives what it
//! holds up to the damage, and then a [`SourceError`] says where that was.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use walkdir::WalkDir;
use zip::ZipArchive;

use super::Packing;

const BUFFER_SIZE: usize = 128 * 1024;

/// One file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, `-` on a command line.
    Stdin,
}

/// An input could not be found, opened, or read to its end.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {fault}")]
pub struct SourceError {
    name: String,
    fault: SourceFault,
}

/// What is wrong with an input.
#[derive(Debug, thiserror::Error)]
pub enum SourceFault {
    /// It is not there, or may not be read.
    #[error("{0}")]
    Open(io::Error),
    /// A folder without games.
    #[error("no *.pgn, *.pgn.gz, *.pgn.bz2, *.pgn.xz, *.pgn.zst or *.zip file in this folder")]
    EmptyFolder,
    /// A format that is not read.
    #[error("{0}")]
    Unsupported(&'static str),
    /// The data end too early or are damaged. The offset counts bytes of the file as it is stored,
    /// compressed if it is.
    #[error("cannot be read beyond byte {offset}: {error}; the games before that are done")]
    Broken {
        /// How many bytes of the file were good.
        offset: u64,
        /// What the decoder or the operating system says.
        error: io::Error,
    },
    /// There are bytes in it, but no game.
    #[error("no game in it; is it a PGN file?")]
    NoGame,
}

impl SourceError {
    /// An error about the input of that name.
    #[must_use]
    pub fn new(name: impl Into<String>, fault: SourceFault) -> Self {
        Self { name: name.into(), fault }
    }

    /// What is wrong.
    #[must_use]
    pub fn fault(&self) -> &SourceFault {
        &self.fault
    }
}

/// A stream of PGN bytes: a file, or one file of a zip archive.
pub struct Stream<'a> {
    /// The unpacked bytes.
    pub reader: Box<dyn Read + 'a>,
    /// Its name, and how far it was read.
    pub place: StreamPlace,
    /// How the file is compressed; `None` if it is a file of an archive.
    pub packing: Option<Packing>,
}

/// Where a stream stands in its input.
#[derive(Debug, Clone)]
pub struct StreamPlace {
    name: String,
    position: Arc<AtomicU64>,
    /// What the position was when the stream was opened.
    starts_at: u64,
    /// How many bytes of the file come before the stream.
    before: u64,
}

impl StreamPlace {
    /// The path as it was given, `-`, or `archive.zip/games.pgn`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error that a read from the stream ended in, with its place in the file.
    #[must_use]
    pub fn broken(&self, error: io::Error) -> SourceError {
        let read = self.position.load(Ordering::Relaxed).saturating_sub(self.starts_at);
        let offset = self.before + read;
        SourceError::new(&self.name, SourceFault::Broken { offset, error })
    }
}

/// Turns what a user named into sources: folders into the PGN files below them, in the order of
/// their names. What cannot be listed comes back as errors.
#[must_use]
pub fn find_sources(inputs: &[PathBuf]) -> (Vec<Source>, Vec<SourceError>) {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for input in inputs {
        if input.as_os_str() == "-" {
            sources.push(Source::Stdin);
        } else if input.is_dir() {
            find_in_folder(input, &mut sources, &mut errors);
        } else {
            sources.push(Source::File(input.clone()));
        }
    }
    (sources, errors)
}

fn find_in_folder(folder: &Path, sources: &mut Vec<Source>, errors: &mut Vec<SourceError>) {
    let before = sources.len() + errors.len();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_pgn_name(entry.path()) => {
                sources.push(Source::File(entry.into_path()));
            }
            Ok(_) => {}
            // A link to nowhere, of a name that would not have been looked at anyway.
            Err(error)
                if error.path().is_some_and(|path| path.is_symlink() && !is_pgn_name(path)) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).display().to_string();
                errors.push(SourceError::new(path, SourceFault::Open(error.into())));
            }
        }
    }
    if sources.len() + errors.len() == before {
        errors.push(SourceError::new(folder.display().to_string(), SourceFault::EmptyFolder));
    }
}

fn is_pgn_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_packed = [".gz", ".bz2", ".xz", ".zst"]
        .iter()
        .any(|end| name.strip_suffix(end).is_some_and(|plain| plain.ends_with(".pgn")));
    is_packed || name.ends_with(".pgn") || name.ends_with(".zip")
}

impl Source {
    /// The name by which reports and errors call it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "-".to_owned(),
        }
    }

    /// Its size in bytes as it is stored, if that is known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::File(path) => {
                std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|m| m.len())
            }
            Self::Stdin => None,
        }
    }

    /// Opens the source and hands each stream in it to `visit`; all but zip archives have one.
    /// `visit` may end the visit early. `position` grows by the bytes read from storage.
    ///
    /// # Errors
    ///
    /// If the source cannot be opened, or is of a format that is not read. An error while a stream
    /// is read is the visitor's to report, by [`StreamPlace::broken`].
    pub fn each_stream(
        &self,
        position: &Arc<AtomicU64>,
        visit: &mut dyn FnMut(Stream<'_>) -> ControlFlow<()>,
    ) -> Result<(), SourceError> {
        let fail = |error| SourceError::new(self.name(), SourceFault::Open(error));
        let mut place = StreamPlace {
            name: self.name(),
            position: Arc::clone(position),
            starts_at: position.load(Ordering::Relaxed),
            before: 0,
        };
        let raw: Box<dyn Read> = match self {
            Self::File(path) => Box::new(File::open(path).map_err(fail)?),
            Self::Stdin => Box::new(io::stdin()),
        };
        let mut input = Counted::new(raw, position);
        let magic = peek(&mut input).map_err(fail)?;
        if let Some(what) = unsupported(&magic) {
            return Err(SourceError::new(self.name(), SourceFault::Unsupported(what)));
        }
        if !magic.starts_with(b"PK\x03\x04") {
            let packing = Packing::of_magic(&magic);
            let mut reader = Careful::new(packing.decoder(input).map_err(fail)?, packing);
            if let (Self::File(path), true) = (self, self.size().is_some()) {
                let (path, position, start) = (path.clone(), Arc::clone(position), place.starts_at);
                reader.step = usize::MAX;
                reader.reopen = Some(Box::new(move || {
                    position.store(start, Ordering::Relaxed);
                    packing.decoder(Counted::new(Box::new(File::open(path)?), &position))
                }));
            }
            let _ = visit(Stream { reader: Box::new(reader), place, packing: Some(packing) });
            return Ok(());
        }
        let file = match self {
            Self::File(path) if self.size().is_some() => File::open(path).map_err(fail)?,
            Self::File(_) | Self::Stdin => {
                let file = spooled(input).map_err(fail)?;
                // The bytes were counted on their way into the file.
                (place.position, place.starts_at) = (Arc::default(), 0);
                file
            }
        };
        visit_zip(file, &place, visit).map_err(fail)
    }
}

fn visit_zip(
    mut file: File,
    place: &StreamPlace,
    visit: &mut dyn FnMut(Stream<'_>) -> ControlFlow<()>,
) -> io::Result<()> {
    let counted = SeekCounted { file: file.try_clone()?, position: Arc::clone(&place.position) };
    match ZipArchive::new(BufReader::with_capacity(BUFFER_SIZE, counted)) {
        Ok(mut archive) => visit_entries(&mut archive, place, visit),
        Err(error) => {
            // Without its directory, which is at the end, an archive can still be read in order.
            file.rewind()?;
            place.position.store(place.starts_at, Ordering::Relaxed);
            let counted = SeekCounted { file, position: Arc::clone(&place.position) };
            visit_in_order(counted, error.into(), place, visit);
        }
    }
    Ok(())
}

fn visit_in_order(
    mut archive: SeekCounted,
    error: io::Error,
    place: &StreamPlace,
    visit: &mut dyn FnMut(Stream<'_>) -> ControlFlow<()>,
) {
    let mut is_broken = false;
    while let Ok(Some(mut entry)) = zip::read::read_zipfile_from_stream(&mut archive) {
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let place = StreamPlace { name: format!("{}/{name}", place.name), ..place.clone() };
        let reader = Noted { reader: &mut entry, is_broken: &mut is_broken };
        let step = if is_games(&name) {
            visit(Stream { reader: Box::new(reader), place, packing: None })
        } else {
            ControlFlow::Continue(())
        };
        if step.is_break() || is_broken {
            // The rest of a broken entry cannot be skipped.
            std::mem::forget(entry);
            return;
        }
    }
    let _ = visit(Stream { reader: failing(error), place: place.clone(), packing: None });
}

fn visit_entries(
    archive: &mut ZipArchive<CountedFile>,
    place: &StreamPlace,
    visit: &mut dyn FnMut(Stream<'_>) -> ControlFlow<()>,
) {
    for (index, name) in game_entries(archive) {
        let starts_at = place.position.load(Ordering::Relaxed);
        let mut place =
            StreamPlace { name: format!("{}/{name}", place.name), starts_at, ..place.clone() };
        let reader: Box<dyn Read> = match archive.by_index(index) {
            Ok(_) if is_packed_games(&name) => {
                failing(io::Error::other("packed twice; unpack the archive first"))
            }
            Ok(entry) => {
                place.before = entry.data_start().unwrap_or_default();
                Box::new(entry)
            }
            Err(error) => failing(error.into()),
        };
        if visit(Stream { reader, place, packing: None }).is_break() {
            break;
        }
    }
}

fn failing(error: io::Error) -> Box<dyn Read> {
    Box::new(FailingRead(Some(error)))
}

/// Whether a file in an archive is PGN by its name, and not what a Mac adds to it.
fn is_games(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.to_lowercase().ends_with(".pgn") && !is_litter(name)
}

fn is_packed_games(name: &str) -> bool {
    is_pgn_name(Path::new(name)) && !is_games(name)
}

fn is_litter(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX/") || file.starts_with("._")
}

/// A reader that notes whether it came to an error.
struct Noted<'n, R> {
    reader: R,
    is_broken: &'n mut bool,
}

impl<R: Read> Read for Noted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.reader.read(buffer);
        *self.is_broken |= result.is_err();
        result
    }
}

/// The first bytes of the input, without taking them.
fn peek(input: &mut Counted) -> io::Result<Vec<u8>> {
    const MAGIC_LENGTH: u64 = 6;
    let mut magic = Vec::new();
    (&mut *input).take(MAGIC_LENGTH).read_to_end(&mut magic)?;
    input.unread(&magic);
    Ok(magic)
}

fn unsupported(magic: &[u8]) -> Option<&'static str> {
    [
        (&b"7z\xbc\xaf\x27\x1c"[..], "7-Zip archives are not read; unpack it first"),
        (b"Rar!", "RAR archives are not read; unpack it first"),
        (b"\xff\xfe", "UTF-16 text is not read; save it as UTF-8"),
        (b"\xfe\xff", "UTF-16 text is not read; save it as UTF-8"),
        (b"SQLite", "this is an SQLite file; name a position database with --db"),
    ]
    .iter()
    .find_map(|(start, what)| magic.starts_with(start).then_some(*what))
}

type Reopen = Box<dyn FnOnce() -> io::Result<Box<dyn Read>>>;

/// A decoder that gives every byte before the damage.
///
/// Decoders drop what they had unpacked in the call in which they find the stream broken. So a
/// broken file is unpacked a second time, and from where the first time ended byte by byte. What
/// cannot be opened again is unpacked in small steps from the beginning, to lose no more than one.
struct Careful {
    reader: Box<dyn Read>,
    delivered: u64,
    reopen: Option<Reopen>,
    /// So much is asked for at once.
    step: usize,
}

/// A step of what cannot be opened again.
const SMALL_STEP: usize = 4 * 1024;

impl Careful {
    fn new(reader: Box<dyn Read>, packing: Packing) -> Self {
        let step = if packing == Packing::Plain { usize::MAX } else { SMALL_STEP };
        Self { reader, delivered: 0, reopen: None, step }
    }

    fn begin_again(&mut self, reopen: Reopen) -> io::Result<()> {
        self.reader = reopen()?;
        self.step = 1;
        io::copy(&mut (&mut self.reader).take(self.delivered), &mut io::sink()).map(drop)
    }
}

impl Read for Careful {
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
                    self.begin_again(reopen)?;
                    self.read(buffer)
                }
                None => Err(error),
            },
        }
    }
}

/// The entries that hold games, with their names: those named as PGN; if there are none, all
/// files.
fn game_entries(archive: &ZipArchive<CountedFile>) -> Vec<(usize, String)> {
    let name = |index| match archive.name_for_index(index) {
        Some(Ok(name)) => name.into_owned(),
        _ => format!("entry {}", index + 1),
    };
    let mut entries: Vec<(usize, String)> =
        (0..archive.len()).map(|index| (index, name(index))).collect();
    entries.retain(|(_, name)| !name.ends_with('/') && !is_litter(name));
    let is_named = |name: &str| is_games(name) || is_packed_games(name);
    if entries.iter().any(|(_, name)| is_named(name)) {
        entries.retain(|(_, name)| is_named(name));
    }
    entries
}

/// Standard input in a nameless temporary file, because a zip archive is read from its end.
fn spooled(mut input: Counted) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// A buffered input that counts what is taken out of the buffer.
struct Counted {
    unread: Cursor<Vec<u8>>,
    reader: BufReader<Box<dyn Read>>,
    position: Arc<AtomicU64>,
}

impl Counted {
    fn new(raw: Box<dyn Read>, position: &Arc<AtomicU64>) -> Self {
        Self {
            unread: Cursor::default(),
            reader: BufReader::with_capacity(BUFFER_SIZE, raw),
            position: Arc::clone(position),
        }
    }

    fn unread(&mut self, bytes: &[u8]) {
        self.unread = Cursor::new(bytes.to_vec());
        self.position.fetch_sub(bytes.len() as u64, Ordering::Relaxed);
    }

    fn has_unread(&self) -> bool {
        self.unread.position() < self.unread.get_ref().len() as u64
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count =
            if self.has_unread() { self.unread.read(buffer)? } else { self.reader.read(buffer)? };
        self.position.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.has_unread() { self.unread.fill_buf() } else { self.reader.fill_buf() }
    }

    fn consume(&mut self, count: usize) {
        if self.has_unread() {
            self.unread.consume(count);
        } else {
            self.reader.consume(count);
        }
        self.position.fetch_add(count as u64, Ordering::Relaxed);
    }
}

type CountedFile = BufReader<SeekCounted>;

/// A file that counts what is read from it, for archives, which need to seek.
struct SeekCounted {
    file: File,
    position: Arc<AtomicU64>,
}

impl Read for SeekCounted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.position.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for SeekCounted {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A stream that could not be opened, told when it is read.
struct FailingRead(Option<io::Error>);

impl Read for FailingRead {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
