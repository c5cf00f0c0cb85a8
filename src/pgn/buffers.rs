//! Memory for the bytes of a stream, used again and again: fresh pages cost more than what is read
//! into them.

use std::{
    fmt, mem,
    ops::{Deref, DerefMut, Range},
    sync::{Arc, Mutex},
};

/// The buffers of streams that are cut in the same way, while nobody needs them. There are never more
/// of them than were in use at one time.
#[derive(Clone, Default)]
pub struct Buffers {
    free: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Buffers {
    /// The buffer that was used last, whose memory is still at hand, or a new one. What is in it
    /// means nothing.
    pub(super) fn take(&self, size: usize) -> Buffer {
        let free = self.free.lock().ok().and_then(|mut free| free.pop());
        let mut bytes = free.unwrap_or_else(|| vec![0; size]);
        bytes.resize(size, 0);
        Buffer { bytes, home: Some(self.clone()) }
    }
}

impl fmt::Debug for Buffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffers").finish_non_exhaustive()
    }
}

/// Bytes that go back to where they came from, if it is known, when they are dropped.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    home: Option<Buffers>,
}

impl Buffer {
    /// A part of the bytes, without a copy if it is their start and nobody wants them back.
    pub(super) fn into_vec(mut self, within: Range<usize>) -> Vec<u8> {
        if self.home.is_some() || within.start > 0 {
            return self[within].to_vec();
        }
        self.bytes.truncate(within.end);
        mem::take(&mut self.bytes)
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, home: None }
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
        if let Some(home) = &self.home
            && let Ok(mut free) = home.free.lock()
        {
            free.push(mem::take(&mut self.bytes));
        }
    }
}
