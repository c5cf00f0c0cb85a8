//! Texts, collected to Arrow arrays.
//!
//! Texts are collected as the bytes of rows, and decoded all at once, when the array is made. The
//! builders of `arrow-array` for text take each value as decoded text.
//!
//! Texts of which there are few become arrays with a dictionary. Rows mostly repeat a name that was
//! there shortly before. So a name is first compared with the last one that began, went on and
//! ended alike, and looked up by its hash only if it is another.

use std::{borrow::Cow, sync::Arc};

use arrow_array::builder::{ArrayBuilder, BinaryBuilder, Int32Builder};
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray};
use arrow_array::{cast::AsArray, types::Int32Type};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::ArrowError;

use crate::output::{Value, sanitize};
use crate::{lists::TextSet, swar::is_printable};

/// The text of a value as a row has it; `None` if there is no value. Nearly all bytes are printable
/// ASCII, and are neither decoded nor checked a second time.
pub(super) fn text_of<'v>(value: &'v Value<'_>) -> Option<Cow<'v, [u8]>> {
    match value {
        Value::None => None,
        Value::Bytes(bytes) if is_printable(bytes) => Some(Cow::Borrowed(bytes)),
        other => Some(match other.to_text("") {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        }),
    }
}

/// The texts, and an empty builder.
pub(super) fn finish_texts(texts: &mut BinaryBuilder) -> StringArray {
    StringArray::try_from_binary(texts.finish()).expect("the texts of rows are UTF-8")
}

/// Texts of which there are few: each once, and its number for each row.
pub(super) struct NameBuilder {
    names: TextSet,
    /// The number of a recent name, by its [digest]. It may be that of any other.
    recent: Box<[i32]>,
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

/// The number of recent names that are kept: powers of two.
const RECENT: usize = 1 << 8;
const JOINED_RECENT: usize = 1 << 12;

impl NameBuilder {
    /// For about this number of rows.
    pub(super) fn new(rows: usize) -> Self {
        Self::with_names(rows, rows / ROWS_PER_NAME, RECENT)
    }

    /// For the names of about this number of rows of many blocks.
    pub(super) fn joining(rows: usize) -> Self {
        Self::with_names(rows, rows / JOINED_ROWS_PER_NAME, JOINED_RECENT)
    }

    fn with_names(rows: usize, names: usize, recent: usize) -> Self {
        Self {
            names: TextSet::with_capacity(names),
            recent: vec![0; recent].into(),
            rows: Int32Builder::with_capacity(rows),
        }
    }

    pub(super) fn push(&mut self, value: &Value<'_>) {
        let number = match value {
            Value::None => None,
            Value::Bytes(bytes) => Some(self.number_of(bytes, Self::sanitize)),
            Value::Text(text) => Some(self.number_of_text(text.as_bytes())),
            other => Some(self.number_of_text(other.to_text("").as_bytes())),
        };
        self.rows.append_option(number);
    }

    /// Adds the rows of an array of names.
    pub(super) fn extend(&mut self, array: &ArrayRef) -> Result<(), ArrowError> {
        let rows = array.as_dictionary_opt::<Int32Type>();
        let names = rows.and_then(|rows| rows.values().as_string_opt::<i32>());
        let (Some(rows), Some(names)) = (rows, names) else {
            let problem = format!("a column of names has the type {}", array.data_type());
            return Err(ArrowError::InvalidArgumentError(problem));
        };
        let mut numbers = vec![None; names.len()];
        for name in rows.keys() {
            let number = name.map(|name| {
                let name = name as usize;
                let number = || self.number_of_text(names.value(name).as_bytes());
                *numbers[name].get_or_insert_with(number)
            });
            self.rows.append_option(number);
        }
        Ok(())
    }

    /// Whether the dictionary is small beside the rows, as far as that can be seen yet.
    #[cfg(feature = "parquet")]
    fn is_worthwhile(&self) -> bool {
        let is_sample = self.rows.len() >= SAMPLE;
        self.names.texts().items().len() <= MAX_DICTIONARY
            && !(is_sample && self.names.texts().len() * ROWS_PER_NAME > self.rows.len())
    }

    /// The names, and an empty builder.
    pub(super) fn finish(&mut self) -> DictionaryArray<Int32Type> {
        let set = std::mem::take(&mut self.names);
        let offsets = OffsetBuffer::from_lengths(set.texts().iter().map(<[u8]>::len));
        let names = StringArray::new(offsets, Buffer::from(set.texts().items()), None);
        DictionaryArray::new(self.rows.finish(), Arc::new(names))
    }

    /// The number of a name that is text.
    fn number_of_text(&mut self, name: &[u8]) -> i32 {
        self.number_of(name, Self::find_or_add)
    }

    /// The number of a name, from `find_or_add` if it is not a recent one.
    fn number_of(&mut self, name: &[u8], find_or_add: fn(&mut Self, &[u8]) -> i32) -> i32 {
        let digest = digest(name) & (self.recent.len() - 1);
        let recent = self.recent[digest];
        let names = self.names.texts();
        // What equals a sanitized name is sanitized itself.
        if (recent as usize) < names.len() && names.get(recent as usize) == name {
            return recent;
        }
        let number = find_or_add(self, name);
        self.recent[digest] = number;
        number
    }

    #[inline(never)]
    fn find_or_add(&mut self, name: &[u8]) -> i32 {
        self.names.number(name) as i32
    }

    /// The number of a name that is bytes of a file.
    #[inline(never)]
    fn sanitize(&mut self, name: &[u8]) -> i32 {
        // Another name may become the same.
        if is_printable(name) {
            self.find_or_add(name)
        } else {
            self.find_or_add(sanitize(name).as_bytes())
        }
    }
}

/// Several arrays of names as one, whose dictionary has each name once, and those only that a row
/// has: readers such as pandas need that, and joining arrays does not promise it.
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
        let texts = array.as_string_opt::<i32>()?.iter();
        let values = texts.map(|text| text.map_or(Value::None, |text| Value::Text(text.into())));
        values.for_each(|value| names.push(&value));
        if !names.is_worthwhile() {
            return None;
        }
    }
    Some(names.finish())
}

/// A number of twelve bits that names which look different rarely share.
fn digest(name: &[u8]) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => {
            let middle = name[name.len() / 2 - 4..].first_chunk().copied().unwrap_or_default();
            let [first, middle, last] = [*first, middle, *last].map(u64::from_le_bytes);
            ((first.wrapping_mul(MIX) ^ middle).rotate_left(32).wrapping_mul(MIX) ^ last)
                .wrapping_add(name.len() as u64)
        }
        _ => name.iter().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
    };
    // The highest bits depend on all of them.
    (mixed.wrapping_mul(MIX) >> (u64::BITS - JOINED_RECENT.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_those_of_rows_and_a_builder_can_be_used_again() {
        let long = "x".repeat(100);
        let values = [
            (Value::Bytes(b"a\tb"), Some("a b")),
            (Value::None, None),
            (Value::Bytes(b""), Some("")),
            (Value::Bytes(b"Gr\xfcnfeld"), Some("Grünfeld")),
            (Value::Bytes("Grünfeld".as_bytes()), Some("Grünfeld")),
            (Value::Bytes(long.as_bytes()), Some(&long)),
            (Value::text("text"), Some("text")),
            (Value::Number(7), Some("7")),
            (Value::Bytes(b"a b"), Some("a b")),
        ];
        let mut texts = BinaryBuilder::new();
        for _ in 0..2 {
            values.iter().for_each(|(value, _)| texts.append_option(text_of(value)));
            let expected: Vec<_> = values.iter().map(|(_, expected)| *expected).collect();
            assert_eq!(finish_texts(&mut texts).iter().collect::<Vec<_>>(), expected);
        }
        assert_eq!(finish_texts(&mut texts).len(), 0);
    }

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
        let mut names = NameBuilder::new(0);
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
        let (mut first, mut joined) = (NameBuilder::new(0), NameBuilder::new(0));
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
            // Few names of each length, so that many share their digest or their name.
            texts in prop::collection::vec(prop::option::of("[ab\t]{0,3}(x{8}[ab]{0,2}y{8})?"), 0..600),
        ) {
            let mut names = NameBuilder::new(texts.len());
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
