//! Texts of which there are few, as arrays with a dictionary.

use std::{hash::BuildHasher, sync::Arc};

use arrow_array::builder::{ArrayBuilder, Int32Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray, cast::AsArray, types::Int32Type};
use arrow_schema::ArrowError;
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};

use crate::output::Value;

/// Texts of which there are few: each once, and its number for each row.
pub(super) struct NameBuilder {
    names: StringBuilder,
    /// The numbers of the names, by their hashes.
    numbers: HashTable<i32>,
    hasher: DefaultHashBuilder,
    rows: Int32Builder,
}

/// The rows that share a name, on average: in a block, and in a group, which has many blocks.
const ROWS_PER_NAME: usize = 2;
const JOINED_ROWS_PER_NAME: usize = 32;

/// That many rows show how often names repeat, and larger dictionaries are no gain.
#[cfg(feature = "parquet")]
const SAMPLE: usize = 1 << 13;
#[cfg(feature = "parquet")]
const MAX_DICTIONARY: usize = 1 << 20;

impl NameBuilder {
    /// For about this number of rows, with names of about this length in bytes.
    pub(super) fn new(rows: usize, length: usize) -> Self {
        Self::with_names(rows, rows / ROWS_PER_NAME, length)
    }

    /// For the names of about this number of rows of many blocks.
    fn joining(rows: usize) -> Self {
        Self::with_names(rows, rows / JOINED_ROWS_PER_NAME, 0)
    }

    fn with_names(rows: usize, names: usize, length: usize) -> Self {
        Self {
            names: StringBuilder::with_capacity(names, names * length),
            numbers: HashTable::with_capacity(names),
            hasher: DefaultHashBuilder::default(),
            rows: Int32Builder::with_capacity(rows),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, value: &Value<'_>) {
        match value {
            Value::None => self.rows.append_null(),
            other => self.push_name(&other.to_text("")),
        }
    }

    #[inline]
    fn push_name(&mut self, name: &str) {
        let number = self.number_of(name);
        self.rows.append_value(number);
    }

    /// Adds the rows of an array of names.
    fn extend(&mut self, array: &ArrayRef) -> Result<(), ArrowError> {
        let rows = array.as_dictionary_opt::<Int32Type>();
        let names = rows.and_then(|rows| rows.values().as_string_opt());
        let (Some(rows), Some(names)) = (rows, names) else {
            let problem = format!("a column of names has the type {}", array.data_type());
            return Err(ArrowError::InvalidArgumentError(problem));
        };
        self.extend_with(rows, names);
        Ok(())
    }

    fn extend_with(&mut self, rows: &DictionaryArray<Int32Type>, names: &StringArray) {
        let mut numbers = vec![None; names.len()];
        for name in rows.keys() {
            let number = name.map(|name| {
                let name = name as usize;
                *numbers[name].get_or_insert_with(|| self.number_of(names.value(name)))
            });
            self.rows.append_option(number);
        }
    }

    /// Whether the dictionary is small beside the rows, as far as that can be seen yet.
    #[cfg(feature = "parquet")]
    fn is_worthwhile(&self) -> bool {
        let (names, rows) = (self.names.len(), self.rows.len());
        self.names.values_slice().len() <= MAX_DICTIONARY
            && !(rows >= SAMPLE && names * ROWS_PER_NAME > rows)
    }

    /// The names, and an empty builder.
    pub(super) fn finish(&mut self) -> DictionaryArray<Int32Type> {
        self.numbers.clear();
        DictionaryArray::new(self.rows.finish(), Arc::new(self.names.finish()))
    }

    #[inline]
    fn number_of(&mut self, name: &str) -> i32 {
        let Self { names, numbers, hasher, .. } = self;
        let is_same = |number: &i32| name_at(names, *number) == name.as_bytes();
        let hash_of = |number: &i32| hasher.hash_one(name_at(names, *number));
        match numbers.entry(hasher.hash_one(name.as_bytes()), is_same, hash_of) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = names.len() as i32;
                names.append_value(name);
                *new.insert(number).get()
            }
        }
    }
}

/// The name with this number.
#[inline]
fn name_at(names: &StringBuilder, number: i32) -> &[u8] {
    let at = number as usize;
    let [start, end] = [at, at + 1].map(|at| names.offsets_slice()[at] as usize);
    &names.values_slice()[start..end]
}

/// Several arrays of names as one, whose dictionary has each name once, and those only that a row
/// has: readers such as pandas need that, and `concat` of `arrow-select` does not promise it.
pub(super) fn join_names(arrays: &[ArrayRef]) -> Result<DictionaryArray<Int32Type>, ArrowError> {
    let rows = arrays.iter().map(Array::len).sum();
    let mut joined = NameBuilder::joining(rows);
    arrays.iter().try_for_each(|array| joined.extend(array))?;
    Ok(joined.finish())
}

/// Texts as names, for a file; `None` where few of them repeat.
#[cfg(feature = "parquet")]
pub(super) fn names_of_texts(arrays: &[ArrayRef]) -> Option<DictionaryArray<Int32Type>> {
    let rows = arrays.iter().map(Array::len).sum();
    let mut names = NameBuilder::joining(rows);
    for array in arrays {
        for text in array.as_string_opt::<i32>()? {
            match text {
                Some(text) => names.push_name(text),
                None => names.rows.append_null(),
            }
        }
        if !names.is_worthwhile() {
            return None;
        }
    }
    Some(names.finish())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXTS: [Option<&[u8]>; 7] =
        [Some(b"a\tb"), None, Some(b""), Some(b"Gr\xfcnfeld"), Some(b"a b"), None, Some(b"a b")];

    /// What the rows say.
    const EXPECTED: [Option<&str>; 7] =
        [Some("a b"), None, Some(""), Some("Grünfeld"), Some("a b"), None, Some("a b")];

    fn value(text: Option<&[u8]>) -> Value<'_> {
        text.map_or(Value::None, Value::Bytes)
    }

    fn rows(names: &DictionaryArray<Int32Type>) -> Vec<Option<&str>> {
        names.downcast_dict::<StringArray>().unwrap().into_iter().collect()
    }

    #[test]
    fn a_dictionary_has_each_name_once_in_order_of_appearance() {
        let mut names = NameBuilder::new(0, 0);
        for _ in 0..2 {
            TEXTS.iter().for_each(|text| names.push(&value(*text)));
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
            joined.extend(&(Arc::new(array) as ArrayRef)).unwrap();
        };
        add(&[Value::text("x"), Value::text("y"), Value::None, Value::text("z")], 1..4);
        add(&[Value::text("y"), Value::text("w"), Value::text("z")], 0..2);
        assert_eq!(rows(&joined.finish()), [Some("y"), None, Some("z"), Some("y"), Some("w")]);
    }

    proptest! {
        #[test]
        fn rows_have_the_texts_of_their_values_and_names_are_numbered_as_they_come(
            // Few names of each length, so that many are the same.
            texts in prop::collection::vec(prop::option::of("[ab\t]{0,3}(x{8}[ab]{0,2}y{8})?"), 0..600),
        ) {
            let mut names = NameBuilder::new(texts.len(), 2);
            for text in &texts {
                names.push(&value(text.as_deref().map(str::as_bytes)));
            }
            let names = names.finish();
            let expected = texts.iter().map(|text| text.as_ref().map(|text| text.replace('\t', " ")));
            let expected: Vec<_> = expected.collect();
            let expected: Vec<_> = expected.iter().map(Option::as_deref).collect();
            prop_assert_eq!(rows(&names), expected.clone());
            let mut distinct: Vec<&str> = Vec::new();
            for text in expected.into_iter().flatten() {
                if !distinct.contains(&text) {
                    distinct.push(text);
                }
            }
            let dictionary = names.values().as_string::<i32>().iter().flatten();
            prop_assert_eq!(dictionary.collect::<Vec<_>>(), distinct);
        }
    }
}
