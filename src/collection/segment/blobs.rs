//! What a segment is made of, and what was read of it, kept for the next query in bounded memory.

use std::sync::{Arc, Mutex};
use std::{any::Any, borrow::Borrow, collections::HashMap, hash::Hash};

use super::bucket::{BucketShape, MAX_GAMES, MAX_PLY};
use super::bytes::{ByteReader, DamagedSegment, push_number};
use super::facts::{FACTS_A_CHUNK, Sums};
use crate::executor::lock;

/// The version of the format; any other is refused.
const VERSION: u64 = 8;

/// What a blob of a segment holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BlobKind {
    /// The [`Header`].
    Header,
    /// A dictionary.
    Dictionary,
    /// The facts of [`FACTS_A_CHUNK`](super::facts::FACTS_A_CHUNK) games.
    Facts,
    /// Their labels.
    Labels,
    /// Their traces.
    Traces,
    /// Frames of moves.
    Moves,
    /// Frames of tags.
    Tags,
    /// Buckets of positions.
    Positions,
    /// Buckets of identities.
    Ids,
}

/// A blob of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blob {
    /// What it holds.
    pub(crate) kind: BlobKind,
    /// Its number among those of its kind.
    pub(crate) number: u32,
    /// The blob.
    pub(crate) bytes: Vec<u8>,
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
            Self::Column(column) => TEXTS.len() as u32 + 1 + u32::from(column),
            // Forms come after the texts.
            _ => TEXTS.iter().position(|kind| *kind == self).unwrap_or(TEXTS.len()) as u32,
        }
    }
}

/// The dictionaries of the texts of games.
pub(super) const TEXTS: [DictionaryKind; 5] = [
    DictionaryKind::Players,
    DictionaryKind::Events,
    DictionaryKind::Sites,
    DictionaryKind::Variants,
    DictionaryKind::Openings,
];

/// The number of buckets in a blob.
pub(super) const BUCKETS_A_BLOB: usize = 8;

/// What a segment is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    /// By the chunk of facts.
    pub(crate) sums: Vec<Sums>,
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
        for mut sums in self.sums.iter().copied() {
            sums.numbers().into_iter().for_each(|number| push(*number));
        }
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(bytes);
        if reader.number()? != VERSION {
            return Err(DamagedSegment::new(
                "another release of eco stored them; remove them, with `eco db remove`, and add them \
                 again",
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
        let mut read_sums = || {
            let mut sums = Sums::default();
            let [counts @ .., top, recent] = sums.numbers();
            for count in counts {
                // Sums of them do not overflow.
                *count = reader.number_to(u32::MAX as usize)? as u64;
            }
            (*top, *recent) = (reader.number()?, reader.number()?);
            Ok(sums)
        };
        let chunks = (games as usize).div_ceil(FACTS_A_CHUNK);
        let sums = (0..chunks).map(|_| read_sums()).collect::<Result<_, _>>()?;
        Ok(Self { games, initial, counted, max_ply, positions, ids, shared_columns, sums })
    }

    /// The memory that it takes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + 256 + size_of_val(&*self.sums)
    }
}

/// A blob: the key of its segment, its kind, its number.
type BlobKey = (u64, BlobKind, u32);

/// What a value takes in a cache, however small it is.
const BYTES_OF_ANY: usize = 200;

/// What was read or made before, such as blobs. Threads share it; it holds no more than its limit.
#[derive(Debug)]
pub(crate) struct Cache<K = BlobKey> {
    limit: usize,
    held: Mutex<Held<K>>,
}

#[derive(Debug)]
struct Held<K> {
    values: HashMap<K, Cached>,
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

impl<K: Eq + Hash + Clone> Cache<K> {
    /// A cache of this many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, held: Mutex::new(Held { values: HashMap::new(), bytes: 0, clock: 0 }) }
    }

    /// A cache of this many values that are put without bytes.
    pub(crate) fn of_values(limit: usize) -> Self {
        Self::new(limit * BYTES_OF_ANY)
    }

    /// What was kept for a key.
    pub(crate) fn get<T: Any + Send + Sync, Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<Arc<T>>
    where
        K: Borrow<Q>,
    {
        let mut held = lock(&self.held);
        held.clock += 1;
        let now = held.clock;
        let cached = held.values.get_mut(key)?;
        cached.used = now;
        Arc::clone(&cached.value).downcast().ok()
    }

    /// What was kept for a key, or else what `read` returns, which is kept then.
    pub(crate) fn get_or<T: Any + Send + Sync, E>(
        &self,
        key: K,
        memory: impl FnOnce(&T) -> usize,
        read: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        if let Some(known) = self.get(&key) {
            return Ok(known);
        }
        let value = Arc::new(read()?);
        self.put(key, Arc::clone(&value), memory(&value));
        Ok(value)
    }

    /// Keeps a value, which takes this many bytes besides those that any value takes.
    pub(crate) fn put<T: Any + Send + Sync>(&self, key: K, value: Arc<T>, bytes: usize) {
        let bytes = bytes + BYTES_OF_ANY;
        if bytes > self.limit {
            return;
        }
        let mut held = lock(&self.held);
        held.clock += 1;
        held.bytes += bytes;
        let cached = Cached { value, bytes, used: held.clock };
        if let Some(before) = held.values.insert(key, cached) {
            held.bytes -= before.bytes;
        }
        held.shrink_to(self.limit);
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let mut held = lock(&self.held);
        held.values.clear();
        held.bytes = 0;
    }
}

impl<K: Eq + Hash + Clone> Held<K> {
    /// Drops what was not used for the longest time, a quarter at once: so the search for it pays.
    fn shrink_to(&mut self, limit: usize) {
        if self.bytes <= limit {
            return;
        }
        let mut by_age: Vec<_> = self.values.iter().map(|(key, c)| (c.used, key.clone())).collect();
        by_age.sort_unstable_by_key(|(used, _)| *used);
        for (_, key) in by_age {
            if self.bytes <= limit - limit / 4 {
                break;
            }
            self.bytes -= self.values.remove(&key).map_or(0, |cached| cached.bytes);
        }
    }
}

#[cfg(test)]
impl<K> Cache<K> {
    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        lock(&self.held).bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_bytes_are_held_than_the_limit() {
        let cache = Cache::new(100_000);
        for number in 0..10_000_usize {
            cache.put(number.to_string(), Arc::new(number), 256 + number % 500);
            assert_eq!(cache.get("0").as_deref(), Some(&0_usize), "what is asked for stays");
            assert!(cache.bytes() <= 100_000, "{} bytes after {number}", cache.bytes());
        }
        assert_eq!(cache.get::<usize, _>("1"), None);
        assert_eq!(cache.get("9999").as_deref(), Some(&9999_usize));
    }

    #[test]
    fn what_was_used_last_stays() {
        const TEN: usize = 10 + BYTES_OF_ANY;
        let cache: Cache = Cache::new(10 * TEN);
        let key = |number| (1, BlobKind::Facts, number);
        for number in 0..10 {
            cache.put(key(number), Arc::new(number), 10);
        }
        assert_eq!(cache.get::<u32, _>(&key(0)).as_deref(), Some(&0));
        cache.put(key(10), Arc::new(10_u32), 10);
        assert_eq!(cache.get::<u32, _>(&key(0)).as_deref(), Some(&0));
        assert_eq!(cache.get::<u32, _>(&key(1)), None);
        assert_eq!(cache.get::<u32, _>(&key(10)).as_deref(), Some(&10));
        cache.put(key(11), Arc::new(11_u32), 10 * TEN);
        assert_eq!(cache.get::<u32, _>(&key(11)), None);
        assert!(cache.bytes() <= 10 * TEN);
        cache.clear();
        assert_eq!(cache.get::<u32, _>(&key(0)), None);
    }
}
