//! A segment whose games are written: its index follows, unless it will be merged.

use super::blobs::{BUCKETS_A_BLOB, Blob, BlobKind, Header};
use super::position_index::{index_ids, index_positions};
use super::sink::{JoinedItems, SegmentSink};
use super::{facts::FactsRow, first_moves::FirstMoves};
use crate::{chess::Board, collection::GameId, executor::Executor, pgn::GameDate};

/// A segment that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewSegment {
    /// What it is made of.
    pub(crate) header: Header,
    /// The dates of its first and its last game, if any has one.
    pub(crate) dates: [Option<GameDate>; 2],
}

/// A segment whose games are written, and whose index is not yet.
pub(crate) struct Unindexed {
    pub(super) header: Header,
    dates: [Option<GameDate>; 2],
    /// Of the games that count.
    moves: FirstMoves,
    /// The identities of the games and their numbers.
    ids: Vec<(u64, u32)>,
}

impl Unindexed {
    pub(super) fn new(max_ply: usize, games: usize) -> Self {
        let header = Header { max_ply: max_ply as u16, ..Header::default() };
        let moves = FirstMoves::new(max_ply);
        let ids = Vec::with_capacity(games);
        Self { header, dates: [None; 2], moves, ids }
    }

    /// Adds a game, in the order of their numbers: its moves, of which it shares a number with the
    /// one before; where it begins, if it is set up; and its class.
    pub(super) fn push(
        &mut self,
        (codes, shared): (&[u8], Option<u16>),
        start: Option<Board>,
        facts: &FactsRow,
        class: u8,
    ) {
        let Header { games, initial, counted, .. } = &mut self.header;
        // They are parts of cryptographic hashes, whose bits are as good as those of any hash.
        self.ids.push((GameId::from(facts.fingerprint).number(), *games));
        *games += 1;
        *initial += u32::from(class == 0);
        *counted += u32::from(class <= 1);
        if class <= 1 {
            self.moves.push(codes, shared, start);
        }
        if let Some(date) = facts.details.date {
            let [first, last] = self.dates.map(|known| known.unwrap_or(date));
            self.dates = [Some(first.min(date)), Some(last.max(date))];
        }
    }

    /// Writes the index and the header.
    pub(crate) fn index<K: SegmentSink>(
        mut self,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<NewSegment, K::Error> {
        let ids = std::mem::take(&mut self.ids);
        let (shape, buckets) = index_ids(ids, executor);
        self.header.ids = shape;
        let mut joined = JoinedItems::new(BlobKind::Ids, BUCKETS_A_BLOB);
        buckets.into_iter().try_for_each(|bucket| joined.push(bucket, sink))?;
        joined.finish(sink)?;
        let counted = self.header.counted;
        self.header.positions = index_positions(&self.moves, counted, sink, executor)?;
        self.without_index(sink)
    }

    /// Writes only the header, of a segment that will be merged.
    pub(crate) fn without_index<K: SegmentSink>(
        self,
        sink: &mut K,
    ) -> Result<NewSegment, K::Error> {
        let Self { header, dates, .. } = self;
        sink.add(Blob { kind: BlobKind::Header, number: 0, bytes: header.to_bytes() })?;
        Ok(NewSegment { header, dates })
    }
}
