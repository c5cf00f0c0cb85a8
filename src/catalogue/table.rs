//! From position key to index: a hash table of indices that compares keys in full.

use hashbrown::HashTable;

use crate::chess::PositionKey;

/// The keys stay with the caller, who passes in how to read them, so nothing is stored twice.
///
/// Nearly all positions of a game that has left the lines are not in the table. A bit for each
/// [prefilter hash](PositionKey::prefilter_hash) answers for most of them that no key has it,
/// without hashing and probing.
#[derive(Debug)]
pub(super) struct KeyTable {
    hash: fn(&PositionKey) -> u64,
    indices: HashTable<u32>,
    /// Bit `n % 64` of word `n / 64`: whether a key has the prefilter hash `n`.
    prefilter: Box<[u64; PREFILTER_SIZE / 64]>,
}

/// So large that the 3,810 positions of the built-in catalogue leave 97 of 100 bits unset, and so
/// small that it stays in the first-level cache: 16 KiB.
const PREFILTER_SIZE: usize = 1 << PREFILTER_BITS;

const PREFILTER_BITS: u32 = 17;

/// The highest bits of the prefilter hash, which are mixed best.
#[inline]
fn short_hash(key: &PositionKey) -> usize {
    (key.prefilter_hash() >> (u64::BITS - PREFILTER_BITS)) as usize
}

impl KeyTable {
    pub(super) fn new(hash: fn(&PositionKey) -> u64) -> Self {
        Self { hash, indices: HashTable::new(), prefilter: Box::new([0; PREFILTER_SIZE / 64]) }
    }

    /// Makes room for this number of further indices.
    pub(super) fn reserve<'k>(
        &mut self,
        additional: usize,
        key_of: impl Fn(usize) -> &'k PositionKey,
    ) {
        self.indices.reserve(additional, |index| (self.hash)(key_of(*index as usize)));
    }

    #[inline]
    pub(super) fn find<'k>(
        &self,
        key: &PositionKey,
        key_of: impl Fn(usize) -> &'k PositionKey,
    ) -> Option<usize> {
        let hash = short_hash(key);
        let is_possible = self.prefilter[hash / 64] >> (hash % 64) & 1 == 1;
        if is_possible { self.probe(key, key_of) } else { None }
    }

    #[inline(never)]
    fn probe<'k>(
        &self,
        key: &PositionKey,
        key_of: impl Fn(usize) -> &'k PositionKey,
    ) -> Option<usize> {
        let is_same = |index: &u32| key_of(*index as usize) == key;
        self.indices.find((self.hash)(key), is_same).map(|index| *index as usize)
    }

    /// Adds an index whose key is not in the table yet.
    pub(super) fn insert<'k>(&mut self, index: usize, key_of: impl Fn(usize) -> &'k PositionKey) {
        let key = key_of(index);
        let hash_at = |index: &u32| (self.hash)(key_of(*index as usize));
        let index = u32::try_from(index).expect("memory ends before the numbers");
        self.indices.insert_unique((self.hash)(key), index, hash_at);
        let hash = short_hash(key);
        self.prefilter[hash / 64] |= 1 << (hash % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    /// However bad the hash, an answer is the position itself or none.
    #[test]
    fn colliding_hashes_never_name_another_position() {
        let named = Catalogue::builtin().positions();
        let hashes: [fn(&PositionKey) -> u64; 3] =
            [|_| 7, |key| key.hash64() & 0b11, |key| key.piece_count() as u64];
        for hash in hashes {
            let mut table = KeyTable::new(hash);
            let (known, unknown) = named.split_at(600);
            for index in 0..known.len() {
                table.insert(index, |i| &known[i].key);
            }
            for (index, position) in known.iter().enumerate() {
                assert_eq!(table.find(&position.key, |i| &known[i].key), Some(index));
            }
            for position in unknown {
                assert_eq!(table.find(&position.key, |i| &known[i].key), None);
            }
        }
    }

    #[test]
    fn the_hash_keeps_the_built_in_positions_apart() {
        let mut hashes: Vec<u64> =
            Catalogue::builtin().positions().iter().map(|p| p.key.hash64()).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), Catalogue::builtin().positions().len());
    }
}
