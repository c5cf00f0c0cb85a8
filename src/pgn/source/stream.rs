//! A stream of PGN bytes.

use std::io::{self, Read};

use super::beginning::{LineEnds, with_line_feeds};
use super::readers::{StreamPosition, failing};
use super::{SourceFault, shared_file::SharedFile};
use crate::pgn::{BlockOptions, Buffers, Chunks, Compression};

/// A stream of PGN bytes: a file, or one entry of a zip archive.
#[non_exhaustive]
pub struct Stream<'a> {
    /// The decompressed bytes.
    pub reader: Box<dyn Read + 'a>,
    /// Its name, and how far it was read.
    pub position: StreamPosition,
    /// How the file is compressed; `None` for an entry of an archive.
    pub compression: Option<Compression>,
    /// How its lines end.
    pub line_ends: LineEnds,
    /// The file, if several threads can read it.
    file: Option<SharedFile>,
    /// The number of bytes of a plain file that count as read although the reader still gives them.
    peeked: u64,
    /// The offset of its first byte.
    offset: u64,
}

impl<'a> Stream<'a> {
    /// # Errors
    ///
    /// If the bytes are not PGN.
    pub(in crate::pgn) fn new(
        reader: Box<dyn Read + 'a>,
        position: StreamPosition,
        compression: Option<Compression>,
    ) -> Result<Self, SourceFault> {
        Ok(Self::begun(with_line_feeds(reader)?, position, compression))
    }

    /// A stream of which this number of bytes was looked at.
    fn begun(
        (reader, line_ends, peeked): (Box<dyn Read + 'a>, LineEnds, u64),
        position: StreamPosition,
        compression: Option<Compression>,
    ) -> Self {
        Self { reader, position, compression, line_ends, file: None, peeked, offset: 0 }
    }

    /// An entry of an archive; its first read is an error if it is not PGN.
    pub(super) fn of_entry(reader: Box<dyn Read>, position: StreamPosition) -> Stream<'static> {
        let refused = |fault| (failing(io::Error::other(fault)), LineEnds::LineFeed, 0);
        Stream::begun(with_line_feeds(reader).unwrap_or_else(refused), position, None)
    }

    /// A part of a file whose lines end with a line feed, from this offset on.
    pub(in crate::pgn) fn of_part(
        reader: Box<dyn Read + 'a>,
        position: StreamPosition,
        compression: Compression,
        offset: u64,
    ) -> Self {
        let begun = (reader, LineEnds::LineFeed, 0);
        Self { offset, ..Self::begun(begun, position, Some(compression)) }
    }

    /// The stream as a file that several threads read, if they can.
    pub(super) fn of_file(self, file: Option<SharedFile>) -> Self {
        // Line ends are exchanged in a stream only.
        let file = file.filter(|file| self.line_ends == LineEnds::LineFeed && file.has_chunks());
        Self { file, ..self }
    }

    /// The chunks of the stream, from its first byte, in the buffers of earlier streams; and its
    /// position. Nothing may have been read from `reader`, and to replace it is in vain: a file
    /// that several threads can read is read without it. The threads that work on its chunks read
    /// them, if it is plain, or unpack its frames, if they can be told apart.
    pub fn into_chunks(
        self,
        options: BlockOptions,
        buffers: &Buffers,
    ) -> (Chunks<Box<dyn Read + 'a>>, StreamPosition) {
        let chunks = match self.file {
            Some(file) => Chunks::of_file(file, self.peeked, options, buffers),
            None => Chunks::in_buffers(self.reader, options, buffers).starting_at(self.offset),
        };
        (chunks, self.position)
    }
}
