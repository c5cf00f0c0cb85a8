//! Collections are renamed and removed.

use std::path::Path;

use rusqlite::params;

use super::info::find_collection;
use crate::store::{
    database::Database,
    error::{InFile, StoreError},
};

impl Database {
    /// Renames a collection.
    ///
    /// # Errors
    ///
    /// If there is no collection of the old name, or one of the new name, or the file cannot be
    /// written. It is then what it was.
    pub fn rename_collection(path: &Path, name: &str, new: &str) -> Result<(), StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let info = database.collection(name)?;
        let known = find_collection(&database.connection, new);
        if known.in_file(&database.name)?.is_some() {
            return Err(database.refuse_collection(new, "is there already".to_owned()));
        }
        database.execute("UPDATE collection SET name = ?2 WHERE id = ?1", params![info.id, new])?;
        database.commit()
    }

    /// Removes a collection, with its games.
    ///
    /// # Errors
    ///
    /// If there is no collection of this name, or the file cannot be written. It is then what it
    /// was.
    pub fn remove_collection(path: &Path, name: &str) -> Result<(), StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let info = database.collection(name)?;
        database.execute("DELETE FROM collection WHERE id = ?1", params![info.id])?;
        database.commit()
    }
}
