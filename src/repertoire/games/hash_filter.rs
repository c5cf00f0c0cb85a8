//! Bloom filters of positions, by their hashes.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bits for each expected position: one in eight is then wrongly taken for another.
const BITS_A_POSITION: usize = 8;

/// The limits of the number of bits, as powers of two: 8 KiB and 32 MiB.
const FEWEST_BITS: usize = 1 << 16;
const MOST_BITS: usize = 1 << 28;

/// A set of hashes of fixed size. [`may_contain`](Self::may_contain) is true for every hash in it
/// and for a few others, so it serves where a false positive costs only time.
#[derive(Debug)]
pub(crate) struct HashFilter {
    words: Vec<AtomicU64>,
}

impl HashFilter {
    /// An empty set, with room for this number of positions.
    pub(crate) fn with_room(positions: usize) -> Self {
        let bits = positions.saturating_mul(BITS_A_POSITION).clamp(FEWEST_BITS, MOST_BITS);
        let words = bits.next_power_of_two() / 64;
        Self { words: (0..words).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The index of the word and the bit of a hash.
    fn bit(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & (self.words.len() - 1), 1 << (hash & 63))
    }

    /// Adds a hash. Returns whether it may have been there.
    pub(crate) fn insert(&self, hash: u64) -> bool {
        let (word, bit) = self.bit(hash);
        self.words[word].fetch_or(bit, Ordering::Relaxed) & bit != 0
    }

    pub(crate) fn may_contain(&self, hash: u64) -> bool {
        let (word, bit) = self.bit(hash);
        self.words[word].load(Ordering::Relaxed) & bit != 0
    }
}

/// Which positions several games may have.
#[derive(Debug)]
pub(crate) struct SeveralGames {
    once: HashFilter,
    twice: HashFilter,
}

impl SeveralGames {
    /// For games with this number of positions.
    pub(crate) fn with_room(positions: usize) -> Self {
        let [once, twice] = [(); 2].map(|()| HashFilter::with_room(positions));
        Self { once, twice }
    }

    /// Counts in games that have a position.
    pub(crate) fn add(&self, hash: u64, games: u32) {
        // Both, so that the order of additions does not matter.
        if self.once.insert(hash) || games > 1 {
            self.twice.insert(hash);
        }
    }

    /// Whether several games may have a position: true if they do, and for a few others.
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        self.twice.may_contain(hash)
    }
}
