//! A move as it is written, packed into one number.
//!
//! Nearly all moves take at most seven bytes. In a register they are compared at once, and their
//! letters are read by shifts.

/// A written move of at most seven bytes, without one sign of check or mate, since files differ in
/// these. A longer one is [`NONE`](Self::NONE), which no board plays.
///
/// The letters are the low bytes, the last one lowest, so the target of a move is always in the
/// same place. Their number is the highest byte, so words of different lengths always
/// differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PackedSan(u64);

const MAX_LENGTH: usize = 7;

/// By byte, whether most moves end with it: a rank, or the last letter of castling.
///
/// Castling comes once a game, and nobody can predict when. The compiler makes two branches of two
/// conditions, and none of a table.
static ENDS_MOVE: [bool; 256] = {
    let mut ends = [false; 256];
    let mut rank = b'1';
    while rank <= b'8' {
        ends[rank as usize] = true;
        rank += 1;
    }
    ends[b'O' as usize] = true;
    ends
};

impl PackedSan {
    pub(crate) const NONE: Self = Self(0);

    /// Packs a written move.
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
        Self::from_parts(letters, body.len())
    }

    const fn from_parts(letters: u64, len: usize) -> Self {
        Self(letters | (len as u64) << 56)
    }

    /// The number of bits of the [short](Self::short) form.
    pub(crate) const SHORT_BITS: u32 = 35;

    /// The last four letters and the number of letters: most moves have no more.
    #[inline(always)]
    pub(crate) const fn short(self) -> u64 {
        self.0 & 0xffff_ffff | (self.0 >> 56 & 0b111) << 32
    }

    /// Whether the [short](Self::short) form does not say all.
    #[inline(always)]
    pub(crate) const fn is_longer_than_short(self) -> bool {
        self.0 >> 56 > 4
    }

    /// The move as a number.
    pub(crate) const fn to_bits(self) -> u64 {
        self.0
    }

    /// The move that is this number.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Whether a number was [one](Self::to_bits) of a move.
    pub(crate) fn is_packed(self) -> bool {
        self.len() <= MAX_LENGTH
    }

    /// Packs the first bytes, at least one, if they are at most seven and
    /// [end as a move does](Self::ends_like_move).
    #[inline(always)]
    pub(crate) fn of_move(eight: [u8; 8], len: usize) -> Option<Self> {
        if len > MAX_LENGTH {
            return None;
        }
        let word = Self::from_parts(u64::from_be_bytes(eight) >> (64 - 8 * len), len);
        if word.ends_like_move() { Some(word) } else { word.without_sign() }
    }

    /// The word without its sign, if it has one and ends as a move does before it.
    #[inline(never)]
    fn without_sign(self) -> Option<Self> {
        if !matches!(self.nth_last(0), b'+' | b'#') {
            return None;
        }
        // Shifts out the length at the top and the last letter at the bottom.
        let word = Self::from_parts(self.0 << 8 >> 16, self.len() - 1);
        word.ends_like_move().then_some(word)
    }

    /// Whether it ends as all standard SAN but promotions does: with a rank, or as castling.
    #[inline(always)]
    pub(crate) fn ends_like_move(self) -> bool {
        ENDS_MOVE[usize::from(self.nth_last(0))]
    }

    /// Whether it has only characters of moves, so that what ends a word is not within.
    pub(crate) fn is_one_word(self) -> bool {
        let bytes = self.0.to_be_bytes();
        let letters = &bytes[bytes.len() - self.len()..];
        letters.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'='))
    }

    /// The number of letters; 0 for [`NONE`](Self::NONE).
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    /// Its letters and a blank after them, followed by zeros.
    #[inline(always)]
    pub(crate) fn then_blank(self) -> [u8; 8] {
        // The length is shifted out.
        let letters = self.0 << 8 | u64::from(b' ');
        (letters << (8 * (MAX_LENGTH - self.len()))).to_be_bytes()
    }

    /// The letter with that index, from 0 for the last to 6; 0 if there is no such letter.
    #[inline(always)]
    pub(super) fn nth_last(self, index: usize) -> u8 {
        (self.0 >> (8 * index)) as u8
    }

    /// The first letter; a byte that is not a letter if there is none.
    #[inline(always)]
    pub(super) fn first(self) -> u8 {
        (self.0 >> (8 * (self.len().wrapping_sub(1) & 7))) as u8
    }

    /// The letters, first to last.
    pub(crate) fn to_vec(self) -> Vec<u8> {
        let bytes = self.0.to_be_bytes();
        bytes[bytes.len() - self.len()..].into()
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_rank_or_castling_ends_a_move() {
        for byte in 0..=255 {
            let word = PackedSan::from_parts(u64::from_be_bytes([0, 0, 0, 0, 0, 0, b'a', byte]), 2);
            assert_eq!(word.ends_like_move(), matches!(byte, b'1'..=b'8' | b'O'), "{byte}");
        }
    }
}
