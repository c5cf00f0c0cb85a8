//! The position database: a catalogue in one SQLite file. The door to `rusqlite`.
//!
//! What is in the file is text that a person can read; hashes are for memory only. The file knows
//! that it is a position database (`application_id`) and of which schema (`user_version`), and
//! anything else is refused before it is touched. What is written is written in one transaction, and a new file
//! appears under its name only when it is whole.

mod error;
mod schema;

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

pub use error::StoreError;

use crate::{
    catalogue::Catalogue,
    chess::PositionKey,
    master::{LinePlace, Master, MasterLine},
    opening::ParseEcoError,
};

/// How long to wait for another program that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 5000 });

/// An open position database.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    name: String,
}

impl Database {
    /// Opens an existing position database for reading.
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
            found => Err(StoreError::Older { name: database.name, found, known: schema::CURRENT }),
        }
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(StoreError::NotOurs { name }),
            Err(error) => return Err(StoreError::NotThere { name, error }),
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
        let name = &self.name;
        let pragma = |pragma| {
            self.connection
                .pragma_query_value(None, pragma, |row| row.get::<_, i32>(0))
                .map_err(|error| StoreError::new(name, error))
        };
        if pragma("application_id")? != schema::APPLICATION_ID {
            return Err(StoreError::NotOurs { name: name.clone() });
        }
        match pragma("user_version")? {
            found if found > schema::CURRENT => {
                Err(StoreError::Newer { name: name.clone(), found, known: schema::CURRENT })
            }
            found => Ok(found),
        }
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
        if path.exists() { Self::extend(path, catalogue) } else { Self::create(path, catalogue) }
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
            schema::migrate(transaction, version).map_err(fail)?;
            refuse_known_masters(transaction, name, catalogue)?;
            write_catalogue(transaction, catalogue).map_err(fail)
        })
    }

    /// Makes the file in memory and puts it in its place at once.
    fn create(path: &Path, catalogue: &Catalogue) -> Result<(), StoreError> {
        let name = path.display().to_string();
        let fail = |error| StoreError::new(&name, error);
        let connection = Connection::open_in_memory().map_err(fail)?;
        let mut database = Self { connection, name: name.clone() };
        database.in_transaction(|transaction, name| {
            schema::create(transaction)
                .and_then(|()| write_catalogue(transaction, catalogue))
                .map_err(|error| StoreError::new(name, error))
        })?;
        let bytes = database.connection.serialize("main").map_err(fail)?;
        write_new_file(path, &bytes).map_err(|error| StoreError::CannotWrite { name, error })
    }

    /// The catalogue in the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or what it says is not so: a line that cannot be played, or that
    /// leads to another position than the file has.
    pub fn catalogue(&self) -> Result<Catalogue, StoreError> {
        let stored = self.read_masters().map_err(|error| StoreError::new(&self.name, error))?;
        let damaged = |what: String| StoreError::Damaged { name: self.name.clone(), what };
        let mut masters = Vec::new();
        let mut keys = Vec::new();
        for StoredMaster { mut master, openings } in stored {
            for opening in openings {
                let line = opening.to_line().map_err(|error| damaged(error.to_string()))?;
                master.lines.push(line);
                keys.push(opening.key);
            }
            masters.push(master);
        }
        let (catalogue, faults) = Catalogue::from_masters(masters);
        if let Some(fault) = faults.first() {
            return Err(damaged(fault.to_string()));
        }
        for (line, key) in catalogue.lines().iter().zip(keys) {
            let stored: Option<PositionKey> = key.parse().ok();
            if stored != Some(catalogue.positions()[line.position].key) {
                let movetext = catalogue.movetext(line);
                return Err(damaged(format!("{movetext} does not lead to {key}")));
            }
        }
        Ok(catalogue)
    }

    fn read_masters(&self) -> rusqlite::Result<Vec<StoredMaster>> {
        let mut masters = self
            .connection
            .prepare("SELECT id, name, version, fingerprint FROM master ORDER BY precedence")?;
        let mut openings = self.connection.prepare(
            "SELECT opening.eco, opening.name, opening.line, opening.source_file,
                 opening.source_line, position.key
             FROM opening JOIN position ON position.id = opening.position_id
             WHERE opening.master_id = ?1 ORDER BY opening.ordinal",
        )?;
        let rows = masters.query_map([], |row| {
            let master = Master {
                name: row.get(1)?,
                version: row.get(2)?,
                fingerprint: row.get(3)?,
                lines: Vec::new(),
            };
            Ok((row.get::<_, i64>(0)?, master))
        })?;
        rows.map(|row| {
            let (id, master) = row?;
            let openings =
                openings.query_map([id], StoredOpening::from_row)?.collect::<Result<_, _>>()?;
            Ok(StoredMaster { master, openings })
        })
        .collect()
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
            return Err(StoreError::MasterKnown {
                name: name.to_owned(),
                master: master.name.clone(),
                is_same: fingerprint == master.fingerprint,
            });
        }
    }
    Ok(())
}

struct StoredMaster {
    master: Master,
    openings: Vec<StoredOpening>,
}

struct StoredOpening {
    eco: String,
    name: String,
    line: String,
    place: LinePlace,
    key: String,
}

impl StoredOpening {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            eco: row.get(0)?,
            name: row.get(1)?,
            line: row.get(2)?,
            place: LinePlace { file: Arc::from(row.get::<_, String>(3)?), line: row.get(4)? },
            key: row.get(5)?,
        })
    }

    fn to_line(&self) -> Result<MasterLine, ParseEcoError> {
        Ok(MasterLine {
            place: self.place.clone(),
            eco: self.eco.parse()?,
            name: self.name.clone(),
            movetext: self.line.clone(),
        })
    }
}

fn write_catalogue(transaction: &Transaction<'_>, catalogue: &Catalogue) -> rusqlite::Result<()> {
    let mut add_position =
        transaction.prepare("INSERT INTO position (key) VALUES (?1) ON CONFLICT DO NOTHING")?;
    let mut add_opening = transaction.prepare(
        "INSERT INTO opening (master_id, ordinal, position_id, eco, name, line, plies,
             source_file, source_line)
         VALUES (?1, ?2, (SELECT id FROM position WHERE key = ?3), ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (index, master) in catalogue.masters().iter().enumerate() {
        transaction.execute(
            "INSERT INTO master (precedence, name, version, fingerprint)
             VALUES ((SELECT coalesce(max(precedence), 0) + 1 FROM master), ?1, ?2, ?3)",
            params![master.name, master.version, master.fingerprint],
        )?;
        let id = transaction.last_insert_rowid();
        let lines = catalogue.lines().iter().filter(|line| line.master == index);
        for (line, ordinal) in lines.zip(1_i64..) {
            let key = catalogue.positions()[line.position].key.to_string();
            add_position.execute([&key])?;
            add_opening.execute(params![
                id,
                ordinal,
                key,
                line.opening.eco().as_str(),
                line.opening.name(),
                catalogue.movetext(line),
                catalogue.plies(line) as i64,
                &*line.place.file,
                line.place.line,
            ])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
