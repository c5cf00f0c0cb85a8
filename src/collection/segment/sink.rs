//! Where a segment goes that is being built.

use super::blobs::{Blob, BlobKind};
use super::bytes::join_items;

/// Takes the blobs of a segment, and what is set aside while they are made.
pub(crate) trait SegmentSink {
    /// What goes wrong there.
    type Error;

    /// Takes a blob.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn add(&mut self, blob: Blob) -> Result<(), Self::Error>;

    /// Sets bytes aside.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    fn set_aside(&mut self, bytes: Vec<u8>) -> Result<Aside, Self::Error>;

    /// The bytes that were set aside.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn take_back(&mut self, aside: Aside) -> Result<Vec<u8>, Self::Error>;
}

/// What was set aside.
#[derive(Debug)]
pub(crate) enum Aside {
    /// The bytes.
    InMemory(Vec<u8>),
    /// Where they are, and their number.
    At(u64, usize),
}

/// Joins items to blobs of a kind, as they come.
#[derive(Debug)]
pub(super) struct JoinedItems {
    kind: BlobKind,
    number: u32,
    items: Vec<Vec<u8>>,
    most: usize,
}

impl JoinedItems {
    /// No items; `most` are a blob.
    pub(super) fn new(kind: BlobKind, most: usize) -> Self {
        Self { kind, number: 0, items: Vec::new(), most }
    }

    pub(super) fn push<K: SegmentSink>(
        &mut self,
        item: Vec<u8>,
        sink: &mut K,
    ) -> Result<(), K::Error> {
        self.items.push(item);
        if self.items.len() == self.most { self.write(sink) } else { Ok(()) }
    }

    fn write<K: SegmentSink>(&mut self, sink: &mut K) -> Result<(), K::Error> {
        let (kind, number, bytes) = (self.kind, self.number, join_items(&self.items));
        self.items.clear();
        self.number += 1;
        sink.add(Blob { kind, number, bytes })
    }

    /// Writes what is left.
    pub(super) fn finish<K: SegmentSink>(mut self, sink: &mut K) -> Result<(), K::Error> {
        if self.items.is_empty() { Ok(()) } else { self.write(sink) }
    }
}
