//! Keys as `eco` writes them, read in one pass: without an en passant square, and with the castling
//! rights that kings and rooks allow.

use std::array::from_fn;

/// The planes and the state of a key, if its text is of this kind.
pub(super) fn parse(text: &str) -> Option<([u64; 4], u64)> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| *byte == b' ')?;
    let planes = placement(&bytes[..end])?;
    let (turn, castling) = match &bytes[end..] {
        [b' ', b'w', b' ', rest @ ..] => (0, rest),
        [b' ', b'b', b' ', rest @ ..] => (1, rest),
        _ => return None,
    };
    let rights = rights(castling.strip_suffix(b" -")?, &planes)?;
    Some((planes, turn | rights << 1))
}

const ROOK: u8 = 4;
const KING: u8 = 6;
const BLACK: u8 = 8;

/// The planes that a piece is in, all their bits, by its letter; none for what is no piece.
const PIECES: [[u64; 4]; 256] = {
    let (letters, mut pieces, mut role) = (b"pnbrqk", [[0; 4]; 256], 1);
    while role <= letters.len() {
        let letter = letters[role - 1] as usize;
        let mut plane = 0;
        while plane < 3 {
            pieces[letter][plane] = (role as u64 >> plane & 1).wrapping_neg();
            plane += 1;
        }
        pieces[letter - 32] = pieces[letter];
        pieces[letter][3] = u64::MAX;
        role += 1;
    }
    pieces
};

/// The planes of a placement in which each rank has eight squares.
fn placement(bytes: &[u8]) -> Option<[u64; 4]> {
    // The first square of the rank, and the next square, which may be beyond the rank.
    let (mut planes, mut rank, mut next, mut was_digit) = ([0; 4], 56_u32, 56_u32, false);
    for byte in bytes {
        let digit = byte.wrapping_sub(b'0');
        if (1..=8).contains(&digit) {
            if was_digit {
                return None;
            }
            (next, was_digit) = (next + u32::from(digit), true);
        } else if *byte == b'/' {
            if next != rank + 8 || rank == 0 {
                return None;
            }
            (rank, next, was_digit) = (rank - 8, rank - 8, false);
        } else {
            let piece = &PIECES[usize::from(*byte)];
            if piece[0] | piece[1] | piece[2] == 0 || next >= rank + 8 {
                return None;
            }
            let square = 1 << next;
            planes = from_fn(|plane| planes[plane] | piece[plane] & square);
            (next, was_digit) = (next + 1, false);
        }
    }
    (rank == 0 && next == 8).then_some(planes)
}

/// The piece on a square, by its planes.
fn piece_on(planes: &[u64; 4], square: u32) -> u8 {
    let bits = planes.iter().enumerate().map(|(number, plane)| (plane >> square & 1) << number);
    bits.sum::<u64>() as u8
}

/// The castling rights in order: the letter, the colour, and the squares of rook and king.
const RIGHTS: [(u8, u8, u32, u32); 4] =
    [(b'K', 0, 7, 4), (b'Q', 0, 0, 4), (b'k', BLACK, 63, 60), (b'q', BLACK, 56, 60)];

/// The castling rights, a bit each, if the pieces for them are there.
fn rights(letters: &[u8], planes: &[u64; 4]) -> Option<u64> {
    if letters == b"-" {
        return Some(0);
    }
    let (mut rights, mut left) = (0, letters);
    for (bit, (letter, color, rook, king)) in RIGHTS.iter().enumerate() {
        if left.first() == Some(letter) {
            if piece_on(planes, *rook) != color | ROOK || piece_on(planes, *king) != color | KING {
                return None;
            }
            (rights, left) = (rights | 1 << bit, &left[1..]);
        }
    }
    (rights > 0 && left.is_empty()).then_some(rights)
}
