//! Numbers of any width, one after the other in a string of bits.
//!
//! The first bit is the lowest of the first byte. Three codes are used: a number of fixed width;
//! *Rice*, for numbers of a known mean: the high part in unary, `k` low bits as they are; *gamma*
//! (Elias), for numbers from 1 that are mostly small: the width in unary, then the bits.

use super::damaged::DamagedSegment;

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

const CUT: DamagedSegment = DamagedSegment::new("bits end too early");

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
        if self.at > self.bytes.len() * 8 { Err(CUT) } else { Ok(()) }
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
