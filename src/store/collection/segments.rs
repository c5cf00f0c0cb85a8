//! The segments of a collection, and their games.

use std::ops::{ControlFlow, Range};
use std::{fmt::Display, iter, sync::Arc};

use rusqlite::params;

use super::{CollectionInfo, checksum::checksum_of_blob, list::SegmentRow};
use crate::collection::segment::{
    BlobKind, BlobSource, Cache, DamagedSegment, DictionaryKind, FACTS_A_CHUNK, SegmentReader,
};
use crate::collection::{
    Cancellation, GameId, KeptGame, PositionQuery, SearchedSegment, SegmentFilter,
};
use crate::pgn::{Block, BlockOptions, Chunk, PushReader};
use crate::select::{People, Selection};
use crate::store::{DamagedGames, Database, InFile, StoreError};
use crate::{
    chess::{Board, Chess},
    collection::segment::{Facts, KnownGame},
};

/// The memory for what is read of segments, in bytes.
pub(super) const CACHE_BYTES: usize = 64 << 20;

/// The number of games that are read of one moment of the file.
const GAMES_AT_ONCE: usize = 512;

/// Games on their way to a worker, which makes a block of them.
pub enum UnreadGames {
    /// A chunk of a stream of PGN.
    Pgn(Chunk),
    /// Games of a position database.
    Stored(StoredGames),
}

impl UnreadGames {
    /// The games as a block of PGN, and its offset in the stream, in bytes; stored games are in
    /// none.
    pub fn into_block(self) -> (Block, Option<u64>) {
        match self {
            Self::Pgn(chunk) => {
                let block = chunk.into_block();
                let offset = block.offset();
                (block, Some(offset))
            }
            Self::Stored(games) => (games.to_block(), None),
        }
    }
}

/// Some of the games of a collection, that follow each other.
#[derive(Debug)]
pub struct StoredGames {
    games: Vec<KeptGame>,
    /// The number of those before them.
    before: u64,
    /// Whether no game follows them.
    is_last: bool,
}

impl StoredGames {
    /// The games as a block of PGN, an empty line between them, with their numbers in the
    /// collection.
    fn to_block(&self) -> Block {
        // All of it is one block.
        let options = BlockOptions { block_size: usize::MAX, ..BlockOptions::default() };
        let mut reader = PushReader::new(options);
        for (number, game) in (1..).zip(&self.games) {
            reader.push(&game.to_pgn());
            if number < self.games.len() || !self.is_last {
                reader.push(b"\n");
            }
        }
        reader.finish().after_games(self.before)
    }
}

impl Database {
    /// Calls `visit` with the games of a collection, in the order in which they are stored: that of
    /// their moves, within each part of the collection. No other program waits for what `visit`
    /// does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or games are damaged, or another program changes the collection
    /// meanwhile.
    pub fn kept_games(
        &self,
        info: &CollectionInfo,
        visit: &mut dyn FnMut(KeptGame),
    ) -> Result<(), StoreError> {
        let read = &mut |block: StoredGames| {
            block.games.into_iter().for_each(&mut *visit);
            ControlFlow::Continue(())
        };
        let damaged = &mut ControlFlow::Break;
        let ended = self.feed_games(info, &Selection::default(), read, damaged)?;
        ended.break_value().map_or(Ok(()), Err)
    }

    /// As [`kept_games`](Self::kept_games), some games at a time, to be read by several threads.
    /// Games that are damaged are left out: `damaged` is given the error, which is
    /// [`StoreError::DamagedGames`]. So are games that a selection does not take, as far as the
    /// index says so without reading them; the result is their number.
    ///
    /// # Errors
    ///
    /// As there, but for damaged games. What `push` and `damaged` break with is no error.
    pub fn feed_games<B>(
        &self,
        info: &CollectionInfo,
        selection: &Selection,
        push: &mut dyn FnMut(StoredGames) -> ControlFlow<B>,
        damaged: &mut dyn FnMut(StoreError) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B, u64>, StoreError> {
        let segments = self.segments(info)?;
        let all: u64 = segments.iter().map(|segment| u64::from(segment.games)).sum();
        let query =
            PositionQuery { selection: decided_by_index(selection), ..PositionQuery::default() };
        let (mut before, mut passed_over) = (0, 0);
        for segment in &segments {
            let cache = Cache::new(CACHE_BYTES);
            let (mut next, mut filter) = (0, None);
            while next < segment.games {
                let transaction = self.connection.unchecked_transaction();
                let snapshot = transaction.in_file(&self.name)?;
                if self.segments(info)? != segments {
                    return Err(StoreError::Changed { name: self.name.clone() });
                }
                let last = segment.games.min(next + GAMES_AT_ONCE as u32);
                let reader = self.segment_reader(*segment, &cache);
                let groups = reader.and_then(|reader| {
                    let begin = || SegmentFilter::new(&reader, &query).map(Arc::new);
                    let begun = filter.take().map_or_else(begin, Ok)?;
                    let (collection, filter) = (&*info.name, Arc::clone(filter.insert(begun)));
                    let segment = SearchedSegment { reader, collection, filter };
                    groups_of_games(&segment, next..last)
                });
                drop(snapshot);
                let fed = match groups {
                    Ok(groups) => {
                        let read: usize = groups.iter().map(|(_, games)| games.len()).sum();
                        passed_over += u64::from(last - next) - read as u64;
                        next = last;
                        groups.into_iter().try_for_each(|(first, games)| {
                            let before = before + u64::from(first);
                            let is_last = before + games.len() as u64 == all;
                            push(StoredGames { games, before, is_last })
                        })
                    }
                    Err(StoreError::DamagedGames { name, games }) => {
                        next = after(&games).clamp(last, segment.games);
                        damaged(StoreError::DamagedGames { name, games })
                    }
                    Err(error) => return Err(error),
                };
                if let ControlFlow::Break(ended) = fed {
                    return Ok(ControlFlow::Break(ended));
                }
            }
            before += u64::from(segment.games);
        }
        Ok(ControlFlow::Continue(passed_over))
    }

    /// Looks for people among the players of a collection. Damage is passed over: it is an error
    /// once the games are read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn meet_players(&self, info: &CollectionInfo, people: &People) -> Result<(), StoreError> {
        let cache = Cache::new(0);
        for segment in self.segments(info)? {
            let reader = self.segment_reader(segment, &cache);
            match reader.and_then(|reader| reader.dictionary(DictionaryKind::Players)) {
                Ok(players) => people.meet_names(&players.iter()),
                Err(StoreError::DamagedGames { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The segments of a collection, the oldest first.
    pub(in crate::store) fn segments(
        &self,
        info: &CollectionInfo,
    ) -> Result<Vec<SegmentRow>, StoreError> {
        let found = self.find_listed(|listed| listed.info.id == info.id)?;
        Ok(found.map_or_else(Vec::new, |listed| listed.segments))
    }

    /// Calls `visit` with each game of a segment and its number of arrival.
    pub(in crate::store) fn each_kept_game(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(KeptGame, u32),
    ) -> Result<(), StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        for number in 0..reader.header().games {
            let KnownGame { facts, at, .. } = reader.known(number)?;
            visit(reader.game(number)?, facts.arrival(at));
        }
        Ok(())
    }

    pub(super) fn segment_reader<'a>(
        &'a self,
        segment: SegmentRow,
        cache: &'a Cache,
    ) -> Result<SegmentReader<'a, SegmentBlobs<'a>>, StoreError> {
        let reader = SegmentReader::new(SegmentBlobs::new(self, segment.id), cache)?;
        if reader.header().games != segment.games {
            let what = "header: another number of games".to_owned();
            return Err(self.damaged_segment(segment.id, None, what));
        }
        Ok(reader)
    }

    /// Calls `visit` with the identity and the number of arrival of each game of a segment.
    pub(super) fn each_game_id(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(GameId, u32),
    ) -> Result<(), StoreError> {
        let cache = Cache::new(0);
        let reader = self.segment_reader(segment, &cache)?;
        for chunk in 0..segment.games.div_ceil(FACTS_A_CHUNK as u32) {
            let (facts, labels) = (reader.facts(chunk)?, reader.labels(chunk)?);
            (0..facts.len()).for_each(|at| visit(labels.fingerprint(at).into(), facts.arrival(at)));
        }
        Ok(())
    }

    /// Calls `visit` with the start position of each game of a segment: once for all games of
    /// which it is clear that they begin in the initial position.
    pub(in crate::store) fn each_start(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(Chess),
    ) -> Result<(), StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        let initial = reader.header().initial;
        if initial > 0 {
            visit(Chess::default());
        }
        for game in initial..segment.games {
            reader.game(game)?.start_position().map(&mut visit);
        }
        Ok(())
    }

    /// Some of the games of a segment, by their numbers.
    pub(in crate::store) fn kept_games_of(
        &self,
        segment: SegmentRow,
        games: std::ops::Range<u32>,
    ) -> Result<Vec<KeptGame>, StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        games.map(|number| reader.game(number)).collect()
    }

    /// Calls `visit` with each game of a segment, in their order: the codes of its moves, where it
    /// begins, unless that is the initial position, and the facts of some games with its index
    /// among them. Games that begin in no known position are left out.
    pub(in crate::store) fn each_line(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(&[u8], Option<Board>, (&Facts, usize)) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        for chunk in 0..segment.games.div_ceil(FACTS_A_CHUNK as u32) {
            let first = chunk * FACTS_A_CHUNK as u32;
            let facts = reader.facts(chunk)?;
            let games = first..first + facts.len() as u32;
            reader.each_line(games, |game, codes, start| {
                visit(codes, start, (&facts, (game - first) as usize))
            })?;
        }
        Ok(())
    }

    /// Removes a segment of a collection.
    pub(super) fn delete_segment(
        &self,
        info: &CollectionInfo,
        segment: SegmentRow,
    ) -> Result<(), StoreError> {
        self.execute("DELETE FROM segment WHERE id = ?1", params![segment.id])?;
        self.seal(info.id)
    }
}

/// The conditions of a selection that the index of a collection decides, so that no fewer games are
/// selected: names of openings are those of the catalogue by which games were added, and numbers
/// those of their sources.
fn decided_by_index(selection: &Selection) -> Selection {
    let is_decided = |not: &&Selection| !not.asks_for_opening() && not.games.is_empty();
    let not = selection.not.iter().filter(is_decided).cloned().collect();
    let (eco, openings, games) = (None, Vec::new(), Vec::new());
    Selection { eco, openings, games, not, ..selection.clone() }
}

/// Up to this many games between two that count are read with them: that takes less time than
/// another block.
const GAMES_BETWEEN: u32 = 3;

/// The games that count among some, in groups with few others between, each with the number of its
/// first game.
fn groups_of_games<S: BlobSource>(
    segment: &SearchedSegment<'_, S>,
    games: Range<u32>,
) -> Result<Vec<(u32, Vec<KeptGame>)>, S::Error> {
    let counted = segment.counted(iter::once(games))?;
    let groups = counted.chunk_by(|game, next| next - game - 1 <= GAMES_BETWEEN);
    let read = |group: &[u32]| {
        let (first, last) = (group[0], group[group.len() - 1]);
        let games = (first..=last).map(|number| segment.reader.game(number));
        Ok((first, games.collect::<Result<_, _>>()?))
    };
    groups.map(read).collect()
}

/// The number in its segment of the game after damaged ones.
pub(super) fn after(damaged: &DamagedGames) -> u32 {
    let first = damaged.segment.as_ref().map_or(1, |(_, all)| *all.start());
    u32::try_from((damaged.games.end() + 1).saturating_sub(first)).unwrap_or(u32::MAX)
}

/// The blobs of a segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentBlobs<'c> {
    database: &'c Database,
    segment: i64,
    /// What a cache knows them by.
    pub(super) key: u64,
    /// What ends the question that they are read for.
    pub(super) cancellation: Option<&'c Cancellation>,
}

impl<'c> SegmentBlobs<'c> {
    /// Those of the segment with this id, whose key is unique in the file.
    pub(super) fn new(database: &'c Database, segment: i64) -> Self {
        Self { database, segment, key: segment.cast_unsigned(), cancellation: None }
    }
}

impl BlobSource for SegmentBlobs<'_> {
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
        let find = || -> rusqlite::Result<Option<Result<R, DamagedSegment>>> {
            let mut blobs = self.database.connection.prepare_cached(
                "SELECT checksum, bytes FROM segment_blob
                 WHERE segment_id = ?1 AND kind = ?2 AND number = ?3",
            )?;
            let mut rows = blobs.query(params![self.segment, kind.name(), number])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let (checksum, bytes): (i64, _) = (row.get(0)?, row.get_ref(1)?.as_blob()?);
            if checksum_of_blob(self.segment, kind.name(), number, bytes) != checksum {
                return Ok(Some(Err(DamagedSegment::new("its checksum differs"))));
            }
            Ok(Some(read(bytes)))
        };
        match find().in_file(&self.database.name) {
            Ok(Some(Ok(read))) => Ok(read),
            Ok(Some(Err(fault))) => Err(self.damaged_blob(kind, number, &fault)),
            Ok(None) => Err(self.damaged_blob(kind, number, &"missing")),
            Err(StoreError::Damaged { what, .. }) => Err(self.damaged_blob(kind, number, &what)),
            Err(error) => Err(error),
        }
    }

    fn check_waiting(&self) -> Result<(), StoreError> {
        match self.cancellation {
            Some(cancellation) if cancellation.is_cancelled() => {
                Err(StoreError::Cancelled { name: self.database.name.clone() })
            }
            _ => Ok(()),
        }
    }

    fn damaged(&self, fault: DamagedSegment) -> StoreError {
        self.database.damaged_segment(self.segment, None, fault.to_string())
    }
}

impl SegmentBlobs<'_> {
    fn damaged_blob(&self, kind: BlobKind, number: u32, fault: &dyn Display) -> StoreError {
        let games = kind.games().map(|games| {
            let first = u64::from(number) * games as u64;
            first..first + games as u64
        });
        let what = format!("{} {number}: {fault}", kind.name());
        self.database.damaged_segment(self.segment, games, what)
    }
}
