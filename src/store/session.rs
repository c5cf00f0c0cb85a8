//! A change of repertoires or collections: one transaction, which is rolled back unless it is
//! committed.

use std::path::{Path, PathBuf};
use std::{fs::File, io};

use rusqlite::{Connection, OpenFlags};

use super::database::{BUSY_TIMEOUT, Guarded};
use super::{Database, InFile, StoreError, schema};
use crate::new_file::ReservedFile;

/// The size of SQLite's cache while the file is changed: nearly all that is written of games is not
/// read again soon.
const CACHE_KIBIBYTES: i64 = 16 * 1024;

impl Database {
    /// Opens a file to change what it has, and begins the transaction. Without
    /// [`commit`](Self::commit) the file stays as it was. A missing file is made, without masters,
    /// under another name, and has its own from the commit on.
    pub(super) fn begin_change(path: &Path) -> Result<Self, StoreError> {
        match Self::reserve(path)? {
            Some(file) => Self::open_new(path, file)?.begin(),
            None => Self::begin_to_change(path),
        }
    }

    /// As [`begin_change`](Self::begin_change), for an existing file.
    pub(super) fn begin_to_change(path: &Path) -> Result<Self, StoreError> {
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?.begin()
    }

    fn begin(mut self) -> Result<Self, StoreError> {
        self.connection.unlimited();
        // A file of another kind is reported before it is locked.
        self.version()?;
        let cached = self.connection.pragma_update(None, "cache_size", -CACHE_KIBIBYTES);
        let locked = cached.and_then(|()| self.connection.execute_batch("BEGIN IMMEDIATE"));
        locked.in_file(&self.name)?;
        // Only now: another process may have brought the file up to date while this one waited.
        let version = self.version()?;
        schema::migrate(&self.connection, version).in_file(&self.name)?;
        self.keep_missing_catalogue()?;
        Ok(self)
    }

    /// A new file, if there is none at the path.
    fn reserve(path: &Path) -> Result<Option<ReservedFile>, StoreError> {
        if path.exists() {
            return Ok(None);
        }
        let empty = Self::empty_file(path)?;
        ReservedFile::new(path, &empty, BUSY_TIMEOUT).map_err(|error| {
            let name = path.display().to_string();
            match error.kind() {
                io::ErrorKind::WouldBlock => StoreError::Busy { name },
                _ => StoreError::CannotWrite { name, source: error.into() },
            }
        })
    }

    /// Opens a new file that will have this path.
    fn open_new(path: &Path, file: ReservedFile) -> Result<Self, StoreError> {
        let mut database = Self::connect(file.path(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        database.name = path.display().to_string();
        // The file is removed unless it is finished: nothing can be rolled back after a crash, and
        // nothing need be on the disk before it has its name.
        let set = |pragma, value| database.connection.pragma_update(None, pragma, value);
        let unsafe_until_named =
            set("journal_mode", "MEMORY").and_then(|()| set("synchronous", "OFF"));
        unsafe_until_named.in_file(&database.name)?;
        database.reserved = Some(Box::new(file));
        Ok(database)
    }

    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT").in_file(&self.name)?;
        let Some(file) = self.reserved.take() else { return Ok(()) };
        // The file must be closed to be renamed.
        let closed = Connection::open_in_memory().and_then(|none| Guarded::new(none, 0));
        self.connection = closed.in_file(&self.name)?;
        let path = PathBuf::from(file.target());
        let written = File::options().write(true).open(file.path());
        let on_disk = written.and_then(|written| written.sync_all());
        let placed = on_disk.and_then(|()| file.place());
        placed.map_err(|error| {
            let (name, source) = (self.name.clone(), error.into());
            StoreError::CannotWrite { name, source }
        })?;
        *self = Self::connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        Ok(())
    }

    pub(super) fn execute(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
    ) -> Result<usize, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values))
            .in_file(&self.name)
    }
}
