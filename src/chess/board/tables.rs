//! The tables of the [fast path](super::fast), computed by the compiler from what `shakmaty` knows
//! about attacks.
//!
//! A mask is a set of squares: bit 0 is a1, bit 7 is h1, bit 63 is h8, as in a
//! [`Bitboard`].

use shakmaty::attacks::{attacks, between, pawn_attacks};
use shakmaty::{Bitboard, Color, Piece, Role, Square};

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;
pub(super) const RANK_1: u64 = 0xff;
const RANK_2: u64 = RANK_1 << 8;
const RANK_7: u64 = RANK_1 << 48;
const RANK_8: u64 = RANK_1 << 56;

/// The mask of a square.
#[inline(always)]
pub(super) const fn mask(square: Square) -> u64 {
    1 << square as u32
}

/// By the first letter of SAN: the number of the role that moves. No role is 0, which stands on no
/// square: so no branch asks whether there is one.
pub(super) static ROLES: [u8; 256] = {
    let mut roles = [0; 256];
    let mut file = b'a';
    while file <= b'h' {
        roles[file as usize] = Role::Pawn as u8;
        file += 1;
    }
    roles[b'N' as usize] = Role::Knight as u8;
    roles[b'B' as usize] = Role::Bishop as u8;
    roles[b'R' as usize] = Role::Rook as u8;
    roles[b'Q' as usize] = Role::Queen as u8;
    roles[b'K' as usize] = Role::King as u8;
    roles
};

/// By whether a pawn moves, and by a letter between role and target: the squares it allows as
/// origin. A file or rank allows its own, the sign of a capture allows all, and any other letter
/// none. After the file of a pawn, only the sign of a capture allows any.
pub(super) static ORIGINS: [[u64; 256]; 2] = {
    let [mut of_pieces, mut of_pawns] = [[0; 256]; 2];
    let mut n = 0;
    while n < 8 {
        of_pieces[(b'a' + n) as usize] = FILE_A << n;
        of_pieces[(b'1' + n) as usize] = RANK_1 << (8 * n);
        n += 1;
    }
    of_pieces[b'x' as usize] = !0;
    of_pawns[b'x' as usize] = !0;
    [of_pieces, of_pawns]
};

/// By the first letter: the squares it allows as origin. A file, with which moves of pawns begin,
/// allows its own; any other letter allows all.
pub(super) static FIRST_ORIGINS: [u64; 256] = {
    let mut origins = [!0; 256];
    let mut n = 0;
    while n < 8 {
        origins[(b'a' + n) as usize] = FILE_A << n;
        n += 1;
    }
    origins
};

/// By square: which bits of the state of a key stay once a piece has left or reached it. Only home
/// squares of kings and rooks clear castling rights; the en passant file is always cleared.
pub(super) static STATE_LEFT: [u64; 64] = {
    // From the highest bit: q, k, Q, K, Black to move.
    let mut left = [0b1_1111; 64];
    left[Square::E1 as usize] = 0b1_1001;
    left[Square::H1 as usize] = 0b1_1101;
    left[Square::A1 as usize] = 0b1_1011;
    left[Square::E8 as usize] = 0b0_0111;
    left[Square::H8 as usize] = 0b1_0111;
    left[Square::A8 as usize] = 0b0_1111;
    left
};

/// Castling by one side on one wing.
#[derive(Clone, Copy)]
pub(super) struct Castling {
    /// Where the king stands.
    pub(super) king: Square,
    /// The square that it passes and the rook goes to.
    pub(super) over: Square,
    /// Where the king goes.
    pub(super) to: Square,
    /// Where the rook stands.
    pub(super) rook: Square,
    /// The bit of the right in the state of a key.
    pub(super) right: u64,
}

/// By wing, king's and queen's, and by the number of the side.
pub(super) static CASTLINGS: [[Castling; 2]; 2] = {
    use Square::{A1, A8, C1, C8, D1, D8, E1, E8, F1, F8, G1, G8, H1, H8};
    [
        [
            Castling { king: E1, over: F1, to: G1, rook: H1, right: 0b0_0010 },
            Castling { king: E8, over: F8, to: G8, rook: H8, right: 0b0_1000 },
        ],
        [
            Castling { king: E1, over: D1, to: C1, rook: A1, right: 0b0_0100 },
            Castling { king: E8, over: D8, to: C8, rook: A8, right: 0b1_0000 },
        ],
    ]
};

/// Where pawn moves stand in a row of [`REACHED_FROM`]: those of White, followed by those of Black.
pub(super) const PUSHES: usize = 8;
pub(super) const CAPTURES: usize = 10;

/// By square: the squares it is reached from on an empty board.
///
/// | index | by |
/// | --- | --- |
/// | 0, 1 | attacks of white and black pawns |
/// | 2 to 6 | moves of the role with that number |
/// | [`PUSHES`] and the next | steps and double steps of white and black pawns |
/// | [`CAPTURES`] and the next | captures of white and black pawns |
///
/// Pushes and captures to the last ranks are left out, since they promote.
pub(super) static REACHED_FROM: [[u64; 16]; 64] = {
    let mut reached = [[0; 16]; 64];
    let mut at = 0;
    while at < 64 {
        let square = Square::new(at as u32);
        let from = &mut reached[at];
        // A white pawn attacks from where a black pawn would attack to.
        from[0] = pawn_attacks(Color::Black, square).0;
        from[1] = pawn_attacks(Color::White, square).0;
        if mask(square) & (RANK_1 | RANK_8) == 0 {
            // One rank back; two ranks back only if that is where pawns begin.
            from[PUSHES] = mask(square) >> 8 | mask(square) >> 16 & RANK_2;
            from[PUSHES + 1] = mask(square) << 8 | mask(square) << 16 & RANK_7;
            from[CAPTURES] = from[0];
            from[CAPTURES + 1] = from[1];
        }
        let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
        let mut next = 0;
        while next < roles.len() {
            let piece = Piece { color: Color::White, role: roles[next] };
            from[roles[next] as usize] = attacks(square, piece, Bitboard(0)).0;
            next += 1;
        }
        at += 1;
    }
    reached
};

/// By two squares: those between them on a rank, file or diagonal; none if they share no line.
///
/// Kings seldom move, so the square of one that may be attacked comes first, which keeps what is
/// read together. The last of each row is for [`lowest`] of an empty set: it is full, so that "no
/// piece" looks like "a piece whose line is blocked" and needs no branch of its own.
pub(super) static BETWEEN: [[u64; 65]; 64] = {
    let mut table = [[!0; 65]; 64];
    let mut at = 0;
    while at < 64 * 64 {
        let (from, to) = (at / 64, at % 64);
        table[from][to] = between(Square::new(from as u32), Square::new(to as u32)).0;
        at += 1;
    }
    table
};

/// The number of the first square of a set, and 64 if the set is empty.
#[inline(always)]
pub(super) fn lowest(set: u64) -> usize {
    set.trailing_zeros() as usize
}
