//! Memory for the bytes of a stream, used again and again: fresh pages cost more than what is read
//! into them.

use std::{
    fmt, mem,
    ops::{Deref, DerefMut, Range},
    sync::{Arc, Mutex},
};

/// Where buffers of one size lie while nobody needs them. There are never more of them than were
/// in use at one time.
#[derive(Clone)]
pub(super) struct Shelf {
    size: usize,
    free: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Shelf {
    pub(super) fn new(size: usize) -> Self {
        Self { size, free: Arc::default() }
    }

    /// The buffer that was used last, whose memory is still at hand, or a new one. What is in it
    /// means nothing.
    pub(super) fn take(&self) -> Buffer {
        let free = self.free.lock().ok().and_then(|mut free| free.pop());
        let bytes = free.unwrap_or_else(|| vec![0; self.size]);
        Buffer { bytes, shelf: Some(self.clone()) }
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").field("size", &self.size).finish_non_exhaustive()
    }
}

/// Bytes that go back to their shelf, if they have one, when they are dropped.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    shelf: Option<Shelf>,
}

impl Buffer {
    /// A part of the bytes, without a copy if they are on no shelf and it is their start.
    pub(super) fn into_vec(mut self, within: Range<usize>) -> Vec<u8> {
        if self.shelf.is_some() || within.start > 0 {
            return self[within].to_vec();
        }
        self.bytes.truncate(within.end);
        mem::take(&mut self.bytes)
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, shelf: None }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some(shelf) = &self.shelf
            && let Ok(mut free) = shelf.free.lock()
        {
            free.push(mem::take(&mut self.bytes));
        }
    }
}
