//! Writes segments: of games that were collected, or of those of other segments.

use std::io::{Read, Seek, SeekFrom, Write};
use std::{fs::File, io, path::Path};

use rusqlite::params;

use super::{CollectionInfo, checksum::checksum_of_blob, list::SegmentRow, segments::SegmentBlobs};
use crate::collection::segment::{
    Aside, Blob, Cache, MergedSegment, NewSegment, SegmentBuilder, SegmentReader, SegmentSink,
    merge,
};
use crate::new_file::{folder_of, nameless_file};
use crate::{pipeline::Workers, store::Database, store::StoreError};

/// What is set aside beyond this number of bytes is in a file.
const MOST_ASIDE: usize = 32 << 20;

/// Whether positions and games can be found in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// They can.
    Now,
    /// They cannot: it will be merged with others before the file is.
    Later,
}

/// A segment that goes into another one: of which file, and which of its games are left out.
pub(super) struct Source<'d> {
    /// None if it is the file that is written.
    pub(super) database: Option<&'d Database>,
    pub(super) segment: SegmentRow,
    /// By the number of a game; none is, if there are no numbers.
    pub(super) left_out: Vec<bool>,
    /// What is added to the numbers of arrival.
    pub(super) arrivals: u32,
}

impl Source<'_> {
    /// All games of a segment of the file that is written.
    pub(super) fn all_of(segment: SegmentRow) -> Self {
        Self { database: None, segment, left_out: Vec::new(), arrivals: 0 }
    }
}

impl Database {
    /// Writes a segment of these games.
    pub(super) fn write_segment(
        &self,
        info: &CollectionInfo,
        games: SegmentBuilder,
        index: Index,
        workers: &Workers,
    ) -> Result<SegmentRow, StoreError> {
        let mut writer = SegmentWriter::begin(self, info)?;
        let unindexed = games.finish(workers, &mut writer)?;
        let segment = match index {
            Index::Now => unindexed.index(workers, &mut writer)?,
            Index::Later => unindexed.without_index(&mut writer)?,
        };
        writer.finish(info, &segment)
    }

    /// Writes a segment of the games of others, if there are any. Those of this file are removed.
    pub(super) fn merge_segments(
        &self,
        info: &CollectionInfo,
        sources: Vec<Source<'_>>,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        if sources.is_empty() {
            return Ok(());
        }
        let caches: Vec<Cache> = sources.iter().map(|_| Cache::new(0)).collect();
        let own = sources.iter().filter(|source| source.database.is_none());
        let own: Vec<i64> = own.map(|source| source.segment.id).collect();
        // What is not read is removed first: the space is used again.
        let sql = "DELETE FROM segment_blob WHERE segment_id = ?1 AND kind IN ('positions', 'ids')";
        own.iter().try_for_each(|id| self.execute(sql, params![id]).map(drop))?;
        let segment = |(source, cache)| {
            let Source { database, segment, left_out, arrivals } = source;
            let blobs = SegmentBlobs::new(database.unwrap_or(self), segment.id);
            SegmentReader::new(blobs, cache).map(|reader| MergedSegment {
                reader,
                left_out,
                arrivals,
            })
        };
        let segments: Vec<_> =
            sources.into_iter().zip(&caches).map(segment).collect::<Result<_, _>>()?;
        let mut writer = SegmentWriter::begin(self, info)?;
        let unindexed = merge(&segments, workers, &mut writer)?;
        drop(segments);
        let sql = "DELETE FROM segment WHERE id = ?1";
        own.iter().try_for_each(|id| self.execute(sql, params![id]).map(drop))?;
        let segment = unindexed.index(workers, &mut writer)?;
        writer.finish(info, &segment).map(drop)
    }
}

/// A segment that is being written.
struct SegmentWriter<'d> {
    database: &'d Database,
    id: i64,
    bytes: usize,
    aside: usize,
    /// What is set aside.
    file: Option<File>,
}

impl<'d> SegmentWriter<'d> {
    fn begin(database: &'d Database, info: &CollectionInfo) -> Result<Self, StoreError> {
        let sql = "INSERT INTO segment (collection_id, games, counted_games, bytes)
             VALUES (?1, 0, 0, 0)";
        database.execute(sql, params![info.id])?;
        let id = database.connection.last_insert_rowid();
        Ok(Self { database, id, bytes: 0, aside: 0, file: None })
    }

    fn finish(self, info: &CollectionInfo, new: &NewSegment) -> Result<SegmentRow, StoreError> {
        let NewSegment { header, dates } = new;
        let segment = SegmentRow {
            id: self.id,
            games: header.games,
            counted: header.initial.into(),
            dates: *dates,
            bytes: i64::try_from(self.bytes).unwrap_or(i64::MAX),
        };
        let SegmentRow { id, games, counted, bytes, .. } = segment;
        let [first, last] = dates.map(|date| date.map(|date| date.to_string()));
        let sql = "UPDATE segment SET games = ?2, counted_games = ?3, first_date = ?4,
                 last_date = ?5, bytes = ?6
             WHERE id = ?1";
        self.database.execute(sql, params![id, games, counted, first, last, bytes])?;
        self.database.seal(info.id)?;
        Ok(segment)
    }

    fn write_aside(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let beside = self.database.connection.path().unwrap_or_default();
                none.insert(nameless_file(folder_of(Path::new(beside)))?)
            }
        };
        let at = file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)?;
        Ok(at)
    }

    fn read_aside(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        let mut file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn failed(&self, error: io::Error) -> StoreError {
        StoreError::CannotWrite { name: self.database.name.clone(), source: error.into() }
    }
}

impl SegmentSink for SegmentWriter<'_> {
    type Error = StoreError;

    fn add(&mut self, blob: Blob) -> Result<(), StoreError> {
        let Blob { number, bytes, .. } = &blob;
        self.bytes += bytes.len();
        let kind = blob.kind.name();
        let checksum = checksum_of_blob(self.id, kind, *number, bytes);
        let sql = "INSERT INTO segment_blob (segment_id, kind, number, checksum, bytes)
             VALUES (?1, ?2, ?3, ?4, ?5)";
        self.database.execute(sql, params![self.id, kind, number, checksum, bytes]).map(drop)
    }

    fn set_aside(&mut self, bytes: Vec<u8>) -> Result<Aside, StoreError> {
        self.aside += bytes.len();
        if self.aside <= MOST_ASIDE {
            return Ok(Aside::InMemory(bytes));
        }
        let at = self.write_aside(&bytes).map_err(|error| self.failed(error))?;
        Ok(Aside::At(at, bytes.len()))
    }

    fn take_back(&mut self, aside: Aside) -> Result<Vec<u8>, StoreError> {
        match aside {
            Aside::InMemory(bytes) => Ok(bytes),
            Aside::At(at, len) => self.read_aside(at, len).map_err(|error| self.failed(error)),
        }
    }
}
