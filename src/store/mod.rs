//! The position database: a catalogue in one SQLite file. The door to `rusqlite`.
//!
//! What is in the file is text that a person can read; hashes are for memory only. The file knows
//! that it is a position database (`application_id`) and of which schema (`user_version`), and
//! anything else is refused before it is touched. What is written is written in one transaction, and a new file
//! appears under its name only when it is whole.

mod error;
#[cfg(feature = "repertoire")]
mod repertoire;
mod rows;
mod schema;

use std::{
    io::{self, Write},
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

pub use error::StoreError;
#[cfg(feature = "repertoire")]
pub use repertoire::{
    BuildReport, RepertoireBuild, RepertoireCounts, RepertoireInfo, RepertoireSettings, SingleGames,
};

use self::rows::{StoredMaster, master_names, write_catalogue};
use crate::{catalogue::Catalogue, chess::PositionKey};

/// How long to wait for another program that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 5000 });

/// An open position database.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    name: String,
}

impl Database {
    /// Opens an existing position database for reading. Of a file that an older release wrote, a copy
    /// in memory is brought up to date; the file itself is not touched.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is no position database of a schema this program knows.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut version = database.version();
        if matches!(version, Err(StoreError::CannotWrite { .. })) {
            // A writer was killed; what it left behind is rolled back before anything is read.
            database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            version = database.version();
        }
        match version? {
            schema::CURRENT => Ok(database),
            older => database.migrated_copy(older),
        }
    }

    /// Whether bytes are those of an SQLite file, which may be a position database.
    #[must_use]
    pub fn is_sqlite(bytes: &[u8]) -> bool {
        bytes.starts_with(b"SQLite format 3\0")
    }

    /// The same database in memory, in the current schema.
    fn migrated_copy(mut self, version: i32) -> Result<Self, StoreError> {
        let name = self.name;
        let fail = |error| StoreError::new(&name, error);
        let mut bytes = self.connection.serialize("main").map_err(fail)?.to_vec();
        // A database in memory has no write-ahead log; these two bytes of the header ask for one.
        if let Some(versions) = bytes.get_mut(18..20) {
            versions.fill(1);
        }
        let mut connection = Connection::open_in_memory().map_err(fail)?;
        connection.deserialize_read_exact("main", &bytes[..], bytes.len(), false).map_err(fail)?;
        let mut copy = Self { connection, name: name.clone() };
        copy.in_transaction(|transaction, _| schema::migrate(transaction, version).map_err(fail))?;
        Ok(copy)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(StoreError::NotPositionDatabase { name }),
            Err(error) => return Err(StoreError::Inaccessible { name, error }),
        }
        let connection = Connection::open_with_flags(path, flags)
            .map_err(|error| StoreError::new(&name, error))?;
        let database = Self { connection, name };
        database.configure().map_err(|error| StoreError::new(&database.name, error))?;
        Ok(database)
    }

    fn configure(&self) -> rusqlite::Result<()> {
        self.connection.busy_timeout(BUSY_TIMEOUT)?;
        self.connection.pragma_update(None, "foreign_keys", true)
    }

    /// The schema version of the file, once it is clear that it is a position database.
    fn version(&self) -> Result<i32, StoreError> {
        version_of(&self.connection, &self.name)
    }

    fn in_transaction(
        &mut self,
        write: impl FnOnce(&Transaction<'_>, &str) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let name = self.name.clone();
        let fail = |error| StoreError::new(&name, error);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(fail)?;
        write(&transaction, &name)?;
        transaction.commit().map_err(fail)
    }

    /// Adds the masters of `catalogue` behind those that the file has; a file that is not there is
    /// made.
    ///
    /// # Errors
    ///
    /// If the file is no position database, is damaged, has a master of such a name already, or
    /// cannot be written. It is then what it was before.
    pub fn ingest(path: &Path, catalogue: &Catalogue) -> Result<(), StoreError> {
        if path.exists() {
            Self::extend(path, catalogue)
        } else {
            Self::create(path, Some(catalogue))
        }
    }

    fn extend(path: &Path, catalogue: &Catalogue) -> Result<(), StoreError> {
        let mut database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let version = database.version()?;
        if version == schema::CURRENT {
            // Nothing is added to a file that is damaged.
            database.catalogue()?;
        }
        database.in_transaction(|transaction, name| {
            let fail = |error| StoreError::new(name, error);
            schema::migrate(transaction, version_of(transaction, name)?).map_err(fail)?;
            refuse_known_masters(transaction, name, catalogue)?;
            write_catalogue(transaction, catalogue).map_err(fail)
        })
    }

    /// Puts the masters of these names before all others, in this order.
    ///
    /// # Errors
    ///
    /// If the file is no position database, is damaged, has no master of such a name, or cannot be
    /// written. It is then what it was before.
    pub fn prefer(path: &Path, masters: &[String]) -> Result<(), StoreError> {
        Self::change_masters(
            path,
            |transaction, order| {
                let others = order.iter().filter(|name| !masters.contains(name));
                let order: Vec<&String> = masters.iter().chain(others).collect();
                // No two masters may share a precedence at any time.
                transaction.execute("UPDATE master SET precedence = -precedence", [])?;
                let mut set =
                    transaction.prepare("UPDATE master SET precedence = ?1 WHERE name = ?2")?;
                for (precedence, name) in (1_i64..).zip(order) {
                    set.execute(params![precedence, name])?;
                }
                Ok(())
            },
            masters,
        )
    }

    /// Takes the masters of these names out.
    ///
    /// # Errors
    ///
    /// As for [`prefer`](Self::prefer).
    pub fn remove(path: &Path, masters: &[String]) -> Result<(), StoreError> {
        Self::change_masters(
            path,
            |transaction, _| {
                for name in masters {
                    transaction.execute("DELETE FROM master WHERE name = ?1", [name])?;
                }
                let unnamed =
                    "DELETE FROM position WHERE id NOT IN (SELECT position_id FROM opening)";
                transaction.execute(unnamed, []).map(drop)
            },
            masters,
        )
    }

    /// Changes an existing file that has these masters. `change` is given the names of all, in order.
    fn change_masters(
        path: &Path,
        change: impl FnOnce(&Transaction<'_>, &[String]) -> rusqlite::Result<()>,
        masters: &[String],
    ) -> Result<(), StoreError> {
        // Nothing is changed in a file that is damaged.
        Self::open(path)?.catalogue()?;
        let mut database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        database.version()?;
        database.in_transaction(|transaction, name| {
            let fail = |error| StoreError::new(name, error);
            schema::migrate(transaction, version_of(transaction, name)?).map_err(fail)?;
            let known = master_names(transaction).map_err(fail)?;
            if let Some(master) = masters.iter().find(|master| !known.contains(master)) {
                let (name, master) = (name.to_owned(), master.clone());
                return Err(StoreError::NoSuchMaster { name, master, known: known.join(", ") });
            }
            change(transaction, &known).map_err(fail)
        })
    }

    /// What SQLite itself finds wrong with the file, if anything.
    ///
    /// # Errors
    ///
    /// If it cannot look.
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
        read().map_err(|error| StoreError::new(&self.name, error))
    }

    /// Makes the file in memory and puts it in its place at once. Without a catalogue it has no masters.
    fn create(path: &Path, catalogue: Option<&Catalogue>) -> Result<(), StoreError> {
        let name = path.display().to_string();
        let fail = |error| StoreError::new(&name, error);
        let connection = Connection::open_in_memory().map_err(fail)?;
        let mut database = Self { connection, name: name.clone() };
        database.in_transaction(|transaction, name| {
            schema::create(transaction)
                .and_then(|()| {
                    catalogue.map_or(Ok(()), |catalogue| write_catalogue(transaction, catalogue))
                })
                .map_err(|error| StoreError::new(name, error))
        })?;
        let bytes = database.connection.serialize("main").map_err(fail)?;
        write_new_file(path, &bytes).map_err(|error| StoreError::CannotWrite { name, error })
    }

    /// Whether the file has any masters; one that was made for repertoires has none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn has_masters(&self) -> Result<bool, StoreError> {
        let found =
            self.connection.query_row("SELECT EXISTS (SELECT * FROM master)", [], |row| row.get(0));
        found.map_err(|error| StoreError::new(&self.name, error))
    }

    /// The catalogue in the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or what it says is not so: a line that cannot be played, or that
    /// leads to another position than the file has.
    pub fn catalogue(&self) -> Result<Catalogue, StoreError> {
        self.catalogue_from(rows::read_masters(&self.connection))
    }

    /// As much of the catalogue as names these positions: it knows of them what the whole knows, and
    /// is read much sooner.
    ///
    /// # Errors
    ///
    /// As for [`catalogue`](Self::catalogue), as far as these openings are concerned.
    pub fn catalogue_at(&self, keys: &[PositionKey]) -> Result<Catalogue, StoreError> {
        self.catalogue_from(rows::read_masters_at(&self.connection, keys))
    }

    fn catalogue_from(
        &self,
        stored: rusqlite::Result<Vec<StoredMaster>>,
    ) -> Result<Catalogue, StoreError> {
        let stored = stored.map_err(|error| StoreError::new(&self.name, error))?;
        let damaged = |what: String| StoreError::Damaged { name: self.name.clone(), what };
        let mut masters = Vec::new();
        for StoredMaster { mut master, openings, .. } in stored {
            for opening in openings {
                master.lines.push(opening.into_line().map_err(damaged)?);
            }
            masters.push(master);
        }
        let (catalogue, faults) = Catalogue::from_masters(masters);
        match faults.first() {
            Some(fault) => Err(damaged(fault.to_string())),
            None => Ok(catalogue),
        }
    }
}

/// The schema version of a file, once it is clear that it is a position database. To change the file it is
/// asked within a transaction: another process may have brought it up to date before.
fn version_of(connection: &Connection, name: &str) -> Result<i32, StoreError> {
    let pragma = |pragma| {
        connection
            .pragma_query_value(None, pragma, |row| row.get::<_, i32>(0))
            .map_err(|error| StoreError::new(name, error))
    };
    if pragma("application_id")? != schema::APPLICATION_ID {
        return Err(StoreError::NotPositionDatabase { name: name.to_owned() });
    }
    match pragma("user_version")? {
        found if found > schema::CURRENT => {
            Err(StoreError::NewerSchema { name: name.to_owned(), found, known: schema::CURRENT })
        }
        found => Ok(found),
    }
}

/// Writes a file that is under its name only when it is whole; one that is there stays.
fn write_new_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eco-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

fn refuse_known_masters(
    transaction: &Transaction<'_>,
    name: &str,
    catalogue: &Catalogue,
) -> Result<(), StoreError> {
    for master in catalogue.masters() {
        let known: Option<String> = transaction
            .query_row(
                "SELECT max(fingerprint) FROM master WHERE name = ?1",
                [&master.name],
                |row| row.get(0),
            )
            .map_err(|error| StoreError::new(name, error))?;
        if let Some(fingerprint) = known {
            return Err(StoreError::MasterExists {
                name: name.to_owned(),
                master: master.name.clone(),
                is_same: fingerprint == master.fingerprint,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
