//! The games of a collection, segment by segment.

use std::ops::{ControlFlow, Range};

use rusqlite::params;

use super::{
    blobs::SegmentBlobs,
    info::CollectionInfo,
    new_segment::{self, CollectedGames},
};
use crate::{
    collection::{
        GameId, KeptGame,
        segment::{Cache, FACTS_A_CHUNK, SegmentReader},
    },
    pipeline::Workers,
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The memory for what is read of segments, in bytes.
pub(super) const CACHE_BYTES: usize = 64 << 20;

/// The number of games that are read of one moment of the file.
const GAMES_AT_ONCE: usize = 1024;

/// A segment of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct SegmentRow {
    pub(in crate::store) id: i64,
    pub(in crate::store) games: u32,
}

impl Database {
    /// Calls `visit` with the games of a collection, in the order in which they are stored, until
    /// it breaks: that of their moves, within each part of the collection. No other program waits
    /// for what `visit` does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or another program changes the collection meanwhile.
    pub fn kept_games(
        &self,
        info: &CollectionInfo,
        visit: &mut dyn FnMut(KeptGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let segments = self.segments(info)?;
        for segment in &segments {
            let cache = Cache::new(CACHE_BYTES);
            for first in (0..segment.games).step_by(GAMES_AT_ONCE) {
                let transaction = self.connection.unchecked_transaction();
                let snapshot = transaction.in_file(&self.name)?;
                if self.segments(info)? != segments {
                    return Err(StoreError::Changed { name: self.name.clone() });
                }
                let reader = self.segment_reader(*segment, &cache)?;
                let last = segment.games.min(first + GAMES_AT_ONCE as u32);
                let games: Vec<KeptGame> =
                    (first..last).map(|number| reader.game(number)).collect::<Result<_, _>>()?;
                drop(snapshot);
                if games.into_iter().try_for_each(&mut *visit).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The segments of a collection, the oldest first.
    pub(in crate::store) fn segments(
        &self,
        info: &CollectionInfo,
    ) -> Result<Vec<SegmentRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<SegmentRow>> {
            let mut segments = self
                .connection
                .prepare("SELECT id, games FROM segment WHERE collection_id = ?1 ORDER BY id")?;
            let row =
                |row: &rusqlite::Row<'_>| Ok(SegmentRow { id: row.get(0)?, games: row.get(1)? });
            segments.query_map([info.id], row)?.collect()
        };
        read().in_file(&self.name)
    }

    /// Calls `visit` with each game of a segment, until it breaks.
    pub(in crate::store) fn each_kept_game(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(KeptGame) -> Result<ControlFlow<()>, StoreError>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        for number in 0..reader.header().games {
            if visit(reader.game(number)?)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Writes a segment of these games.
    pub(super) fn write_segment(
        &self,
        info: &CollectionInfo,
        games: CollectedGames,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        new_segment::write_segment(&self.connection, info.id, games, workers).in_file(&self.name)
    }

    pub(super) fn segment_reader<'a>(
        &'a self,
        segment: SegmentRow,
        cache: &'a Cache,
    ) -> Result<SegmentReader<'a, SegmentBlobs<'a>>, StoreError> {
        let blobs = SegmentBlobs::new(&self.connection, &self.name, segment.id);
        let reader = SegmentReader::new(blobs, cache)?;
        if reader.header().games != segment.games {
            let what = format!("segment {} has another number of games", segment.id);
            return Err(StoreError::damaged(&self.name, &what));
        }
        Ok(reader)
    }

    /// Calls `visit` with the identities of all games of a segment.
    pub(super) fn each_game_id(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(GameId),
    ) -> Result<(), StoreError> {
        let cache = Cache::new(0);
        let reader = self.segment_reader(segment, &cache)?;
        let chunks: Range<u32> = 0..segment.games.div_ceil(FACTS_A_CHUNK as u32);
        for chunk in chunks {
            let facts = reader.facts(chunk)?;
            (0..facts.len()).for_each(|at| visit(facts.fingerprint(at).into()));
        }
        Ok(())
    }

    /// Removes a segment.
    pub(super) fn delete_segment(&self, segment: SegmentRow) -> Result<(), StoreError> {
        self.execute("DELETE FROM segment WHERE id = ?1", params![segment.id]).map(drop)
    }
}
