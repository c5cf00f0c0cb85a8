//! What a segment is made of, and what was read of it, kept for the next query in bounded memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{any::Any, collections::HashMap};

use super::bucket::{BucketShape, MAX_GAMES, MAX_PLY};
use super::bytes::{ByteReader, DamagedSegment, push_number};

/// The version of the format; any other is refused.
const VERSION: u64 = 3;

/// What a blob of a segment holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BlobKind {
    /// The [`Header`].
    Header,
    /// A dictionary.
    Dictionary,
    /// The facts of [`FACTS_A_CHUNK`](super::facts::FACTS_A_CHUNK) games.
    Facts,
    /// Frames of moves.
    Moves,
    /// Frames of tags.
    Tags,
    /// Buckets of positions.
    Positions,
    /// Buckets of identities.
    Ids,
}

/// Which dictionary a blob is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DictionaryKind {
    /// Names of players.
    Players,
    /// Values of `Event`.
    Events,
    /// Values of `Site`, or the first parts of addresses.
    Sites,
    /// Values of `Variant`.
    Variants,
    /// Openings: the code, a tab, the name; empty for none.
    Openings,
    /// The forms of tags.
    Forms,
    /// The values of a column of tags.
    Column(u8),
}

impl DictionaryKind {
    /// The number of its blob.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Players => 0,
            Self::Events => 1,
            Self::Sites => 2,
            Self::Variants => 3,
            Self::Openings => 4,
            Self::Forms => 5,
            Self::Column(column) => 6 + u32::from(column),
        }
    }
}

/// The number of buckets in a blob.
pub(super) const BUCKETS_A_BLOB: usize = 32;

/// What a segment is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The number of games.
    pub(crate) games: u32,
    /// Those that count in the positions from the initial one on. They come first.
    pub(crate) initial: u32,
    /// Those that count, which begin in other positions as well. They come next.
    pub(crate) counted: u32,
    /// Positions are found up to here.
    pub(crate) max_ply: u16,
    pub(super) positions: BucketShape,
    pub(super) ids: BucketShape,
    /// For each column of tags, whether it has a dictionary.
    pub(super) shared_columns: Vec<bool>,
}

impl Header {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut push = |number: u64| push_number(&mut bytes, number);
        push(VERSION);
        for number in [self.games, self.initial, self.counted, u32::from(self.max_ply)] {
            push(u64::from(number));
        }
        for shape in [self.positions, self.ids] {
            for number in [shape.bucket_bits, shape.game_bits, shape.ply_bits] {
                push(u64::from(number));
            }
        }
        push(self.shared_columns.len() as u64);
        self.shared_columns.iter().for_each(|is_shared| push(u64::from(*is_shared)));
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(bytes);
        if reader.number()? != VERSION {
            return Err(DamagedSegment::new(
                "another release of eco stored them; remove them, with `eco collection remove` or \
                 `eco repertoire delete`, and add them again",
            ));
        }
        let games = reader.number_to(MAX_GAMES)? as u32;
        let initial = reader.number_to(games as usize)? as u32;
        let counted = reader.number_to(games as usize)? as u32;
        let max_ply = reader.number_to(MAX_PLY)? as u16;
        let mut shape = || -> Result<BucketShape, DamagedSegment> {
            let mut bits = || Ok(reader.number_to(30)? as u32);
            Ok(BucketShape { bucket_bits: bits()?, game_bits: bits()?, ply_bits: bits()? })
        };
        let (positions, ids) = (shape()?, shape()?);
        let columns = reader.number_to(usize::from(u8::MAX))?;
        let shared_columns = (0..columns)
            .map(|_| reader.number_to(1).map(|number| number == 1))
            .collect::<Result<_, _>>()?;
        Ok(Self { games, initial, counted, max_ply, positions, ids, shared_columns })
    }
}

/// A blob: the key of its segment, its kind, its number.
type BlobKey = (u64, BlobKind, u32);

/// Blobs as they were read. Threads share it; it holds no more than its limit.
#[derive(Debug)]
pub(crate) struct Cache {
    limit: usize,
    held: Mutex<CachedBlobs>,
}

#[derive(Debug, Default)]
struct CachedBlobs {
    blobs: HashMap<BlobKey, Cached>,
    bytes: usize,
    /// The number of reads so far.
    clock: u64,
}

#[derive(Debug)]
struct Cached {
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    used: u64,
}

impl Cache {
    /// A cache of this many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, held: Mutex::default() }
    }

    /// What was kept of a blob.
    pub(super) fn get<T: Any + Send + Sync>(&self, key: BlobKey) -> Option<Arc<T>> {
        let mut held = self.held();
        held.clock += 1;
        let now = held.clock;
        let cached = held.blobs.get_mut(&key)?;
        cached.used = now;
        Arc::clone(&cached.value).downcast().ok()
    }

    /// Keeps what a blob was read as, which takes this many bytes.
    pub(super) fn put<T: Any + Send + Sync>(&self, key: BlobKey, value: Arc<T>, bytes: usize) {
        if bytes > self.limit {
            return;
        }
        let mut held = self.held();
        held.clock += 1;
        held.bytes += bytes;
        let cached = Cached { value, bytes, used: held.clock };
        if let Some(before) = held.blobs.insert(key, cached) {
            held.bytes -= before.bytes;
        }
        held.shrink_to(self.limit);
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        *self.held() = CachedBlobs::default();
    }

    /// The bytes that it holds.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.held().bytes
    }

    fn held(&self) -> MutexGuard<'_, CachedBlobs> {
        // Nothing panics while it is locked.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedBlobs {
    /// Drops what was not used for the longest time, a quarter at once: so the search for it pays.
    fn shrink_to(&mut self, limit: usize) {
        if self.bytes <= limit {
            return;
        }
        let mut by_age: Vec<_> = self.blobs.iter().map(|(key, c)| (c.used, *key)).collect();
        by_age.sort_unstable();
        for (_, key) in by_age {
            if self.bytes <= limit - limit / 4 {
                break;
            }
            self.bytes -= self.blobs.remove(&key).map_or(0, |cached| cached.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let cache = Cache::new(100);
        let key = |number| (1, BlobKind::Facts, number);
        for number in 0..10 {
            cache.put(key(number), Arc::new(number), 10);
        }
        assert_eq!(cache.get::<u32>(key(0)).as_deref(), Some(&0));
        cache.put(key(10), Arc::new(10_u32), 10);
        assert_eq!(cache.get::<u32>(key(0)).as_deref(), Some(&0));
        assert_eq!(cache.get::<u32>(key(1)), None);
        assert_eq!(cache.get::<u32>(key(10)).as_deref(), Some(&10));
        cache.put(key(11), Arc::new(11_u32), 101);
        assert_eq!(cache.get::<u32>(key(11)), None);
        assert!(cache.held().bytes <= 100);
        cache.clear();
        assert_eq!(cache.get::<u32>(key(0)), None);
    }
}
