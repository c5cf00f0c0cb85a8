//! Memory for the bytes of a stream, used again and again: fresh pages cost more than reading into
//! them.

use std::mem;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex};

/// Chunks begin at addresses that are multiples of this: the system copies faster to there.
pub(super) const ALIGNMENT: usize = 64;

/// The free buffers of streams that are cut in the same way. There are never more of them than were
/// in use at one time.
#[derive(Clone, Default)]
pub struct Buffers(Arc<Mutex<Free>>);

#[derive(Default)]
struct Free {
    chunks: Vec<Vec<u8>>,
    /// For games that are longer than chunks. The system's allocator would leave each with the
    /// thread that freed it.
    long: Vec<Vec<u8>>,
}

impl Buffers {
    /// Returns the buffer that was freed last, which is likely in the cache, or a new one. Its
    /// contents mean nothing.
    pub(super) fn take(&self, size: usize) -> Buffer {
        let room = size + ALIGNMENT;
        let free = self.0.lock().ok().and_then(|mut free| free.chunks.pop());
        let mut bytes = free.unwrap_or_else(|| vec![0; room]);
        // It may move where it grows, so the address is looked at after that.
        bytes.resize(room, 0);
        let start = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        bytes.truncate(start + size);
        Buffer { bytes, start, home: Some(self.clone()), is_long: false }
    }

    /// Returns a buffer with these bytes, for a game that is longer than a chunk.
    pub(super) fn own(&self, bytes: Vec<u8>) -> Buffer {
        Buffer { bytes, start: 0, home: Some(self.clone()), is_long: true }
    }

    /// Appends to the bytes of a game that is longer than a chunk.
    pub(super) fn extend(&self, bytes: &mut Vec<u8>, more: &[u8]) {
        if bytes.capacity() - bytes.len() < more.len()
            && let Some(mut longer) = self.0.lock().ok().and_then(|mut free| free.long.pop())
            && longer.capacity() > bytes.capacity()
        {
            longer.clear();
            longer.append(bytes);
            *bytes = longer;
        }
        bytes.extend_from_slice(more);
    }
}

/// Bytes that return to the buffers they came from, if any, when they are dropped.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// Where those begin that are used: in chunks at the first aligned address, in long games at 0.
    start: usize,
    home: Option<Buffers>,
    is_long: bool,
}

impl Buffer {
    /// The buffers it came from.
    pub(super) fn home(&self) -> Buffers {
        self.home.clone().unwrap_or_default()
    }

    /// Returns a part of the bytes, without a copy if it is the start of a long game.
    pub(super) fn into_vec(mut self, within: Range<usize>) -> Vec<u8> {
        if !self.is_long || within.start > 0 {
            return self[within].to_vec();
        }
        self.bytes.truncate(within.end);
        mem::take(&mut self.bytes)
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, start: 0, home: None, is_long: true }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let bytes = mem::take(&mut self.bytes);
        if let Some(home) = &self.home
            && bytes.capacity() > 0
            && let Ok(mut free) = home.0.lock()
        {
            if self.is_long { &mut free.long } else { &mut free.chunks }.push(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_aligned_and_as_long_as_asked_for() {
        let buffers = Buffers::default();
        for size in [1000, 1000, 10, 5000, 5000] {
            // The next takes what this one leaves.
            let buffer = buffers.take(size);
            assert_eq!(buffer.len(), size);
            assert!(buffer.as_ptr().addr().is_multiple_of(ALIGNMENT), "{size} bytes");
        }
    }
}
