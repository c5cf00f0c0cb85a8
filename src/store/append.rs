//! A new file that gets pages at its end, between two transactions.

use std::{io, path::Path};

use rusqlite::OptionalExtension;

use super::{
    btree::PageFile,
    database::Database,
    error::{InFile, StoreError},
};

impl Database {
    /// Whether the file is without its name, and laid out so that pages can be added at its end.
    pub(super) fn can_take_pages(&self) -> Result<bool, StoreError> {
        let Some(reserved) = &self.reserved else { return Ok(false) };
        let end = PageFile::open(reserved.path()).map_err(|error| self.cannot_write(error))?;
        Ok(end.is_some())
    }

    /// The roots of tables and indexes, as far as there are such.
    pub(super) fn roots<const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<[Option<u32>; N], StoreError> {
        let mut roots = [None; N];
        for (root, name) in roots.iter_mut().zip(names) {
            let find = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
            let found = self.connection.query_row(find, [name], |row| row.get(0)).optional();
            *root = found.in_file(&self.name)?;
        }
        Ok(roots)
    }

    /// The end of a file that is still without its name, so that nobody else can have it open;
    /// `None` for other files. What was changed so far is committed.
    pub(super) fn end_of_new_file(&mut self) -> Result<Option<PageFile>, StoreError> {
        let Some(reserved) = &self.reserved else { return Ok(None) };
        self.connection.execute_batch("COMMIT").in_file(&self.name)?;
        let end = PageFile::open(reserved.path()).map_err(|error| self.cannot_write(error))?;
        if end.is_none() {
            self.lock().in_file(&self.name)?;
        }
        Ok(end)
    }

    /// Opens a new file again whose pages `write` has changed, and begins the next transaction.
    pub(super) fn reopen_new(
        &mut self,
        write: impl FnOnce() -> io::Result<()>,
    ) -> Result<(), StoreError> {
        self.close()?;
        write().map_err(|error| self.cannot_write(error))?;
        let Some(file) = self.reserved.take() else { return Ok(()) };
        let name = std::mem::take(&mut self.name);
        *self = Self::begin_new(Path::new(&name), *file)?;
        self.connection.unlimited();
        self.lock().in_file(&self.name)
    }
}
