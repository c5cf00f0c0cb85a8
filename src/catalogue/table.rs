//! From position key to index: a hash table of indices that compares keys in full.

use super::maybe_static::MaybeStatic;
use crate::chess::PositionKey;

/// The keys stay with the caller, who passes in how to read them, so nothing is stored twice.
///
/// Nearly all positions of a game that has left the lines are not in the table. A bit for each
/// [prefilter hash](PositionKey::prefilter_hash) answers for most of them that no key has it,
/// without hashing and probing.
#[derive(Debug)]
pub(super) struct KeyTable {
    pub(super) hash: fn(&PositionKey) -> u64,
    /// Each an index plus one, or zero: at the place that the hash of its key gives, or at the next
    /// free one. Their number is a power of two, and half of them at least are free.
    pub(super) slots: MaybeStatic<[u32]>,
    /// The number of indices.
    pub(super) len: usize,
    /// Bit `n % 64` of word `n / 64`: whether a key has the prefilter hash `n`.
    pub(super) prefilter: MaybeStatic<Prefilter>,
}

pub(super) type Prefilter = [u64; PREFILTER_SIZE / 64];

/// No key has any hash.
pub(super) const NO_BITS: Prefilter = [0; PREFILTER_SIZE / 64];

/// So large that the 3,810 positions of the built-in catalogue leave 97 of 100 bits unset, and so
/// small that it stays in the first-level cache: 16 KiB.
const PREFILTER_SIZE: usize = 1 << PREFILTER_BITS;

const PREFILTER_BITS: u32 = 17;

/// The highest bits of the prefilter hash, which are mixed best.
#[inline(always)]
const fn short_hash(key: &PositionKey) -> usize {
    (key.prefilter_hash() >> (u64::BITS - PREFILTER_BITS)) as usize
}

/// How many slots this number of indices needs.
pub(super) const fn slots_for(len: usize) -> usize {
    (2 * len).next_power_of_two()
}

/// Puts an index, plus one, into the first slot that is free from the place of its hash on.
pub(super) const fn take_slot(slots: &mut [u32], hash: u64, number: u32) {
    let mut at = hash as usize & (slots.len() - 1);
    while slots[at] != 0 {
        at = (at + 1) & (slots.len() - 1);
    }
    slots[at] = number;
}

/// Sets the bit of a key.
pub(super) const fn mark(prefilter: &mut Prefilter, key: &PositionKey) {
    let hash = short_hash(key);
    prefilter[hash / 64] |= 1 << (hash % 64);
}

impl KeyTable {
    pub(super) fn new(hash: fn(&PositionKey) -> u64) -> Self {
        let prefilter = MaybeStatic::Owned(Box::new(NO_BITS));
        Self { hash, slots: vec![0; slots_for(0)].into(), len: 0, prefilter }
    }

    /// Makes room for this number of further indices.
    pub(super) fn reserve<'k>(
        &mut self,
        additional: usize,
        key_of: impl Fn(usize) -> &'k PositionKey,
    ) {
        let wanted = slots_for(self.len + additional);
        if wanted <= self.slots.len() {
            return;
        }
        let mut slots = vec![0; wanted];
        for number in self.slots.iter().copied().filter(|number| *number != 0) {
            take_slot(&mut slots, (self.hash)(key_of(number as usize - 1)), number);
        }
        self.slots = slots.into();
    }

    #[inline(always)]
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
        let slots = &*self.slots;
        let mut at = (self.hash)(key) as usize;
        loop {
            // The slots are a power of two, so the remainder is what it was hashed to.
            let index = slots[at & (slots.len() - 1)].checked_sub(1)? as usize;
            if key_of(index) == key {
                return Some(index);
            }
            at = at.wrapping_add(1);
        }
    }

    /// Adds an index whose key is not in the table yet.
    pub(super) fn insert<'k>(&mut self, index: usize, key_of: impl Fn(usize) -> &'k PositionKey) {
        if slots_for(self.len + 1) > self.slots.len() {
            self.reserve(self.len.max(8), &key_of);
        }
        let key = key_of(index);
        let number = u32::try_from(index + 1).expect("memory ends before the numbers");
        take_slot(self.slots.as_mut(), (self.hash)(key), number);
        mark(self.prefilter.as_mut(), key);
        self.len += 1;
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
