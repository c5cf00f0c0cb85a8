//! The file: opened, brought up to date, and changed in one transaction.

use std::{path::Path, time::Duration};

use rusqlite::{
    Connection, OpenFlags, Transaction, TransactionBehavior, config::DbConfig, limits::Limit,
};

use super::{
    error::{InFile, StoreError},
    guarded::Guarded,
    schema,
};
use crate::new_file::NewFile;
#[cfg(feature = "collection")]
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
const CONFIG: [(DbConfig, bool); 6] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true),
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
    #[cfg(feature = "collection")]
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
            found => Err(other_schema(&database.name, found)),
        }
    }

    /// Whether bytes are those of an SQLite file, which may be a position database.
    #[must_use]
    pub fn is_sqlite(bytes: &[u8]) -> bool {
        bytes.starts_with(b"SQLite format 3\0")
    }

    fn of(connection: Guarded, name: String) -> Self {
        Self {
            connection,
            name,
            #[cfg(feature = "collection")]
            reserved: None,
        }
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
        Ok(Self::of(connection, name))
    }

    /// The schema version of the file, once it is clear that it is a position database.
    pub(super) fn version(&self) -> Result<i32, StoreError> {
        version_of(&self.connection, &self.name)
    }

    pub(super) fn in_transaction<T>(
        &mut self,
        write: impl FnOnce(&Transaction<'_>, &str) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let name = self.name.clone();
        let transaction = self
            .connection
            .unlimited()
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .in_file(&name)?;
        let written = write(&transaction, &name)?;
        transaction.commit().in_file(&name)?;
        Ok(written)
    }

    /// The file is damaged, and this is what is wrong.
    #[cfg(all(feature = "collection", feature = "repertoire"))]
    pub(super) fn damaged(&self, what: &dyn std::fmt::Display) -> StoreError {
        StoreError::damaged(&self.name, what)
    }

    /// What SQLite itself finds wrong with the file, if anything.
    ///
    /// # Errors
    ///
    /// If the check cannot be run.
    pub fn integrity_faults(&self) -> Result<Vec<String>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut faults: Vec<String> = self
                .connection
                .prepare("PRAGMA integrity_check")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            faults.retain(|fault| fault != "ok");
            let mut orphans = self.connection.prepare("PRAGMA foreign_key_check")?;
            let orphans = orphans.query_map([], |row| row.get::<_, String>(0))?;
            for table in orphans {
                faults.push(format!("a row of table {} refers to nothing", table?));
            }
            Ok(faults)
        };
        read().in_file(&self.name)
    }

    /// Makes a file in memory with the rows that `write` adds, and puts it in its place at once.
    pub(super) fn create(
        path: &Path,
        write: impl FnOnce(&Transaction<'_>, &str) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let bytes = Self::new_file(path, write)?;
        NewFile::write(path, &bytes).map_err(|error| {
            let name = path.display().to_string();
            StoreError::CannotWrite { name, source: error.into() }
        })
    }

    /// The bytes of a new file with the rows that `write` adds. Errors name the path.
    pub(super) fn new_file(
        path: &Path,
        write: impl FnOnce(&Transaction<'_>, &str) -> Result<(), StoreError>,
    ) -> Result<Vec<u8>, StoreError> {
        let name = path.display().to_string();
        let connection = Connection::open_in_memory().in_file(&name)?;
        configure(&connection).in_file(&name)?;
        let connection = Guarded::new(connection, 0).in_file(&name)?;
        let mut database = Self::of(connection, name.clone());
        database.in_transaction(|transaction, name| {
            schema::create(transaction).in_file(name)?;
            write(transaction, name)
        })?;
        let bytes = database.connection.serialize("main").in_file(&name)?;
        Ok(bytes.to_vec())
    }
}

/// The schema version of a file, once it is clear that it is a position database. To change the
/// file it is asked within a transaction: another process may have brought it up to date before.
pub(super) fn version_of(connection: &Connection, name: &str) -> Result<i32, StoreError> {
    let pragma = |pragma| {
        connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0)).in_file(name)
    };
    if pragma("application_id")? != schema::APPLICATION_ID {
        return Err(StoreError::NotPositionDatabase { name: name.to_owned() });
    }
    match pragma("user_version")? {
        found if found > schema::CURRENT => Err(other_schema(name, found)),
        found => {
            schema::check(connection, found, name)?;
            Ok(found)
        }
    }
}

fn other_schema(name: &str, found: i32) -> StoreError {
    StoreError::OtherSchema { name: name.to_owned(), found, known: schema::CURRENT }
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
