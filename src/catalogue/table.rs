//! The table from position key to index: a hash table of indices that compares keys in full. It is
//! part of the program, or made while it runs.

use std::borrow::Cow;

use crate::chess::PositionKey;

/// The keys stay with the caller, who passes in how to read them, so nothing is stored twice.
///
/// Nearly all positions of a game that has left the lines are not in the table. Two bits
/// that a [prefilter hash](PositionKey::prefilter_hash) chooses answer for nearly all of them that
/// no key has it, without hashing and probing.
#[derive(Debug, Clone)]
pub(super) struct KeyTable {
    pub(super) hash: fn(&PositionKey) -> u64,
    /// Each an index plus one, with bits of the hash of its key above it, or zero: at the place
    /// that the hash gives, or at the next free one. Their number is a power of two, and half of
    /// them at least are free.
    pub(super) slots: Cow<'static, [u32]>,
    /// For each key, two bits of one word are set, which its prefilter hash chooses.
    pub(super) prefilter: Cow<'static, [u64]>,
}

pub(super) type Prefilter = [u64; 1 << WORD_BITS];

/// The prefilter of no keys.
pub(super) const NO_BITS: Prefilter = [0; 1 << WORD_BITS];

/// So large that the 3,810 positions of the built-in catalogue leave 94 of 100 bits unset, and so
/// small that it stays in the first-level cache: 16 KiB.
const WORD_BITS: u32 = 11;

/// The word of the prefilter that a key belongs to, and its two bits there: the highest bits of
/// the hash, which are mixed best.
#[inline(always)]
const fn prefilter_place(key: &PositionKey) -> (usize, [u64; 2]) {
    let hash = key.prefilter_hash();
    let word = (hash >> (u64::BITS - WORD_BITS)) as usize;
    (word, [hash >> (u64::BITS - WORD_BITS - 6) & 63, hash >> (u64::BITS - WORD_BITS - 12) & 63])
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
    slots[at] = with_hash(slots.len(), hash, number);
}

/// A number below that of the slots, with as many bits of a hash above it as there is room for.
#[inline(always)]
const fn with_hash(slots: usize, hash: u64, number: u32) -> u32 {
    (hash >> 32) as u32 & !number_bits(slots) | number
}

/// The bits of a slot that are the number.
#[inline(always)]
const fn number_bits(slots: usize) -> u32 {
    slots as u32 - 1
}

/// Sets the bit of a key.
pub(super) const fn mark(prefilter: &mut [u64], key: &PositionKey) {
    let (word, [one, other]) = prefilter_place(key);
    prefilter[word] |= 1 << one | 1 << other;
}

impl KeyTable {
    #[inline(always)]
    pub(super) fn find<'k>(
        &self,
        key: &PositionKey,
        key_of: impl Fn(usize) -> &'k PositionKey,
    ) -> Option<usize> {
        if self.may_have(key) { self.probe(key, key_of) } else { None }
    }

    /// Whether the table may have a key: what the prefilter says.
    #[inline(always)]
    pub(super) fn may_have(&self, key: &PositionKey) -> bool {
        let (word, [one, other]) = prefilter_place(key);
        let bits = self.prefilter[word];
        bits >> one & bits >> other & 1 == 1
    }

    #[inline(never)]
    fn probe<'k>(
        &self,
        key: &PositionKey,
        key_of: impl Fn(usize) -> &'k PositionKey,
    ) -> Option<usize> {
        let slots = &*self.slots;
        let hash = (self.hash)(key);
        let mut at = hash as usize;
        loop {
            // The slots are a power of two, so the remainder is what it was hashed to.
            let slot = slots[at & (slots.len() - 1)];
            if slot == 0 {
                return None;
            }
            let number = slot & number_bits(slots.len());
            let index = number as usize - 1;
            if slot == with_hash(slots.len(), hash, number) && key_of(index) == key {
                return Some(index);
            }
            at = at.wrapping_add(1);
        }
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
            let (known, unknown) = named.split_at(600);
            let (mut slots, mut prefilter) = (vec![0; slots_for(known.len())], NO_BITS);
            for (position, number) in known.iter().zip(1..) {
                take_slot(&mut slots, hash(&position.key), number);
                mark(&mut prefilter, &position.key);
            }
            let table =
                KeyTable { hash, slots: slots.into(), prefilter: prefilter.to_vec().into() };
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
