//! A move as it is written, in one number.
//!
//! Nearly all moves take at most seven letters. In a register they are compared at once, and their
//! parts are read by shifts.

use crate::swar::marks_up_to;

/// A written move of at most seven bytes, without its sign of check or mate, since files differ in
/// these. A longer one is none, which no board plays and which leads nowhere.
///
/// The letters are the low bytes, the last lowest, so that where a move goes is always found at the
/// same place; their number is the highest byte, so that words of different lengths are different,
/// whatever their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedSan(u64);

const MAX_LENGTH: usize = 7;

/// Those of the first 64 bytes that end a word: the blank, and what is from the tab to the carriage return.
const BLANKS: u64 = 1 << b' ' | 0b1_1111 << b'\t';

impl PackedSan {
    pub(crate) const NONE: Self = Self(0);

    /// The word that `written` is.
    pub(crate) const fn new(written: &[u8]) -> Self {
        let body = match written {
            [body @ .., b'+' | b'#'] => body,
            _ => written,
        };
        if body.len() > MAX_LENGTH {
            return Self::NONE;
        }
        let (mut letters, mut at) = (0, 0);
        while at < body.len() {
            letters = letters << 8 | body[at] as u64;
            at += 1;
        }
        Self::of(letters, body.len())
    }

    const fn of(letters: u64, len: usize) -> Self {
        Self(letters | (len as u64) << 56)
    }

    /// The word that these bytes begin with, and how many of them it takes with its sign. `None` if
    /// no blank ends it within them.
    #[inline(always)]
    pub(crate) fn split_first(eight: [u8; 8]) -> Option<(Self, usize)> {
        let bytes = u64::from_le_bytes(eight);
        let bits = marks_up_to(bytes, b' ').trailing_zeros() & 0x78;
        if bits == 0 || bits == 64 {
            return None;
        }
        if BLANKS >> (bytes >> bits & 0x3f) & 1 == 0 {
            return None;
        }
        let letters = u64::from_be_bytes(eight) >> (64 - bits);
        let taken = bits as usize / 8;
        let word = Self::of(letters, taken);
        let has_sign = matches!(letters as u8, b'+' | b'#');
        Some((if has_sign { word.without_last() } else { word }, taken))
    }

    /// Apart, since few moves of an opening give check.
    #[cold]
    fn without_last(self) -> Self {
        // Out go the length above and the last letter below.
        Self::of(self.0 << 8 >> 16, self.len() - 1)
    }

    /// Whether it ends as all moves do that are no promotions.
    #[inline(always)]
    pub(crate) fn ends_like_move(self) -> bool {
        matches!(self.nth_last(0), b'1'..=b'8' | b'O')
    }

    /// How many letters it has; 0 if it is none.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    /// A letter, counted from the last, which is 0, to 6. If there is none, 0.
    #[inline(always)]
    pub(super) fn nth_last(self, index: usize) -> u8 {
        (self.0 >> (8 * index)) as u8
    }

    /// The first letter; if there is none, a byte that is no letter.
    #[inline(always)]
    pub(super) fn first(self) -> u8 {
        (self.0 >> (8 * (self.len().wrapping_sub(1) & 7))) as u8
    }

    /// The letters.
    pub(crate) fn to_vec(self) -> Vec<u8> {
        let bytes = self.0.to_be_bytes();
        bytes[bytes.len() - self.len()..].into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_is_its_letters_without_the_sign() {
        for (written, letters) in
            [("e4", "e4"), ("Nf3+", "Nf3"), ("Nbxd2#", "Nbxd2"), ("Rfe8++", "Rfe8+"), ("", "")]
        {
            assert_eq!(PackedSan::new(written.as_bytes()).to_vec(), letters.as_bytes());
        }
        assert_ne!(PackedSan::new(b"e4"), PackedSan::new(b"e4\0"));
        assert_eq!(PackedSan::new(b"Nbxd2xx+").len(), 7);
        assert_eq!(PackedSan::new(b"eightlet"), PackedSan::NONE);
    }

    proptest! {
        #[test]
        fn the_first_of_eight_bytes_is_the_word_up_to_a_blank(
            eight in prop::array::uniform8(prop_oneof![
                Just(b' '), Just(b'\n'), Just(b'+'), Just(b'#'), Just(0), Just(b'!'), any::<u8>(),
            ]),
        ) {
            let end = eight.iter().position(|byte| *byte <= b' ').filter(|end| *end > 0);
            let end = end.filter(|end| b" \t\n\r\x0b\x0c".contains(&eight[*end]));
            let expected = end.map(|end| (PackedSan::new(&eight[..end]), end));
            prop_assert_eq!(PackedSan::split_first(eight), expected);
        }
    }
}
