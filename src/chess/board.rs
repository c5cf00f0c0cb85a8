//! A board made for walking through openings.
//!
//! It holds what a [`PositionKey`] holds and nothing more: four bit planes, castling rights, and the
//! en passant file if a legal capture exists. A move in algebraic notation is found from its target
//! square backwards and played by a handful of bit operations, and the key is always at hand.
//! Whether it was legal is asked afterwards: is the king of the mover attacked?
//!
//! What is rare goes the slow way, by [`read_move`] on a `shakmaty` position, so that there is one
//! answer: promotions, moves that give both squares, castling with zeros, and everything that is
//! no move. The tests hold both ways against each other.

use shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Piece, Position, Role, Square,
    attacks::{attacks, between, king_attacks, knight_attacks, pawn_attacks},
};

use super::{FenFault, MoveFault, PositionKey, read_move};

/// A position without its history, on which moves can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    key: PositionKey,
}

/// A move as the fast way reads it.
#[derive(Debug, Clone, Copy)]
enum Fast {
    /// A piece, and the squares it may come from as far as the word tells.
    Piece { role: Role, from: u64, to: Square },
    /// A pawn straight ahead.
    Push { to: Square },
    /// A pawn of this file that takes.
    Take { file: u8, to: Square },
    /// Castling, by how far the king goes: 2 or -2 files.
    Castle { files: i32 },
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

/// By square: the castling rights that are gone once a piece has left or reached it.
const RIGHTS_LOST: [u16; 64] = {
    let mut lost = [0; 64];
    lost[Square::E1 as usize] = 0b00110;
    lost[Square::H1 as usize] = 0b00010;
    lost[Square::A1 as usize] = 0b00100;
    lost[Square::E8 as usize] = 0b11000;
    lost[Square::H8 as usize] = 0b01000;
    lost[Square::A8 as usize] = 0b10000;
    lost
};

/// By square: where a bishop goes from it on an empty board.
static DIAGONALS: [u64; 64] = on_empty_board(Role::Bishop);

/// By square: where a rook goes from it on an empty board.
static STRAIGHTS: [u64; 64] = on_empty_board(Role::Rook);

const fn on_empty_board(role: Role) -> [u64; 64] {
    let mut reach = [0; 64];
    let mut at = 0;
    while at < 64 {
        let piece = Piece { color: Color::White, role };
        reach[at] = attacks(Square::new(at as u32), piece, Bitboard(0)).0;
        at += 1;
    }
    reach
}

impl Default for Board {
    /// The initial position.
    fn default() -> Self {
        Self::of(&Chess::default())
    }
}

impl Board {
    /// The board of a position.
    #[must_use]
    pub fn of(position: &Chess) -> Self {
        Self { key: PositionKey::of(position, EnPassantMode::Legal) }
    }

    /// The board of a key, if that is of a position of standard chess.
    ///
    /// # Errors
    ///
    /// As [`PositionKey::to_position`].
    pub fn of_key(key: &PositionKey) -> Result<Self, FenFault> {
        key.to_position().map(|position| Self::of(&position))
    }

    /// The key of the position on the board, with legal en passant squares only.
    #[must_use]
    pub fn key(&self) -> &PositionKey {
        &self.key
    }

    /// Plays the move that `word` means, exactly as [`read_move`] understands it.
    ///
    /// # Errors
    ///
    /// Those of [`read_move`]; the board is then as it was.
    pub fn play(&mut self, word: &[u8]) -> Result<(), MoveFault> {
        if !parse(word).is_some_and(|fast| self.play_fast(fast)) {
            *self = self.after_slowly(word)?;
        }
        Ok(())
    }

    /// The slow way: it knows every form of a move, and why one is none.
    #[cold]
    fn after_slowly(&self, word: &[u8]) -> Result<Self, MoveFault> {
        let mut position = self.key.to_position().map_err(|_| MoveFault::Illegal)?;
        let m = read_move(&position, word)?;
        position.play_unchecked(m);
        Ok(Self::of(&position))
    }

    /// Plays a move if it is legal and only one is meant. Otherwise the board is as it was, which
    /// decides nothing.
    #[inline]
    fn play_fast(&mut self, fast: Fast) -> bool {
        match fast {
            Fast::Piece { role, from, to } => self.play_piece(role, from, to),
            Fast::Push { to } => self.play_push(to),
            Fast::Take { file, to } => self.play_take(file, to),
            Fast::Castle { files } => self.castle(files),
        }
    }

    #[inline]
    fn play_piece(&mut self, role: Role, from: u64, to: Square) -> bool {
        let own = self.of_side(self.turn());
        if own & bit(to) != 0 {
            return false;
        }
        let candidates = self.reaching(role, own & from, to);
        if candidates & candidates.wrapping_sub(1) == 0 {
            return candidates != 0 && self.play_if_legal(lowest(candidates), to);
        }
        let mut legal = squares(candidates).filter(|from| { *self }.play_if_legal(*from, to));
        match (legal.next(), legal.next()) {
            (Some(from), None) => self.play_if_legal(from, to),
            _ => false,
        }
    }

    /// The pieces of a role, and of these squares, that reach `to`.
    #[inline]
    fn reaching(&self, role: Role, of: u64, to: Square) -> u64 {
        let of = of & self.of_role(role);
        let at = to as usize;
        match role {
            Role::Knight => of & knight_attacks(to).0,
            Role::Bishop => self.seeing(of & DIAGONALS[at], to),
            Role::Rook => self.seeing(of & STRAIGHTS[at], to),
            Role::Queen => self.seeing(of & (DIAGONALS[at] | STRAIGHTS[at]), to),
            Role::King => of & king_attacks(to).0,
            Role::Pawn => 0,
        }
    }

    /// Those of these squares, all on lines with `to`, between which and `to` nothing stands.
    #[inline]
    fn seeing(&self, of: u64, to: Square) -> u64 {
        let occupied = self.occupied();
        let sees = |from: &Square| between(*from, to).0 & occupied == 0;
        squares(of).filter(sees).fold(0, |seeing, from| seeing | bit(from))
    }

    #[inline]
    fn play_push(&mut self, to: Square) -> bool {
        let occupied = self.occupied();
        let pawns = self.of_role(Role::Pawn) & self.of_side(self.turn());
        let Some(one) = self.behind(to).filter(|_| occupied & bit(to) == 0) else { return false };
        if pawns & bit(one) != 0 {
            return self.play_if_legal(one, to);
        }
        let Some(two) = self.behind(one) else { return false };
        let starts_at_home = (two.rank() as u8) == if self.turn().is_white() { 1 } else { 6 };
        let goes = occupied & bit(one) == 0 && pawns & bit(two) != 0 && starts_at_home;
        if !goes || !self.play_if_legal(two, to) {
            return false;
        }
        self.mark_en_passant(to);
        true
    }

    /// Marks the en passant file, if the pawn that has come to `pushed` can be taken.
    #[inline]
    fn mark_en_passant(&mut self, pushed: Square) {
        let pawn = bit(pushed);
        let beside = (pawn & !FILE_A) >> 1 | (pawn & !(FILE_A << 7)) << 1;
        let takers = beside & self.of_role(Role::Pawn) & self.of_side(self.turn());
        if squares(takers).any(|from| { *self }.take_en_passant(from, pushed)) {
            self.key.state |= (pushed.file() as u16 + 1) << 5;
        }
    }

    /// A pawn of `from` takes the one on `taken` in passing, if that is legal.
    #[cold]
    fn take_en_passant(&mut self, from: Square, taken: Square) -> bool {
        let up = if self.turn().is_white() { 8 } else { -8 };
        let Some(to) = taken.offset(up) else { return false };
        let before = *self;
        self.key.planes.iter_mut().for_each(|plane| *plane &= !bit(taken));
        let is_legal = self.play_if_legal(from, to);
        if !is_legal {
            *self = before;
        }
        is_legal
    }

    #[inline]
    fn play_take(&mut self, file: u8, to: Square) -> bool {
        let turn = self.turn();
        let Some(behind) = self.behind(to) else { return false };
        let from = Square::new(u32::from(behind) & !7 | u32::from(file));
        let is_beside = file.abs_diff(to.file() as u8) == 1;
        if !is_beside || self.of_role(Role::Pawn) & self.of_side(turn) & bit(from) == 0 {
            return false;
        }
        if self.of_side(!turn) & bit(to) != 0 {
            return self.play_if_legal(from, to);
        }
        let sixth = if turn.is_white() { 5 } else { 2 };
        let is_en_passant = self.key.state >> 5 == to.file() as u16 + 1 && to.rank() as u8 == sixth;
        is_en_passant && self.take_en_passant(from, behind)
    }

    fn castle(&mut self, files: i32) -> bool {
        self.after_castling(files).map(|after| *self = after).is_some()
    }

    fn after_castling(&self, files: i32) -> Option<Self> {
        let turn = self.turn();
        let king = if turn.is_white() { Square::E1 } else { Square::E8 };
        let (rook, right) = if files > 0 { (king.offset(3)?, 0) } else { (king.offset(-4)?, 1) };
        let right = 1 << (1 + right + if turn.is_white() { 0 } else { 2 });
        let (over, to) = (king.offset(files / 2)?, king.offset(files)?);
        let is_free = self.occupied() & between(king, rook).0 == 0;
        let is_safe = |square| !self.is_attacked(square, !turn);
        if self.key.state & right == 0 || !is_free || ![king, over, to].into_iter().all(is_safe) {
            return None;
        }
        let mut after = *self;
        after.shift(rook, over);
        after.pass_turn(king, to);
        Some(after)
    }

    fn turn(&self) -> Color {
        Color::from_white(self.key.state & 1 == 0)
    }

    fn occupied(&self) -> u64 {
        let [p0, p1, p2, _] = self.key.planes;
        p0 | p1 | p2
    }

    fn of_side(&self, side: Color) -> u64 {
        let black = self.key.planes[3];
        if side.is_white() { self.occupied() & !black } else { black }
    }

    fn of_role(&self, role: Role) -> u64 {
        let [p0, p1, p2, _] = self.key.planes;
        match role {
            Role::Pawn => p0 & !p1 & !p2,
            Role::Knight => p1 & !p0 & !p2,
            Role::Bishop => p0 & p1,
            Role::Rook => p2 & !p0 & !p1,
            Role::Queen => p0 & p2,
            Role::King => p1 & p2,
        }
    }

    /// The square a pawn of the side to move comes from when it steps to `to`.
    fn behind(&self, to: Square) -> Option<Square> {
        to.offset(if self.turn().is_white() { -8 } else { 8 })
    }

    /// Moves what stands on one square to another, whatever stood there, unless that leaves the king
    /// of its side attacked: then the board is as it was. Afterwards there is no en passant file, and
    /// the other side is to move.
    #[inline]
    fn play_if_legal(&mut self, from: Square, to: Square) -> bool {
        let before = *self;
        self.pass_turn(from, to);
        let is_legal = self.is_legal();
        if !is_legal {
            *self = before;
        }
        is_legal
    }

    #[inline]
    fn pass_turn(&mut self, from: Square, to: Square) {
        self.shift(from, to);
        let lost = RIGHTS_LOST[from as usize] | RIGHTS_LOST[to as usize];
        self.key.state = (self.key.state & !lost & 0b1_1111) ^ 1;
    }

    #[inline]
    fn shift(&mut self, from: Square, to: Square) {
        let gone = !(bit(from) | bit(to));
        for plane in &mut self.key.planes {
            let piece = *plane >> (from as u32) & 1;
            *plane = *plane & gone | piece << (to as u32);
        }
    }

    /// Whether the side that has just moved has left its king alone.
    #[inline]
    fn is_legal(&self) -> bool {
        let mover = !self.turn();
        let king = self.of_role(Role::King) & self.of_side(mover);
        king != 0 && !self.is_attacked(lowest(king), self.turn())
    }

    #[inline]
    fn is_attacked(&self, square: Square, by: Color) -> bool {
        let theirs = self.of_side(by);
        let [p0, p1, p2, _] = self.key.planes;
        let near = pawn_attacks(!by, square).0 & self.of_role(Role::Pawn)
            | knight_attacks(square).0 & self.of_role(Role::Knight)
            | king_attacks(square).0 & self.of_role(Role::King);
        // Few sliders look at the king even on an empty board, so that what stands between is seldom
        // asked for.
        let diagonal = DIAGONALS[square as usize] & p0 & (p1 | p2);
        let straight = STRAIGHTS[square as usize] & p2 & !p1;
        near & theirs != 0 || self.seeing((diagonal | straight) & theirs, square) != 0
    }
}

fn bit(square: Square) -> u64 {
    1 << (square as u32)
}

/// The first square of a set that is not empty.
fn lowest(set: u64) -> Square {
    Square::new(set.trailing_zeros())
}

fn squares(set: u64) -> impl Iterator<Item = Square> {
    Bitboard(set).into_iter()
}

/// The usual forms of a move; `None` for all others, promotions among them.
fn parse(word: &[u8]) -> Option<Fast> {
    let body = match word {
        [body @ .., b'+' | b'#'] => body,
        _ => word,
    };
    match *body {
        [file @ b'a'..=b'h', rank @ b'2'..=b'7'] => Some(Fast::Push { to: square(file, rank)? }),
        [from @ b'a'..=b'h', b'x', file, rank @ b'2'..=b'7']
        | [from @ b'a'..=b'h', file, rank @ b'2'..=b'7'] => {
            Some(Fast::Take { file: from - b'a', to: square(file, rank)? })
        }
        [role @ (b'N' | b'B' | b'R' | b'Q' | b'K'), ref head @ .., file, rank] => {
            let role = Role::from_char(char::from(role))?;
            let from = origin(head.strip_suffix(b"x").unwrap_or(head))?;
            Some(Fast::Piece { role, from, to: square(file, rank)? })
        }
        [b'O', b'-', b'O'] => Some(Fast::Castle { files: 2 }),
        [b'O', b'-', b'O', b'-', b'O'] => Some(Fast::Castle { files: -2 }),
        _ => None,
    }
}

fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| Square::new(u32::from(rank) * 8 + u32::from(file)))
}

/// The squares that a file, a rank or both allow a piece to come from.
fn origin(text: &[u8]) -> Option<u64> {
    match *text {
        [] => Some(!0),
        [file @ b'a'..=b'h'] => Some(FILE_A << (file - b'a')),
        [rank @ b'1'..=b'8'] => Some(RANK_1 << (8 * (rank - b'1'))),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => square(file, rank).map(bit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::{San, SanPlus};

    use super::*;
    use crate::chess::read_fen;

    /// Plays a word both ways and compares them.
    fn both_ways(position: &Chess, word: &str) {
        let mut board = Board::of(position);
        let fast = board.play(word.as_bytes());
        let slow = read_move(position, word.as_bytes()).map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            Board::of(&after)
        });
        assert_eq!(fast.map(|()| board), slow, "{word} in {}", Board::of(position).key());
        let mut board = Board::of(position);
        if parse(word.as_bytes()).is_some_and(|fast| board.play_fast(fast)) {
            assert_eq!(Ok(board), slow, "{word} in {}", Board::of(position).key());
        } else {
            assert_eq!(board, Board::of(position), "{word} left a trace");
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

    const HARD: [&str; 10] = [
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
