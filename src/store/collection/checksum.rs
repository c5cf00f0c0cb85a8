//! The checksums of what a collection consists of: of each blob with its place, and of the lists of
//! collections and segments. A checksum is CRC-32, which finds every burst of 32 bits, and leaves
//! one of four billion other changes unnoticed.
//!
//! The place is part of it, so a blob that damage puts in the place of another one is noticed.

use crc32fast::Hasher;

/// Adds values of rows to a checksum, with the length of each.
#[derive(Default)]
pub(super) struct Checksum(Hasher);

impl Checksum {
    pub(super) fn number(mut self, number: i64) -> Self {
        self.0.update(&number.to_le_bytes());
        self
    }

    pub(super) fn text(self, text: &str) -> Self {
        let mut with_length = self.number(i64::try_from(text.len()).unwrap_or(i64::MAX));
        with_length.0.update(text.as_bytes());
        with_length
    }

    pub(super) fn finish(self) -> i64 {
        i64::from(self.0.finalize())
    }
}

/// The checksum of a row of `segment_blob`.
pub(super) fn checksum_of_blob(segment: i64, kind: &str, number: u32, bytes: &[u8]) -> i64 {
    let Checksum(mut hasher) = Checksum::default().number(segment).text(kind).number(number.into());
    hasher.update(bytes);
    i64::from(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold these numbers, which Python's `zlib.crc32` makes as well.
    #[test]
    fn checksums_stay_what_they_are() {
        assert_eq!(checksum_of_blob(1, "moves", 0, b"e4 e5"), 986_862_548);
        assert_eq!(Checksum::default().number(-1).text("club").finish(), 1_981_257_540);
    }

    #[test]
    fn the_place_of_a_blob_is_part_of_its_checksum() {
        let of_blob = checksum_of_blob(1, "moves", 0, b"e4 e5");
        for (segment, kind, number) in [(2, "moves", 0), (1, "facts", 0), (1, "moves", 1)] {
            assert_ne!(checksum_of_blob(segment, kind, number, b"e4 e5"), of_blob);
        }
    }
}
