//! Lists in one piece of memory, by their numbers, and texts, each once: a file may have hundreds
//! of thousands of names.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Lists, numbered from 0 in the order in which they came. Texts are lists of bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lists<T> {
    items: Vec<T>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl<T: Copy> Lists<T> {
    pub(crate) fn push(&mut self, list: &[T]) {
        self.push_with(|items| items.extend_from_slice(list));
    }

    /// Adds the list of the items that `append` appends.
    #[inline]
    pub(crate) fn push_with(&mut self, append: impl FnOnce(&mut Vec<T>)) {
        append(&mut self.items);
        self.ends.push(self.items.len());
    }

    /// The list with a number; empty if there is none.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> &[T] {
        let Some(end) = self.ends.get(number) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..*end]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The items of all lists, one after another.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> + Clone {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Takes all lists away, and makes room for others with this number of items together.
    pub(crate) fn reset(&mut self, lists: usize, items: usize) {
        self.items.clear();
        self.ends.clear();
        self.items.reserve(items);
        self.ends.reserve(lists);
    }

    /// Gives back the room for lists that do not come.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.items.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The memory that they take.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.items) + size_of_val(&*self.ends)
    }
}

/// Different texts, each once.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextSet {
    texts: Lists<u8>,
    found: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl TextSet {
    /// No texts, with room to find this number of them.
    pub(crate) fn with_capacity(texts: usize) -> Self {
        Self { found: HashTable::with_capacity(texts), ..Self::default() }
    }

    /// The number of a text, which is new or known.
    #[inline]
    pub(crate) fn number(&mut self, text: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(text);
        let known = self.found.find(hash, |known| self.texts.get(*known as usize) == text);
        known.copied().unwrap_or_else(|| self.insert(hash, text))
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, hash: u64, text: &[u8]) -> u32 {
        let Self { texts, found, hasher } = self;
        let number = texts.len() as u32;
        texts.push(text);
        found.insert_unique(hash, number, |known| hasher.hash_one(texts.get(*known as usize)));
        number
    }

    /// The texts by their numbers.
    pub(crate) fn texts(&self) -> &Lists<u8> {
        &self.texts
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
            let list = numbers.texts();
            prop_assert_eq!(list.len(), expected.len());
            prop_assert_eq!(list.iter().count(), expected.len());
            for (text, number) in expected {
                prop_assert_eq!(list.get(number as usize), &text[..]);
            }
        }
    }
}
