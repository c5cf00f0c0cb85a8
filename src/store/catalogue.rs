//! The masters of a file, and the catalogue that they make.
//!
//! The catalogue is kept as bytes in a table of the file, from which it is there at once. Triggers
//! delete them when a program other than eco changes a table that they follow from, which costs a
//! reader nothing. A fingerprint of the rows would have to read all of them, and takes most of what
//! the bytes save.

use std::path::Path;

use rusqlite::{Row, params};

use super::rows::{read_infos, read_masters, write_catalogue};
use super::{Database, InFile, Kind, StoreError};
use crate::catalogue::{Catalogue, IMAGE_VERSION};
use crate::master::Master;

/// A catalogue of more bytes is read from its tables; SQLite has limits for values.
const MAX_BYTES: usize = 16 << 20;

impl Database {
    /// The catalogue in the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or what it says is not so: a line that cannot be played, or that
    /// leads to another position than the file has.
    pub fn catalogue(&self) -> Result<Catalogue, StoreError> {
        match self.read_image()? {
            Some(catalogue) => Ok(catalogue),
            None => self.catalogue_of_masters(),
        }
    }

    /// The catalogue in the file, made of the lines of its masters: each is read and played. It is
    /// the same as [`catalogue`](Self::catalogue), which takes a part of the time, unless the file
    /// is damaged.
    ///
    /// # Errors
    ///
    /// As for [`catalogue`](Self::catalogue).
    pub fn catalogue_of_masters(&self) -> Result<Catalogue, StoreError> {
        let masters = read_masters(&self.connection).in_file(&self.name)?;
        let (catalogue, faults) = Catalogue::from_masters(masters);
        match faults.first() {
            Some(fault) => Err(self.damaged(fault)),
            None => Ok(catalogue),
        }
    }

    /// Whether [`catalogue`](Self::catalogue) is what the masters in the file make.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn keeps_catalogue_of(&self, masters: &Catalogue) -> Result<bool, StoreError> {
        let sql = "SELECT bytes FROM catalogue_image WHERE version = ?1";
        let kept: Vec<Vec<u8>> = self.rows(sql, [IMAGE_VERSION], |row| row.get(0))?;
        Ok(kept.iter().all(|bytes| *bytes == masters.to_image()))
    }

    /// Writes the masters of `catalogue`: each in the place of the master of its name, or after all
    /// others. A missing file is created. Returns the masters that were replaced, as they were.
    ///
    /// # Errors
    ///
    /// If the file is no position database, is damaged, or cannot be written. It is then what it
    /// was before.
    pub fn ingest(path: &Path, catalogue: &Catalogue) -> Result<Vec<Master>, StoreError> {
        let mut database = Self::begin_change(path)?;
        // Nothing is written to a file that is damaged.
        let mut replaced = database.catalogue_of_masters()?.to_masters();
        replaced.retain(|old| catalogue.masters().iter().any(|new| new.name == old.info.name));
        write_catalogue(&database.connection, catalogue).in_file(&database.name)?;
        database.keep_catalogue()?;
        database.commit()?;
        Ok(replaced)
    }

    /// Puts the masters of these names before all others, in this order.
    ///
    /// # Errors
    ///
    /// If the file is no position database, is damaged, has no master of such a name, or cannot be
    /// written. It is then what it was before.
    pub fn prefer(path: &Path, masters: &[String]) -> Result<(), StoreError> {
        Self::change(path, |database| {
            for master in masters {
                database.id_of(Kind::Master, master)?;
            }
            let others = database.names(Kind::Master)?;
            let others = others.iter().filter(|name| !masters.contains(name));
            let order = masters.iter().chain(others);
            // No two masters may share a precedence at any time.
            database.execute("UPDATE master SET precedence = -precedence", [])?;
            for (precedence, name) in (1_i64..).zip(order) {
                let sql = "UPDATE master SET precedence = ?1 WHERE name = ?2";
                database.execute(sql, params![precedence, name])?;
            }
            database.keep_catalogue()
        })
    }

    /// Keeps the catalogue of the masters that a transaction has written.
    pub(super) fn keep_catalogue(&self) -> Result<(), StoreError> {
        self.write_image(&self.catalogue_of_masters()?)
    }

    /// Keeps the catalogue of a file that had no place for it, or whose masters were changed by
    /// another program. A file with damaged masters goes without.
    pub(super) fn keep_missing_catalogue(&self) -> Result<(), StoreError> {
        let sql = "SELECT EXISTS (SELECT * FROM master)
             AND NOT EXISTS (SELECT version FROM catalogue_image WHERE version = ?1)";
        let is_missing = self.rows(sql, [IMAGE_VERSION], |row| row.get(0))?.contains(&true);
        match is_missing.then(|| self.catalogue_of_masters()) {
            Some(Ok(catalogue)) => self.write_image(&catalogue),
            Some(Err(_)) | None => Ok(()),
        }
    }

    /// The catalogue that is kept in the file. `None` if none is, or one that is damaged, of other
    /// masters, or of another version.
    fn read_image(&self) -> Result<Option<Catalogue>, StoreError> {
        let sql = "SELECT bytes FROM catalogue_image WHERE version = ?1";
        let read = |row: &Row<'_>| Ok(Catalogue::from_image(row.get_ref(0)?.as_blob()?));
        let kept = self.rows(sql, [IMAGE_VERSION], read)?.pop().flatten();
        let masters = read_infos(&self.connection).in_file(&self.name)?;
        let is_of_file = |catalogue: &Catalogue| {
            catalogue.masters().iter().eq(masters.iter().map(|(_, info)| info))
        };
        Ok(kept.filter(is_of_file))
    }

    /// Keeps the catalogue of the masters in the file, and none of before.
    fn write_image(&self, catalogue: &Catalogue) -> Result<(), StoreError> {
        self.execute("DELETE FROM catalogue_image", [])?;
        let bytes = catalogue.to_image();
        if catalogue.masters().is_empty() || bytes.len() > MAX_BYTES {
            return Ok(());
        }
        let sql = "INSERT INTO catalogue_image (version, bytes) VALUES (?1, ?2)";
        self.execute(sql, params![IMAGE_VERSION, bytes]).map(drop)
    }
}

#[cfg(test)]
mod tests;
