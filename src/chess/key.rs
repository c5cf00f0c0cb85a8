//! The position key: what makes two positions the same for the names of openings.
//!
//! As text, a key is the first four fields of a FEN. In memory it holds the same facts in 40 bytes.
//! Keys are always compared in full; a hash only chooses where to look.

use std::{fmt, fmt::Write as _, str::FromStr};

use shakmaty::{
    Bitboard, ByColor, ByRole, Chess, Color, EnPassantMode, File, Position, Rank, Role,
};
use shakmaty::{Setup, Square, zobrist::Zobrist64};

use super::fen::{Fen, FenFault};

use crate::quoted::Quoted;

/// A position without its history: placement, side to move, castling rights, and the en passant
/// square if the [`EnPassantMode`] of its making keeps it. It has no move counters.
///
/// With [`EnPassantMode::Legal`], two positions have the same key exactly when the rules of chess
/// cannot tell them apart from there on. A key prints and parses as the first four fields of a FEN.
///
/// ```
/// use eco::chess::{Chess, EnPassantMode, PositionKey};
///
/// let key = PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
/// assert_eq!(key.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
/// assert_eq!(key.to_string().parse(), Ok(key));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey {
    /// Four bit planes over the 64 squares. The first three are the bits of the number of the role
    /// (pawn 1 to king 6), the last says whether the piece is black.
    pub(super) planes: [u64; 4],
    /// Bit 0: Black to move. Bits 1 to 4: castling rights K, Q, k, q. From bit 5: the en passant
    /// file a to h as 1 to 8, or 0 for none; its rank follows from the side to move.
    ///
    /// As wide as a plane, so that a key has no padding.
    pub(super) state: u64,
}

const CASTLING: [(Square, char); 4] =
    [(Square::H1, 'K'), (Square::A1, 'Q'), (Square::H8, 'k'), (Square::A8, 'q')];

impl PositionKey {
    /// The key of a position. `mode` decides which en passant squares are kept.
    pub fn from_position(position: &Chess, mode: EnPassantMode) -> Self {
        let castling = position.castles().castling_rights();
        Self::of(position.board(), position.turn(), castling, position.ep_square(mode))
    }

    fn of(
        board: &shakmaty::Board,
        turn: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
    ) -> Self {
        let mut state = u64::from(turn.is_black());
        for (bit, (rook, _)) in CASTLING.iter().enumerate() {
            state |= u64::from(castling.contains(*rook)) << (bit + 1);
        }
        let file = en_passant.map_or(0, |square| 1 + u64::from(square.file()));
        let mut roles = [0; 8];
        Role::ALL.into_iter().for_each(|role| roles[role as usize] = board.by_role(role).0);
        Self::from_roles(&roles, board.by_color(Color::Black).0, state | file << 5)
    }

    /// The key of pieces by [role](Self::roles), of which some are black.
    #[inline(always)]
    pub(super) const fn from_roles(roles: &[u64; 8], black: u64, state: u64) -> Self {
        let [p0, p1, p2] = role_planes(roles);
        Self { planes: [p0, p1, p2, black], state }
    }

    /// By the number of a role, its pieces of both sides; none at 0 and 7, which are no roles.
    #[inline(always)]
    pub(super) const fn roles(&self) -> [u64; 8] {
        let [p0, p1, p2, _] = self.planes;
        let mut roles = [0; 8];
        roles[Role::Pawn as usize] = p0 & !p1 & !p2;
        roles[Role::Knight as usize] = p1 & !p0 & !p2;
        roles[Role::Bishop as usize] = p0 & p1 & !p2;
        roles[Role::Rook as usize] = p2 & !p0 & !p1;
        roles[Role::Queen as usize] = p0 & p2 & !p1;
        roles[Role::King as usize] = p1 & p2 & !p0;
        roles
    }

    /// A 64-bit hash. The segments of collections hold it, so it stays what it is for ever.
    #[inline]
    pub(crate) const fn hash64(&self) -> u64 {
        // Each 64 x 64 -> 128 bit product is folded to 64 bits. The salts are the fractional parts
        // of the square roots of 2, 3, 5, 7 and 11.
        const SALT: [u64; 5] = [
            0x6a09_e667_f3bc_c909,
            0xbb67_ae85_84ca_a73b,
            0x3c6e_f372_fe94_f82b,
            0xa54f_f53a_5f1d_36f1,
            0x510e_527f_ade6_82d1,
        ];
        let [p0, p1, p2, p3] = self.planes;
        let low = fold(p0 ^ SALT[0], p1 ^ SALT[1]);
        let high = fold(p2 ^ SALT[2], p3 ^ SALT[3]);
        fold(low ^ self.state ^ SALT[4], high ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The number of pieces on the board, kings and pawns included.
    #[inline(always)]
    pub const fn piece_count(&self) -> usize {
        let [p0, p1, p2, _] = self.planes;
        (p0 | p1 | p2).count_ones() as usize
    }

    /// The position, if it is one of standard chess. Its move counters are those of a new game.
    ///
    /// # Errors
    ///
    /// As [`Fen::to_position`].
    pub fn to_position(&self) -> Result<Chess, FenFault> {
        Fen::from(self).to_position()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        Color::from_white(self.state & 1 == 0)
    }

    /// The key as numbers. The last one needs 16 bits.
    pub(crate) const fn to_words(self) -> [u64; 5] {
        let [p0, p1, p2, p3] = self.planes;
        [p0, p1, p2, p3, self.state]
    }

    /// The key that has these [words](Self::to_words).
    pub(crate) const fn from_words([p0, p1, p2, p3, state]: [u64; 5]) -> Self {
        Self { planes: [p0, p1, p2, p3], state }
    }

    /// Whether a FEN can say what the [words](Self::from_words) do: all pieces have a role, and the
    /// en passant file is one of eight. A position may still be illegal.
    pub(crate) const fn is_writable(&self) -> bool {
        let [p0, p1, p2, black] = self.planes;
        let has_roles = p0 & p1 & p2 | black & !(p0 | p1 | p2) == 0;
        has_roles && self.state >> 5 <= 8
    }

    /// A weak hash of the placement alone, for filters that rule out most keys within a few
    /// instructions. The highest bits are the best mixed ones.
    #[inline(always)]
    pub(crate) const fn prefilter_hash(&self) -> u64 {
        let [p0, p1, p2, p3] = self.planes;
        let turned = p0 ^ p1.rotate_left(16) ^ p2.rotate_left(32) ^ p3.rotate_left(48);
        // The fractional part of the golden ratio, as in Fibonacci hashing.
        turned.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Appends the placement of the pieces, as a FEN has it. Keys are written by the hundred
    /// thousand, and one text goes through a formatter faster than many characters do.
    fn push_placement(&self, text: &mut String) {
        let [p0, p1, p2, _] = self.planes;
        let push_empty = |text: &mut String, count: u32| {
            if count > 0 {
                text.push(char::from(b'0' + count as u8));
            }
        };
        for rank in (0..8).rev() {
            let mut occupied = (p0 | p1 | p2) >> (8 * rank) & 0xff;
            let mut next = 0;
            while occupied != 0 {
                let file = occupied.trailing_zeros();
                occupied &= occupied - 1;
                if let Some(piece) = self.piece_char((8 * rank + file) as usize) {
                    push_empty(text, file - next);
                    text.push(piece);
                    next = file + 1;
                }
            }
            push_empty(text, 8 - next);
            if rank > 0 {
                text.push('/');
            }
        }
    }

    /// The pieces by role and colour.
    fn board(&self) -> shakmaty::Board {
        let (roles, [.., black]) = (self.roles(), self.planes);
        let by_role = ByRole::new_with(|role| Bitboard(roles[role as usize]));
        let occupied = roles.iter().fold(0, |all, pieces| all | pieces);
        let by_color = ByColor { black: occupied & black, white: occupied & !black };
        let board = shakmaty::Board::try_from_bitboards(by_role, by_color.map(Bitboard));
        board.expect("no square has two roles or colours")
    }

    fn en_passant(&self) -> Option<Square> {
        let file = File::new((self.state >> 5).checked_sub(1)? as u32);
        let rank = if self.turn().is_black() { Rank::Third } else { Rank::Sixth };
        Some(Square::from_coords(file, rank))
    }

    pub(super) fn role_at(&self, square: Square) -> Option<Role> {
        let piece = self.piece_char(usize::from(square));
        piece.and_then(Role::from_char)
    }

    fn piece_char(&self, square: usize) -> Option<char> {
        let bit = |plane: u64| (plane >> square & 1) as usize;
        let [p0, p1, p2, black] = self.planes;
        let role = bit(p0) | bit(p1) << 1 | bit(p2) << 2;
        let white = [None, Some('P'), Some('N'), Some('B'), Some('R'), Some('Q'), Some('K'), None];
        white[role].map(|c| if bit(black) == 1 { c.to_ascii_lowercase() } else { c })
    }
}

/// The Zobrist hash of a position with the numbers of Polyglot. With [`EnPassantMode::PseudoLegal`]
/// it is the hash that Polyglot's opening books use. It is the same in all releases.
///
/// ```
/// use eco::chess::{Chess, EnPassantMode, polyglot_hash};
///
/// let hash = polyglot_hash(&Chess::default(), EnPassantMode::PseudoLegal);
/// assert_eq!(hash, 0x463b_9618_1691_fc9c);
/// ```
pub fn polyglot_hash(position: &Chess, mode: EnPassantMode) -> u64 {
    position.zobrist_hash::<Zobrist64>(mode).into()
}

const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product as u64) ^ (product >> 64) as u64
}

/// The bits of the numbers of roles, by the number of a role the squares of its pieces.
#[inline(always)]
pub(super) const fn role_planes(roles: &[u64; 8]) -> [u64; 3] {
    let [_, pawns, knights, bishops, rooks, queens, kings, _] = *roles;
    [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings]
}

impl Fen {
    /// The key of the position, with the en passant square as it is written.
    pub fn key(&self) -> PositionKey {
        let Setup { board, turn, castling_rights, ep_square, .. } = &self.0;
        PositionKey::of(board, *turn, *castling_rights, *ep_square)
    }
}

impl From<&PositionKey> for Fen {
    /// The position with the counters of a new game.
    fn from(key: &PositionKey) -> Self {
        let mut setup = Setup::empty();
        setup.board = key.board();
        setup.turn = key.turn();
        for (bit, (rook, _)) in CASTLING.iter().enumerate() {
            if key.state >> (bit + 1) & 1 == 1 {
                setup.castling_rights.add(*rook);
            }
        }
        setup.ep_square = key.en_passant();
        Self(setup)
    }
}

/// A character for each square, and one between ranks.
const LONGEST_PLACEMENT: usize = 71;

/// The key that games and openings are known by: an en passant square is kept if a pawn can legally
/// take there.
impl From<&Chess> for PositionKey {
    fn from(position: &Chess) -> Self {
        Self::from_position(position, EnPassantMode::Legal)
    }
}

impl fmt::Display for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut placement = String::with_capacity(LONGEST_PLACEMENT);
        self.push_placement(&mut placement);
        f.write_str(&placement)?;
        f.write_str(if self.turn().is_black() { " b " } else { " w " })?;
        if self.state >> 1 & 0b1111 == 0 {
            f.write_str("-")?;
        }
        for (bit, (_, letter)) in CASTLING.iter().enumerate() {
            if self.state >> (bit + 1) & 1 == 1 {
                f.write_char(*letter)?;
            }
        }
        match self.en_passant() {
            None => f.write_str(" -"),
            Some(square) => write!(f, " {square}"),
        }
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PositionKey({self})")
    }
}

/// The text is not the first four fields of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a position key: {}", Quoted(.0))]
pub struct ParseKeyError(String);

impl FromStr for PositionKey {
    type Err = ParseKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || ParseKeyError(text.to_owned());
        let fen: shakmaty::fen::Fen = text.parse().map_err(|_| refused())?;
        // Letters are those of corners, as a `Fen` reads them; this reader looks for rooks.
        let letters = text.split(' ').nth(2).unwrap_or_default();
        let is_named = |(_, letter): &&(Square, char)| letters.contains(*letter);
        let castling_rights = CASTLING.iter().filter(is_named).map(|(rook, _)| *rook).collect();
        let key = Fen(Setup { castling_rights, ..fen.into_setup() }).key();
        // A key has one spelling: neither "w KQkq - 0 1" nor "w qkQK -" is one.
        if key.to_string() == text { Ok(key) } else { Err(refused()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_after(words: &[&str]) -> PositionKey {
        let mut position = Chess::default();
        for word in words {
            let m = crate::chess::read_move(&position, word.as_bytes()).unwrap();
            position.play_unchecked(m);
        }
        PositionKey::from_position(&position, EnPassantMode::Legal)
    }

    #[test]
    fn the_en_passant_square_stays_only_where_a_pawn_can_take() {
        let text = |words: &[&str]| key_after(words).to_string();
        assert!(text(&["d4", "c5", "d5", "e5"]).ends_with(" w KQkq e6"));
        assert!(text(&["e4", "e5"]).ends_with(" w KQkq -"));
        assert!(text(&["e4"]).ends_with(" b KQkq -"));
    }

    #[test]
    fn a_pinned_pawn_does_not_keep_the_en_passant_square() {
        let fen: Fen = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1".parse().unwrap();
        let position = fen.to_position().unwrap();
        let text = |mode| PositionKey::from_position(&position, mode).to_string();
        assert!(text(EnPassantMode::Legal).ends_with(" b - -"));
        assert!(text(EnPassantMode::PseudoLegal).ends_with(" b - d3"));
    }

    #[test]
    fn two_move_orders_have_one_key() {
        assert_eq!(key_after(&["d4", "f5", "g3"]), key_after(&["g3", "f5", "d4"]));
    }

    #[test]
    fn keys_print_and_parse_back() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3",
            "8/8/8/8/8/8/8/8 w - -",
        ] {
            assert_eq!(text.parse::<PositionKey>().unwrap().to_string(), text);
        }
    }

    /// Whatever stands in the corners: a `Fen` has the rights that its letters name.
    #[test]
    fn a_key_keeps_rights_whose_rook_is_not_at_home() {
        for text in [
            "4k3/8/8/8/8/8/8/4K3 w K -",
            "4k3/8/8/8/8/8/8/4KR2 w K -",
            "r3k1r1/8/8/8/8/8/8/RR2K1RR b KQkq -",
            // As Chess960 has them, and its files of rooks, which are no letters of a key.
            "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq -",
        ] {
            let key: PositionKey = text.parse().unwrap();
            assert_eq!(key.to_string(), text);
            assert_eq!(text.parse::<Fen>().unwrap().key(), key);
            let position = key.to_position().unwrap();
            let sound = position.castles().castling_rights();
            assert!(sound.into_iter().all(|rook| position.board().rooks().contains(rook)));
        }
        for files in ["HAha", "FCfc", "AHah"] {
            let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {files} -");
            assert!(text.parse::<PositionKey>().is_err(), "{text:?} was read as a key");
        }
    }

    #[test]
    fn what_is_not_a_key_is_refused() {
        for text in [
            "",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq -",
        ] {
            assert!(text.parse::<PositionKey>().is_err(), "{text:?} was read as a key");
        }
    }

    #[test]
    fn the_piece_count_is_that_of_the_board() {
        assert_eq!(key_after(&[]).piece_count(), 32);
        assert_eq!(key_after(&["e4", "d5", "exd5"]).piece_count(), 31);
    }
}
