//! Bytes of a segment: numbers, strings and compressed parts, one after the other.
//!
//! Nothing that is read is trusted. A length is checked against what is left before memory is taken
//! for it.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use super::damaged::DamagedSegment;

/// The level of zstd. What is compressed is short, and has been made regular before.
const LEVEL: i32 = 3;

/// No part is longer than this when it is unpacked.
const MAX_UNPACKED: usize = 64 << 20;

/// Shorter parts are not compressed: the frame alone takes about as much.
const MIN_PACKED: usize = 24;

thread_local! {
    // To make these takes longer than to compress the parts, which are short.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> =
        RefCell::new(Compressor::new(LEVEL).ok());
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> =
        RefCell::new(Decompressor::new().ok());
}

/// The part compressed, if that can be done.
fn compress(part: &[u8]) -> Option<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|compressor| compressor.as_mut()?.compress(part).ok())
}

/// What was compressed, of this many bytes at most.
fn decompress(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.as_mut()?.decompress(packed, len).ok())
}

/// Appends a number: seven bits a byte, the lowest first.
pub(super) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends the length of a string, and the string.
pub(super) fn push_string(out: &mut Vec<u8>, string: &[u8]) {
    push_number(out, string.len() as u64);
    out.extend_from_slice(string);
}

/// Appends a part compressed, or as it is where that is shorter.
pub(super) fn push_packed(out: &mut Vec<u8>, part: &[u8]) {
    let packed = if part.len() < MIN_PACKED { None } else { compress(part) };
    let packed = packed.filter(|packed| packed.len() < part.len());
    push_number(out, part.len() as u64);
    push_string(out, packed.as_deref().unwrap_or(part));
}

/// Reads what was appended.
#[derive(Debug, Clone)]
pub(super) struct ByteReader<'a>(&'a [u8]);

const CUT: DamagedSegment = DamagedSegment::new("bytes end too early");

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether everything was read.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next bytes.
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], DamagedSegment> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(CUT)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn number(&mut self) -> Result<u64, DamagedSegment> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let [byte] = *self.take(1)? else { return Err(CUT) };
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DamagedSegment::new("a number is too great"))
    }

    /// A number that must not be greater than `most`.
    pub(super) fn number_to(&mut self, most: usize) -> Result<usize, DamagedSegment> {
        let number = usize::try_from(self.number()?).ok().filter(|number| *number <= most);
        number.ok_or(DamagedSegment::new("a number is too great"))
    }

    pub(super) fn string(&mut self) -> Result<&'a [u8], DamagedSegment> {
        let len = self.number_to(self.0.len())?;
        self.take(len)
    }

    /// A part that [`push_packed`] wrote.
    pub(super) fn unpacked(&mut self) -> Result<Vec<u8>, DamagedSegment> {
        let len = self.number_to(MAX_UNPACKED)?;
        let packed = self.string()?;
        if packed.len() == len {
            return Ok(packed.to_vec());
        }
        // Memory is taken for `len`, but only what is really there is ever written.
        let unpacked = decompress(packed, len).filter(|bytes| bytes.len() == len);
        unpacked.ok_or(DamagedSegment::new("a part cannot be unpacked"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_read_as_they_were_written(
            numbers in prop::collection::vec(0..1_u64 << 62, 0..9),
            strings in prop::collection::vec(prop::collection::vec(0..4_u8, 0..200), 0..9),
        ) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|number| push_number(&mut bytes, *number));
            strings.iter().for_each(|string| push_string(&mut bytes, string));
            strings.iter().for_each(|string| push_packed(&mut bytes, string));
            let mut reader = ByteReader::new(&bytes);
            for number in numbers {
                prop_assert_eq!(reader.number(), Ok(number));
            }
            for string in &strings {
                prop_assert_eq!(reader.string(), Ok(&string[..]));
            }
            for string in strings {
                prop_assert_eq!(reader.unpacked(), Ok(string));
            }
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut reader = ByteReader::new(&bytes);
            let _ = (reader.clone().string(), reader.clone().unpacked(), reader.number());
        }
    }
}
