//! Files that the threads that work on their chunks read themselves.

use std::{fs::File, path::Path, sync::Arc};

#[cfg(feature = "codecs")]
use super::framed_file::FramedFile;
use super::{position::StreamPosition, read_at::ReadAt};
use crate::pgn::compression::Compression;

/// A file that several threads read, each at its own offsets.
pub(in crate::pgn) enum SharedFile {
    Plain(PlainFile),
    #[cfg(feature = "codecs")]
    Framed(FramedFile),
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
            #[cfg(feature = "codecs")]
            _ => FramedFile::detect(path, compression, position).map(Self::Framed),
            #[cfg(not(feature = "codecs"))]
            _ => None,
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
