//! A compressed file whose frames can be unpacked side by side.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
    sync::Arc,
};

use super::{
    counted::Counted,
    position::StreamPosition,
    read_at::{ReadAt, Section},
    recovering::RecoveringReader,
};
use crate::pgn::{
    codecs::decode,
    compression::Compression,
    frames::{Found, find_group},
};

const BUFFER_SIZE: usize = 128 * 1024;

/// The bytes of a file as they are stored.
#[derive(Clone)]
pub(in crate::pgn) struct PackedBytes {
    pub(in crate::pgn) file: Arc<dyn ReadAt>,
    pub(in crate::pgn) compression: Compression,
    pub(in crate::pgn) position: StreamPosition,
}

impl PackedBytes {
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
            let section = Section::new(&bytes.file, start, end, BUFFER_SIZE);
            let input = BufReader::with_capacity(BUFFER_SIZE, section);
            decode(bytes.compression, Counted::new(input, &bytes.position.counter))
        };
        let mut reader = RecoveringReader::reopening(open()?, Box::new(open));
        io::copy(&mut (&mut reader).take(skipped), &mut io::sink())?;
        Ok(Box::new(reader))
    }
}

/// A compressed file whose frames can be unpacked side by side.
pub(in crate::pgn) struct FramedFile(pub(in crate::pgn) PackedBytes);

impl FramedFile {
    /// The file, if it has several frames that can be told apart. Nothing is unpacked for that.
    pub(super) fn detect(
        path: &Path,
        compression: Compression,
        position: &StreamPosition,
    ) -> Option<Self> {
        let file: Arc<dyn ReadAt> = Arc::new(File::open(path).ok()?);
        let Ok(Found::Frames { end }) = find_group(&*file, compression, 0) else { return None };
        let has_more = file.read_at(&mut [0], end).ok()? > 0;
        has_more.then(|| Self(PackedBytes { file, compression, position: position.clone() }))
    }
}
