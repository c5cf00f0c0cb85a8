//! A change of repertoires: one transaction, which is rolled back unless it is committed.

use std::path::Path;

use crate::store::{
    database::Database,
    error::{InFile, StoreError},
    made::MadeFile,
    schema,
};

/// The size of SQLite's cache while the file is changed.
const CACHE_KIBIBYTES: i64 = 64 * 1024;

impl Database {
    /// Opens a file to change its repertoires, and begins the transaction. A missing file is
    /// created, without masters. Without [`commit`](Self::commit) the file stays as it was.
    pub(super) fn begin_change(path: &Path) -> Result<Self, StoreError> {
        let mut made = None;
        if !path.exists() {
            match Self::create(path, |_| Ok(())) {
                // Another process has made it just now.
                Err(error) if error.is_already_there() => {}
                created => made = created.map(|()| Some(MadeFile::new(path)))?,
            }
        }
        let mut database = Self::connect(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        database.made = made;
        database.connection.unlimited();
        // A file of another kind is reported before it is locked.
        database.version()?;
        let begin = || -> rusqlite::Result<()> {
            // Positions of many games are written in no order; pages that are read again should be
            // cached.
            database.connection.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)?;
            database.connection.execute_batch("BEGIN IMMEDIATE")
        };
        begin().in_file(&database.name)?;
        // Only now: another process may have brought the file up to date while this one waited.
        let version = database.version()?;
        schema::migrate(&database.connection, version).in_file(&database.name)?;
        Ok(database)
    }

    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT").in_file(&self.name)?;
        if let Some(made) = self.made.take() {
            made.keep();
        }
        Ok(())
    }

    /// As [`begin_change`](Self::begin_change), for an existing file.
    pub(super) fn begin_to_change(path: &Path) -> Result<Self, StoreError> {
        // A missing file, or one of another kind, is reported before anything is written.
        Self::open(path)?;
        Self::begin_change(path)
    }

    pub(super) fn refuse(&self, repertoire: &str, what: String) -> StoreError {
        let (name, repertoire) = (self.name.clone(), repertoire.to_owned());
        StoreError::RepertoireMismatch { name, repertoire, what }
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
