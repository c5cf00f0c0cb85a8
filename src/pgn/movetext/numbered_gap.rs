//! The gaps between a comment and the move after it, as programs write them: ` 12. ` before a move
//! of White, ` 12... ` before one of Black.
//!
//! Whoever knows the number of a move knows the gap before the next one too. To compare that with
//! eight bytes takes five instructions; reading a number takes 18.

use super::fast::after_close_gap;

/// A gap is at most that long.
pub(super) const MAX_LENGTH: usize = 7;

/// Moves up to this number have two digits.
const MOVES: usize = 99;

/// The gap that comes next, by the ply of its move.
#[derive(Clone, Copy)]
pub(super) struct NextGap(u8);

/// A gap, as the low bytes of eight that are loaded together.
#[derive(Clone, Copy)]
struct Gap {
    bytes: u64,
    mask: u64,
    length: usize,
}

/// The gaps by ply. As many as an index of one byte can name, so that it needs no check.
static GAPS: [Gap; 1 << u8::BITS] = {
    let mut gaps = [Gap::NONE; 1 << u8::BITS];
    let mut ply = 0;
    while ply < 2 * MOVES {
        gaps[ply] = Gap::of(ply);
        ply += 1;
    }
    gaps
};

impl Gap {
    /// What no bytes are.
    const NONE: Self = Self { bytes: 1, mask: 0, length: 0 };

    /// The gap before the move of this ply, counted from 0.
    const fn of(ply: usize) -> Self {
        let number = ply / 2 + 1;
        let mut gap = Self { bytes: 0, mask: 0, length: 0 }.with(b' ');
        if number >= 10 {
            gap = gap.with(b'0' + (number / 10) as u8);
        }
        gap = gap.with(b'0' + (number % 10) as u8).with(b'.');
        if ply % 2 == 1 {
            gap = gap.with(b'.').with(b'.');
        }
        gap.with(b' ')
    }

    const fn with(self, byte: u8) -> Self {
        let shift = u8::BITS as usize * self.length;
        Self {
            bytes: self.bytes | (byte as u64) << shift,
            mask: self.mask | 0xff << shift,
            length: self.length + 1,
        }
    }
}

impl NextGap {
    /// Any gap.
    pub(super) const UNKNOWN: Self = Self(u8::MAX);

    /// The length of the gap that these bytes begin with, at most [`MAX_LENGTH`], and what gap
    /// comes after its move. A letter need not follow.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8; 32]) -> Option<(usize, Self)> {
        let gap = &GAPS[usize::from(self.0)];
        let [first, second, third, fourth, fifth, sixth, seventh, eighth, ..] = *bytes;
        let eight = [first, second, third, fourth, fifth, sixth, seventh, eighth];
        match u64::from_le_bytes(eight) & gap.mask == gap.bytes {
            true => Some((gap.length, Self(self.0.wrapping_add(1)))),
            false => read_other(bytes),
        }
    }
}

/// The same for any close gap.
#[inline(never)]
fn read_other(bytes: &[u8; 32]) -> Option<(usize, NextGap)> {
    let length = bytes.len() - after_close_gap(bytes)?.len();
    let number = &bytes[1..length];
    let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, dots) = number.split_at(digits);
    let number = digits.iter().fold(0, |number, digit| 10 * number + (digit - b'0'));
    let is_of_black = dots.starts_with(b"...");
    let next = match number {
        0 => NextGap::UNKNOWN,
        _ => NextGap(2 * (number - 1) + u8::from(is_of_black) + 1),
    };
    Some((length, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> [u8; 32] {
        format!("{text:32}").as_bytes().try_into().unwrap()
    }

    #[test]
    fn the_gap_after_a_move_is_known() {
        for ply in 0..2 * MOVES {
            let dots = if ply % 2 == 0 { "." } else { "..." };
            let gap = format!(" {}{dots} ", ply / 2 + 1);
            let (length, next) = NextGap::UNKNOWN.read(&bytes(&format!("{gap}e4 {{"))).unwrap();
            assert_eq!((length, usize::from(next.0)), (gap.len(), ply + 1), "{gap:?}");
            let (length, next) = NextGap(ply as u8).read(&bytes(&format!("{gap}e4 {{"))).unwrap();
            assert_eq!((length, usize::from(next.0)), (gap.len(), ply + 1), "{gap:?}");
            assert!(length <= MAX_LENGTH);
        }
    }

    #[test]
    fn other_gaps_are_read() {
        for (text, length, next) in [
            (" e5", Some(1), u8::MAX),
            ("\ne5", Some(1), u8::MAX),
            (" 7.e4", Some(3), 13),
            (" 7...e4", Some(5), 14),
            (" 12.. e4", None, 0),
            (" 100. e4", None, 0),
            ("  e4", None, 0),
            (" 1-0", None, 0),
        ] {
            for from in [NextGap::UNKNOWN, NextGap(0), NextGap(198), NextGap(254)] {
                let read = from.read(&bytes(text)).map(|(length, next)| (length, next.0));
                assert_eq!(read, length.map(|length| (length, next)), "{text:?}");
            }
        }
    }
}
