//! The catalogue of a file: as it is kept ready, or made of its masters.

use rusqlite::Connection;

use super::{
    database::Database,
    error::{InFile, StoreError},
    image,
    rows::{StoredMaster, read_masters, read_masters_at},
};
use crate::{catalogue::Catalogue, chess::PositionKey};

impl Database {
    /// The catalogue in the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or what it says is not so: a line that cannot be played, or that
    /// leads to another position than the file has.
    pub fn catalogue(&self) -> Result<Catalogue, StoreError> {
        match image::read(&self.connection).in_file(&self.name)? {
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
        replay(read_masters(&self.connection), &self.name)
    }

    /// The part of the catalogue that names these positions. It names them as the whole one does,
    /// and loads faster.
    ///
    /// # Errors
    ///
    /// As for [`catalogue`](Self::catalogue), as far as these openings are concerned.
    pub fn catalogue_at(&self, keys: &[PositionKey]) -> Result<Catalogue, StoreError> {
        replay(read_masters_at(&self.connection, keys), &self.name)
    }

    /// Whether [`catalogue`](Self::catalogue) is what the masters in the file make.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn keeps_catalogue_of(&self, masters: &Catalogue) -> Result<bool, StoreError> {
        image::is_of(&self.connection, masters).in_file(&self.name)
    }
}

/// Keeps the catalogue of the masters that a transaction has written.
pub(super) fn keep_catalogue(connection: &Connection, name: &str) -> Result<(), StoreError> {
    let catalogue = replay(read_masters(connection), name)?;
    image::write(connection, &catalogue).in_file(name)
}

/// Keeps the catalogue of a file that had no place for it, or whose masters were changed by
/// another program. A file with damaged masters goes without.
#[cfg(feature = "collection")]
pub(super) fn keep_missing_catalogue(
    connection: &Connection,
    name: &str,
) -> Result<(), StoreError> {
    if !image::is_missing(connection).in_file(name)? {
        return Ok(());
    }
    match replay(read_masters(connection), name) {
        Ok(catalogue) => image::write(connection, &catalogue).in_file(name),
        Err(_) => Ok(()),
    }
}

/// The catalogue that stored masters make.
pub(super) fn replay(
    stored: rusqlite::Result<Vec<StoredMaster>>,
    name: &str,
) -> Result<Catalogue, StoreError> {
    let damaged = |what: String| StoreError::damaged(name, &what);
    let mut masters = Vec::new();
    for StoredMaster { mut master, openings, .. } in stored.in_file(name)? {
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

#[cfg(test)]
mod tests;
