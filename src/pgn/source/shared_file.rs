//! Files that can be read at offsets: as a stream, or by the threads that work on their chunks.

use std::io::{self, Read};
use std::{fs::File, path::Path, sync::Arc};

use super::readers::{ReadAt, RecoveringReader, StreamPosition, packed_section};
use crate::pgn::compression::Compression;
use crate::pgn::{
    codecs::decode,
    frames::{Found, find_group},
};

/// A file that several readers can have, each at its own offsets; its bytes as they are stored.
#[derive(Clone)]
pub(in crate::pgn) struct SharedFile {
    pub(in crate::pgn) file: Arc<dyn ReadAt>,
    /// The number of bytes that it had when it was opened.
    pub(in crate::pgn) size: u64,
    pub(in crate::pgn) compression: Compression,
    pub(in crate::pgn) position: StreamPosition,
}

impl SharedFile {
    /// Opens the file. `None` if it has no size, as those that the system makes up, or cannot be
    /// read at offsets.
    pub(super) fn at(
        path: &Path,
        compression: Compression,
        position: &StreamPosition,
    ) -> Option<Self> {
        let file = File::open(path).ok()?;
        let size = file.metadata().ok()?.len();
        let has_bytes = size > 0 && file.read_at(&mut [0], 0).ok()? > 0;
        let (file, position) = (Arc::new(file), position.clone());
        has_bytes.then_some(Self { file, size, compression, position })
    }

    /// Whether several threads can read it: it is plain, or has several frames that can be told
    /// apart. Nothing is unpacked for that.
    pub(super) fn has_chunks(&self) -> bool {
        let is_framed = || match find_group(&*self.file, self.compression, 0) {
            Ok(Found::Frames { end }) => self.file.read_at(&mut [0], end).is_ok_and(|n| n > 0),
            _ => false,
        };
        self.compression == Compression::Plain || is_framed()
    }

    /// Reads from `start` to `end`, where frames begin if there are any, as a stream; except for
    /// the first bytes of what is unpacked.
    pub(in crate::pgn) fn open(
        &self,
        start: u64,
        end: u64,
        skipped: u64,
    ) -> io::Result<Box<dyn Read>> {
        let bytes = self.clone();
        let open = move || {
            bytes.position.set(start.saturating_sub(bytes.position.before));
            let input = packed_section(&bytes.file, start, end, &bytes.position.counter);
            decode(bytes.compression, input)
        };
        let mut reader = RecoveringReader::reopening(open()?, Box::new(open));
        io::copy(&mut (&mut reader).take(skipped), &mut io::sink())?;
        Ok(Box::new(reader))
    }
}
