//! Reading into the buffers of chunks.

use std::io::{self, Read};

use super::carry::HEADROOM;
use crate::pgn::{
    block::BlockOptions,
    buffers::{Buffer, Buffers},
};

/// A buffer, where the bytes in it end, and how the stream ends, if it does after them.
pub(super) type Filled = (Buffer, usize, Option<io::Result<()>>);

/// The next chunk of a stream.
pub(super) fn read_chunk(buffers: &Buffers, options: BlockOptions, reader: impl Read) -> Filled {
    let mut buffer = buffers.take(HEADROOM + options.block_size.max(1));
    let (end, stream_end) = fill(&mut buffer, HEADROOM, reader);
    (buffer, end, stream_end)
}

/// The chunk where a stream has ended in this way.
pub(super) fn ended(buffers: &Buffers, result: io::Result<()>) -> Filled {
    (buffers.take(HEADROOM), HEADROOM, Some(result))
}

/// Reads into a buffer, after the bytes that it has, until it is full or the stream ends. Returns
/// where the bytes end, and how the stream does.
pub(super) fn fill(
    buffer: &mut [u8],
    mut end: usize,
    mut reader: impl Read,
) -> (usize, Option<io::Result<()>>) {
    while end < buffer.len() {
        match reader.read(&mut buffer[end..]) {
            Ok(0) => return (end, Some(Ok(()))),
            Ok(count) => end += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (end, Some(Err(error))),
        }
    }
    (end, None)
}
