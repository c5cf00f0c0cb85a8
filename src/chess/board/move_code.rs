//! A move as one byte, which means a move only together with its position.
//!
//! The code of a move is its place among those that the pieces of the mover would have on an empty
//! board. Every piece of a role has the same number of places, so the code follows from counts of
//! bits, and no list of moves is made:
//!
//! | pieces | places each | which place |
//! | --- | --- | --- |
//! | pawns | 4 | step, double step, capture towards file a, towards file h |
//! | pawns that promote | 12 | step and captures, each to queen, rook, bishop, knight |
//! | knights, bishops, rooks | 8, 13, 14 | the squares reached, from a1 to h8 |
//! | king | 10 | the squares reached; castling on the king's and on the queen's wing |
//! | queens | 27 | the squares reached |
//!
//! Pieces of a role are ordered by their squares. Codes are stored in databases, so the order is
//! fixed for ever; a test holds it.
//!
//! From the initial position the places are 139. Where promotions make more than 256, the code is
//! instead the index in the list of legal moves, sorted by their UCI bits. No position of a game of
//! chess has more than 218 of these.

use shakmaty::{Position, Role, Square};

use super::Board;
use super::fast::{Mover, PAWN};
use super::tables::{BETWEEN, CASTLINGS, REACHED_FROM, mask};
use crate::chess::UciMove;

/// The number of groups of pieces.
pub(super) const GROUPS: usize = 7;

/// By group: the number of places that each of its pieces has.
pub(super) const PLACES: [usize; GROUPS] = [4, 12, 8, 13, 14, 10, 27];

/// By group: 2¹⁶ divided by the number of places, rounded up. A product with a number below 256,
/// shifted by 16, is the quotient: the error is below 256 · 27, which is less than 2¹⁶.
pub(super) const RECIPROCALS: [usize; GROUPS] = {
    let mut reciprocals = [0; GROUPS];
    let mut at = 0;
    while at < GROUPS {
        reciprocals[at] = (1_usize << 16).div_ceil(PLACES[at]);
        at += 1;
    }
    reciprocals
};

/// By group: the role of its pieces.
pub(super) const ROLES: [Role; GROUPS] =
    [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::King, Role::Queen];

pub(super) const PAWNS: usize = 0;
pub(super) const PROMOTING: usize = 1;
pub(super) const KINGS: usize = 5;

/// The places of castling among those of a king, by wing.
pub(super) const CASTLING_PLACES: [usize; 2] = [8, 9];

/// The roles that a pawn promotes to, by place.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The rank from which the pawns of a side promote.
#[inline(always)]
pub(super) fn seventh(side: usize) -> u64 {
    if side == 0 { 0xff << 48 } else { 0xff << 8 }
}

impl Board {
    /// The move of a pawn to one of its places, or castling.
    pub(super) fn move_of_place(
        &self,
        group: usize,
        from: Square,
        place: usize,
        mover: &Mover,
    ) -> Option<UciMove> {
        match group {
            PAWNS => self.pawn_move(from, place, None, mover),
            PROMOTING => {
                let step = [0, 2, 3][(place / 4).min(2)];
                self.pawn_move(from, step, Some(PROMOTIONS[place % 4]), mover)
            }
            _ => self.castling(place - CASTLING_PLACES[0], from, mover),
        }
    }

    /// The pieces of the mover in a group.
    #[inline(always)]
    pub(super) fn group_pieces(&self, group: usize, mover: &Mover) -> u64 {
        let pieces = self.by_role(ROLES[group] as usize) & mover.own;
        match group {
            PAWNS => pieces & !seventh(mover.number),
            PROMOTING => pieces & seventh(mover.number),
            _ => pieces,
        }
    }

    /// Plays a move that is legal but for the king, who may be left in check. `None` leaves the
    /// board as it was: a pawn cannot take en passant where the last move does not allow it.
    #[inline(always)]
    pub(super) fn play_pseudo_legal(&mut self, m: UciMove) -> Option<()> {
        let mover = self.mover();
        let (from, to) = (m.from(), m.to());
        let role = self.role_on(from);
        if role == Role::King as usize {
            let wings = CASTLINGS.iter().map(|wing| &wing[mover.number]);
            if let Some(castling) = wings.into_iter().find(|c| {
                // A king goes two files only to castle.
                c.king == from && c.to == to
            }) {
                self.shift(Role::Rook as usize, castling.rook, castling.over, &mover);
            }
        }
        let is_capture = self.occupied() & mask(to) != 0;
        if role == PAWN && from.file() != to.file() && !is_capture {
            let taken = Square::from_coords(to.file(), from.rank());
            *self = self.taken_en_passant(from, taken, &mover)?;
            return Some(());
        }
        self.shift(role, from, to, &mover);
        if let Some(promotion) = m.promotion() {
            self.roles[role] ^= mask(to);
            self.roles[promotion as usize] ^= mask(to);
        }
        self.pass_turn(from, to);
        self.mark_en_passant(role == PAWN, from, to, &mover);
        Some(())
    }

    fn castling(&self, wing: usize, from: Square, mover: &Mover) -> Option<UciMove> {
        let castling = &CASTLINGS[wing][mover.number];
        let between = BETWEEN[castling.king as usize][castling.rook as usize];
        let can_castle = self.state & castling.right != 0 && self.occupied() & between == 0;
        (can_castle && castling.king == from).then(|| UciMove::new(from, castling.to, None))
    }

    fn pawn_move(
        &self,
        from: Square,
        step: usize,
        promotion: Option<Role>,
        mover: &Mover,
    ) -> Option<UciMove> {
        let ahead = if mover.is_white() { 8 } else { -8 };
        let to = match step {
            0 => from.offset(ahead)?,
            1 => from.offset(2 * ahead)?,
            2 => from.offset(ahead - 1)?,
            _ => from.offset(ahead + 1)?,
        };
        let occupied = self.occupied();
        let fits = match step {
            0 => occupied & mask(to) == 0,
            1 => {
                let home = if mover.is_white() { 1 } else { 6 };
                let way = BETWEEN[from as usize][to as usize] | mask(to);
                from.rank() as u8 == home && occupied & way == 0
            }
            _ => {
                let is_beside = from.file().distance(to.file()) == 1;
                let is_enemy = occupied & !mover.own & mask(to) != 0;
                is_beside && (is_enemy || self.is_en_passant(to, mover))
            }
        };
        fits.then(|| UciMove::new(from, to, promotion))
    }

    /// The code where there are too many places: the index among the legal moves.
    #[cold]
    pub(super) fn index_of(&self, m: UciMove) -> Option<u8> {
        let index = self.sorted_moves().iter().position(|legal| *legal == m)?;
        u8::try_from(index).ok()
    }

    #[cold]
    pub(super) fn move_at(&self, code: u8) -> Option<UciMove> {
        self.sorted_moves().get(usize::from(code)).copied()
    }

    fn sorted_moves(&self) -> Vec<UciMove> {
        let Ok(position) = self.key().to_position() else { return Vec::new() };
        let mut moves: Vec<_> =
            position.legal_moves().into_iter().map(UciMove::from_move).collect();
        moves.sort_unstable();
        moves
    }
}

/// The place of a move of a group that does not promote. A table of them would take 28 KiB of the
/// nearest cache.
#[inline(always)]
pub(super) const fn place_of(group: usize, from: usize, to: usize) -> usize {
    if group == PAWNS {
        let (from_file, to_file) = (from & 7, to & 7);
        let aside = if to_file < from_file { 2 } else { 3 };
        return if to_file == from_file { (from ^ to == 16) as usize } else { aside };
    }
    let reached = REACHED_FROM[from][ROLES[group] as usize];
    if group == KINGS && reached >> to & 1 == 0 {
        return CASTLING_PLACES[(to < from) as usize];
    }
    (reached & ((1 << to) - 1)).count_ones() as usize
}

/// The square with this index in a set, from a1 to h8.
#[inline(always)]
pub(super) fn nth(mut squares: u64, index: usize) -> Option<Square> {
    for _ in 0..index {
        squares &= squares.wrapping_sub(1);
    }
    (squares != 0).then(|| Square::new(squares.trailing_zeros()))
}
