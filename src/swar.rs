//! SIMD within a register: several bytes at a time, for texts that are only a few dozen bytes long.
//!
//! `memchr` is faster on long texts, but a call costs more than a short word, a tag name or a value
//! takes here.
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

use memchr::memchr;

/// The bit of each byte that holds its answer.
const HIGH_BITS: u64 = splat(0x80);

/// How far a search goes on eight bytes at a time before `memchr` takes over.
const NEAR: usize = 64;

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Returns how many ASCII letters `bytes` begin with.
#[inline]
pub(crate) fn count_letters(bytes: &[u8]) -> usize {
    find_mask(bytes, mask_no_letter).unwrap_or(bytes.len())
}

/// Returns the index of the first of three bytes.
#[inline]
pub(crate) fn find3(bytes: &[u8], wanted: [u8; 3]) -> Option<usize> {
    find_mask(bytes, |word| {
        let [a, b, c] = wanted.map(|byte| mask_equal(word, byte));
        a | b | c
    })
}

/// Returns the index of the first such byte, which is usually among the first few dozen.
#[inline]
pub(crate) fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    let (near, far) = bytes.split_at_checked(NEAR).unwrap_or((bytes, b""));
    find_mask(near, |word| mask_equal(word, wanted))
        .or_else(|| memchr(wanted, far).map(|found| near.len() + found))
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

/// Copies bytes into `target`, which must be as long. Returns whether all are printable ASCII.
///
/// A name of two dozen letters is loaded once for both purposes.
#[inline(always)]
pub(crate) fn copy_printable(bytes: &[u8], target: &mut [u8]) -> bool {
    if bytes.len() >= 16 {
        return copy_long(bytes, target);
    }
    // Two words that may overlap cover each length. What is too short to fill a mask's word is
    // filled with zeros by `|` and `<<`, and with spaces where zeros would remain: a zero is not
    // printable.
    let not_printable = if bytes.len() >= 8 {
        let [first, last] = copy_ends(bytes, target).map(u64::from_le_bytes);
        mask_not_printable(first) | mask_not_printable(last)
    } else if bytes.len() >= 4 {
        let [first, last] = copy_ends(bytes, target).map(u32::from_le_bytes).map(u64::from);
        mask_not_printable(first | last << 32)
    } else if bytes.len() >= 2 {
        let [first, last] = copy_ends(bytes, target).map(u16::from_le_bytes).map(u64::from);
        mask_not_printable(first | last << 16 | splat(b' ') << 32)
    } else if let ([byte], [target]) = (bytes, target) {
        *target = *byte;
        mask_not_printable(u64::from(*byte) | splat(b' ') << 8)
    } else {
        0
    };
    not_printable == 0
}

#[inline(always)]
fn copy_long(bytes: &[u8], target: &mut [u8]) -> bool {
    let [first, last] = copy_ends(bytes, target);
    let (blocks, _) = bytes[first.len()..].as_chunks();
    let (targets, _) = target[first.len()..].as_chunks_mut();
    let mut not_printable = has_not_printable(first) | has_not_printable(last);
    for (target, block) in targets.iter_mut().zip(blocks) {
        let block = *block;
        *target = block;
        not_printable |= has_not_printable(block);
    }
    !not_printable
}

/// Whether a byte is not printable ASCII. No byte ends the loop early, so that the compiler can
/// look at all at once.
#[inline]
fn has_not_printable(bytes: [u8; 16]) -> bool {
    bytes.iter().fold(false, |found, byte| found | !(b' '..=b'~').contains(byte))
}

/// Returns the decimal digits of a number and their count, if there are at most eight.
#[inline]
pub(crate) fn digits(number: u64) -> Option<([u8; 8], usize)> {
    let mut rest = u32::try_from(number).ok().filter(|number| *number < 100_000_000)?;
    if rest < 10_000 {
        return Some(four_digits(rest));
    }
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

/// As [`digits`], for a number below 10,000. All digits are computed at once.
#[inline]
fn four_digits(number: u32) -> ([u8; 8], usize) {
    // Two numbers below 100, each in 16 bits, the higher digits lowest.
    let pairs = (number / 100) | ((number % 100) << 16);
    // Up to 178, n / 10 is n * 103 / 1024.
    let tens = ((pairs * 103) >> 10) & 0x000f_000f;
    let digits = tens | ((pairs - 10 * tens) << 8);
    // The last digit stays, even if it is 0.
    let zeros = (digits | 1 << 24).trailing_zeros() / 8;
    let digits = (digits | 0x3030_3030) >> (8 * zeros);
    (u64::from(digits).to_le_bytes(), 4 - zeros as usize)
}

/// Copies the first `N` bytes and the last `N`, which may overlap, and returns them.
#[inline]
fn copy_ends<const N: usize>(bytes: &[u8], target: &mut [u8]) -> [[u8; N]; 2] {
    const LONG: &str = "there are as many";
    let first = *bytes.first_chunk().expect(LONG);
    let last = *bytes.last_chunk().expect(LONG);
    *target.first_chunk_mut().expect(LONG) = first;
    *target.last_chunk_mut().expect(LONG) = last;
    [first, last]
}

/// Returns the index of the first byte with the answer yes. Later answers of `mask` may be wrong.
#[inline]
fn find_mask(bytes: &[u8], mask: impl Fn(u64) -> u64) -> Option<usize> {
    let first = |word: [u8; 8]| {
        let mask = mask(u64::from_le_bytes(word));
        (mask != 0).then(|| mask.trailing_zeros() as usize / 8)
    };
    let (words, rest) = bytes.as_chunks();
    for (index, word) in words.iter().enumerate() {
        if let Some(found) = first(*word) {
            return Some(8 * index + found);
        }
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let found = first(last).filter(|found| *found < rest.len())?;
    Some(8 * words.len() + found)
}

/// The mask of the bytes that equal `byte`. Above the first, a byte that differs only in its lowest
/// bit may be included.
///
/// The difference is 0 where the bytes are equal. Subtracting 1 then sets the high bit, and
/// `!differs` drops bytes whose difference has that bit already.
#[inline]
fn mask_equal(word: u64, byte: u8) -> u64 {
    let differs = word ^ splat(byte);
    differs.wrapping_sub(splat(1)) & !differs & HIGH_BITS
}

/// The mask of the bytes that are no ASCII letters. Above a byte that is not ASCII, answers may be
/// wrong.
///
/// `0x20` is the difference between the cases. A letter is at least `a`, not above `z`, and ASCII.
#[inline]
fn mask_no_letter(word: u64) -> u64 {
    let lower = word | splat(0x20);
    let from_a = lower.wrapping_add(splat(0x80 - b'a'));
    let above_z = lower.wrapping_add(splat(0x80 - b'z' - 1));
    !(from_a & !above_z & !word) & HIGH_BITS
}

/// The mask of the bytes up to `byte`, which must be ASCII. Above the first, answers may be wrong.
///
/// Subtracting `byte + 1` borrows into the high bit; `!word` drops bytes that had it already.
#[inline]
pub(crate) fn mask_up_to(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(splat(byte + 1)) & !word & HIGH_BITS
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
    fn every_byte_differs_from_every_other_at_every_index() {
        for at in 0..20 {
            for byte in 0..=255 {
                for around in [b'a', b'Z', b'z'] {
                    let mut bytes = [around; 20];
                    bytes[at] = byte;
                    let ends = if byte.is_ascii_alphabetic() { 20 } else { at };
                    assert_eq!(count_letters(&bytes), ends, "{byte} at {at}");
                    let wanted = [b'"', b'\\', 0xff];
                    let found = wanted.contains(&byte).then_some(at);
                    assert_eq!(find3(&bytes, wanted), found, "{byte} at {at}");
                    assert_eq!(
                        is_printable(&bytes),
                        (b' '..=b'~').contains(&byte),
                        "{byte} at {at}"
                    );
                    let found = (byte == b'"').then_some(at);
                    assert_eq!(find(&bytes, b'"'), found, "{byte} at {at}");
                }
            }
        }
    }

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

    #[test]
    fn every_byte_is_copied_at_every_index() {
        for length in 1..=70 {
            for at in 0..length {
                for byte in 0..=255 {
                    let mut bytes: Vec<u8> = (b'0'..b'x').take(length).collect();
                    bytes[at] = byte;
                    let mut target = vec![0; length];
                    let is_printable = copy_printable(&bytes, &mut target);
                    assert_eq!(
                        is_printable,
                        (b' '..=b'~').contains(&byte),
                        "{byte} at {at} of {length}"
                    );
                    assert!(target == bytes || !is_printable, "{byte} at {at} of {length}");
                }
            }
        }
        assert!(copy_printable(b"", &mut []));
    }

    proptest! {
        #[test]
        fn eight_at_a_time_is_one_at_a_time(bytes: Vec<u8>, wanted: [u8; 3]) {
            let one_at_a_time = bytes.iter().position(|byte| wanted.contains(byte));
            prop_assert_eq!(find3(&bytes, wanted), one_at_a_time);
            let mut target = vec![0; bytes.len()];
            prop_assert_eq!(copy_printable(&bytes, &mut target), is_printable(&bytes));
            prop_assert!(target == bytes || !is_printable(&bytes));
            prop_assert_eq!(is_printable(&bytes), bytes.iter().all(|b| (b' '..=b'~').contains(b)));
            let one_at_a_time = bytes.iter().position(|byte| *byte == wanted[0]);
            prop_assert_eq!(find(&bytes, wanted[0]), one_at_a_time);
            let letter_count = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            prop_assert_eq!(count_letters(&bytes), letter_count);
        }
    }
}
