//! The segments that an explorer asks.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::blobs::SegmentBlobs;
use crate::{
    collection::{
        Cancellation,
        segment::{BlobKind, BlobSource, Cache, DamagedSegment, SegmentReader},
    },
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The segments of the collections that are asked, in order.
pub(super) struct SegmentList(Vec<ListedSegment>);

struct ListedSegment {
    id: i64,
    games: i64,
    bytes: i64,
    collection: String,
}

/// A segment that can be asked.
pub(super) struct ExploredSegment<'s> {
    pub(super) reader: SegmentReader<'s, KeyedBlobs<'s>>,
    pub(super) collection: &'s str,
    /// Its number in the cache.
    pub(super) key: u64,
}

/// Blobs of a segment, with a key that no segment of another file has.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyedBlobs<'s> {
    blobs: SegmentBlobs<'s>,
    key: u64,
    /// What ends the question that they are read for.
    cancellation: &'s Cancellation,
}

impl SegmentList {
    /// The segments of the collections of these names; of all, if there are none.
    pub(super) fn read(database: &Database, names: &[String]) -> Result<Self, StoreError> {
        // A name that is not known is an error.
        names.iter().try_for_each(|name| database.collection(name).map(drop))?;
        let read = || -> rusqlite::Result<Vec<ListedSegment>> {
            let mut segments = database.connection.prepare_cached(
                "SELECT segment.id, segment.games, segment.bytes, collection.name
                 FROM segment JOIN collection ON collection.id = segment.collection_id
                 WHERE collection.repertoire_id IS NULL
                 ORDER BY collection.name, segment.id",
            )?;
            let rows = segments.query_map([], |row| {
                Ok(ListedSegment {
                    id: row.get(0)?,
                    games: row.get(1)?,
                    bytes: row.get(2)?,
                    collection: row.get(3)?,
                })
            })?;
            rows.collect()
        };
        let mut segments = read().in_file(&database.name)?;
        segments.retain(|segment| names.is_empty() || names.contains(&segment.collection));
        Ok(Self(segments))
    }

    /// Opens them, in the file of this generation.
    pub(super) fn open<'s>(
        &'s self,
        database: &'s Database,
        generation: u64,
        cache: &'s Cache,
        cancellation: &'s Cancellation,
    ) -> Result<Vec<ExploredSegment<'s>>, StoreError> {
        let open = |segment: &'s ListedSegment| {
            let blobs = SegmentBlobs::new(&database.connection, &database.name, segment.id);
            // What was written over a file, in the same place, has other sizes.
            let mut hasher = DefaultHasher::new();
            (generation, segment.id, segment.games, segment.bytes).hash(&mut hasher);
            let key = hasher.finish();
            let reader = SegmentReader::new(KeyedBlobs { blobs, key, cancellation }, cache)?;
            Ok(ExploredSegment { reader, collection: &segment.collection, key })
        };
        self.0.iter().map(open).collect()
    }
}

impl BlobSource for KeyedBlobs<'_> {
    type Error = StoreError;

    fn key(&self) -> u64 {
        self.key
    }

    fn read<R>(
        &self,
        kind: BlobKind,
        number: u32,
        read: impl FnOnce(&[u8]) -> Result<R, DamagedSegment>,
    ) -> Result<R, StoreError> {
        self.blobs.read(kind, number, read)
    }

    fn check_waiting(&self) -> Result<(), StoreError> {
        if self.cancellation.is_cancelled() {
            return Err(StoreError::Cancelled { name: self.blobs.file_name().to_owned() });
        }
        Ok(())
    }

    fn damaged(&self, fault: DamagedSegment) -> StoreError {
        self.blobs.damaged(fault)
    }
}
