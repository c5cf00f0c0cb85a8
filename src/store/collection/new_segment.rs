//! A segment that is collected and then written.

use rusqlite::params;

use super::{blobs::kind_name, info::CollectionInfo};
use crate::{
    collection::{
        KeptGame,
        segment::{NewSegment, SegmentBuilder},
    },
    pgn::GameDate,
    pipeline::Workers,
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// Games on their way into a segment.
#[derive(Debug)]
pub(super) struct CollectedGames {
    builder: SegmentBuilder,
    dates: Option<(GameDate, GameDate)>,
}

impl CollectedGames {
    pub(super) fn new(info: &CollectionInfo) -> Self {
        Self { builder: SegmentBuilder::new(info.max_ply as usize), dates: None }
    }

    pub(super) fn len(&self) -> usize {
        self.builder.len()
    }

    /// Whether no more games should be added.
    pub(super) fn is_full(&self) -> bool {
        self.builder.is_full()
    }

    pub(super) fn add(&mut self, game: &KeptGame) {
        if let Some(date) = game.details().date {
            let (first, last) = self.dates.unwrap_or((date, date));
            self.dates = Some((first.min(date), last.max(date)));
        }
        self.builder.add(game);
    }
}

impl Database {
    /// Writes a segment of these games.
    pub(super) fn write_segment(
        &self,
        info: &CollectionInfo,
        games: CollectedGames,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        let CollectedGames { builder, dates } = games;
        let segment = builder.finish(workers);
        self.insert_segment(info, &segment, dates).in_file(&self.name)
    }

    fn insert_segment(
        &self,
        info: &CollectionInfo,
        segment: &NewSegment,
        dates: Option<(GameDate, GameDate)>,
    ) -> rusqlite::Result<()> {
        let bytes: usize = segment.blobs.iter().map(|blob| blob.bytes.len()).sum();
        let header = &segment.header;
        let id = self
            .connection
            .prepare_cached(
                "INSERT INTO segment (collection_id, games, counted_games, first_date, last_date,
                     bytes)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![
                info.id,
                header.games,
                header.initial,
                dates.map(|(first, _)| first.to_string()),
                dates.map(|(_, last)| last.to_string()),
                i64::try_from(bytes).unwrap_or(i64::MAX),
            ])?;
        let mut add = self.connection.prepare_cached(
            "INSERT INTO segment_blob (segment_id, kind, number, bytes) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for blob in &segment.blobs {
            add.execute(params![id, kind_name(blob.kind), blob.number, blob.bytes])?;
        }
        Ok(())
    }
}
