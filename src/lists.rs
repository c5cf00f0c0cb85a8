//! Texts in one piece of memory, by their numbers: a file may have hundreds of thousands of names.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Texts, numbered from 0 in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TextList {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl TextList {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// The text with a number; empty if there is none.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let Some(end) = self.ends.get(number) else { return b"" };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..*end]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The texts with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..self.len() as u32).map(|number| (number, self.get(number)))
    }

    /// The memory that they take.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.len() + size_of_val(&*self.ends)
    }
}

/// Different texts, each once.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextSet {
    list: TextList,
    found: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl TextSet {
    /// The number of a text, which is new or known.
    #[inline]
    pub(crate) fn number(&mut self, text: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(text);
        let known = self.found.find(hash, |known| self.list.get(*known) == text);
        known.copied().unwrap_or_else(|| self.insert(hash, text))
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, hash: u64, text: &[u8]) -> u32 {
        let Self { list, found, hasher } = self;
        let number = list.len() as u32;
        list.push(text);
        found.insert_unique(hash, number, |known| hasher.hash_one(list.get(*known)));
        number
    }

    /// The texts by their numbers.
    pub(crate) fn list(&self) -> &TextList {
        &self.list
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
            let (mut numbers, mut expected) = (TextSet::default(), BTreeMap::new());
            for text in &texts {
                let next = expected.len() as u32;
                let number = *expected.entry(text).or_insert(next);
                prop_assert_eq!(numbers.number(text), number);
            }
            let list = numbers.list();
            prop_assert_eq!(list.len(), expected.len());
            prop_assert_eq!(list.iter().count(), expected.len());
            for (text, number) in expected {
                prop_assert_eq!(list.get(number), &text[..]);
            }
        }
    }
}
