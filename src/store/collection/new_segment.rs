//! A segment that is collected and then written.

use rusqlite::{Connection, params};

use super::blobs::kind_name;
use crate::{
    collection::{
        KeptGame,
        segment::{NewSegment, SegmentBuilder},
    },
    pgn::GameDate,
    pipeline::Workers,
};

/// Games on their way into a segment.
#[derive(Debug)]
pub(in crate::store) struct CollectedGames {
    builder: SegmentBuilder,
    dates: Option<(GameDate, GameDate)>,
}

impl CollectedGames {
    /// None yet; positions will be found up to a ply.
    pub(in crate::store) fn new(max_ply: u32) -> Self {
        Self { builder: SegmentBuilder::new(max_ply as usize), dates: None }
    }

    pub(in crate::store) fn len(&self) -> usize {
        self.builder.len()
    }

    /// Whether no more games should be added.
    pub(in crate::store) fn is_full(&self) -> bool {
        self.builder.is_full()
    }

    pub(in crate::store) fn add(&mut self, game: &KeptGame) {
        if let Some(date) = game.details().date {
            let (first, last) = self.dates.unwrap_or((date, date));
            self.dates = Some((first.min(date), last.max(date)));
        }
        self.builder.add(game);
    }
}

/// Writes a segment of these games to the collection of an id.
pub(in crate::store) fn write_segment(
    connection: &Connection,
    collection: i64,
    games: CollectedGames,
    workers: &Workers,
) -> rusqlite::Result<()> {
    let CollectedGames { builder, dates } = games;
    insert_segment(connection, collection, &builder.finish(workers), dates)
}

fn insert_segment(
    connection: &Connection,
    collection: i64,
    segment: &NewSegment,
    dates: Option<(GameDate, GameDate)>,
) -> rusqlite::Result<()> {
    let bytes: usize = segment.blobs.iter().map(|blob| blob.bytes.len()).sum();
    let header = &segment.header;
    let id = connection
        .prepare_cached(
            "INSERT INTO segment (collection_id, games, counted_games, first_date, last_date,
                 bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .insert(params![
            collection,
            header.games,
            header.initial,
            dates.map(|(first, _)| first.to_string()),
            dates.map(|(_, last)| last.to_string()),
            i64::try_from(bytes).unwrap_or(i64::MAX),
        ])?;
    let mut add = connection.prepare_cached(
        "INSERT INTO segment_blob (segment_id, kind, number, bytes) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for blob in &segment.blobs {
        add.execute(params![id, kind_name(blob.kind), blob.number, blob.bytes])?;
    }
    Ok(())
}
