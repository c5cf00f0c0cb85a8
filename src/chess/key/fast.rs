//! Keys as `eco` writes them, read in one pass: without an en passant square, and with the castling
//! rights that kings and rooks allow.

/// The planes and the state of a key, if its text is of this kind.
pub(super) fn parse(text: &str) -> Option<([u64; 4], u64)> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| *byte == b' ')?;
    let pieces = placement(&bytes[..end])?;
    let (turn, castling) = match &bytes[end..] {
        [b' ', b'w', b' ', rest @ ..] => (0, rest),
        [b' ', b'b', b' ', rest @ ..] => (1, rest),
        _ => return None,
    };
    let rights = rights(castling.strip_suffix(b" -")?, &pieces)?;
    let plane = |number: usize| {
        let of_plane = pieces.iter().enumerate().filter(|(piece, _)| piece >> number & 1 == 1);
        of_plane.fold(0, |plane, (_, squares)| plane | squares)
    };
    Some(([0, 1, 2, 3].map(plane), turn | rights << 1))
}

/// The squares of each piece, by the planes that it is in, a bit each.
type Pieces = [u64; 16];

const ROOK: usize = 4;
const KING: usize = 6;
const BLACK: usize = 8;

/// The planes that a piece is in, by its letter; 0 for what is none.
const PIECES: [u8; 256] = {
    let (letters, mut pieces, mut at) = (b"pnbrqk", [0; 256], 0);
    while at < letters.len() {
        let role = at as u8 + 1;
        pieces[letters[at] as usize] = BLACK as u8 | role;
        pieces[letters[at].to_ascii_uppercase() as usize] = role;
        at += 1;
    }
    pieces
};

/// The pieces of a placement in which each rank has eight squares.
fn placement(bytes: &[u8]) -> Option<Pieces> {
    let (mut pieces, mut rank, mut file, mut was_digit) = ([0; 16], 7, 0, false);
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
                pieces[piece] |= 1_u64 << (8 * rank + file);
                file += 1;
            }
        }
        if file > 8 {
            return None;
        }
        was_digit = is_digit;
    }
    (rank == 0 && file == 8).then_some(pieces)
}

/// The castling rights in order: the letter, the bit of the colour, and the squares of rook and
/// king.
const RIGHTS: [(u8, usize, u32, u32); 4] =
    [(b'K', 0, 7, 4), (b'Q', 0, 0, 4), (b'k', BLACK, 63, 60), (b'q', BLACK, 56, 60)];

/// The castling rights, a bit each, if the pieces for them are there.
fn rights(letters: &[u8], pieces: &Pieces) -> Option<u64> {
    if letters == b"-" {
        return Some(0);
    }
    let (mut rights, mut left) = (0, letters);
    for (bit, (letter, color, rook, king)) in RIGHTS.iter().enumerate() {
        if left.first() == Some(letter) {
            let has_rook = pieces[color | ROOK] >> rook & 1 == 1;
            let has_king = pieces[color | KING] >> king & 1 == 1;
            if !has_rook || !has_king {
                return None;
            }
            (rights, left) = (rights | 1 << bit, &left[1..]);
        }
    }
    (rights > 0 && left.is_empty()).then_some(rights)
}
