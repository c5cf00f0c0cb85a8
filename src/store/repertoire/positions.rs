//! The positions of a repertoire that are stored regardless of the number of their games.

use std::num::NonZeroU32;

use hashbrown::{HashMap, HashSet};

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

    /// The positions that games begin with, with the least numbers of their first moves.
    pub(super) fn starts(
        &self,
        info: &RepertoireInfo,
    ) -> Result<HashMap<PositionKey, NonZeroU32>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, u32)>> {
            let mut starts = self.connection.prepare(
                "SELECT key, coalesce(first_move, 1) FROM repertoire_position
                 WHERE repertoire_id = ?1 AND is_start",
            )?;
            starts.query_map([info.id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let starts = read().in_file(&self.name)?.into_iter();
        let start = |(key, number): (String, u32)| {
            Ok((self.stored_key(&key)?, NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)))
        };
        starts.map(start).collect()
    }

    pub(super) fn stored_key(&self, text: &str) -> Result<PositionKey, StoreError> {
        text.parse().map_err(|error: ParseKeyError| StoreError::damaged(&self.name, &error))
    }

    /// Marks positions that games begin with, with the numbers of their first moves. The number
    /// stays unknown where an older version counted games.
    pub(super) fn mark_starts(
        &self,
        info: &RepertoireInfo,
        starts: &HashMap<PositionKey, NonZeroU32>,
    ) -> Result<(), StoreError> {
        let mark = || -> rusqlite::Result<()> {
            let mut mark = self.connection.prepare(
                "UPDATE repertoire_position
                 SET is_start = 1, first_move =
                    iif(is_start AND first_move IS NULL, NULL, min(coalesce(first_move, ?3), ?3))
                 WHERE repertoire_id = ?1 AND key = ?2",
            )?;
            // In an order of their own, so that the same games make the same bytes.
            let mut starts: Vec<_> = starts.iter().collect();
            starts.sort_unstable();
            starts.into_iter().try_for_each(|(key, number)| {
                mark.execute((info.id, key.to_string(), number.get())).map(drop)
            })
        };
        mark().in_file(&self.name)
    }
}
