//! Texts of games, each kept once and known by a number.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Different texts, numbered from 0 in the order in which they came.
///
/// They share one piece of memory: there may be hundreds of thousands of players.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    found: HashTable<Text>,
    hasher: DefaultHashBuilder,
}

/// Where a text is, and its number.
#[derive(Debug, Clone, Copy)]
struct Text {
    start: usize,
    length: u32,
    number: u32,
}

impl Text {
    #[inline]
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..][..self.length as usize]
    }
}

impl Texts {
    /// The number of a text, which is new or known. Of a text of 4 GiB, only the first bytes count.
    #[inline]
    pub(super) fn number(&mut self, text: &[u8]) -> u32 {
        let text = &text[..text.len().min(u32::MAX as usize)];
        let hash = self.hasher.hash_one(text);
        let known = self.found.find(hash, |known| known.of(&self.bytes) == text);
        match known {
            Some(known) => known.number,
            None => self.insert(hash, text),
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, hash: u64, text: &[u8]) -> u32 {
        let Self { bytes, found, hasher } = self;
        let number = found.len() as u32;
        let entry = Text { start: bytes.len(), length: text.len() as u32, number };
        bytes.extend_from_slice(text);
        found.insert_unique(hash, entry, |known| hasher.hash_one(known.of(bytes)));
        number
    }

    /// The texts by their numbers.
    pub(super) fn list(&self) -> Vec<&[u8]> {
        let mut list: Vec<&[u8]> = vec![b""; self.found.len()];
        self.iter().for_each(|(number, text)| list[number as usize] = text);
        list
    }

    /// The texts with their numbers, in any order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.found.iter().map(|text| (text.number, text.of(&self.bytes)))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_text_has_one_number(
            texts in prop::collection::vec(prop::collection::vec(0_u8..3, 0..5), 0..400),
        ) {
            let (mut numbers, mut expected) = (Texts::default(), BTreeMap::new());
            for text in &texts {
                let next = expected.len() as u32;
                let number = *expected.entry(text).or_insert(next);
                prop_assert_eq!(numbers.number(text), number);
            }
            let list = numbers.list();
            prop_assert_eq!(list.len(), numbers.len());
            prop_assert_eq!(list.len(), expected.len());
            for (text, number) in expected {
                prop_assert_eq!(list[number as usize], &text[..]);
            }
        }
    }
}
