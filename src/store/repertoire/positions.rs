//! The positions of a repertoire that are stored regardless of the number of their games.

use hashbrown::HashSet;

use super::info::RepertoireInfo;
use crate::{
    chess::{ParseKeyError, PositionKey},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

impl Database {
    /// The positions of a repertoire that are stored regardless of the number of their games.
    pub(super) fn kept_keys(
        &self,
        info: &RepertoireInfo,
    ) -> Result<HashSet<PositionKey>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut keys = self.connection.prepare(
                "SELECT key FROM repertoire_position WHERE repertoire_id = ?1
                     AND (is_prepared OR is_start)",
            )?;
            keys.query_map([info.id], |row| row.get(0))?.collect()
        };
        let keys = read().in_file(&self.name)?;
        keys.iter().map(|key| self.stored_key(key)).collect()
    }

    /// The positions that games or prepared lines begin with.
    pub(super) fn start_keys(
        &self,
        info: &RepertoireInfo,
    ) -> Result<HashSet<PositionKey>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut keys = self.connection.prepare(
                "SELECT key FROM repertoire_position WHERE repertoire_id = ?1 AND is_start",
            )?;
            keys.query_map([info.id], |row| row.get(0))?.collect()
        };
        let keys = read().in_file(&self.name)?;
        keys.iter().map(|key| self.stored_key(key)).collect()
    }

    pub(super) fn stored_key(&self, text: &str) -> Result<PositionKey, StoreError> {
        text.parse().map_err(|error: ParseKeyError| StoreError::damaged(&self.name, &error))
    }

    /// Marks positions that games begin with.
    pub(super) fn mark_starts(
        &self,
        info: &RepertoireInfo,
        starts: &HashSet<PositionKey>,
    ) -> Result<(), StoreError> {
        let mark = || -> rusqlite::Result<()> {
            let mut mark = self.connection.prepare(
                "UPDATE repertoire_position SET is_start = 1
                 WHERE repertoire_id = ?1 AND key = ?2",
            )?;
            starts.iter().try_for_each(|key| mark.execute((info.id, key.to_string())).map(drop))
        };
        mark().in_file(&self.name)
    }
}
