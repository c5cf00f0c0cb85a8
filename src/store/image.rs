//! The catalogue as bytes in a table of the file, from which it is there at once.
//!
//! Triggers delete them when a program other than eco changes a table that they follow from, which
//! costs a reader nothing. A fingerprint of the rows would have to read all of them, and takes most
//! of what the bytes save.

use rusqlite::{Connection, OptionalExtension, params};

use super::rows::master_infos;
use crate::catalogue::{Catalogue, IMAGE_VERSION};

/// A catalogue of more bytes is read from its tables; SQLite has limits for values.
const MAX_BYTES: usize = 16 << 20;

/// The catalogue that is kept in the file. `None` if none is, or one that is damaged, of other
/// masters, or of another version.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Option<Catalogue>> {
    let mut image = connection.prepare("SELECT bytes FROM catalogue_image WHERE version = ?1")?;
    let read = |row: &rusqlite::Row<'_>| Ok(Catalogue::from_image(row.get_ref(0)?.as_blob()?));
    let Some(catalogue) = image.query_row([IMAGE_VERSION], read).optional()?.flatten() else {
        return Ok(None);
    };
    let is_of_file = catalogue.masters() == master_infos(connection)?;
    Ok(is_of_file.then_some(catalogue))
}

/// Whether the file has masters, but does not keep their catalogue.
#[cfg(feature = "collection")]
pub(super) fn is_missing(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT * FROM master)
         AND NOT EXISTS (SELECT version FROM catalogue_image WHERE version = ?1)";
    connection.query_row(sql, [IMAGE_VERSION], |row| row.get(0))
}

/// Keeps the catalogue of the masters in the file, and none of before.
pub(super) fn write(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM catalogue_image", [])?;
    let bytes = catalogue.to_image();
    if catalogue.masters().is_empty() || bytes.len() > MAX_BYTES {
        return Ok(());
    }
    let sql = "INSERT INTO catalogue_image (version, bytes) VALUES (?1, ?2)";
    connection.execute(sql, params![IMAGE_VERSION, bytes]).map(drop)
}

/// Whether what the file keeps, if anything, is this catalogue.
pub(super) fn is_of(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    let mut image = connection.prepare("SELECT bytes FROM catalogue_image WHERE version = ?1")?;
    let kept: Option<Vec<u8>> = image.query_row([IMAGE_VERSION], |row| row.get(0)).optional()?;
    Ok(kept.is_none_or(|bytes| bytes == catalogue.to_image()))
}
