//! Texts that many games share, each kept once.

use super::bytes::{ByteReader, DamagedSegment, push_number, push_packed, push_string};
use crate::lists::{Lists, TextSet};

/// Collects texts, each once, and counts them.
#[derive(Debug, Default)]
pub(super) struct Interner {
    texts: TextSet,
    counts: Vec<u32>,
}

impl Interner {
    /// The number of a text, which is new or known. Numbers begin with 0, in order of appearance.
    pub(super) fn add(&mut self, text: &[u8]) -> u32 {
        self.add_times(text, 1)
    }

    /// Adds a text several times.
    pub(super) fn add_times(&mut self, text: &[u8], times: u32) -> u32 {
        let number = self.texts.number(text);
        if number as usize == self.counts.len() {
            self.counts.push(0);
        }
        let count = &mut self.counts[number as usize];
        *count = count.saturating_add(times);
        number
    }

    /// The text with a number.
    pub(super) fn text(&self, number: u32) -> &[u8] {
        self.texts.texts().get(number as usize)
    }

    /// The number of different texts.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How often texts were added.
    pub(super) fn added(&self) -> usize {
        self.counts.iter().map(|count| *count as usize).sum()
    }

    /// The dictionary, in which frequent texts come first, and for each number its new one.
    pub(super) fn sorted(&self) -> (Dictionary, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.counts.len() as u32).collect();
        order.sort_by_key(|number| std::cmp::Reverse(self.counts[*number as usize]));
        let mut dictionary = Dictionary::default();
        let mut numbers = vec![0; order.len()];
        for (new, old) in (0..).zip(order) {
            numbers[old as usize] = new;
            dictionary.texts.push(self.text(old));
            dictionary.counts.push(self.counts[old as usize]);
        }
        (dictionary, numbers)
    }
}

/// Texts by their numbers; frequent ones come first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Dictionary {
    texts: Lists<u8>,
    counts: Vec<u32>,
}

impl Dictionary {
    /// The dictionary of the texts of others, with how often each is there, and for each of the
    /// others the new numbers by the old ones. A text that is never there has none.
    pub(super) fn join<'t, T: Iterator<Item = (&'t [u8], u32)>>(
        others: impl IntoIterator<Item = T>,
    ) -> (Self, Vec<Vec<u32>>) {
        let mut texts = Interner::default();
        let mut add = |(text, times)| match times {
            0 => u32::MAX,
            times => texts.add_times(text, times),
        };
        let numbers = others.into_iter().map(|other| other.map(&mut add).collect());
        let mut numbers: Vec<Vec<u32>> = numbers.collect();
        let (dictionary, sorted) = texts.sorted();
        for number in numbers.iter_mut().flatten() {
            *number = sorted.get(*number as usize).copied().unwrap_or(u32::MAX);
        }
        (dictionary, numbers)
    }

    /// The text with a number; empty if there is none.
    pub(crate) fn text(&self, number: u32) -> &[u8] {
        self.texts.get(number as usize)
    }

    /// The number of texts.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// All texts by their numbers, and how often each was added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], u32)> + Clone {
        self.texts.iter().zip(self.counts.iter().copied())
    }

    /// The memory that it takes.
    pub(super) fn memory(&self) -> usize {
        self.texts.memory() + size_of_val(&*self.counts)
    }

    /// As bytes of a segment.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (mut counts, mut texts) = (Vec::new(), Vec::new());
        push_number(&mut counts, self.len() as u64);
        for (text, count) in self.iter() {
            push_number(&mut counts, u64::from(count));
            push_string(&mut texts, text);
        }
        let mut bytes = Vec::new();
        push_packed(&mut bytes, &counts);
        push_packed(&mut bytes, &texts);
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(bytes);
        let (counts, texts) = (reader.unpacked()?, reader.unpacked()?);
        let (mut counts, mut texts) = (ByteReader::new(&counts), ByteReader::new(&texts));
        let mut dictionary = Self::default();
        for _ in 0..counts.number()? {
            dictionary.counts.push(counts.number_to(u32::MAX as usize)? as u32);
            dictionary.texts.push(texts.string()?);
        }
        Ok(dictionary)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_found_by_their_numbers(
            texts in prop::collection::vec("[ab]{0,3}", 0..60),
        ) {
            let mut interner = Interner::default();
            let old: Vec<_> = texts.iter().map(|text| interner.add(text.as_bytes())).collect();
            let (dictionary, numbers) = interner.sorted();
            let read = Dictionary::from_bytes(&dictionary.to_bytes());
            prop_assert_eq!(read.as_ref(), Ok(&dictionary));
            prop_assert_eq!(interner.added(), texts.len());
            for (text, old) in texts.iter().zip(old) {
                prop_assert_eq!(dictionary.text(numbers[old as usize]), text.as_bytes());
            }
            let counts: Vec<_> = dictionary.iter().map(|(_, count)| count).collect();
            prop_assert!(counts.is_sorted_by(|a, b| a >= b));
            prop_assert_eq!(dictionary.text(dictionary.len() as u32), b"");
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Dictionary::from_bytes(&bytes);
        }
    }
}
