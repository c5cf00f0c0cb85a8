//! What older versions did not write of the moves that were played: their UCI notation, the row of
//! the next position, and how soon games have a position. All of it is found by a new count.

use hashbrown::HashSet;

use super::count::{COUNT_MEMORY, Counting};
use crate::{
    pipeline::Workers,
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The first version that writes it.
const LINKED: i32 = 10;

impl Database {
    /// Writes it for all repertoires of a file that had this version, unless it is there. What is
    /// prepared is written again as well.
    pub(in crate::store) fn link_moves(&self, version: i32) -> Result<(), StoreError> {
        // Masters are added without a look at repertoires: then the version is new, the rows not.
        if version >= LINKED && self.are_moves_linked().in_file(&self.name)? {
            return Ok(());
        }
        let workers = Workers::default();
        for info in self.repertoires()? {
            let preparation = self.read_preparation(&info)?;
            self.write_preparation(&info, &preparation, &workers)?;
            let counting = Counting::new(self, &info, &workers);
            counting.write(&HashSet::new(), None, COUNT_MEMORY, &mut |_, _| {})?;
        }
        Ok(())
    }

    /// All moves of a file are linked, or none is.
    fn are_moves_linked(&self) -> rusqlite::Result<bool> {
        let has_open = "SELECT EXISTS (SELECT * FROM (SELECT uci FROM played_move LIMIT 1)
             WHERE uci IS NULL)";
        self.connection.query_row(has_open, [], |row| row.get(0)).map(|open: bool| !open)
    }
}
