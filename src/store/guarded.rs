//! A connection on which no statement runs much longer than its file is long.
//!
//! The pages of a damaged or malicious file can refer to each other so that a scan of a small table
//! does not end. SQLite notices some of that, not all.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use rusqlite::Connection;

/// The number of steps of SQLite's machine between two looks.
const STEPS_A_LOOK: u64 = 100_000;

/// The looks that every use of a connection has, whatever the size of its file: a second or less.
const LOOKS: u64 = 200;

/// The steps for each byte of the file. Reading a whole catalogue or repertoire takes less than
/// one.
const STEPS_A_BYTE: u64 = 16;

/// A connection whose statements are limited. The limit begins again with every use of it.
#[derive(Debug)]
pub(super) struct Guarded {
    connection: Connection,
    looks_left: Arc<AtomicU64>,
    looks: u64,
}

impl Guarded {
    /// Limits statements on a file of `size` bytes.
    pub(super) fn new(mut connection: Connection, size: u64) -> rusqlite::Result<Self> {
        let looks = LOOKS + size.saturating_mul(STEPS_A_BYTE) / STEPS_A_LOOK;
        let looks_left = Arc::new(AtomicU64::new(looks));
        let left = Arc::clone(&looks_left);
        let is_spent = move || {
            let before = left.load(Ordering::Relaxed);
            left.store(before.saturating_sub(1), Ordering::Relaxed);
            before == 0
        };
        connection.progress_handler(STEPS_A_LOOK as i32, Some(is_spent))?;
        Ok(Self { connection, looks_left, looks })
    }

    /// The connection for writing: a transaction takes as long as what is written is long.
    pub(super) fn unlimited(&mut self) -> &mut Connection {
        self.looks = u64::MAX;
        self
    }
}

impl Deref for Guarded {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.looks_left.store(self.looks, Ordering::Relaxed);
        &self.connection
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut Connection {
        self.looks_left.store(self.looks, Ordering::Relaxed);
        &mut self.connection
    }
}
