//! Keys as `eco` writes them, read in one pass: without an en passant square, and with the castling
//! rights that kings and rooks allow.

use super::{CASTLING, PositionKey};

/// The key of a text, if it is of this kind.
pub(super) fn parse(text: &str) -> Option<PositionKey> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| *byte == b' ')?;
    let planes = placement(&bytes[..end])?;
    let (turn, castling) = match &bytes[end..] {
        [b' ', b'w', b' ', rest @ ..] => (0, rest),
        [b' ', b'b', b' ', rest @ ..] => (1, rest),
        _ => return None,
    };
    let castling = castling.strip_suffix(b" -")?;
    let key = PositionKey { planes, state: turn | rights(castling)? << 1 };
    key.has_castling_pieces().then_some(key)
}

/// The planes that have a piece, a bit each, by its letter; 0 for others.
const PIECES: [u8; 256] = {
    let (letters, mut pieces, mut at) = (b"pnbrqk", [0; 256], 0);
    while at < letters.len() {
        let role = at as u8 + 1;
        pieces[letters[at] as usize] = 8 | role;
        pieces[letters[at].to_ascii_uppercase() as usize] = role;
        at += 1;
    }
    pieces
};

/// The planes of a placement in which each rank has eight squares.
fn placement(bytes: &[u8]) -> Option<[u64; 4]> {
    let (mut by_piece, mut rank, mut file, mut was_digit) = ([0; 16], 7, 0, false);
    for byte in bytes {
        let is_digit = (b'1'..=b'8').contains(byte);
        match byte {
            b'/' if file == 8 && rank > 0 => (rank, file) = (rank - 1, 0),
            b'1'..=b'8' if !was_digit => file += u32::from(byte - b'0'),
            _ => {
                let piece = usize::from(PIECES[usize::from(*byte)]);
                if file > 7 || piece == 0 {
                    return None;
                }
                by_piece[piece] |= 1_u64 << (8 * rank + file);
                file += 1;
            }
        }
        if file > 8 {
            return None;
        }
        was_digit = is_digit;
    }
    let plane = |number: usize| {
        let pieces = by_piece.iter().enumerate().filter(|(piece, _)| piece >> number & 1 == 1);
        pieces.fold(0, |plane, (_, squares)| plane | squares)
    };
    (rank == 0 && file == 8).then(|| [0, 1, 2, 3].map(plane))
}

/// The castling rights, a bit each, of letters in their order.
fn rights(letters: &[u8]) -> Option<u64> {
    let (mut rights, mut left) = (0, letters);
    if letters == b"-" {
        return Some(0);
    }
    for (bit, (_, letter)) in CASTLING.iter().enumerate() {
        if let [first, rest @ ..] = left
            && char::from(*first) == *letter
        {
            (rights, left) = (rights | 1 << bit, rest);
        }
    }
    (rights > 0 && left.is_empty()).then_some(rights)
}

impl PositionKey {
    /// Whether each castling right has its king and its rook.
    fn has_castling_pieces(&self) -> bool {
        const ROOKS: [(usize, usize, char, char); 4] =
            [(7, 4, 'R', 'K'), (0, 4, 'R', 'K'), (63, 60, 'r', 'k'), (56, 60, 'r', 'k')];
        ROOKS.iter().enumerate().all(|(bit, (rook, king, r, k))| {
            self.state >> (bit + 1) & 1 == 0
                || self.piece_char(*rook) == Some(*r) && self.piece_char(*king) == Some(*k)
        })
    }
}
