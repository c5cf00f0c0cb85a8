//! What a [`Board`] holds.

use shakmaty::{Chess, EnPassantMode, Role};

use crate::chess::key::PositionKey;

/// A position without its history, on which moves can be played: a [`PositionKey`] with legal en
/// passant squares only, with a set of squares for each role and each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// By the number of a role, its pieces of both sides; none at 0 and 7, which are no roles.
    pub(super) roles: [u64; 8],
    /// The pieces of White and of Black.
    pub(super) sides: [u64; 2],
    /// As in a key.
    pub(super) state: u64,
}

impl Default for Board {
    /// The initial position.
    fn default() -> Self {
        Self::from_position(&Chess::default())
    }
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub(crate) fn from_position(position: &Chess) -> Self {
        Self::from_key(&PositionKey::from_position(position, EnPassantMode::Legal))
    }

    /// The board of a position that has this key, with legal en passant squares only.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn from_key(key: &PositionKey) -> Self {
        let [p0, p1, p2, black, state] = key.to_words();
        let mut roles = [0; 8];
        // The planes are the bits of the numbers.
        roles[Role::Pawn as usize] = p0 & !p1 & !p2;
        roles[Role::Knight as usize] = p1 & !p0 & !p2;
        roles[Role::Bishop as usize] = p0 & p1 & !p2;
        roles[Role::Rook as usize] = p2 & !p0 & !p1;
        roles[Role::Queen as usize] = p0 & p2 & !p1;
        roles[Role::King as usize] = p1 & p2 & !p0;
        Self { roles, sides: [(p0 | p1 | p2) & !black, black], state }
    }

    /// The key of the position on the board, with legal en passant squares only.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn key(&self) -> PositionKey {
        let [p0, p1, p2, p3] = self.planes();
        PositionKey::from_words([p0, p1, p2, p3, self.state])
    }

    /// The planes of the key.
    #[inline(always)]
    pub(super) const fn planes(&self) -> [u64; 4] {
        let [_, pawns, knights, bishops, rooks, queens, kings, _] = self.roles;
        [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings, self.sides[1]]
    }

    /// As [`PositionKey::piece_count`].
    #[must_use]
    #[inline(always)]
    pub(crate) const fn piece_count(&self) -> usize {
        (self.sides[0] | self.sides[1]).count_ones() as usize
    }

    /// As [`PositionKey::home_pawns`].
    #[inline(always)]
    pub(crate) const fn home_pawns(&self) -> [usize; 2] {
        let pawns = self.roles[Role::Pawn as usize];
        let [white, black] = self.sides;
        [((pawns & white) >> 8 & 0xff) as usize, ((pawns & black) >> 48 & 0xff) as usize]
    }

    /// As [`PositionKey::castling_rights`].
    #[inline(always)]
    pub(crate) const fn castling_rights(&self) -> usize {
        (self.state >> 1 & 0b1111) as usize
    }
}
