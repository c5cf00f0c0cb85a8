//! The file: opened, and changed in one transaction; and its connection, on which no statement runs
//! much longer than the file is long.
//!
//! The pages of a damaged or malicious file can refer to each other so that a scan of a small table
//! does not end. SQLite notices some of that, not all.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{path::Path, sync::Arc, time::Duration};

use rusqlite::{Connection, OpenFlags, Params, Row, Transaction};
use rusqlite::{config::DbConfig, limits::Limit};

use super::{InFile, StoreError, schema};
use crate::new_file::ReservedFile;

/// What SQLite may hold of a file, for which the file itself sets no limit: a value, a statement.
const LIMITS: [(Limit, i32); 9] = [
    // A comment or the moves of a game are the longest; no more than this is read of a game.
    (Limit::SQLITE_LIMIT_LENGTH, 32 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 10),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 16),
    // What is deleted with its master or repertoire counts as a trigger.
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// What a file cannot make SQLite do. Eco's own views are for people; it never reads them.
const CONFIG: [(DbConfig, bool); 7] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true),
    // Plans do not depend on the values of a query, so a query is planned once for all of them.
    (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
];

/// How long to wait for another program that writes to the same file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 5000 });

/// An open position database.
#[derive(Debug)]
pub struct Database {
    pub(super) connection: Guarded,
    pub(super) name: String,
    /// The file while it is new. It is removed after the connection is closed, unless it has its
    /// name.
    pub(super) reserved: Option<Box<ReservedFile>>,
}

impl Database {
    /// Opens an existing position database for reading.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not a position database of the current schema.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut version = database.version();
        if matches!(version, Err(StoreError::CannotWrite { .. })) {
            // A writer was killed; its unfinished changes are rolled back before anything is read.
            database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            version = database.version();
        }
        match version? {
            schema::CURRENT => Ok(database),
            found => Err(database.other_schema(found)),
        }
    }

    /// Whether bytes are those of an SQLite file, which may be a position database.
    pub fn is_sqlite(bytes: &[u8]) -> bool {
        bytes.starts_with(b"SQLite format 3\0")
    }

    pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let size = match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Err(StoreError::NotPositionDatabase { name }),
            Err(error) => return Err(StoreError::Inaccessible { name, source: error.into() }),
        };
        // SQLite takes `file:x` for an address and `:memory:` for no file. With a folder before it,
        // every name is that of a file.
        let file = Path::new(".").join(path);
        // A connection is used by one thread at a time.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags).in_file(&name)?;
        configure(&connection).in_file(&name)?;
        let connection = Guarded::new(connection, size).in_file(&name)?;
        Ok(Self { connection, name, reserved: None })
    }

    /// The schema version of the file, once it is clear that it is a position database. To change
    /// the file it is asked within a transaction: another process may have brought it up to date
    /// before.
    pub(super) fn version(&self) -> Result<i32, StoreError> {
        let (connection, name) = (&self.connection, &self.name);
        let pragma = |pragma| {
            connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0)).in_file(name)
        };
        if pragma("application_id")? != schema::APPLICATION_ID {
            return Err(StoreError::NotPositionDatabase { name: name.clone() });
        }
        match pragma("user_version")? {
            found if found > schema::CURRENT => Err(self.other_schema(found)),
            found => {
                schema::check(connection, found, name)?;
                Ok(found)
            }
        }
    }

    /// The file is damaged, and this is what is wrong.
    pub(super) fn damaged(&self, what: &dyn std::fmt::Display) -> StoreError {
        StoreError::damaged(&self.name, what)
    }

    /// What SQLite itself finds wrong with the file, if anything.
    ///
    /// # Errors
    ///
    /// If the check cannot be run.
    pub fn integrity_faults(&self) -> Result<Vec<String>, StoreError> {
        let mut faults: Vec<String> = self.rows("PRAGMA integrity_check", [], |row| row.get(0))?;
        faults.retain(|fault| fault != "ok");
        let orphans = self.rows("PRAGMA foreign_key_check", [], |row| row.get::<_, String>(0))?;
        let refers = |table: String| format!("a row of table {table} refers to nothing");
        faults.extend(orphans.into_iter().map(refers));
        Ok(faults)
    }

    /// Until it is dropped, all that is read is of one moment, though another program may be
    /// writing. `None` within a change, where it is so already.
    pub(super) fn snapshot(&self) -> Result<Option<Transaction<'_>>, StoreError> {
        let is_free = self.connection.is_autocommit();
        let snapshot = is_free.then(|| self.connection.unchecked_transaction());
        snapshot.transpose().in_file(&self.name)
    }

    /// What a query finds, row by row.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = || -> rusqlite::Result<Vec<T>> {
            self.connection.prepare_cached(sql)?.query_map(values, read)?.collect()
        };
        rows().in_file(&self.name)
    }

    /// The bytes of a new file that has nothing yet. Errors name the path.
    pub(super) fn empty_file(path: &Path) -> Result<Vec<u8>, StoreError> {
        let made = || -> rusqlite::Result<Vec<u8>> {
            let mut connection = Connection::open_in_memory()?;
            configure(&connection)?;
            schema::create(&connection)?;
            Ok(connection.serialize("main")?.to_vec())
        };
        made().in_file(&path.display().to_string())
    }

    fn other_schema(&self, found: i32) -> StoreError {
        StoreError::OtherSchema { name: self.name.clone(), found, known: schema::CURRENT }
    }
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    for (limit, value) in LIMITS {
        connection.set_limit(limit, value)?;
    }
    for (config, value) in CONFIG {
        connection.set_db_config(config, value)?;
    }
    Ok(())
}

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
