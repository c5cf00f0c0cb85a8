//! Texts, collected to Arrow arrays.
//!
//! Values are written as text rows have them, behind one another, and the whole is decoded once,
//! when the array is made. The builders of `arrow-array` take each value as decoded text.

use arrow_array::StringArray;
use arrow_buffer::{Buffer, OffsetBuffer};

use super::nulls::Nulls;
use crate::{
    output::{Value, sanitize},
    swar::copy_printable,
};

/// Texts, one after another.
pub(super) struct TextBuilder {
    /// The texts, and zeros where others will be, so that a text can be checked while it is copied.
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i32>,
    nulls: Nulls,
}

/// As many bytes are filled with zeros at once.
const ROOM: usize = 1 << 10;

impl TextBuilder {
    /// For about this number of texts of about this length in bytes.
    pub(super) fn new(count: usize, length: usize) -> Self {
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        let bytes = Vec::with_capacity(count * length);
        Self { bytes, offsets, nulls: Nulls::new(count) }
    }

    /// Adds a text, or the place of one that is missing.
    #[inline]
    pub(super) fn push(&mut self, value: &Value<'_>) {
        match value {
            Value::None => {
                self.offsets.push(offset(self.end()));
                self.nulls.push(false);
            }
            Value::Bytes(bytes) => self.push_bytes(bytes),
            Value::Text(text) => self.push_text(text.as_bytes()),
            other => self.push_text(other.to_text("").as_bytes()),
        }
    }

    /// Adds bytes of a file as text. Most are printable ASCII, which is read once.
    #[inline]
    fn push_bytes(&mut self, bytes: &[u8]) {
        if copy_printable(bytes, self.room(bytes.len())) {
            self.end_text(bytes.len());
        } else {
            self.push_text(sanitize(bytes).as_bytes());
        }
    }

    /// Adds text that is sanitized, as bytes: it is decoded with all others.
    #[inline]
    pub(super) fn push_text(&mut self, text: &[u8]) {
        self.room(text.len()).copy_from_slice(text);
        self.end_text(text.len());
    }

    /// The text with a number; empty if it is missing.
    #[inline]
    pub(super) fn get(&self, number: usize) -> &[u8] {
        &self.bytes[self.offsets[number] as usize..self.offsets[number + 1] as usize]
    }

    /// The number of texts, with those that are missing.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The length of all texts in bytes.
    #[cfg(feature = "parquet")]
    pub(super) fn byte_count(&self) -> usize {
        self.end()
    }

    /// The texts, and an empty builder.
    pub(super) fn finish(&mut self) -> StringArray {
        let end = self.end();
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(end);
        let bytes = Buffer::from_vec(bytes);
        StringArray::new(OffsetBuffer::new(offsets.into()), bytes, self.nulls.finish())
    }

    /// Where the next text begins.
    #[inline]
    fn end(&self) -> usize {
        self.offsets[self.offsets.len() - 1] as usize
    }

    /// Room for a text of this length, after the others.
    #[inline]
    fn room(&mut self, length: usize) -> &mut [u8] {
        let start = self.end();
        if self.bytes.len() - start < length {
            self.grow(start + length);
        }
        &mut self.bytes[start..start + length]
    }

    #[inline(never)]
    fn grow(&mut self, needed: usize) {
        self.bytes.resize(needed.max(self.bytes.len() + ROOM), 0);
    }

    #[inline]
    fn end_text(&mut self, length: usize) {
        self.offsets.push(offset(self.end() + length));
        self.nulls.push(true);
    }
}

fn offset(length: usize) -> i32 {
    length.try_into().expect("games that are read at once have less than 2 GiB of tags")
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

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
        let mut texts = TextBuilder::new(2, 3);
        for _ in 0..2 {
            values.iter().for_each(|(value, _)| texts.push(value));
            assert_eq!((texts.len(), texts.get(3)), (values.len(), "Grünfeld".as_bytes()));
            let expected: Vec<_> = values.iter().map(|(_, expected)| *expected).collect();
            assert_eq!(texts.finish().iter().collect::<Vec<_>>(), expected);
        }
        assert_eq!(texts.finish().len(), 0);
    }
}
