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

/// The planes of a placement in which each rank has eight squares.
fn placement(bytes: &[u8]) -> Option<[u64; 4]> {
    let (mut planes, mut rank, mut file, mut was_digit) = ([0; 4], 7, 0, false);
    for byte in bytes {
        let is_digit = (b'1'..=b'8').contains(byte);
        match byte {
            b'/' if file == 8 && rank > 0 => (rank, file) = (rank - 1, 0),
            b'1'..=b'8' if !was_digit => file += u32::from(byte - b'0'),
            _ => {
                let role = 1 + b"pnbrqk".iter().position(|c| *c == byte.to_ascii_lowercase())?;
                if file > 7 {
                    return None;
                }
                let square = 1_u64 << (8 * rank + file);
                let bits = [role & 1 > 0, role & 2 > 0, role & 4 > 0, byte.is_ascii_lowercase()];
                for (plane, _) in planes.iter_mut().zip(bits).filter(|(_, is_set)| *is_set) {
                    *plane |= square;
                }
                file += 1;
            }
        }
        if file > 8 {
            return None;
        }
        was_digit = is_digit;
    }
    (rank == 0 && file == 8).then_some(planes)
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
