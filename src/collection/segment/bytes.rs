//! Bytes of a segment: numbers, strings, compressed parts, the items of a blob, and strings of
//! bits.
//!
//! Parts are compressed by the feature `zstd`, which is C. Without it they are appended as they
//! are, and compressed ones cannot be read.
//!
//! Nothing that is read is trusted. A length is checked against what is left before memory is taken
//! for it.
//!
//! The first bit of a string of bits is the lowest of the first byte. Three codes are used there: a
//! number of fixed width; *Rice*, for numbers of a known mean: the high part in unary, `k` low bits
//! as they are; *gamma* (Elias), for numbers from 1 that are mostly small: the width in unary, then
//! the bits.

/// The bytes are not those of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct DamagedSegment(&'static str);

impl DamagedSegment {
    /// What is wrong, as a few words.
    pub(crate) const fn new(what: &'static str) -> Self {
        Self(what)
    }
}

/// No part is longer than this when it is unpacked.
const MAX_UNPACKED: usize = 64 << 20;

/// Shorter parts are not compressed: the frame alone takes about as much.
const MIN_PACKED: usize = 24;

#[cfg(feature = "zstd")]
mod zstandard {
    use std::cell::RefCell;

    use zstd::bulk::{Compressor, Decompressor};

    /// What is compressed is short, and has been made regular before.
    const LEVEL: i32 = 3;

    thread_local! {
        // To make these takes longer than to compress the parts, which are short.
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> =
            RefCell::new(Compressor::new(LEVEL).ok());
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> =
            RefCell::new(Decompressor::new().ok());
    }

    /// The part compressed, if that can be done.
    pub(super) fn compress(part: &[u8]) -> Option<Vec<u8>> {
        COMPRESSOR.with_borrow_mut(|compressor| compressor.as_mut()?.compress(part).ok())
    }

    /// What was compressed, of this many bytes at most.
    pub(super) fn decompress(packed: &[u8], len: usize) -> Option<Vec<u8>> {
        DECOMPRESSOR.with_borrow_mut(|zstd| zstd.as_mut()?.decompress(packed, len).ok())
    }
}

#[cfg(not(feature = "zstd"))]
mod zstandard {
    pub(super) fn compress(_: &[u8]) -> Option<Vec<u8>> {
        None
    }

    pub(super) fn decompress(_: &[u8], _: usize) -> Option<Vec<u8>> {
        None
    }
}

/// Appends a number: seven bits a byte, the lowest first.
pub(in crate::collection) fn push_number(out: &mut Vec<u8>, mut number: u64) {
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
    let packed = if part.len() < MIN_PACKED { None } else { zstandard::compress(part) };
    let packed = packed.filter(|packed| packed.len() < part.len());
    push_number(out, part.len() as u64);
    push_string(out, packed.as_deref().unwrap_or(part));
}

/// Reads what was appended.
#[derive(Debug, Clone)]
pub(in crate::collection) struct ByteReader<'a>(&'a [u8]);

const CUT: DamagedSegment = DamagedSegment::new("bytes end too early");

impl<'a> ByteReader<'a> {
    pub(in crate::collection) fn new(bytes: &'a [u8]) -> Self {
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

    pub(in crate::collection) fn number(&mut self) -> Result<u64, DamagedSegment> {
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
        let unpacked = zstandard::decompress(packed, len).filter(|bytes| bytes.len() == len);
        unpacked.ok_or(DamagedSegment::new("a part cannot be unpacked"))
    }
}

/// No blob has more items.
const MAX_ITEMS: usize = 1 << 16;

/// The blob of these items.
pub(super) fn join_items(items: &[Vec<u8>]) -> Vec<u8> {
    let mut blob = Vec::with_capacity(items.iter().map(|item| item.len() + 2).sum());
    push_number(&mut blob, items.len() as u64);
    items.iter().for_each(|item| push_number(&mut blob, item.len() as u64));
    items.iter().for_each(|item| blob.extend_from_slice(item));
    blob
}

/// The item with this index in a blob.
pub(super) fn find_item(blob: &[u8], index: usize) -> Result<&[u8], DamagedSegment> {
    let mut reader = ByteReader::new(blob);
    let items = reader.number_to(MAX_ITEMS)?;
    if index >= items {
        return Err(DamagedSegment::new("a blob has too few items"));
    }
    let (mut start, mut len) = (0, 0);
    for at in 0..items {
        let item = reader.number_to(blob.len())?;
        if at < index {
            start += item;
        } else if at == index {
            len = item;
        }
    }
    reader.take(start)?;
    reader.take(len)
}

/// The widest number that is written or read at once.
const MAX_WIDTH: u32 = 32;

/// Writes bits.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are not in `bytes` yet, from the lowest; fewer than 32 between calls.
    held: u64,
    width: u32,
}

impl BitWriter {
    /// None yet, with memory for a number of bytes.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Appends the lowest `width` bits of a number, 32 at most.
    #[inline]
    pub(super) fn push(&mut self, value: u64, width: u32) {
        debug_assert!(width <= MAX_WIDTH && value >> width == 0);
        self.held |= value << self.width;
        self.width += width;
        if self.width >= 32 {
            self.bytes.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= 32;
            self.width -= 32;
        }
    }

    /// Appends a number whose mean is about 2^`k`.
    #[inline]
    pub(super) fn push_rice(&mut self, value: u64, k: u32) {
        let mut high = value >> k;
        while high >= 16 {
            self.push(0, 16);
            high -= 16;
        }
        self.push(1 << high, high as u32 + 1);
        self.push(value & ((1 << k) - 1), k);
    }

    /// Appends a number from 1 to 2^32 - 1.
    pub(super) fn push_gamma(&mut self, value: u64) {
        debug_assert!(value > 0);
        let width = value.ilog2();
        self.push_rice(u64::from(width), 0);
        self.push(value & ((1 << width) - 1), width);
    }

    /// The bytes; the last one is filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.width.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.held.to_le_bytes()[..rest]);
        self.bytes
    }
}

/// Reads bits.
#[derive(Debug, Clone)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    at: usize,
}

const CUT_BITS: DamagedSegment = DamagedSegment::new("bits end too early");

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// At least 57 of the next bits; zeros after the end.
    #[inline]
    fn peek(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().expect("a slice of eight bytes")),
            None => {
                let rest = self.bytes.get(byte..).unwrap_or_default();
                rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
            }
        };
        word >> (self.at % 8)
    }

    #[inline]
    fn skip(&mut self, width: u32) -> Result<(), DamagedSegment> {
        self.at += width as usize;
        if self.at > self.bytes.len() * 8 { Err(CUT_BITS) } else { Ok(()) }
    }

    /// Reads a number of this width, 32 bits at most.
    #[inline]
    pub(super) fn read(&mut self, width: u32) -> Result<u64, DamagedSegment> {
        let value = self.peek() & ((1 << width) - 1);
        self.skip(width)?;
        Ok(value)
    }

    /// Reads what [`BitWriter::push_rice`] wrote.
    #[inline]
    pub(super) fn read_rice(&mut self, k: u32) -> Result<u64, DamagedSegment> {
        let mut high = 0;
        loop {
            let zeros = self.peek().trailing_zeros().min(MAX_WIDTH);
            high += u64::from(zeros);
            self.skip(zeros)?;
            if zeros < MAX_WIDTH {
                break;
            }
        }
        self.skip(1)?;
        Ok(high << k | self.read(k)?)
    }

    /// Reads what [`BitWriter::push_gamma`] wrote.
    #[inline]
    pub(super) fn read_gamma(&mut self) -> Result<u64, DamagedSegment> {
        let width = self.read_rice(0)? as u32;
        if width >= MAX_WIDTH {
            return Err(DamagedSegment::new("a number is too great"));
        }
        Ok(1 << width | self.read(width)?)
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

    proptest! {
        #[test]
        fn items_are_found_by_their_index(
            items in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..9),
        ) {
            let blob = join_items(&items);
            for (index, item) in items.iter().enumerate() {
                prop_assert_eq!(find_item(&blob, index), Ok(&item[..]));
            }
            prop_assert!(find_item(&blob, items.len()).is_err());
        }

        #[test]
        fn any_blob_is_read_or_refused(
            blob in prop::collection::vec(any::<u8>(), 0..40),
            index in 0..9_usize,
        ) {
            let _ = find_item(&blob, index);
        }
    }

    #[derive(Debug, Clone, Copy)]
    enum Code {
        Fixed(u32),
        Rice(u32),
        Gamma,
    }

    fn codes() -> impl Strategy<Value = Vec<(Code, u64)>> {
        let item = prop_oneof![
            (0..=32_u32).prop_flat_map(|w| (Just(Code::Fixed(w)), 0..1_u64 << w)),
            (0..12_u32).prop_flat_map(|k| (Just(Code::Rice(k)), 0..300_u64 << k)),
            (Just(Code::Gamma), 1..1_u64 << 32),
        ];
        prop::collection::vec(item, 0..60)
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(items in codes()) {
            let mut writer = BitWriter::default();
            for (code, value) in &items {
                match code {
                    Code::Fixed(width) => writer.push(*value, *width),
                    Code::Rice(k) => writer.push_rice(*value, *k),
                    Code::Gamma => writer.push_gamma(*value),
                }
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (code, value) in &items {
                let read = match code {
                    Code::Fixed(width) => reader.read(*width),
                    Code::Rice(k) => reader.read_rice(*k),
                    Code::Gamma => reader.read_gamma(),
                };
                prop_assert_eq!(read, Ok(*value), "{:?}", code);
            }
        }

        #[test]
        fn any_bytes_come_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = BitReader::new(&bytes);
            let mut read = 0;
            while reader.read_gamma().is_ok() {
                read += 1;
            }
            prop_assert!(read <= bytes.len() * 8);
        }
    }
}
