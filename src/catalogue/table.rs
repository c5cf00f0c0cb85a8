//! From position key to index: a hash table of indices that compares keys in full.

use crate::chess::PositionKey;

/// Open addressing with linear probing, at most half full. The keys stay with the caller, who
/// passes in how to read them, so nothing is stored twice.
///
/// Nearly all positions of a game that has left the lines are not in the table. A bit for each
/// [prefilter hash](PositionKey::prefilter_hash) answers for most of them that no key has it,
/// without hashing and probing.
#[derive(Debug)]
pub(super) struct KeyTable {
    hash: fn(&PositionKey) -> u64,
    /// Indices plus one; zero is an empty slot. The length is a power of two.
    slots: Vec<u32>,
    len: usize,
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
        Self { hash, slots: vec![0; 16], len: 0, prefilter: Box::new([0; PREFILTER_SIZE / 64]) }
    }

    fn first_slot(&self, key: &PositionKey) -> usize {
        (self.hash)(key) as usize & (self.slots.len() - 1)
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
        let mut slot = self.first_slot(key);
        loop {
            let index = (self.slots[slot] as usize).checked_sub(1)?;
            if key_of(index) == key {
                return Some(index);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds an index whose key is not in the table yet.
    pub(super) fn insert<'k>(&mut self, index: usize, key_of: impl Fn(usize) -> &'k PositionKey) {
        if 2 * (self.len + 1) > self.slots.len() {
            let slots = vec![0; 4 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, slots);
            for index in old.into_iter().filter_map(|slot| (slot as usize).checked_sub(1)) {
                self.place(index, key_of(index));
            }
        }
        self.place(index, key_of(index));
        let hash = short_hash(key_of(index));
        self.prefilter[hash / 64] |= 1 << (hash % 64);
        self.len += 1;
    }

    fn place(&mut self, index: usize, key: &PositionKey) {
        let mut slot = self.first_slot(key);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = u32::try_from(index + 1).expect("memory ends before the numbers");
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
