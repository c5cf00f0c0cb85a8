//! Which named positions a game can still come to.
//!
//! # Why the walk may end early
//!
//! Some things in chess never come back. Let `P` be the position on the board and `T` a named one.
//! Write `p(X)` for the number of pawns of one colour in `X`, `r(X)` for its number of pieces of
//! another kind, and call the *cone* of a pawn the squares it can ever stand on: its own, and from
//! there one square straight or aslant forward, again and again. If `T` can be reached from `P` by
//! legal moves (none at all among them), then for each colour
//!
//! 1. every pawn of `T` stands in the cone of some pawn of `P`: pawns never appear, and each step
//!    of a pawn, capture or not, double or not, stays within its cone;
//! 2. if `p(T) = p(P)`, every pawn of `P` has a pawn of `T` in its cone: no pawn was taken or
//!    promoted on the way, so each is still there, somewhere in its cone;
//! 3. `p(T) <= p(P)`, and `r(T) + p(T) <= r(P) + p(P)` for knights, bishops, rooks and queens each:
//!    a piece only ever appears by promotion, which costs a pawn;
//! 4. the castling rights of `T` are among those of `P`: they never return.
//!
//! A named position that fails one of these will not be reached any more, however the game goes
//! on; when none is left, the verdict stands and the rest of the game need not be played. So
//! ending the walk there changes no name, no ply and no transposition. It does end the search for
//! faults: an illegal move behind that point is not told.
//!
//! The four conditions are necessary, not sufficient. They are cheap because each is a set of
//! named positions that can be computed beforehand; what is left of all is a bit set, and only
//! pawn moves, captures and lost castling rights make it smaller. The reference classifier checks
//! the same four conditions one position at a time.

use crate::chess::{Board, Color, Role};

const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Sums above this are as good as none: no side has more pieces in a named position.
const MAX_SUM: usize = 32;

/// Sets of named positions, one bit for each.
#[derive(Debug)]
pub(super) struct Reach {
    /// How many words a set takes.
    words: usize,
    all: Vec<u64>,
    sides: [Side; 2],
    /// Named positions that have the n-th castling right.
    rights: Vec<u64>,
}

/// What is known of the pieces of one colour.
#[derive(Debug)]
struct Side {
    color: Color,
    /// All squares on which a named position has a pawn.
    pawn_squares: u64,
    /// By square: those that have a pawn there.
    pawn_on: Vec<u64>,
    /// By square: those that have no pawn in the cone of a pawn there.
    no_heir: Vec<u64>,
    /// By number: those that have at least so many pawns.
    pawns_from: Vec<u64>,
    /// By number: those that have more pawns.
    more_pawns: Vec<u64>,
    /// By piece, then by sum: those that have more of the piece and pawns together.
    more_pieces: [Vec<u64>; 4],
}

/// The named positions that are left: the words of the bit set that are not zero, and which they
/// are. A few steps off a line, most are.
#[derive(Debug, Clone)]
pub(crate) struct Left {
    words: Vec<(u32, u64)>,
}

impl Left {
    /// Whether none is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn remove(&mut self, set: &[u64]) {
        self.words.iter_mut().for_each(|(at, left)| *left &= !set[*at as usize]);
    }

    fn remove_both(&mut self, one: &[u64], other: &[u64]) {
        self.words.iter_mut().for_each(|(at, left)| {
            let at = *at as usize;
            *left &= !(one[at] & other[at]);
        });
    }

    fn drop_empty_words(&mut self) {
        self.words.retain(|(_, left)| *left != 0);
    }
}

impl Reach {
    pub(super) fn new(boards: &[Board]) -> Self {
        let words = boards.len().div_ceil(64);
        let mut rights = vec![0; 4 * words];
        for (index, board) in boards.iter().enumerate() {
            for right in 0..4 {
                if board.castling_rights() >> right & 1 == 1 {
                    mark(&mut rights, words, right, index);
                }
            }
        }
        let sides = [Color::White, Color::Black].map(|color| Side::new(color, boards, words));
        let mut all = vec![0; words];
        (0..boards.len()).for_each(|index| mark(&mut all, words, 0, index));
        Self { words, all, sides, rights }
    }

    /// The named positions that can be reached from `board`.
    pub(super) fn from(&self, board: &Board) -> Left {
        let mut left = Left { words: (0..).zip(self.all.iter().copied()).collect() };
        for side in &self.sides {
            let pawns = board.pieces(side.color, Role::Pawn);
            self.need_pawns(side, side.pawn_squares & !cones(side.color, pawns), &mut left);
            self.need_heirs(side, pawns, pawns.count_ones(), &mut left);
            self.need_counts(side, None, board, &mut left);
        }
        self.need_rights(0b1111 & !board.castling_rights(), &mut left);
        left.drop_empty_words();
        left
    }

    /// Takes from `left` what a move from `before` to `after` has put out of reach.
    pub(super) fn shrink(&self, before: &Board, after: &Board, left: &mut Left) {
        let lost_rights = before.castling_rights() & !after.castling_rights();
        let is_quiet =
            before.pawns() == after.pawns() && before.occupied_count() == after.occupied_count();
        if is_quiet && lost_rights == 0 {
            return;
        }
        for side in &self.sides {
            let pawns = after.pieces(side.color, Role::Pawn);
            let pawns_before = before.pieces(side.color, Role::Pawn);
            let is_fewer = pawns.count_ones() < pawns_before.count_ones();
            if pawns != pawns_before {
                let lost = cones(side.color, pawns_before) & !cones(side.color, pawns);
                self.need_pawns(side, side.pawn_squares & lost, left);
                let to_check = if is_fewer { pawns } else { pawns & !pawns_before };
                self.need_heirs(side, to_check, pawns.count_ones(), left);
            }
            // A promotion takes a pawn and leaves the number of pieces.
            if is_fewer || after.count(side.color) != before.count(side.color) {
                self.need_counts(side, Some(before), after, left);
            }
        }
        self.need_rights(lost_rights, left);
        left.drop_empty_words();
    }

    fn set<'s>(&self, sets: &'s [u64], which: usize) -> &'s [u64] {
        &sets[which * self.words..][..self.words]
    }

    fn need_pawns(&self, side: &Side, unreachable: u64, left: &mut Left) {
        for square in squares(unreachable) {
            left.remove(self.set(&side.pawn_on, square));
        }
    }

    fn need_heirs(&self, side: &Side, pawns: u64, count: u32, left: &mut Left) {
        let as_many = self.set(&side.pawns_from, (count as usize).min(MAX_SUM));
        for square in squares(pawns) {
            left.remove_both(self.set(&side.no_heir, square), as_many);
        }
    }

    /// Looks at the sums that differ from those `before`; at all of them if there is no before.
    fn need_counts(&self, side: &Side, before: Option<&Board>, board: &Board, left: &mut Left) {
        let count = |board: &Board, role| board.pieces(side.color, role).count_ones() as usize;
        let pawns = count(board, Role::Pawn);
        let pawns_before = before.map(|before| count(before, Role::Pawn));
        if pawns_before != Some(pawns) {
            left.remove(self.set(&side.more_pawns, pawns.min(MAX_SUM)));
        }
        for (sets, role) in side.more_pieces.iter().zip(PIECES) {
            let sum = count(board, role) + pawns;
            let sum_before = before.zip(pawns_before).map(|(b, pawns)| count(b, role) + pawns);
            if sum_before != Some(sum) {
                left.remove(self.set(sets, sum.min(MAX_SUM)));
            }
        }
    }

    fn need_rights(&self, lost: u16, left: &mut Left) {
        for right in squares(lost.into()) {
            left.remove(self.set(&self.rights, right));
        }
    }
}

impl Side {
    fn new(color: Color, boards: &[Board], words: usize) -> Self {
        let sums = MAX_SUM + 1;
        let mut side = Self {
            color,
            pawn_squares: 0,
            pawn_on: vec![0; 64 * words],
            no_heir: vec![0; 64 * words],
            pawns_from: vec![0; sums * words],
            more_pawns: vec![0; sums * words],
            more_pieces: PIECES.map(|_| vec![0; sums * words]),
        };
        for (index, board) in boards.iter().enumerate() {
            let pawns = board.pieces(color, Role::Pawn);
            side.pawn_squares |= pawns;
            squares(pawns).for_each(|square| mark(&mut side.pawn_on, words, square, index));
            let barren = !cones(!color, pawns);
            squares(barren).for_each(|square| mark(&mut side.no_heir, words, square, index));
            let count = (pawns.count_ones() as usize).min(MAX_SUM);
            (0..=count).for_each(|n| mark(&mut side.pawns_from, words, n, index));
            (0..count).for_each(|n| mark(&mut side.more_pawns, words, n, index));
            for (sets, role) in side.more_pieces.iter_mut().zip(PIECES) {
                let sum = count + board.pieces(color, role).count_ones() as usize;
                (0..sum.min(MAX_SUM)).for_each(|n| mark(sets, words, n, index));
            }
        }
        side
    }
}

fn mark(sets: &mut [u64], words: usize, which: usize, index: usize) {
    sets[which * words + index / 64] |= 1 << (index % 64);
}

fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// The squares on which pawns of a colour can ever stand, those they stand on among them. For the
/// other colour, the squares from which a pawn can come to where these stand.
fn cones(color: Color, pawns: u64) -> u64 {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let mut cone = pawns;
    for _ in 0..6 {
        let wide = cone | (cone & NOT_A) >> 1 | (cone & NOT_H) << 1;
        cone |= if color.is_white() { wide << 8 } else { wide >> 8 };
    }
    cone
}
