//! Records: the values of a row, or of an entry of an index.

/// A record that is being made, value by value.
#[derive(Debug, Default)]
pub(in crate::store) struct Record {
    /// The type of each value, with the length of text.
    types: Vec<u8>,
    values: Vec<u8>,
}

impl Record {
    /// Adds `NULL`. A column that is the row's id has this value too.
    pub(in crate::store) fn null(&mut self) {
        self.types.push(0);
    }

    /// Adds an integer, in as few bytes as it needs.
    pub(in crate::store) fn integer(&mut self, value: impl Into<i64>) {
        let value = value.into();
        // The number of bytes, and the type that says it.
        let (bytes, kind) = match value {
            0 => (0, 8),
            1 => (0, 9),
            -0x80..=0x7f => (1, 1),
            -0x8000..=0x7fff => (2, 2),
            -0x80_0000..=0x7f_ffff => (3, 3),
            -0x8000_0000..=0x7fff_ffff => (4, 4),
            -0x8000_0000_0000..=0x7fff_ffff_ffff => (6, 5),
            _ => (8, 6),
        };
        self.types.push(kind);
        self.values.extend_from_slice(&value.to_be_bytes()[8 - bytes..]);
    }

    /// Adds text.
    pub(in crate::store) fn text(&mut self, text: &str) {
        push_varint(&mut self.types, 13 + 2 * text.len() as u64);
        self.values.extend_from_slice(text.as_bytes());
    }

    /// Adds text, or `NULL` if there is none.
    pub(in crate::store) fn optional_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.null(),
        }
    }

    /// Adds an integer, or `NULL` if there is none.
    pub(in crate::store) fn optional_integer(&mut self, value: Option<impl Into<i64>>) {
        match value {
            Some(value) => self.integer(value),
            None => self.null(),
        }
    }

    /// Appends the record to `bytes`, and begins the next one.
    fn finish_to(&mut self, bytes: &mut Vec<u8>) {
        // The header counts the bytes of its own length.
        let mut header = self.types.len() + 1;
        if header > 0x7f {
            header += varint_len(header as u64 + 1) - 1;
        }
        push_varint(bytes, header as u64);
        bytes.append(&mut self.types);
        bytes.append(&mut self.values);
    }
}

/// Records one after the other, each with a number.
#[derive(Debug, Default)]
pub(in crate::store) struct Records {
    bytes: Vec<u8>,
    /// The number of each record, and where it ends.
    ends: Vec<(i64, usize)>,
}

impl Records {
    /// Adds a record, which is then empty again.
    pub(in crate::store) fn push(&mut self, number: i64, record: &mut Record) {
        record.finish_to(&mut self.bytes);
        self.ends.push((number, self.bytes.len()));
    }

    /// The number of bytes of all records.
    pub(in crate::store) fn byte_count(&self) -> usize {
        self.bytes.len()
    }

    /// The records with their numbers.
    pub(in crate::store) fn iter(&self) -> impl Iterator<Item = (i64, &[u8])> {
        let mut start = 0;
        self.ends.iter().map(move |&(number, end)| {
            let record = &self.bytes[start..end];
            start = end;
            (number, record)
        })
    }
}

/// The number of bytes of a [varint](push_varint) of less than 56 bits.
fn varint_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

/// Appends a number in SQLite's form: seven bits a byte, the highest first, all but the last byte
/// with their high bit set. A ninth byte has eight bits.
pub(super) fn push_varint(bytes: &mut Vec<u8>, number: u64) {
    if number < 0x80 {
        bytes.push(number as u8);
        return;
    }
    let (mut rest, mut reversed) = (number, Vec::with_capacity(9));
    if number >> 56 != 0 {
        reversed.push(number as u8);
        rest >>= 8;
        reversed.extend((0..8).map(|n| (rest >> (7 * n)) as u8 | 0x80));
    } else {
        reversed.push(rest as u8 & 0x7f);
        rest >>= 7;
        while rest > 0 {
            reversed.push(rest as u8 | 0x80);
            rest >>= 7;
        }
    }
    bytes.extend(reversed.into_iter().rev());
}
