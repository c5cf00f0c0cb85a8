//! A Bloom filter of positions.

use crate::chess::PositionKey;

/// The size of the filter, as a power of two: 8 MiB.
const FILTER_BITS: u32 = 26;

/// A set of keys of fixed size. [`may_contain`](Self::may_contain) is true for every key in it and
/// for a few others, so it serves where a false positive costs only time.
pub(crate) struct KeyFilter {
    words: Vec<u64>,
}

impl Default for KeyFilter {
    fn default() -> Self {
        Self { words: vec![0; 1 << (FILTER_BITS - 6)] }
    }
}

impl KeyFilter {
    /// The word and the bit of a key.
    fn bit(key: &PositionKey) -> (usize, u64) {
        let bit = key.hash64() & ((1 << FILTER_BITS) - 1);
        ((bit >> 6) as usize, 1 << (bit & 63))
    }

    pub(crate) fn insert(&mut self, key: &PositionKey) {
        let (word, bit) = Self::bit(key);
        self.words[word] |= bit;
    }

    pub(crate) fn may_contain(&self, key: &PositionKey) -> bool {
        let (word, bit) = Self::bit(key);
        self.words[word] & bit != 0
    }
}
