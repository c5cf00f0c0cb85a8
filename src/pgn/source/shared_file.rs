//! Files that the threads that work on their chunks read themselves.

use std::io::{self, Read};
use std::{fs::File, path::Path, sync::Arc};

use super::readers::{ReadAt, RecoveringReader, StreamPosition, packed_section};
use crate::pgn::compression::Compression;
use crate::pgn::{
    codecs::decode,
    frames::{Found, find_group},
};

/// A file that several threads read, each at its own offsets.
pub(in crate::pgn) enum SharedFile {
    Plain(PlainFile),
    /// Compressed, in several frames that can be told apart.
    Framed(PackedBytes),
}

impl SharedFile {
    /// The file, unless only one thread can read it. Nothing is unpacked for that.
    pub(super) fn detect(
        path: &Path,
        compression: Compression,
        position: &StreamPosition,
    ) -> Option<Self> {
        match compression {
            Compression::Plain => PlainFile::open(path, position).map(Self::Plain),
            _ => PackedBytes::framed(path, compression, position).map(Self::Framed),
        }
    }
}

/// A plain file of known size.
pub(in crate::pgn) struct PlainFile {
    pub(in crate::pgn) file: Arc<dyn ReadAt>,
    /// The number of bytes that it had when it was opened.
    pub(in crate::pgn) size: u64,
    pub(in crate::pgn) position: StreamPosition,
}

impl PlainFile {
    /// Opens the file. `None` if it has no size, as those that the system makes up, or cannot be
    /// read at offsets.
    fn open(path: &Path, position: &StreamPosition) -> Option<Self> {
        let file = File::open(path).ok()?;
        let size = file.metadata().ok()?.len();
        let has_bytes = size > 0 && file.read_at(&mut [0], 0).ok()? > 0;
        let position = position.clone();
        has_bytes.then(|| Self { file: Arc::new(file), size, position })
    }
}

/// The bytes of a file as they are stored.
#[derive(Clone)]
pub(in crate::pgn) struct PackedBytes {
    pub(in crate::pgn) file: Arc<dyn ReadAt>,
    pub(in crate::pgn) compression: Compression,
    pub(in crate::pgn) position: StreamPosition,
}

impl PackedBytes {
    /// Those of a file that has several frames that can be told apart. Nothing is unpacked for
    /// that.
    fn framed(path: &Path, compression: Compression, position: &StreamPosition) -> Option<Self> {
        let file: Arc<dyn ReadAt> = Arc::new(File::open(path).ok()?);
        let Ok(Found::Frames { end }) = find_group(&*file, compression, 0) else { return None };
        let has_more = file.read_at(&mut [0], end).ok()? > 0;
        has_more.then(|| Self { file, compression, position: position.clone() })
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
