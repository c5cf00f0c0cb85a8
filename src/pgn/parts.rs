//! Parts of a file, for other machines: each is read on its own, and the games that begin in the
//! parts are the games of the file, once each.
//!
//! A part is a range of the bytes of a file. Plain PGN may be cut at any byte; a compressed file
//! only where one of its frames begins. Where the cuts fall among the games does not matter: a part
//! begins with the first game whose start does not depend on what is before the part (see
//! `split/resume.rs`), and ends where the next part would begin. So the reader of a part reads a
//! little beyond its end, and needs to know nothing of the other parts.
//!
//! [`split`] cuts a file without unpacking it.
//! [`Source::Part`](super::source::Source::Part) reads a part of a local file,
//! [`Streams::of_part`](super::source::Streams::of_part) one of anything that can be read at
//! offsets.

use std::{io, io::Read, sync::Arc, sync::atomic::AtomicU64};

use super::compression::{Compression, MAGIC_LENGTH, is_zip};
pub use super::frames::Listing;
use super::frames::{Found, find_frame, is_cut};
use super::source::readers::{ReadAt, StreamPosition, read_there};
use super::source::stream::Stream;
use super::source::{Part, SourceFault, beginning::check_beginning, shared_file::SharedFile};
use super::split::{More, RESUME_WINDOW, Resume, find_resume};

/// The number of bytes without a game that can be resumed at which are read before giving up.
const MAX_WINDOW: usize = 512 << 20;

/// The number of bytes that show how lines end and whether the file is PGN, as in streams.
const BEGINNING: u64 = 64 << 10;

/// The most parts of a plain file. A list of more would be longer than what is in them.
const MAX_PARTS: u64 = 100_000;

/// The shortest parts of a plain file, in bytes. Hardly a game is shorter.
const MIN_PART: u64 = 64;

/// How large parts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartSize {
    /// This number of parts, or fewer if the file cannot be cut so often: plain PGN is cut into
    /// 100,000 parts at most, of at least 64 bytes.
    Parts(u64),
    /// Parts of this number of stored bytes, or more where the file cannot be cut there. The limits
    /// of [`Parts`](Self::Parts) hold.
    Bytes(u64),
}

/// How a file is packed, and its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts {
    /// How the file is compressed.
    pub compression: Compression,
    /// The parts, in order. Together they are the file.
    pub parts: Vec<Part>,
}

/// Cuts a file of `size` bytes into parts. Of a compressed file, the frames are listed; nothing is
/// unpacked. A file that cannot be cut is one part.
///
/// # Errors
///
/// If the file cannot be read, or is plain and not PGN.
///
/// ```
/// use eco::pgn::parts::{Listing, PartSize, split};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n".repeat(10);
/// let parts = split(&pgn, pgn.len() as u64, PartSize::Parts(4), Listing::Blocks)?.parts;
/// assert_eq!(parts.iter().map(|part| part.length).sum::<u64>(), pgn.len() as u64);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn split(
    file: &dyn ReadAt,
    size: u64,
    part_size: PartSize,
    listing: Listing,
) -> io::Result<Parts> {
    let magic = magic(file)?;
    let compression = Compression::of_magic(&magic);
    let target = match part_size {
        PartSize::Parts(count) => size.div_ceil(count.max(1)),
        PartSize::Bytes(bytes) => bytes,
    };
    let target = target.max(1);
    let cuts = match compression {
        _ if is_zip(&magic) => Vec::new(),
        Compression::Plain => {
            let mut text = vec![0; BEGINNING as usize];
            check_beginning(read_there(file, &mut text, 0)?).map_err(io::Error::other)?;
            let target = target.max(size.div_ceil(MAX_PARTS)).max(MIN_PART);
            (1..size.div_ceil(target)).map(|n| n * target).collect()
        }
        _ => frame_cuts(file, compression, size, target, listing)?,
    };
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([size]);
    let parts =
        starts.zip(ends).map(|(start, end)| Part { offset: start, length: end - start }).collect();
    Ok(Parts { compression, parts })
}

fn magic(file: &dyn ReadAt) -> io::Result<Vec<u8>> {
    let mut magic = [0; MAGIC_LENGTH as usize];
    read_there(file, &mut magic, 0).map(<[u8]>::to_vec)
}

/// The starts of frames at which parts of this length are full.
fn frame_cuts(
    file: &dyn ReadAt,
    compression: Compression,
    size: u64,
    target: u64,
    listing: Listing,
) -> io::Result<Vec<u64>> {
    let mut cuts = Vec::new();
    let (mut at, mut last) = (0, 0);
    while let Found::Frames { end } = find_frame(file, compression, at, listing)? {
        at = end;
        if at - last >= target
            && at < size
            && find_frame(file, compression, at, listing)? != Found::Unknown
        {
            cuts.push(at);
            last = at;
        }
    }
    Ok(cuts)
}

/// Opens a part of a file of `size` bytes. The stream has the games that begin in the part, whole,
/// and calls itself `name`. `counter` grows by the number of bytes that are read.
///
/// # Errors
///
/// If the file cannot be read, if the part begins beyond its end, if no frame begins at the offset
/// in a compressed file, or if no game can be found within 512 MiB of an end of the part.
pub fn open_part(
    file: &Arc<dyn ReadAt>,
    size: u64,
    part: Part,
    name: String,
    counter: &Arc<AtomicU64>,
) -> Result<Stream<'static>, SourceFault> {
    let magic = magic(&**file)?;
    if is_zip(&magic) {
        return Err(SourceFault::Unsupported("a zip archive is one part; unpack it first"));
    }
    let compression = Compression::of_magic(&magic);
    let mut position = StreamPosition::new(name, counter);
    position.before = part.offset;
    if part.length == 0 {
        return Ok(Stream::of_part(Box::new(io::empty()), position, compression, part.offset));
    }
    // A copy that was cut off would seem to have no games there.
    if part.offset > 0 && read_there(&**file, &mut [0], part.offset)?.is_empty() {
        return Err(SourceFault::Open(io::Error::other(format!(
            "the file has {size} bytes, so no part begins at byte {}; is this copy whole?",
            part.offset
        ))));
    }
    let bytes = SharedFile { file: Arc::clone(file), size, compression, position };
    // The first bytes that are unpacked, as far as they can be read.
    let mut text = Vec::new();
    let _ = bytes.open(0, u64::MAX, 0)?.take(BEGINNING).read_to_end(&mut text);
    check_beginning(&text)?;
    let has_line_feeds = text.contains(&b'\n') || !text.contains(&b'\r');
    Archive { has_line_feeds, bytes }.open(part)
}

/// A file, of which parts are read.
struct Archive {
    bytes: SharedFile,
    /// Carriage returns alone end the lines of a file that has no line feed at its beginning. Such
    /// a file has one part, the first.
    has_line_feeds: bool,
}

impl Archive {
    fn open(self, part: Part) -> Result<Stream<'static>, SourceFault> {
        let (start, end) = (part.offset, part.end());
        let (first, last) = (self.skipped(start)?, self.skipped(end)?);
        let has_more = !read_there(&*self.bytes.file, &mut [0], end)?.is_empty();
        let bytes = self.bytes;
        // Nothing of that was read for the part.
        bytes.position.set(0);
        let position = bytes.position.clone();
        let compression = bytes.compression;
        let (offset, reader): (u64, Box<dyn Read>) = match (compression, first) {
            (_, None) => (0, Box::new(io::empty())),
            (Compression::Plain, Some(first)) => {
                let first = start + first;
                let last = last.map_or(u64::MAX, |last| end + last);
                (first, bytes.open(first, last.max(first), 0)?)
            }
            (_, Some(first)) => {
                let after = Later { bytes: bytes.clone(), start: end, reader: None };
                let after = after.take(if has_more { last.unwrap_or(u64::MAX) } else { 0 });
                let mut reader = bytes.open(start, end, 0)?.chain(after);
                io::copy(&mut (&mut reader).take(first), &mut io::sink())?;
                (first, Box::new(reader))
            }
        };
        match start {
            0 => Stream::new(reader, position, Some(compression)),
            _ => Ok(Stream::of_part(reader, position, compression, offset)),
        }
    }

    /// The number of unpacked bytes from `at` to the first game that begins there whatever came
    /// before; `None` if the file ends before one does.
    fn skipped(&self, at: u64) -> io::Result<Option<u64>> {
        if at == 0 {
            return Ok(Some(0));
        }
        if !self.has_line_feeds || read_there(&*self.bytes.file, &mut [0], at)?.is_empty() {
            return Ok(None);
        }
        let (file, compression) = (&*self.bytes.file, self.bytes.compression);
        if compression != Compression::Plain && !is_cut(file, compression, at)? {
            return Err(io::Error::other(format!(
                "no frame begins at byte {at}; `eco split` lists where a compressed file can be cut"
            )));
        }
        let mut reader = self.bytes.open(at, u64::MAX, 0)?;
        let (mut text, mut window) = (Vec::new(), RESUME_WINDOW);
        while window <= MAX_WINDOW {
            let missing = (window - text.len()) as u64;
            // After damage there are no more bytes.
            let is_whole = (&mut reader).take(missing).read_to_end(&mut text).is_ok();
            let more = if is_whole && text.len() == window { More::Yes } else { More::No };
            match find_resume(&text, more) {
                Resume::At(at) => return Ok(Some(at as u64)),
                Resume::Nowhere => return Ok(None),
                Resume::Undecided => window *= 4,
            }
        }
        Err(io::Error::other(format!("no game begins within 512 MiB of byte {at}; cut elsewhere")))
    }
}

/// The frames after a part. They are opened when they are needed.
struct Later {
    bytes: SharedFile,
    start: u64,
    reader: Option<Box<dyn Read>>,
}

impl Read for Later {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            closed => closed.insert(self.bytes.open(self.start, u64::MAX, 0)?),
        };
        reader.read(buffer)
    }
}

#[cfg(test)]
mod tests;
