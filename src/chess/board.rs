//! A board made for walking through openings.
//!
//! It holds what a [`PositionKey`] holds: four bit planes, castling rights, and the en passant file
//! if a legal capture exists. Two things that follow from these are kept along, since they are asked
//! for after each move and counting takes longer: how many pieces there are, and which pawns have not
//! moved yet. A move in algebraic notation is found from its target square backwards and played by a
//! handful of bit operations, and the key is always at hand. Whether it was legal is asked
//! afterwards: is the king of the mover attacked?
//!
//! What is rare goes the slow way, by [`read_move`] on a `shakmaty` position, so that there is one
//! answer: promotions, moves that give both squares, castling with zeros, and everything that is
//! no move. The tests hold both ways against each other.

use shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Piece, Position, Role, Square,
    attacks::{attacks, between, pawn_attacks},
};

use super::{FenFault, MoveFault, PackedSan, PositionKey, read_move};

/// A position without its history, on which moves can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    key: PositionKey,
    /// How many pieces stand on it.
    pieces: usize,
    /// Its [`PositionKey::home_pawns`].
    home_pawns: u64,
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

const PAWN: usize = Role::Pawn as usize;

/// The ranks where no pawn stands.
const ENDS: u64 = RANK_1 | RANK_1 << 56;

/// Where pawns that move are in [`REACHED_FROM`]: those of White, and behind them those of Black.
const PUSHES: usize = 8;
const CAPTURES: usize = 10;

/// No role has this number, and nothing is reached by it.
const NO_ROLE: u8 = 7;

/// By the first letter of a word: the number of the role that moves.
static ROLES: [u8; 256] = {
    let mut roles = [NO_ROLE; 256];
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

/// By the number of a role: all squares for those of the three planes that its pieces are in.
static PLANES: [[u64; 3]; 8] = {
    let mut planes = [[0; 3]; 8];
    let mut at = 0;
    while at < 24 {
        planes[at / 3][at % 3] = ((at as u64 / 3) >> (at % 3) & 1).wrapping_neg();
        at += 1;
    }
    planes
};

/// By a letter between role and target: the squares that it lets the piece come from. The sign of a
/// capture lets all.
static ORIGINS: [u64; 256] = {
    let mut origins = [0; 256];
    let mut n = 0;
    while n < 8 {
        origins[(b'a' + n) as usize] = FILE_A << n;
        origins[(b'1' + n) as usize] = RANK_1 << (8 * n);
        n += 1;
    }
    origins[b'x' as usize] = !0;
    origins
};

/// By square: the castling rights that are left once a piece has left or reached it.
static RIGHTS_LEFT: [u64; 64] = {
    let mut left = [0b1_1111; 64];
    left[Square::E1 as usize] = 0b1_1001;
    left[Square::H1 as usize] = 0b1_1101;
    left[Square::A1 as usize] = 0b1_1011;
    left[Square::E8 as usize] = 0b0_0111;
    left[Square::H8 as usize] = 0b1_0111;
    left[Square::A8 as usize] = 0b0_1111;
    left
};

/// By square: the [home pawns](PositionKey::home_pawns) that are left once a piece has left or reached it.
static HOME_PAWNS_LEFT: [u64; 64] = {
    let mut left = [!0; 64];
    let mut file = 0;
    while file < 8 {
        left[8 + file] = !(1 << file);
        left[48 + file] = !(1 << 8 << file);
        file += 1;
    }
    left
};

/// By square: from where it is reached on an empty board, by the number of the role. Pawns attack:
/// those of White stand at 0, those of Black at 1. How they move is at [`PUSHES`] and [`CAPTURES`];
/// those that come to the last rank do not, since they are promoted.
static REACHED_FROM: [[u64; 16]; 64] = {
    let mut reached = [[0; 16]; 64];
    let mut at = 0;
    while at < 64 {
        let square = Square::new(at as u32);
        let from = &mut reached[at];
        from[0] = pawn_attacks(Color::Black, square).0;
        from[1] = pawn_attacks(Color::White, square).0;
        if bit(at) & ENDS == 0 {
            from[PUSHES] = bit(at) >> 8 | bit(at) >> 16 & RANK_1 << 8;
            from[PUSHES + 1] = bit(at) << 8 | bit(at) << 16 & RANK_1 << 48;
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

/// By two squares: those between them on a line; none if they are on no line. From behind the last
/// square, where [`lowest`] takes the piece of an empty set to be, all are between: nothing comes from
/// there.
static BETWEEN: [[u64; 64]; 65] = {
    let mut table = [[!0; 64]; 65];
    let mut at = 0;
    while at < 64 * 64 {
        let (from, to) = (at / 64, at % 64);
        table[from][to] = between(Square::new(from as u32), Square::new(to as u32)).0;
        at += 1;
    }
    table
};

impl Default for Board {
    /// The initial position.
    fn default() -> Self {
        Self::from_position(&Chess::default())
    }
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn from_position(position: &Chess) -> Self {
        let key = PositionKey::from_position(position, EnPassantMode::Legal);
        Self { key, pieces: key.piece_count(), home_pawns: key.home_pawns() }
    }

    /// The board of a key, if that is of a position of standard chess.
    ///
    /// # Errors
    ///
    /// As [`PositionKey::to_position`].
    pub fn from_key(key: &PositionKey) -> Result<Self, FenFault> {
        key.to_position().map(|position| Self::from_position(&position))
    }

    /// The key of the position on the board, with legal en passant squares only.
    #[must_use]
    pub fn key(&self) -> &PositionKey {
        &self.key
    }

    /// How many pieces stand on the board.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        self.pieces
    }

    /// As [`PositionKey::home_pawns`].
    #[inline(always)]
    pub(crate) fn home_pawns(&self) -> u64 {
        self.home_pawns
    }

    /// Plays the move that `written` means, exactly as [`read_move`] understands it.
    ///
    /// # Errors
    ///
    /// Those of [`read_move`]; the board is then as it was.
    pub fn play(&mut self, written: &[u8]) -> Result<(), MoveFault> {
        if self.play_packed(PackedSan::new(written)).is_none() {
            *self = self.after_slowly(written)?;
        }
        Ok(())
    }

    /// The slow way: it knows every form of a move, and why one is none.
    #[cold]
    fn after_slowly(&self, written: &[u8]) -> Result<Self, MoveFault> {
        let mut position = self.key.to_position().map_err(|_| MoveFault::Illegal)?;
        let m = read_move(&position, written)?;
        position.play_unchecked(m);
        Ok(Self::from_position(&position))
    }

    /// Plays the move that `san` means, if the fast path can: `None` leaves the board as it was and
    /// says nothing about the move, which [`play`](Self::play) then decides.
    #[inline(always)]
    pub(crate) fn play_packed(&mut self, san: PackedSan) -> Option<()> {
        self.play_fast(san).then_some(())
    }

    /// The fast way: plays the move that `word` means, if it is written in one of the usual forms,
    /// legal, and only one is meant. Otherwise the board is as it was, which decides nothing.
    ///
    /// Which piece goes and how can hardly be foretold, so nothing is made to depend on it but what is
    /// taken out of tables and chosen by masks: no branch here is often taken.
    #[inline(always)]
    fn play_fast(&mut self, word: PackedSan) -> bool {
        let len = word.len();
        let (file, rank) =
            (word.nth_last(1).wrapping_sub(b'a'), word.nth_last(0).wrapping_sub(b'1'));
        if file | rank > 7 {
            return self.castle(word);
        }
        let to = usize::from(rank * 8 + file) & 63;
        let first = word.first();
        let role = usize::from(ROLES[usize::from(first)]) & 7;
        let is_pawn = role == PAWN;
        let is_push = is_pawn & (len == 2);
        let before_target = word.nth_last(2);
        if len > 4 || is_pawn & (len == 4) & (before_target != b'x') {
            return self.play_long(word, role, to);
        }
        let told = if len == 3 { b'x' } else { before_target };
        // Also of a push, which stays on its file.
        let origin = if is_pawn { first } else { told };

        let sides = self.sides();
        let occupied = self.occupied();
        let moves = if is_push { PUSHES } else { CAPTURES } | sides.number;
        let reached = REACHED_FROM[to][if is_pawn { moves } else { role }];
        let of = self.of_role(role) & sides.own & reached & ORIGINS[usize::from(origin)];
        let taken_by_pawns = if is_push { occupied } else { !occupied | sides.own };
        let closed = if is_pawn { taken_by_pawns } else { sides.own } & bit(to);
        if of & of.wrapping_sub(1) != 0 {
            return closed == 0 && self.play_one_of(of, role, to);
        }
        let from = lowest(of);
        // Also if there is none.
        if closed | BETWEEN[from][to] & occupied != 0 {
            return is_pawn & !is_push && self.play_en_passant(of, to);
        }
        let from = from & 63;
        if !self.play_if_legal(role, from, to, &sides) {
            return false;
        }
        if is_push & (from ^ to == 16) {
            let beside = (bit(to) & !FILE_A) >> 1 | (bit(to) & !(FILE_A << 7)) << 1;
            let takers = beside & self.of_role(PAWN) & !sides.own;
            if takers != 0 {
                self.mark_en_passant(takers, to);
            }
        }
        true
    }

    /// As [`play_fast`](Self::play_fast), for words that tell more of where a piece comes from:
    /// `Nbxd2`, `Nb1d2`, `Nb1xd2`.
    #[inline(never)]
    fn play_long(&mut self, word: PackedSan, role: usize, to: usize) -> bool {
        if role == PAWN {
            return false;
        }
        let sides = self.sides();
        let of = self.of_role(role) & sides.own & long_origin(word) & REACHED_FROM[to][role];
        self.play_one_of(of, role, to)
    }

    /// Plays the only one of these pieces, all on lines with `to` or a jump away, that can go there.
    #[inline(never)]
    fn play_one_of(&mut self, of: u64, role: usize, to: usize) -> bool {
        let sides = &self.sides();
        if sides.own & bit(to) != 0 {
            return false;
        }
        let seeing = seeing(of, to, self.occupied());
        if seeing & seeing.wrapping_sub(1) == 0 {
            return seeing != 0 && self.play_if_legal(role, lowest(seeing), to, sides);
        }
        let mut legal =
            squares(seeing).filter_map(|from| self.after_if_legal(role, from, to, sides));
        let only = legal.next().filter(|_| legal.next().is_none());
        drop(legal);
        self.go_to(only)
    }

    /// Marks the en passant file, if the pawn that has come to `pushed` can be taken by one of these.
    #[inline(never)]
    fn mark_en_passant(&mut self, takers: u64, pushed: usize) {
        let sides = self.sides();
        if squares(takers).any(|from| self.after_en_passant(from, pushed, &sides).is_some()) {
            self.key.state |= (pushed as u64 % 8 + 1) << 5;
        }
    }

    /// The board after a pawn of `from` has taken the one on `taken` in passing, if that is legal.
    #[cold]
    fn after_en_passant(&self, from: usize, taken: usize, sides: &Sides) -> Option<Self> {
        let mut without = *self;
        without.key.planes.iter_mut().for_each(|plane| *plane &= !bit(taken));
        without.pieces -= 1;
        let to = lowest(sides.before(bit(taken)));
        without.after_if_legal(PAWN, from, to, sides)
    }

    /// A pawn takes another in passing and goes to `to`, if one of these can.
    #[inline(never)]
    fn play_en_passant(&mut self, of: u64, to: usize) -> bool {
        let sides = &self.sides();
        let sixth = if sides.is_white() { 5 } else { 2 };
        let is_en_passant = (self.key.state >> 5) as usize == to % 8 + 1 && to / 8 == sixth;
        let taken = lowest(sides.behind(bit(to)));
        let after = squares(of)
            .next()
            .filter(|_| is_en_passant)
            .and_then(|from| self.after_en_passant(from, taken, sides));
        self.go_to(after)
    }

    #[inline(never)]
    fn castle(&mut self, word: PackedSan) -> bool {
        const SHORT: PackedSan = PackedSan::new(b"O-O");
        const LONG: PackedSan = PackedSan::new(b"O-O-O");
        let after = match word {
            SHORT => self.after_castling(2),
            LONG => self.after_castling(-2),
            _ => None,
        };
        self.go_to(after)
    }

    /// The board after castling, by how far the king goes: 2 or -2 files.
    fn after_castling(&self, files: i32) -> Option<Self> {
        let sides = self.sides();
        let king = if sides.is_white() { Square::E1 } else { Square::E8 };
        let (rook, right) = if files > 0 { (king.offset(3)?, 0) } else { (king.offset(-4)?, 1) };
        let right = 1 << (1 + right + 2 * sides.number);
        let (over, to) = (king.offset(files / 2)?, king.offset(files)?);
        let is_free = self.occupied() & BETWEEN[king as usize][rook as usize] == 0;
        let is_safe = |square| !self.is_attacked(square as usize, &sides);
        if self.key.state & right == 0 || !is_free || ![king, over, to].into_iter().all(is_safe) {
            return None;
        }
        let mut after = *self;
        after.shift(Role::Rook as usize, rook as usize, over as usize, &sides);
        after.shift(Role::King as usize, king as usize, to as usize, &sides);
        after.pass_turn(king as usize, to as usize);
        Some(after)
    }

    #[inline(always)]
    fn sides(&self) -> Sides {
        let number = (self.key.state & 1) as usize;
        let white = (number as u64).wrapping_sub(1);
        Sides { number, white, own: (self.key.planes[3] ^ white) & self.occupied() }
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        let [p0, p1, p2, _] = self.key.planes;
        p0 | p1 | p2
    }

    /// The pieces of a role, by its number.
    #[inline(always)]
    fn of_role(&self, role: usize) -> u64 {
        let [p0, p1, p2, _] = self.key.planes;
        let [lacks0, lacks1, lacks2] = PLANES[role & 7].map(|has| !has);
        (p0 ^ lacks0) & (p1 ^ lacks1) & (p2 ^ lacks2)
    }

    #[inline(always)]
    fn play_if_legal(&mut self, role: usize, from: usize, to: usize, sides: &Sides) -> bool {
        self.go_to(self.after_if_legal(role, from, to, sides))
    }

    #[inline(always)]
    fn go_to(&mut self, after: Option<Self>) -> bool {
        after.map(|after| *self = after).is_some()
    }

    /// The board after a piece of the side to move has gone from one square to another, whatever stood
    /// there, unless that leaves its king attacked. There is no en passant file then.
    #[inline(always)]
    fn after_if_legal(&self, role: usize, from: usize, to: usize, sides: &Sides) -> Option<Self> {
        let mut after = *self;
        after.pieces -= (self.occupied() >> (to & 63) & 1) as usize;
        after.shift(role, from, to, sides);
        let own = sides.own & !bit(from) | bit(to);
        let [_, p1, p2, _] = after.key.planes;
        let king = lowest(p1 & p2 & own);
        let is_legal = !after.is_attacked(king, &Sides { own, ..*sides });
        after.pass_turn(from, to);
        is_legal.then_some(after)
    }

    /// Moves a piece of the side to move, whatever stood where it goes.
    #[inline(always)]
    fn shift(&mut self, role: usize, from: usize, to: usize, sides: &Sides) {
        let gone = !(bit(from) | bit(to));
        let [has0, has1, has2] = PLANES[role & 7];
        for (plane, has) in self.key.planes.iter_mut().zip([has0, has1, has2, !sides.white]) {
            *plane = *plane & gone | has & bit(to);
        }
    }

    /// The other side is to move, after a move between these squares.
    #[inline(always)]
    fn pass_turn(&mut self, from: usize, to: usize) {
        self.key.state = (self.key.state & RIGHTS_LEFT[from] & RIGHTS_LEFT[to]) ^ 1;
        self.home_pawns &= HOME_PAWNS_LEFT[from] & HOME_PAWNS_LEFT[to];
    }

    /// Whether the side that is not to move attacks a square.
    #[inline(always)]
    fn is_attacked(&self, square: usize, sides: &Sides) -> bool {
        let [p0, p1, p2, _] = self.key.planes;
        let occupied = p0 | p1 | p2;
        let theirs = occupied & !sides.own;
        let from = &REACHED_FROM[square & 63];
        // Without kings, knights alone are in the second plane only, and pawns in the first.
        let near = from[sides.number ^ 1] & p0 & !p1 & !p2
            | from[Role::Knight as usize] & p1 & !p0 & !p2
            | from[Role::King as usize] & p1 & p2;
        // Few sliders look at the king even on an empty board, so that what stands between is seldom
        // asked for.
        let diagonal = from[Role::Bishop as usize] & p0 & (p1 | p2);
        let straight = from[Role::Rook as usize] & p2 & !p1;
        let far = (diagonal | straight) & theirs;
        let others = far & far.wrapping_sub(1);
        let sees = |of: u64| BETWEEN[lowest(of)][square & 63] & occupied == 0;
        let is_seen = sees(far) | sees(others);
        let rest = others & others.wrapping_sub(1);
        (near & theirs != 0) | is_seen || rest != 0 && seeing(rest, square & 63, occupied) != 0
    }
}

/// The side to move.
#[derive(Debug, Clone, Copy)]
struct Sides {
    /// 0 for White, 1 for Black.
    number: usize,
    /// All squares if it is White.
    white: u64,
    /// Its pieces.
    own: u64,
}

impl Sides {
    fn is_white(&self) -> bool {
        self.number == 0
    }

    /// Where pawns that go to these squares come from by one step.
    ///
    /// Behind the first rank comes the last, where there are no pawns.
    #[inline(always)]
    fn behind(&self, squares: u64) -> u64 {
        squares.rotate_right(8 + 48 * self.number as u32)
    }

    /// Where pawns of these squares go by one step.
    fn before(&self, squares: u64) -> u64 {
        if self.is_white() { squares << 8 } else { squares >> 8 }
    }
}

/// Those of these squares between which and `to` nothing stands.
#[inline(always)]
fn seeing(of: u64, to: usize, occupied: u64) -> u64 {
    let sees = |from: &usize| BETWEEN[*from][to] & occupied == 0;
    squares(of).filter(sees).fold(0, |seeing, from| seeing | bit(from))
}

/// The squares that a file, a rank or both allow a piece to come from, in a word of five letters or
/// more: `Nbxd2`, `Nb1d2`, `Nb1xd2`.
#[inline(never)]
fn long_origin(word: PackedSan) -> u64 {
    let len = word.len();
    if !(5..=6).contains(&len) {
        return 0;
    }
    // Behind the role, and before the target.
    let (one, two) = (word.nth_last(len - 2), word.nth_last(len - 3));
    let is_file = matches!(one, b'a'..=b'h');
    let is_rank = matches!(one, b'1'..=b'8');
    let [origin, second] = [one, two].map(|letter| ORIGINS[usize::from(letter)]);
    let is_both = is_file && matches!(two, b'1'..=b'8');
    match len {
        5 if two == b'x' && (is_file || is_rank) => origin,
        5 if is_both => origin & second,
        6 if is_both && word.nth_last(2) == b'x' => origin & second,
        _ => 0,
    }
}

#[inline(always)]
const fn bit(square: usize) -> u64 {
    1 << (square & 63)
}

/// The first square of a set; if it is empty, 64.
#[inline(always)]
fn lowest(set: u64) -> usize {
    set.trailing_zeros() as usize
}

fn squares(set: u64) -> impl Iterator<Item = usize> {
    Bitboard(set).into_iter().map(usize::from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::{San, SanPlus};

    use super::*;
    use crate::chess::read_fen;

    /// Plays a word both ways and compares them.
    fn both_ways(position: &Chess, word: &str) {
        let mut board = Board::from_position(position);
        let fast = board.play(word.as_bytes());
        let slow = read_move(position, word.as_bytes()).map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            Board::from_position(&after)
        });
        assert_eq!(
            fast.map(|()| board),
            slow,
            "{word} in {}",
            Board::from_position(position).key()
        );
        let mut board = Board::from_position(position);
        if board.play_packed(PackedSan::new(word.as_bytes())).is_some() {
            assert_eq!(Ok(board), slow, "{word} in {}", Board::from_position(position).key());
        } else {
            assert_eq!(board, Board::from_position(position), "{word} left a trace");
        }
    }

    /// Every way to write a move that could be meant, and some that are not.
    fn spellings(position: &Chess) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for m in position.legal_moves() {
            words.push(SanPlus::from_move(position.clone(), m).to_string());
            if let San::Normal { role, capture, to, promotion, .. } = San::from_move(position, m) {
                let from = m.from().unwrap();
                for file in [None, Some(from.file())] {
                    for rank in [None, Some(from.rank())] {
                        for capture in [capture, !capture] {
                            let san = San::Normal { role, file, rank, capture, to, promotion };
                            words.push(san.to_string());
                        }
                    }
                }
            }
        }
        words
    }

    const HARD: [&str; 12] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
        "4k3/8/8/2NNN3/8/8/8/4K3 w - - 0 1",
        "r3k2r/8/8/8/4q3/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/1b6/8/8/R3K2R w KQkq - 0 1",
        // Pawns behind pawns, free and not.
        "4k3/pp2p3/1p2p3/3n4/2n5/1P2P1n1/PP2P1P1/4K3 w - - 0 1",
        "4k3/pp2p1p1/1p2p1N1/2N5/3N4/1P2P3/PP2P3/4K3 b - - 0 1",
    ];

    #[test]
    fn every_move_of_hard_positions_is_played_alike() {
        for fen in HARD {
            let start = read_fen(fen.as_bytes()).unwrap();
            for word in spellings(&start) {
                both_ways(&start, &word);
            }
            for m in start.legal_moves() {
                let mut after = start.clone();
                after.play_unchecked(m);
                for word in spellings(&after) {
                    both_ways(&after, &word);
                    // The same word where it most often is illegal.
                    both_ways(&start, &word);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 200,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn random_games_are_played_alike(
            start in prop::sample::select(HARD.to_vec()),
            choices in prop::collection::vec(any::<u16>(), 1..120),
        ) {
            let mut position = read_fen(start.as_bytes()).unwrap();
            for choice in choices {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let words = spellings(&position);
                both_ways(&position, &words[usize::from(choice) % words.len()]);
                position.play_unchecked(legal[usize::from(choice) % legal.len()]);
            }
        }

        #[test]
        fn any_word_is_taken_alike(
            start in prop::sample::select(HARD.to_vec()),
            word in "[a-hNBRQKOPx1-8=+#0-]{1,7}",
        ) {
            both_ways(&read_fen(start.as_bytes()).unwrap(), &word);
        }
    }
}
