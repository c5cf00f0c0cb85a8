//! The masters of a file: added, put in order, and removed.

use std::path::Path;

use rusqlite::{OpenFlags, Transaction, params};

use super::{
    catalogue::{keep_catalogue, replay},
    database::{Database, version_of},
    error::{InFile, StoreError},
    rows::{forget_unnamed_positions, master_names, read_masters, write_catalogue},
    schema,
};
use crate::{catalogue::Catalogue, master::Master};

impl Database {
    /// Writes the masters of `catalogue`: each in the place of the master of its name, or after all
    /// others. A missing file is created. Returns the masters that were replaced, as they were.
    ///
    /// # Errors
    ///
    /// If the file is no position database, is damaged, or cannot be written. It is then what it
    /// was before.
    pub fn ingest(path: &Path, catalogue: &Catalogue) -> Result<Vec<Master>, StoreError> {
        let write = |transaction: &Transaction<'_>, name: &str| {
            write_catalogue(transaction, catalogue).in_file(name)?;
            keep_catalogue(transaction, name)
        };
        if !path.exists() {
            Self::create(path, write)?;
            return Ok(Vec::new());
        }
        let mut database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        database.version()?;
        database.in_transaction(|transaction, name| {
            schema::migrate(transaction, version_of(transaction, name)?).in_file(name)?;
            // Nothing is written to a file that is damaged.
            let mut replaced = replay(read_masters(transaction), name)?.to_masters();
            replaced.retain(|old| catalogue.masters().iter().any(|new| new.name == old.info.name));
            write(transaction, name)?;
            Ok(replaced)
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

    /// Removes the masters of these names.
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
                forget_unnamed_positions(transaction)
            },
            masters,
        )
    }

    /// Changes an existing file that has these masters. `change` is given the names of all, in
    /// order.
    fn change_masters(
        path: &Path,
        change: impl FnOnce(&Transaction<'_>, &[String]) -> rusqlite::Result<()>,
        masters: &[String],
    ) -> Result<(), StoreError> {
        // Nothing is changed in a file that is damaged.
        Self::open(path)?.catalogue_of_masters()?;
        let mut database = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        database.version()?;
        database.in_transaction(|transaction, name| {
            schema::migrate(transaction, version_of(transaction, name)?).in_file(name)?;
            let known = master_names(transaction).in_file(name)?;
            if let Some(master) = masters.iter().find(|master| !known.contains(master)) {
                let (name, master) = (name.to_owned(), master.clone());
                return Err(StoreError::NoSuchMaster { name, master, known: known.join(", ") });
            }
            change(transaction, &known).in_file(name)?;
            keep_catalogue(transaction, name)
        })
    }

    /// Whether the file has any masters; one that was made for repertoires has none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn has_masters(&self) -> Result<bool, StoreError> {
        let found =
            self.connection.query_row("SELECT EXISTS (SELECT * FROM master)", [], |row| row.get(0));
        found.in_file(&self.name)
    }
}
