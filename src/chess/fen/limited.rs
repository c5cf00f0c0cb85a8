//! A reader with a limit for each item, so that none takes all memory.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

/// The most bytes of an item.
const MAX_BYTES: usize = 1 << 20;

/// The bytes that are left for an item.
#[derive(Clone)]
pub(super) struct Allowance(Rc<Cell<usize>>);

impl Allowance {
    /// Begins the next item.
    pub(super) fn renew(&self) {
        self.0.set(MAX_BYTES);
    }
}

/// A reader that fails within an item that is too long.
pub(super) struct Limited<R> {
    reader: R,
    allowance: Allowance,
}

impl<R> Limited<R> {
    /// A reader of items, and what begins each of them.
    pub(super) fn new(reader: R) -> (Self, Allowance) {
        let allowance = Allowance(Rc::new(Cell::new(MAX_BYTES)));
        (Self { reader, allowance: allowance.clone() }, allowance)
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.0.get();
        if left == 0 {
            let what = format!("longer than {} MiB", MAX_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let length = room.len().min(left);
        let read = self.reader.read(&mut room[..length])?;
        self.allowance.0.set(left - read);
        Ok(read)
    }
}
