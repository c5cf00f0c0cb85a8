//! The fast path of [`Board::play`]: SAN played by operations on sets of squares.
//!
//! It assumes at most seven bytes, without one sign of check or mate, in one of these forms: `e4`,
//! `exd5`, `ed5`, `Nf3`, `Nxf3`, `Nbd2`, `N1d2`, `Nbxd2`, `N1xd2`, `Nb1d2`, `Nb1xd2`, `O-O`,
//! `O-O-O`; and a legal move that is the only one meant. For all else it returns `None` and leaves
//! the board as it was: promotions, both squares of a pawn, castling with zeros, and everything
//! that is illegal, ambiguous or no move at all.
//!
//! Advice for whoever goes on:
//!
//! - Nobody can predict which role moves next and how, so roles choose entries of tables and masks.
//!   A branch is for what is rare. The compiler may still make branches of conditions;
//!   [`select_unpredictable`] asks it not to.
//! - A move is found from its target backwards. The candidates are the squares that the role
//!   reaches the target from on an empty board, where such a piece of the mover stands, and which
//!   the letters allow. Nearly always there is one.
//! - Whether the move is legal is asked last, before it is made: would the king of the mover be
//!   attacked, with the squares taken as they would be?
//! - What is marked `inline(never)` or `cold` is rare, and would take registers away from the rest.
//! - The tables are small, and what is read together lies together: archives push all else out of
//!   the nearest caches.
//!
//! What it saves: `eco classify -j1 --format tsv` takes 10,200 instructions for an over-the-board
//! game in SAN, and 140,000 for the same game with moves such as `Ng1-f3`, which the plain path
//! plays (400 games, x86-64, callgrind, 2026-11).

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, Role, Square};

use super::Board;
use super::tables::{
    BETWEEN, CAPTURES, CASTLINGS, Castling, FILE_A, FILE_H, FIRST_ORIGINS, ORIGINS, PUSHES,
    REACHED_FROM, ROLES, STATE_LEFT, lowest, mask,
};
use crate::chess::{UciMove, key::role_planes, packed_san::PackedSan};

impl Board {
    /// Plays the move that `san` means, and returns it. `None` leaves the board as it was and says
    /// nothing about the move: ask [`play`](Self::play).
    #[inline(always)]
    pub(crate) fn play_packed(&mut self, san: PackedSan) -> Option<UciMove> {
        let Some(to) = target(san) else { return self.castle(san) };
        let first = san.first();
        let role = usize::from(ROLES[usize::from(first)]);
        let (is_pawn, len) = (role == PAWN, san.len());
        if len > 4 {
            return self.play_long(san, role, to);
        }
        // Without a fourth letter any origin is allowed, as with the sign of a capture.
        let letter = select_unpredictable(len == 4, san.nth_last(2), b'x');
        let origin = ORIGINS[usize::from(is_pawn)][usize::from(letter)];
        let origin = origin & FIRST_ORIGINS[usize::from(first)];
        let is_push = is_pawn & (len == 2);

        let mover = self.mover();
        let occupied = self.occupied();
        let pawn_moves = if is_push { PUSHES } else { CAPTURES } | mover.number;
        let reached = REACHED_FROM[to as usize][if is_pawn { pawn_moves } else { role }];
        let candidates = self.by_role(role) & mover.own & reached & origin;
        // A piece must not stand on an own one, a pushed pawn on none, a capturing pawn on an
        // enemy.
        let blocks_pawn = if is_push { occupied } else { !occupied | mover.own };
        let blocked = if is_pawn { blocks_pawn } else { mover.own } & mask(to);
        if without_lowest(candidates) != 0 {
            return if blocked == 0 { self.play_one_of(candidates, role, to) } else { None };
        }
        let from = lowest(candidates);
        if blocked | BETWEEN[to as usize][from] & occupied != 0 {
            let may_be_en_passant = is_pawn & !is_push;
            return if may_be_en_passant { self.play_en_passant(candidates, to) } else { None };
        }
        let from = Square::new(from as u32 & 63);
        self.play_if_legal(role, from, to, &mover)?;
        self.mark_en_passant(is_pawn, from, to, &mover);
        Some(UciMove::step(from, to))
    }

    /// As [`play_packed`](Self::play_packed), for SAN with more letters for the origin: `Nbxd2`,
    /// `Nb1d2`, `Nb1xd2`.
    #[inline(never)]
    fn play_long(&mut self, san: PackedSan, role: usize, to: Square) -> Option<UciMove> {
        if role == PAWN {
            return None;
        }
        let reached = REACHED_FROM[to as usize][role];
        let candidates = self.by_role(role) & self.mover().own & reached & long_origin(san);
        self.play_one_of(candidates, role, to)
    }

    /// Plays the only one of the candidates that can go to `to`. On an empty board all can.
    #[inline(never)]
    fn play_one_of(&mut self, candidates: u64, role: usize, to: Square) -> Option<UciMove> {
        let mover = &self.mover();
        if mover.own & mask(to) != 0 {
            return None;
        }
        let reaching = attackers(candidates, to, self.occupied());
        if without_lowest(reaching) == 0 {
            let from = Bitboard(reaching).first()?;
            return self.play_if_legal(role, from, to, mover);
        }
        let mut legal =
            squares(reaching).filter_map(|from| Some((from, self.moved(role, from, to, mover)?)));
        let only = legal.next().filter(|_| legal.next().is_none());
        drop(legal);
        let (from, after) = only?;
        *self = after;
        Some(UciMove::step(from, to))
    }

    /// Sets the en passant file, if the move was a double step of a pawn that can be taken.
    #[inline(always)]
    pub(super) fn mark_en_passant(
        &mut self,
        is_pawn: bool,
        from: Square,
        to: Square,
        mover: &Mover,
    ) {
        let is_double = is_pawn & (from as u8 ^ to as u8 == 16);
        // The neighbours on the same rank: no square wraps from one edge to the other.
        let beside = (mask(to) & !FILE_A) >> 1 | (mask(to) & !FILE_H) << 1;
        // Many pawns make a double step, but few of them come to stand beside an enemy.
        let beside = select_unpredictable(is_double, beside, 0);
        let takers = beside & self.by_role(PAWN) & !mover.own;
        if takers != 0 {
            self.mark_if_takeable(takers, to);
        }
    }

    #[inline(never)]
    fn mark_if_takeable(&mut self, takers: u64, pushed: Square) {
        let mover = self.mover();
        if squares(takers).any(|from| self.taken_en_passant(from, pushed, &mover).is_some()) {
            self.state |= (pushed.file() as u64 + 1) << 5;
        }
    }

    /// The board after a pawn has taken the one on `taken` en passant, if that is legal.
    #[cold]
    pub(super) fn taken_en_passant(
        &self,
        from: Square,
        taken: Square,
        mover: &Mover,
    ) -> Option<Self> {
        let mut without = *self;
        without.roles[PAWN] &= !mask(taken);
        without.sides[mover.number ^ 1] &= !mask(taken);
        let to = Bitboard(mover.forward(mask(taken))).first()?;
        without.moved(PAWN, from, to, mover)
    }

    /// One of the candidates takes en passant and goes to `to`, if that is where the last move
    /// allows it.
    #[inline(never)]
    fn play_en_passant(&mut self, candidates: u64, to: Square) -> Option<UciMove> {
        let mover = &self.mover();
        if !self.is_en_passant(to, mover) {
            return None;
        }
        let from = Bitboard(candidates).first()?;
        let taken = Bitboard(mover.backward(mask(to))).first()?;
        *self = self.taken_en_passant(from, taken, mover)?;
        Some(UciMove::step(from, to))
    }

    /// Whether the last move allows to take en passant on a square.
    pub(super) fn is_en_passant(&self, to: Square, mover: &Mover) -> bool {
        let sixth = if mover.is_white() { 5 } else { 2 };
        self.state >> 5 == to.file() as u64 + 1 && to.rank() as u8 == sixth
    }

    #[inline(never)]
    fn castle(&mut self, san: PackedSan) -> Option<UciMove> {
        const SHORT: PackedSan = PackedSan::new(b"O-O");
        const LONG: PackedSan = PackedSan::new(b"O-O-O");
        let [kings_wing, queens_wing] = &CASTLINGS;
        let wing = match san {
            SHORT => kings_wing,
            LONG => queens_wing,
            _ => return None,
        };
        let mover = self.mover();
        let Castling { king, over, to, rook, right } = wing[mover.number];
        let is_free = self.occupied() & BETWEEN[king as usize][rook as usize] == 0;
        let is_safe = |square| !self.is_attacked(square, &mover);
        let can_castle = self.state & right != 0 && is_free;
        if !(can_castle && is_safe(king) && is_safe(over) && is_safe(to)) {
            return None;
        }
        self.shift(Role::Rook as usize, rook, over, &mover);
        self.shift(Role::King as usize, king, to, &mover);
        self.pass_turn(king, to);
        Some(UciMove::step(king, to))
    }

    #[inline(always)]
    pub(super) fn mover(&self) -> Mover {
        self.side((self.state & 1) as usize)
    }

    /// The side with this number, as if it were to move.
    #[inline(always)]
    pub(super) fn side(&self, number: usize) -> Mover {
        Mover { number, own: self.sides[number & 1] }
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of a role, of both colours.
    #[inline(always)]
    pub(super) fn by_role(&self, role: usize) -> u64 {
        self.roles[role & 7]
    }

    #[inline(always)]
    fn play_if_legal(
        &mut self,
        role: usize,
        from: Square,
        to: Square,
        mover: &Mover,
    ) -> Option<UciMove> {
        if self.leaves_king_attacked(role, from, to, mover) {
            return None;
        }
        self.shift(role, from, to, mover);
        self.pass_turn(from, to);
        Some(UciMove::step(from, to))
    }

    /// The board after a piece of the mover has gone from one square to another, empty or
    /// not, unless that leaves its king attacked. It has no en passant file.
    #[inline(always)]
    pub(super) fn moved(
        &self,
        role: usize,
        from: Square,
        to: Square,
        mover: &Mover,
    ) -> Option<Self> {
        let mut after = *self;
        after.play_if_legal(role, from, to, mover)?;
        Some(after)
    }

    /// Whether the king of the mover is attacked once a piece of the mover has gone from one square
    /// to another.
    #[inline(always)]
    fn leaves_king_attacked(&self, role: usize, from: Square, to: Square, mover: &Mover) -> bool {
        let is_king = role == Role::King as usize;
        let king = if is_king { mask(to) } else { self.by_role(Role::King as usize) & mover.own };
        let king = Square::new(lowest(king) as u32 & 63);
        let theirs = self.sides[mover.number & 1 ^ 1] & !mask(to);
        let occupied = mover.own & !mask(from) | theirs | mask(to);
        self.is_attacked_by(theirs, king, occupied, mover.number)
    }

    /// Moves a piece of the mover to a square, empty or not.
    #[inline(always)]
    pub(super) fn shift(&mut self, role: usize, from: Square, to: Square, mover: &Mover) {
        let other = mover.number & 1 ^ 1;
        if self.sides[other] & mask(to) != 0 {
            self.take(to, other);
        }
        let both = mask(from) | mask(to);
        self.roles[role & 7] ^= both;
        self.sides[mover.number & 1] ^= both;
    }

    /// Takes a piece of the side with this number away.
    #[inline(never)]
    fn take(&mut self, square: Square, side: usize) {
        self.roles[self.role_on(square)] &= !mask(square);
        self.sides[side & 1] &= !mask(square);
    }

    /// The number of the role on a square; 0 if it is empty.
    #[inline(always)]
    pub(super) fn role_on(&self, square: Square) -> usize {
        let [p0, p1, p2] = role_planes(&self.roles);
        let bit = |plane: u64| (plane >> square as u32 & 1) as usize;
        bit(p0) | bit(p1) << 1 | bit(p2) << 2
    }

    /// Gives the turn to the other side, after a move between these squares.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self, from: Square, to: Square) {
        self.state = (self.state & STATE_LEFT[from as usize] & STATE_LEFT[to as usize]) ^ 1;
    }

    /// Whether the side that is not to move attacks a square.
    #[inline(always)]
    pub(super) fn is_attacked(&self, square: Square, mover: &Mover) -> bool {
        let theirs = self.sides[mover.number & 1 ^ 1];
        self.is_attacked_by(theirs, square, theirs | mover.own, mover.number)
    }

    /// Whether pieces on the squares `theirs`, whose roles are those on the board, attack a square
    /// of the side with this number, where `occupied` are the squares that are not empty.
    #[inline(always)]
    fn is_attacked_by(&self, theirs: u64, square: Square, occupied: u64, side: usize) -> bool {
        let [_, pawns, knights, bishops, rooks, queens, kings, _] = self.roles;
        let from = &REACHED_FROM[square as usize];
        let near = from[side & 1 ^ 1] & pawns
            | from[Role::Knight as usize] & knights
            | from[Role::King as usize] & kings;
        let far = from[Role::Queen as usize] & queens
            | from[Role::Bishop as usize] & bishops
            | from[Role::Rook as usize] & rooks;
        // Few of them look at a king even on an empty board: two are looked at without a branch.
        let far = far & theirs;
        let others = without_lowest(far);
        let sees = |of: u64| BETWEEN[square as usize][lowest(of)] & occupied == 0;
        let is_seen = sees(far) | sees(others);
        let rest = without_lowest(others);
        (near & theirs != 0) | is_seen || rest != 0 && attackers(rest, square, occupied) != 0
    }
}

/// The side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    /// 0 for White, 1 for Black.
    pub(super) number: usize,
    /// Its pieces.
    pub(super) own: u64,
}

impl Mover {
    pub(super) fn is_white(&self) -> bool {
        self.number == 0
    }

    /// The squares one step ahead of these, as its pawns go.
    fn forward(&self, squares: u64) -> u64 {
        if self.is_white() { squares << 8 } else { squares >> 8 }
    }

    /// The squares that its pawns come from by one step.
    pub(super) fn backward(&self, squares: u64) -> u64 {
        if self.is_white() { squares >> 8 } else { squares << 8 }
    }
}

pub(super) const PAWN: usize = Role::Pawn as usize;

/// The square that SAN ends with. Letters below `a` and digits below `1` wrap around, so that one
/// comparison tests file and rank at both ends.
#[inline(always)]
fn target(san: PackedSan) -> Option<Square> {
    let file = san.nth_last(1).wrapping_sub(b'a');
    let rank = san.nth_last(0).wrapping_sub(b'1');
    (file | rank <= 7).then(|| Square::new(u32::from(rank * 8 + file) & 63))
}

/// The squares that a file, a rank or both allow as origin, in SAN of five letters or more:
/// `Nbxd2`, `Nb1d2`, `Nb1xd2`.
#[inline(never)]
fn long_origin(san: PackedSan) -> u64 {
    let len = san.len();
    if !(5..=6).contains(&len) {
        return 0;
    }
    // The two letters after the role.
    let (one, two) = (san.nth_last(len - 2), san.nth_last(len - 3));
    let is_file = matches!(one, b'a'..=b'h');
    let is_rank = matches!(one, b'1'..=b'8');
    let [of_pieces, _] = &ORIGINS;
    let [origin, second] = [one, two].map(|letter| of_pieces[usize::from(letter)]);
    let is_both = is_file && matches!(two, b'1'..=b'8');
    match len {
        5 if two == b'x' && (is_file || is_rank) => origin,
        5 if is_both => origin & second,
        6 if is_both && san.nth_last(2) == b'x' => origin & second,
        _ => 0,
    }
}

/// The candidates that have nothing between themselves and `to`.
#[inline(never)]
pub(super) fn attackers(candidates: u64, to: Square, occupied: u64) -> u64 {
    let sees = |from: &Square| BETWEEN[to as usize][*from as usize] & occupied == 0;
    squares(candidates).filter(sees).fold(0, |seeing, from| seeing | mask(from))
}

/// A set without its first square: empty if it has at most one.
#[inline(always)]
fn without_lowest(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}

pub(super) fn squares(set: u64) -> impl Iterator<Item = Square> {
    Bitboard(set).into_iter()
}
