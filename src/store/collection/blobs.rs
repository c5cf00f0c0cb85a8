//! The blobs of a segment, in the database.

use rusqlite::{Connection, params};

use crate::{
    collection::segment::{BlobKind, BlobSource, DamagedSegment},
    store::error::{InFile, StoreError},
};

/// How the column `kind` names what a blob holds.
pub(in crate::store) fn kind_name(kind: BlobKind) -> &'static str {
    match kind {
        BlobKind::Header => "header",
        BlobKind::Dictionary => "dictionary",
        BlobKind::Facts => "facts",
        BlobKind::Moves => "moves",
        BlobKind::Tags => "tags",
        BlobKind::Positions => "positions",
        BlobKind::Ids => "ids",
    }
}

/// The blobs of a segment.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct SegmentBlobs<'c> {
    connection: &'c Connection,
    /// The name of the file, for errors.
    name: &'c str,
    segment: i64,
}

impl<'c> SegmentBlobs<'c> {
    /// Those of the segment with this id.
    pub(in crate::store) fn new(connection: &'c Connection, name: &'c str, segment: i64) -> Self {
        Self { connection, name, segment }
    }

    /// The name of the file, for errors.
    pub(in crate::store) fn file_name(&self) -> &'c str {
        self.name
    }
}

impl BlobSource for SegmentBlobs<'_> {
    type Error = StoreError;

    fn key(&self) -> u64 {
        self.segment.cast_unsigned()
    }

    fn read<R>(
        &self,
        kind: BlobKind,
        number: u32,
        read: impl FnOnce(&[u8]) -> Result<R, DamagedSegment>,
    ) -> Result<R, StoreError> {
        let find = || -> rusqlite::Result<Option<Result<R, DamagedSegment>>> {
            let mut blobs = self.connection.prepare_cached(
                "SELECT bytes FROM segment_blob
                 WHERE segment_id = ?1 AND kind = ?2 AND number = ?3",
            )?;
            let mut rows = blobs.query(params![self.segment, kind_name(kind), number])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            Ok(Some(read(row.get_ref(0)?.as_blob()?)))
        };
        match find().in_file(self.name)? {
            Some(result) => result.map_err(|fault| self.damaged(fault)),
            None => {
                let what = format!("segment {} has no {} {number}", self.segment, kind_name(kind));
                Err(StoreError::damaged(self.name, &what))
            }
        }
    }

    fn damaged(&self, fault: DamagedSegment) -> StoreError {
        StoreError::damaged(self.name, &format_args!("segment {}: {fault}", self.segment))
    }
}
