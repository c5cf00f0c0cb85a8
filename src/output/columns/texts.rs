//! Texts, collected to Arrow arrays: one after another, or each once in a dictionary.
//!
//! Values are written as text rows have them, behind one another, and the whole is decoded once,
//! when the array is made. The builders of `arrow-array` take each value as decoded text, and hash
//! it with a slower function. Without them the batches of 18,000 games take 581 million
//! instructions instead of 634, with the start of the interpreter that asks for them (x86-64,
//! callgrind, the Python package built with its profile `checking`, 2026-11).

use std::hash::BuildHasher;

use arrow_array::{
    Array, DictionaryArray, Int32Array, StringArray, builder::NullBufferBuilder, types::Int32Type,
};
use arrow_buffer::{Buffer, OffsetBuffer};
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::output::Value;

/// Texts, one after another.
pub(super) struct TextBuilder {
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

/// Texts of which there are few: each once, and its number for each row.
pub(super) struct NameBuilder {
    names: TextBuilder,
    /// The numbers of the names, by their hashes.
    numbers: HashTable<i32>,
    hasher: DefaultHashBuilder,
    rows: Vec<i32>,
    nulls: NullBufferBuilder,
}

/// As many rows share a name.
const ROWS_PER_NAME: usize = 4;

impl TextBuilder {
    /// For about this number of texts of about this length in bytes.
    pub(super) fn new(count: usize, length: usize) -> Self {
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        let bytes = Vec::with_capacity(count * length);
        Self { bytes, offsets, nulls: NullBufferBuilder::new(count) }
    }

    #[inline]
    pub(super) fn push(&mut self, value: &Value<'_>) {
        match value {
            Value::None => self.end(false),
            value => {
                value.write_text("", &mut self.bytes);
                self.end(true);
            }
        }
    }

    /// Ends a text, or the place of one that is missing.
    #[inline]
    fn end(&mut self, is_text: bool) {
        self.offsets.push(offset(self.bytes.len()));
        self.nulls.append(is_text);
    }

    /// The text with a number; empty if it is missing.
    #[inline]
    pub(super) fn get(&self, number: usize) -> &[u8] {
        text(&self.bytes, &self.offsets, number)
    }

    /// The number of texts, with those that are missing.
    pub(super) fn len(&self) -> usize {
        self.nulls.len()
    }

    /// The texts, and an empty builder.
    pub(super) fn finish(&mut self) -> StringArray {
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let bytes = Buffer::from_vec(std::mem::take(&mut self.bytes));
        StringArray::new(OffsetBuffer::new(offsets.into()), bytes, self.nulls.finish())
    }
}

fn offset(length: usize) -> i32 {
    length.try_into().expect("games that are read at once have less than 2 GiB of tags")
}

#[inline]
fn text<'b>(bytes: &'b [u8], offsets: &[i32], number: usize) -> &'b [u8] {
    &bytes[offsets[number] as usize..offsets[number + 1] as usize]
}

impl NameBuilder {
    /// For about this number of rows, with names of about this length in bytes.
    pub(super) fn new(rows: usize, length: usize) -> Self {
        let names = rows / ROWS_PER_NAME;
        Self {
            names: TextBuilder::new(names, length),
            numbers: HashTable::with_capacity(names),
            hasher: DefaultHashBuilder::default(),
            rows: Vec::with_capacity(rows),
            nulls: NullBufferBuilder::new(rows),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, value: &Value<'_>) {
        let number = match value {
            Value::None => None,
            value => Some(self.number_of(|names| value.write_text("", names))),
        };
        self.push_number(number);
    }

    /// Adds the rows of a dictionary.
    pub(super) fn extend(&mut self, rows: &DictionaryArray<Int32Type>, names: &StringArray) {
        let numbers: Vec<i32> = (0..names.len())
            .map(|name| {
                self.number_of(|bytes| bytes.extend_from_slice(names.value(name).as_bytes()))
            })
            .collect();
        match rows.nulls() {
            None => {
                let rows = rows.keys().values().iter();
                self.rows.extend(rows.map(|name| numbers[*name as usize]));
                self.nulls.append_n_non_nulls(self.rows.len() - self.nulls.len());
            }
            Some(_) => {
                let rows = rows.keys().iter();
                rows.for_each(|name| self.push_number(name.map(|name| numbers[name as usize])));
            }
        }
    }

    /// The names, and an empty builder.
    pub(super) fn finish(&mut self) -> DictionaryArray<Int32Type> {
        self.numbers.clear();
        let rows = std::mem::take(&mut self.rows);
        let rows = Int32Array::new(rows.into(), self.nulls.finish());
        DictionaryArray::new(rows, std::sync::Arc::new(self.names.finish()))
    }

    #[inline]
    fn push_number(&mut self, number: Option<i32>) {
        self.rows.push(number.unwrap_or_default());
        self.nulls.append(number.is_some());
    }

    /// The number of a name. It is written behind the others, and taken back if it is among them.
    #[inline]
    fn number_of(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> i32 {
        let Self { names, numbers, hasher, .. } = self;
        let (start, count) = (names.bytes.len(), names.len());
        write(&mut names.bytes);
        let (known, name) = names.bytes.split_at(start);
        let hash = hasher.hash_one(name);
        let is_same = |number: &i32| text(known, &names.offsets, *number as usize) == name;
        if let Some(number) = numbers.find(hash, is_same) {
            names.bytes.truncate(start);
            return *number;
        }
        let number = offset(count);
        let names = &mut *names;
        names.end(true);
        numbers.insert_unique(hash, number, |number| hasher.hash_one(names.get(*number as usize)));
        number
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    const TEXTS: [Option<&[u8]>; 7] =
        [Some(b"a\tb"), None, Some(b""), Some(b"Gr\xfcnfeld"), Some(b"a b"), None, Some(b"a b")];

    /// What the rows say.
    const EXPECTED: [Option<&str>; 7] =
        [Some("a b"), None, Some(""), Some("Grünfeld"), Some("a b"), None, Some("a b")];

    fn values() -> impl Iterator<Item = Value<'static>> {
        TEXTS.into_iter().map(|text| text.map_or(Value::None, Value::Bytes))
    }

    fn rows(names: &DictionaryArray<Int32Type>) -> Vec<Option<&str>> {
        names.downcast_dict::<StringArray>().unwrap().into_iter().collect()
    }

    #[test]
    fn texts_are_those_of_rows_and_a_builder_can_be_used_again() {
        let mut texts = TextBuilder::new(0, 0);
        for _ in 0..2 {
            values().for_each(|value| texts.push(&value));
            assert_eq!(texts.finish().iter().collect::<Vec<_>>(), EXPECTED);
        }
        assert_eq!(texts.finish().len(), 0);
    }

    #[test]
    fn a_dictionary_has_each_name_once_in_order_of_appearance() {
        let mut names = NameBuilder::new(0, 0);
        for _ in 0..2 {
            values().for_each(|value| names.push(&value));
            let names = names.finish();
            assert_eq!(rows(&names), EXPECTED);
            let dictionary = names.values().as_string::<i32>();
            let dictionary: Vec<_> = dictionary.iter().collect();
            assert_eq!(dictionary, [Some("a b"), Some(""), Some("Grünfeld")]);
        }
    }

    #[test]
    fn dictionaries_become_one() {
        let (mut first, mut joined) = (NameBuilder::new(0, 0), NameBuilder::new(0, 0));
        let mut add = |values: &[Value<'_>], rows: std::ops::Range<usize>| {
            values.iter().for_each(|value| first.push(value));
            let array = first.finish().slice(rows.start, rows.len());
            joined.extend(&array, array.values().as_string());
        };
        add(&[Value::text("x"), Value::text("y"), Value::None, Value::text("z")], 1..4);
        add(&[Value::text("y"), Value::text("w"), Value::text("z")], 0..2);
        assert_eq!(rows(&joined.finish()), [Some("y"), None, Some("z"), Some("y"), Some("w")]);
    }
}
