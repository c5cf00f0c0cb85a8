//! A new file that gets pages at its end, between two transactions.

use std::{io, path::Path};

use super::{
    btree::PageFile,
    database::Database,
    error::{InFile, StoreError},
};

impl Database {
    /// The end of a file that is still without its name, so that nobody else can have it open;
    /// `None` for other files. What was changed so far is committed.
    pub(super) fn end_of_new_file(&mut self) -> Result<Option<PageFile>, StoreError> {
        let Some(reserved) = &self.reserved else { return Ok(None) };
        self.connection.execute_batch("COMMIT").in_file(&self.name)?;
        let end = PageFile::open(reserved.path()).map_err(|error| self.cannot_write(error))?;
        if end.is_none() {
            self.connection.execute_batch("BEGIN IMMEDIATE").in_file(&self.name)?;
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
        self.connection.execute_batch("BEGIN IMMEDIATE").in_file(&self.name)
    }
}
