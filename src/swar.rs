//! SIMD within a register: several bytes at a time, for texts that are only a few dozen bytes long.
//!
//! Advice for whoever goes on. A *mask* (`mask_...`) belongs to a `u64` of eight bytes. The high
//! bit of each byte is the answer for that byte; all other bits are 0. Bytes are loaded
//! little-endian, so the first byte is the lowest, and `mask.trailing_zeros() / 8` is the index of
//! the first byte with the answer yes. Sums and differences run over all eight bytes at once, so a
//! carry or a borrow can leave its byte and change the answers of higher bytes. Each function says
//! which answers can be wrong. The first yes never is, since no carry comes from below it; so do
//! not count the bits of such a mask.
//!
//! `splat(byte)` is the byte in all eight positions. Adding `splat(0x80 - n)` sets the high bit of
//! each byte from `n` to `0x7f`, without a carry as long as the byte is ASCII.

/// The bit of each byte that holds its answer.
const HIGH_BITS: u64 = splat(0x80);

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Whether all bytes are printable ASCII.
#[inline]
pub(crate) fn is_printable(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk() else {
        return bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    };
    let (words, _) = bytes.as_chunks();
    // The last eight bytes may overlap the word before them.
    let mask = |word: &[u8; 8]| mask_not_printable(u64::from_le_bytes(*word));
    words.iter().fold(mask(last), |found, word| found | mask(word)) == 0
}

/// Returns the decimal digits of a number and their count, if there are at most eight.
#[inline]
pub(crate) fn digits(number: u64) -> Option<([u8; 8], usize)> {
    let mut rest = u32::try_from(number).ok().filter(|number| *number < 100_000_000)?;
    let (mut digits, mut count) = (0, 0);
    loop {
        // Each digit moves the lower ones up a byte, so the highest ends in the first byte.
        digits = (digits << 8) + u64::from(b'0') + u64::from(rest % 10);
        count += 1;
        rest /= 10;
        if rest == 0 {
            return Some((digits.to_le_bytes(), count));
        }
    }
}

/// The mask of the bytes that are not printable ASCII. It is 0 if there are none; otherwise, only
/// the first answer is right.
///
/// No sum carries into the next byte, except for a byte that is not ASCII, which is in the mask
/// anyway.
#[inline]
fn mask_not_printable(word: u64) -> u64 {
    let above_tilde = word.wrapping_add(splat(0x7f - b'~'));
    let from_space = word.wrapping_add(splat(0x80 - b' '));
    (word | above_tilde | !from_space) & HIGH_BITS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_byte_is_printable_or_not_at_every_index() {
        for length in 1..=20 {
            for at in 0..length {
                for byte in 0..=255 {
                    let mut bytes = [b'~'; 20];
                    bytes[at] = byte;
                    let expected = (b' '..=b'~').contains(&byte);
                    assert_eq!(
                        is_printable(&bytes[..length]),
                        expected,
                        "{byte} at {at} of {length}"
                    );
                }
            }
        }
        assert!(is_printable(b""));
    }

    #[test]
    fn digits_are_those_of_the_standard_library() {
        let powers = (0..20).map(|power| 10_u64.pow(power));
        let near = powers.flat_map(|power| [power - 1, power, power + 1]);
        for number in (0..10_000).chain(near).chain([u64::from(u32::MAX), u64::MAX]) {
            let found = digits(number).map(|(digits, count)| digits[..count].to_vec());
            let expected = number.to_string().into_bytes();
            assert_eq!(found, (expected.len() <= 8).then_some(expected), "{number}");
        }
    }

    proptest! {
        #[test]
        fn eight_at_a_time_is_one_at_a_time(bytes: Vec<u8>) {
            prop_assert_eq!(is_printable(&bytes), bytes.iter().all(|b| (b' '..=b'~').contains(b)));
        }
    }
}
