//! A stream of PGN bytes.

use std::io::Read;

#[cfg(feature = "codecs")]
use super::framed_file::FramedFile;
use super::{
    line_ends::{LineEnds, with_line_feeds},
    position::StreamPosition,
};
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
    /// The file, if its frames can be unpacked side by side.
    #[cfg(feature = "codecs")]
    framed: Option<FramedFile>,
    /// The offset of its first byte.
    offset: u64,
}

impl<'a> Stream<'a> {
    pub(in crate::pgn) fn new(
        reader: Box<dyn Read + 'a>,
        position: StreamPosition,
        compression: Option<Compression>,
    ) -> Self {
        let (reader, line_ends) = with_line_feeds(reader);
        Self {
            reader,
            position,
            compression,
            line_ends,
            #[cfg(feature = "codecs")]
            framed: None,
            offset: 0,
        }
    }

    /// A part of a file whose lines end with a line feed, from this offset on.
    #[cfg(feature = "codecs")]
    pub(in crate::pgn) fn of_part(
        reader: Box<dyn Read + 'a>,
        position: StreamPosition,
        compression: Compression,
        offset: u64,
    ) -> Self {
        let line_ends = LineEnds::LineFeed;
        Self { reader, position, compression: Some(compression), line_ends, framed: None, offset }
    }

    /// The same, with its frames unpacked side by side.
    #[cfg(feature = "codecs")]
    pub(super) fn framed(self, framed: Option<FramedFile>) -> Self {
        // Line ends are exchanged in a stream only.
        let framed = framed.filter(|_| self.line_ends == LineEnds::LineFeed);
        Self { framed, ..self }
    }

    /// The chunks of the stream, of which nothing has been read, in the buffers of earlier streams;
    /// and its position. Frames of a file that can be told apart are unpacked by the threads that
    /// work on the chunks.
    #[must_use]
    pub fn into_chunks(
        self,
        options: BlockOptions,
        buffers: &Buffers,
    ) -> (Chunks<Box<dyn Read + 'a>>, StreamPosition) {
        #[cfg(feature = "codecs")]
        if let Some(framed) = self.framed {
            return (Chunks::of_frames(framed, options, buffers), self.position);
        }
        let chunks = Chunks::in_buffers(self.reader, options, buffers).starting_at(self.offset);
        (chunks, self.position)
    }
}
