//! Eight bytes at a time, for what ends within a few of them: words, names of tags, and their values.
//! And sixteen at a time as bits, for a few dozen that are all looked at: the door to `wide`.
//!
//! A call of `memchr` takes some 90 instructions before it has looked at anything, three times what a
//! tag of a dozen bytes takes here. Marks are the high bits of the bytes of a word, the first byte
//! lowest.

use memchr::memchr;
use wide::u8x16;

const HIGH: u64 = each(0x80);

/// So far it is worth looking eight bytes at a time.
const NEAR: usize = 64;

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// A bit for each of at most 64 bytes, the first lowest: whether it is this one.
#[inline(always)]
pub(crate) fn bits_of<const N: usize>(bytes: &[[u8; 16]; N], byte: u8) -> u64 {
    bits(bytes, |sixteen| sixteen.simd_eq(u8x16::splat(byte)))
}

/// A bit for each of at most 64 bytes, the first lowest: whether it is an ASCII letter.
#[inline(always)]
pub(crate) fn bits_of_letters<const N: usize>(bytes: &[[u8; 16]; N]) -> u64 {
    bits(bytes, |sixteen| {
        let from_a = (sixteen | u8x16::splat(0x20)) - u8x16::splat(b'a');
        from_a.simd_eq(from_a.min(u8x16::splat(b'z' - b'a')))
    })
}

#[inline(always)]
fn bits<const N: usize>(bytes: &[[u8; 16]; N], is_wanted: impl Fn(u8x16) -> u8x16) -> u64 {
    const { assert!(N <= 4) };
    let sixteens = bytes.iter().rev().map(|sixteen| is_wanted(u8x16::new(*sixteen)));
    sixteens.fold(0, |bits, wanted| bits << 16 | u64::from(wanted.to_bitmask()))
}

/// How many ASCII letters `bytes` begin with.
#[inline]
pub(crate) fn letters(bytes: &[u8]) -> usize {
    leading(bytes, marks_no_letter).unwrap_or(bytes.len())
}

/// Where the first of three bytes is.
#[inline]
pub(crate) fn find3(bytes: &[u8], wanted: [u8; 3]) -> Option<usize> {
    leading(bytes, |eight| {
        let [a, b, c] = wanted.map(|byte| marks_equal(eight, byte));
        a | b | c
    })
}

/// Where a byte is that mostly is among the first few dozen.
#[inline]
pub(crate) fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    let (near, far) = bytes.split_at_checked(NEAR).unwrap_or((bytes, b""));
    leading(near, |eight| marks_equal(eight, wanted))
        .or_else(|| memchr(wanted, far).map(|found| near.len() + found))
}

/// Whether there is nothing but printable ASCII.
#[inline]
pub(crate) fn is_printable(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk() else {
        return bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    };
    let (eights, _) = bytes.as_chunks();
    // The last eight bytes may be looked at twice.
    let odd = |eight: &[u8; 8]| marks_not_printable(u64::from_le_bytes(*eight));
    eights.iter().fold(odd(last), |found, eight| found | odd(eight)) == 0
}

/// Copies bytes to a place that is as long, and says whether they are nothing but printable ASCII.
///
/// For a name of two dozen letters, looking and copying in one go takes half of what it takes to look and
/// then to call `memcpy`.
#[inline]
pub(crate) fn copy_printable(bytes: &[u8], place: &mut [u8]) -> bool {
    if bytes.len() >= 16 {
        return copy_long(bytes, place);
    }
    let odd = if bytes.len() >= 8 {
        let [first, last] = copy_ends(bytes, place).map(u64::from_le_bytes);
        marks_not_printable(first) | marks_not_printable(last)
    } else if bytes.len() >= 4 {
        let [first, last] = copy_ends(bytes, place).map(u32::from_le_bytes).map(u64::from);
        marks_not_printable(first | last << 32)
    } else if bytes.len() >= 2 {
        let [first, last] = copy_ends(bytes, place).map(u16::from_le_bytes).map(u64::from);
        marks_not_printable(first | last << 16 | each(b' ') << 32)
    } else if let ([byte], [place]) = (bytes, place) {
        *place = *byte;
        marks_not_printable(u64::from(*byte) | each(b' ') << 8)
    } else {
        0
    };
    odd == 0
}

#[inline]
fn copy_long(bytes: &[u8], place: &mut [u8]) -> bool {
    let [first, last] = copy_ends(bytes, place);
    let (chunks, _) = bytes[first.len()..].as_chunks();
    let (places, _) = place[first.len()..].as_chunks_mut();
    let mut odd = is_odd(first) | is_odd(last);
    for (place, chunk) in places.iter_mut().zip(chunks) {
        let chunk = *chunk;
        *place = chunk;
        odd |= is_odd(chunk);
    }
    !odd
}

/// Whether there is anything but printable ASCII. No byte ends the search, so that all are looked at at
/// once.
#[inline]
fn is_odd(bytes: [u8; 16]) -> bool {
    bytes.iter().fold(false, |odd, byte| odd | !(b' '..=b'~').contains(byte))
}

/// The digits of a number, and how many they are, if there are no more than eight.
#[inline]
pub(crate) fn digits(number: u64) -> Option<([u8; 8], usize)> {
    let mut rest = u32::try_from(number).ok().filter(|number| *number < 100_000_000)?;
    let (mut digits, mut count) = (0, 0);
    loop {
        digits = (digits << 8) + u64::from(b'0') + u64::from(rest % 10);
        count += 1;
        rest /= 10;
        if rest == 0 {
            return Some((digits.to_le_bytes(), count));
        }
    }
}

/// Copies the first `N` bytes and the last `N`; some may be both.
#[inline]
fn copy_ends<const N: usize>(bytes: &[u8], place: &mut [u8]) -> [[u8; N]; 2] {
    const LONG: &str = "there are as many";
    let first = *bytes.first_chunk().expect(LONG);
    let last = *bytes.last_chunk().expect(LONG);
    *place.first_chunk_mut().expect(LONG) = first;
    *place.last_chunk_mut().expect(LONG) = last;
    [first, last]
}

/// How many bytes are before the first that is marked. Marks behind the first may be wrong.
#[inline]
fn leading(bytes: &[u8], marks: impl Fn(u64) -> u64) -> Option<usize> {
    let first = |eight: [u8; 8]| {
        let marked = marks(u64::from_le_bytes(eight));
        (marked != 0).then(|| marked.trailing_zeros() as usize / 8)
    };
    let (eights, rest) = bytes.as_chunks();
    for (index, eight) in eights.iter().enumerate() {
        if let Some(found) = first(*eight) {
            return Some(8 * index + found);
        }
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let found = first(last).filter(|found| *found < rest.len())?;
    Some(8 * eights.len() + found)
}

/// The first mark is right; a borrow may set others behind it.
#[inline]
fn marks_equal(eight: u64, byte: u8) -> u64 {
    let differs = eight ^ each(byte);
    differs.wrapping_sub(each(1)) & !differs & HIGH
}

/// The first mark is right; a carry out of a byte that is not ASCII may spoil others behind it.
#[inline]
fn marks_no_letter(eight: u64) -> u64 {
    let lower = eight | each(0x20);
    let from_a = lower.wrapping_add(each(0x80 - b'a'));
    let beyond_z = lower.wrapping_add(each(0x80 - b'z' - 1));
    !(from_a & !beyond_z & !eight) & HIGH
}

/// Marks bytes up to `byte`, which is ASCII. The first mark is right; a borrow may set others behind it.
#[inline]
pub(crate) fn marks_up_to(eight: u64, byte: u8) -> u64 {
    eight.wrapping_sub(each(byte + 1)) & !eight & HIGH
}

/// Zero if all are printable ASCII: no sum carries into the next byte, unless a byte is not ASCII, which
/// is marked already.
#[inline]
fn marks_not_printable(eight: u64) -> u64 {
    let beyond_tilde = eight.wrapping_add(each(0x7f - b'~'));
    let from_blank = eight.wrapping_add(each(0x80 - b' '));
    (eight | beyond_tilde | !from_blank) & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_byte_is_told_from_every_other_at_every_place() {
        for at in 0..20 {
            for byte in 0..=255 {
                for around in [b'a', b'Z', b'z'] {
                    let mut bytes = [around; 20];
                    bytes[at] = byte;
                    let ends = if byte.is_ascii_alphabetic() { 20 } else { at };
                    assert_eq!(letters(&bytes), ends, "{byte} at {at}");
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
    fn every_byte_is_printable_or_not_at_every_place() {
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
            let told = digits(number).map(|(digits, count)| digits[..count].to_vec());
            let expected = number.to_string().into_bytes();
            assert_eq!(told, (expected.len() <= 8).then_some(expected), "{number}");
        }
    }

    #[test]
    fn every_byte_is_copied_at_every_place() {
        for length in 1..=70 {
            for at in 0..length {
                for byte in 0..=255 {
                    let mut bytes: Vec<u8> = (b'0'..b'x').take(length).collect();
                    bytes[at] = byte;
                    let mut place = vec![0; length];
                    let is_printable = copy_printable(&bytes, &mut place);
                    assert_eq!(
                        is_printable,
                        (b' '..=b'~').contains(&byte),
                        "{byte} at {at} of {length}"
                    );
                    assert!(place == bytes || !is_printable, "{byte} at {at} of {length}");
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
            let mut place = vec![0; bytes.len()];
            prop_assert_eq!(copy_printable(&bytes, &mut place), is_printable(&bytes));
            prop_assert!(place == bytes || !is_printable(&bytes));
            prop_assert_eq!(is_printable(&bytes), bytes.iter().all(|b| (b' '..=b'~').contains(b)));
            let one_at_a_time = bytes.iter().position(|byte| *byte == wanted[0]);
            prop_assert_eq!(find(&bytes, wanted[0]), one_at_a_time);
            let letter_count = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            prop_assert_eq!(letters(&bytes), letter_count);
        }

        #[test]
        fn bits_are_those_of_the_bytes_one_by_one(
            bytes in prop::collection::vec(any::<[u8; 16]>(), 3),
            wanted: u8,
            at in 0_usize..48,
        ) {
            let mut bytes: [[u8; 16]; 3] = bytes.try_into().unwrap();
            bytes.as_flattened_mut()[at] = wanted;
            let one_by_one = |is: fn(u8, u8) -> bool| {
                let all = (0..).zip(bytes.as_flattened());
                all.fold(0, |bits, (at, byte)| bits | u64::from(is(*byte, wanted)) << at)
            };
            prop_assert_eq!(bits_of(&bytes, wanted), one_by_one(|byte, wanted| byte == wanted));
            let letters = one_by_one(|byte, _| byte.is_ascii_alphabetic());
            prop_assert_eq!(bits_of_letters(&bytes), letters);
        }
    }
}
