//! A move as it is written, in one number.
//!
//! Nearly all moves take at most seven letters. In a register they are compared at once, and their
//! parts are read by shifts.

/// A written move of at most seven bytes, without its sign of check or mate, since files differ in
/// these. A longer one is none, which no board plays and which leads nowhere.
///
/// The letters are the low bytes, the first lowest; their number is the highest byte, so that words
/// of different lengths are different, whatever their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(u64);

const MAX_LENGTH: usize = 7;

impl Word {
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
        let (mut letters, mut at) = (0, body.len());
        while at > 0 {
            at -= 1;
            letters = letters << 8 | body[at] as u64;
        }
        Self(letters | (body.len() as u64) << 56)
    }

    /// The word that these bytes begin with, and how many of them it takes with its sign. `None` if
    /// no blank ends it within them.
    #[inline(always)]
    pub(crate) fn first_of(eight: [u8; 8]) -> Option<(Self, usize)> {
        let bytes = u64::from_le_bytes(eight);
        // The high bits of bytes up to the blank. The lowest is right; a borrow may set others above.
        let ends = bytes.wrapping_sub(each(b' ' + 1)) & !bytes & each(0x80);
        let taken = ends.trailing_zeros() as usize / 8;
        if ends == 0 || taken == 0 {
            return None;
        }
        let end = (bytes >> (8 * taken)) as u8;
        if !matches!(end, b' ' | b'\t'..=b'\r') {
            return None;
        }
        let last = (bytes >> (8 * taken - 8)) as u8;
        let len = taken - usize::from(matches!(last, b'+' | b'#'));
        let letters = bytes & ((1 << (8 * len)) - 1);
        Some((Self(letters | (len as u64) << 56), taken))
    }

    /// Whether it ends as all moves do that are no promotions.
    #[inline(always)]
    pub(crate) fn ends_as_move(self) -> bool {
        matches!(self.letter(self.len().wrapping_sub(1)), b'1'..=b'8' | b'O')
    }

    /// How many letters it has; 0 if it is none.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    /// The letter at `index`; if there is none, a byte that is no letter.
    #[inline(always)]
    pub(super) fn letter(self, index: usize) -> u8 {
        (self.0 >> (8 * (index & 7))) as u8
    }

    /// The letters.
    pub(crate) fn letters(self) -> Vec<u8> {
        self.0.to_le_bytes()[..self.len()].into()
    }
}

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
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
            assert_eq!(Word::new(written.as_bytes()).letters(), letters.as_bytes());
        }
        assert_ne!(Word::new(b"e4"), Word::new(b"e4\0"));
        assert_eq!(Word::new(b"Nbxd2xx+").len(), 7);
        assert_eq!(Word::new(b"eightlet"), Word::NONE);
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
            let expected = end.map(|end| (Word::new(&eight[..end]), end));
            prop_assert_eq!(Word::first_of(eight), expected);
        }
    }
}
