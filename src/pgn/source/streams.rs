//! Opening a source, and the streams in it.

use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::{fs::File, iter, sync::Arc, sync::atomic::AtomicU64};

#[cfg(feature = "codecs")]
use super::archive::open_archive;
use super::readers::{BUFFER_SIZE, Counted, ReadAt, RecoveringReader, Section, StreamPosition};
use super::{Part, Source, SourceError, SourceFault, shared_file::SharedFile, stream::Stream};
use crate::pgn::codecs::decode;
use crate::pgn::compression::{Compression, MAGIC_LENGTH, is_zip};
use crate::pgn::parts;

/// The streams of a source, one after the other. A zip archive may have any number of them, any
/// other source has one.
pub struct Streams(Box<dyn Iterator<Item = Stream<'static>>>);

impl Streams {
    /// The streams of an input that is not a file: bytes in memory, an object in a cloud. `name`
    /// stands for it in errors, `counter` grows by the number of bytes that are read.
    ///
    /// # Errors
    ///
    /// As for [`Source::open`].
    ///
    /// ```
    /// use eco::pgn::source::Streams;
    ///
    /// let mut streams = Streams::from_reader("games", &b"1. e4 c5 *"[..], &Default::default())?;
    /// let stream = streams.next_stream().expect("there is one");
    /// assert_eq!(std::io::read_to_string(stream.reader).unwrap(), "1. e4 c5 *");
    /// # Ok::<(), eco::pgn::source::SourceError>(())
    /// ```
    pub fn from_reader(
        name: &str,
        reader: impl Read + 'static,
        counter: &Arc<AtomicU64>,
    ) -> Result<Self, SourceError> {
        let position = StreamPosition::new(name.to_owned(), counter);
        Self::of_input(buffered(reader), position, None)
            .map_err(|fault| SourceError::new(name, fault))
    }

    /// The streams of an input, which can be opened a second time if it has a path.
    fn of_input(
        mut input: BufReader<Box<dyn Read>>,
        position: StreamPosition,
        path: Option<&Path>,
    ) -> Result<Self, SourceFault> {
        let mut magic = Vec::new();
        (&mut input).take(MAGIC_LENGTH).read_to_end(&mut magic)?;
        let is_archive = is_zip(&magic);
        let compression = Compression::of_magic(&magic);
        let counter = Arc::clone(&position.counter);
        let input = Counted::new(Cursor::new(magic).chain(input), &counter);
        if is_archive {
            return Ok(Self(open_archive(input, position, path)?));
        }
        let file = path.and_then(|path| SharedFile::at(path, compression, &position));
        let reader = match &file {
            Some(file) => file.open(0, u64::MAX, 0)?,
            None if compression == Compression::Plain => Box::new(input),
            None => Box::new(RecoveringReader::stepping(decode(compression, input)?)),
        };
        Ok(Self::of_one(Stream::new(reader, position, Some(compression))?.of_file(file)))
    }

    fn of_one(stream: Stream<'static>) -> Self {
        Self(Box::new(iter::once(stream)))
    }

    /// The games that begin in a part of a file of `size` bytes, as one stream. If the part is the
    /// whole file, it is read as [`Streams::from_reader`] does.
    ///
    /// # Errors
    ///
    /// As for [`Source::open`]; also if the file cannot be cut there, or no game can be found
    /// within 512 MiB of an end of the part.
    pub fn of_part(
        file: &Arc<dyn ReadAt>,
        size: u64,
        part: Part,
        name: &str,
        counter: &Arc<AtomicU64>,
    ) -> Result<Self, SourceError> {
        if part.offset == 0 && part.length >= size {
            let reader = Section::new(file, 0, u64::MAX, BUFFER_SIZE);
            return Self::from_reader(name, reader, counter);
        }
        parts::open_part(file, size, part, name.to_owned(), counter)
            .map(Self::of_one)
            .map_err(|fault| SourceError::new(name, fault))
    }

    /// Opens the next stream. It must be dropped before the one after it is opened.
    ///
    /// Entries of an archive that cannot be opened are streams too; their first read is the error.
    pub fn next_stream(&mut self) -> Option<Stream<'_>> {
        self.0.next()
    }
}

impl Source {
    /// Opens the source. `counter` grows by the number of bytes that are read from storage.
    ///
    /// # Errors
    ///
    /// If the source cannot be opened, or its format is not supported. An error while a stream is
    /// read is the caller's to report, by [`StreamPosition::broken`].
    ///
    /// ```no_run
    /// use std::{io::Read, sync::{Arc, atomic::AtomicU64}};
    /// use eco::pgn::source::Source;
    ///
    /// let mut streams = Source::File("games.pgn.zst".into()).open(&Arc::new(AtomicU64::new(0)))?;
    /// while let Some(mut stream) = streams.next_stream() {
    ///     let mut pgn = Vec::new();
    ///     stream.reader.read_to_end(&mut pgn).map_err(|error| stream.position.broken(error))?;
    /// }
    /// # Ok::<(), eco::pgn::source::SourceError>(())
    /// ```
    pub fn open(&self, counter: &Arc<AtomicU64>) -> Result<Streams, SourceError> {
        self.try_open(counter).map_err(|fault| SourceError::new(self.name(), fault))
    }

    fn try_open(&self, counter: &Arc<AtomicU64>) -> Result<Streams, SourceFault> {
        let (input, path) = match self {
            // What has a size can be opened a second time.
            Self::File(path) => {
                let input = buffered(File::open(path)?);
                (input, self.size().map(|_| path.as_path()))
            }
            Self::Stdin => (buffered(io::stdin()), None),
            Self::Part(path, part) => return self.open_part(path, *part, counter),
        };
        let position = StreamPosition::new(self.name(), counter);
        Streams::of_input(input, position, path)
    }

    /// Opens a part of a file; as a whole if it is that.
    fn open_part(
        &self,
        path: &Path,
        part: Part,
        counter: &Arc<AtomicU64>,
    ) -> Result<Streams, SourceFault> {
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(SourceFault::Unsupported(
                "only a regular file has parts; read it as a whole",
            ));
        }
        let size = metadata.len();
        if part.offset == 0 && part.length >= size {
            return Self::File(path.to_owned()).try_open(counter);
        }
        let file: Arc<dyn ReadAt> = Arc::new(File::open(path)?);
        parts::open_part(&file, size, part, self.name(), counter).map(Streams::of_one)
    }
}

#[cfg(not(feature = "codecs"))]
fn open_archive(
    _: impl Read,
    _: StreamPosition,
    _: Option<&Path>,
) -> io::Result<Box<dyn Iterator<Item = Stream<'static>>>> {
    Err(crate::pgn::codecs::without_codecs("zip archives"))
}

fn buffered(input: impl Read + 'static) -> BufReader<Box<dyn Read>> {
    BufReader::with_capacity(BUFFER_SIZE, Box::new(input))
}
