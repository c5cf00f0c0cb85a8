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
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The rank from which the pawns of a side promote.
#[inline(always)]
pub(super) fn seventh(side: usize) -> u64 {
    if side == 0 { 0xff << 48 } else { 0xff << 8 }
}

/// The pieces of the mover by group.
struct Groups([u64; GROUPS]);

impl Groups {
    fn of(board: &Board, mover: &Mover) -> Self {
        Self(std::array::from_fn(|group| board.group_pieces(group, mover)))
    }

    /// By group, the number of places of all its pieces.
    fn sizes(&self) -> [usize; GROUPS] {
        std::array::from_fn(|group| self.0[group].count_ones() as usize * PLACES[group])
    }
}

/// Whether all places have a code.
fn have_codes(sizes: &[usize; GROUPS]) -> bool {
    sizes.iter().sum::<usize>() <= 256
}

impl Board {
    /// Plays a move as it is written, and returns its code; `None` if it has none.
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play); the board is then as it was.
    pub(crate) fn play_to_code(
        &mut self,
        written: &[u8],
    ) -> Result<Option<u8>, crate::chess::MoveFault> {
        let before = *self;
        self.play(written)?;
        let m = UciMove::between(&before.key(), &self.key());
        Ok(m.and_then(|m| before.code_of(m)))
    }

    /// The code of a legal move; `None` if it has none.
    pub(crate) fn code_of(&self, m: UciMove) -> Option<u8> {
        let mover = self.mover();
        let groups = Groups::of(self, &mover);
        let sizes = groups.sizes();
        if !have_codes(&sizes) {
            return self.index_of(m);
        }
        let (from, to) = (m.from(), m.to());
        let group = groups.0.iter().position(|pieces| pieces & mask(from) != 0)?;
        let place = match group {
            PROMOTING => {
                let role = PROMOTIONS.iter().position(|role| Some(*role) == m.promotion())?;
                // There is no double step to promote by.
                place_of(PAWNS, from as usize, to as usize).saturating_sub(1) * 4 + role
            }
            _ => place_of(group, from as usize, to as usize),
        };
        let before: usize = sizes[..group].iter().sum();
        let piece = (groups.0[group] & (mask(from) - 1)).count_ones() as usize;
        u8::try_from(before + piece * PLACES[group] + place).ok()
    }

    /// The move of a code, if the position has a piece for it that may move so. Whether that leaves
    /// the king in check is not asked.
    pub(crate) fn move_of(&self, code: u8) -> Option<UciMove> {
        let mover = self.mover();
        let groups = Groups::of(self, &mover);
        let sizes = groups.sizes();
        if !have_codes(&sizes) {
            return self.move_at(code);
        }
        let mut rest = usize::from(code);
        let mut group = 0;
        while rest >= *sizes.get(group)? {
            rest -= sizes[group];
            group += 1;
        }
        let piece = (rest * RECIPROCALS[group]) >> 16;
        let place = rest - piece * PLACES[group];
        let from = nth(groups.0[group], piece)?;
        self.move_of_place(group, from, place, &mover)
    }

    /// The move of a piece of a group to one of its places.
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
            KINGS if CASTLING_PLACES.contains(&place) => self.castling(place - 8, from, mover),
            _ => {
                let reached = REACHED_FROM[from as usize][ROLES[group] as usize];
                let to = nth(reached, place)?;
                let blocked = BETWEEN[from as usize][to as usize] & self.occupied();
                (blocked | mover.own & mask(to) == 0).then(|| UciMove::new(from, to, None))
            }
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

    /// By group, the number of places of all pieces of a side.
    pub(super) fn group_sizes(&self, side: usize) -> [usize; GROUPS] {
        Groups::of(self, &self.side(side)).sizes()
    }

    /// Plays the move of a code, as [`move_of`](Self::move_of) knows it, and returns it. `None`
    /// leaves the board as it was.
    pub(crate) fn play_code(&mut self, code: u8) -> Option<UciMove> {
        let m = self.move_of(code)?;
        self.play_pseudo_legal(m)?;
        Some(m)
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
    fn index_of(&self, m: UciMove) -> Option<u8> {
        let index = self.sorted_moves().iter().position(|legal| *legal == m)?;
        u8::try_from(index).ok()
    }

    #[cold]
    fn move_at(&self, code: u8) -> Option<UciMove> {
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

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;
    use shakmaty::Chess;

    use super::*;
    use crate::chess::read_fen;

    pub(in crate::chess::board) const STARTS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "3r4/4P3/6k1/8/8/8/2p5/1R2K3 b - - 0 1",
        "8/PPPP2PP/5k2/8/8/5K2/pppp2pp/8 w - - 0 1",
        // As many queens as can be: more places than codes.
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    ];

    /// What holds of every position: each legal move has a code of its own and is played by it as
    /// it is played otherwise; whatever else has a code is played without harm.
    fn check(position: &Chess) -> Result<(), TestCaseError> {
        let board = Board::from_position(position);
        let mut codes = [None; 256];
        for m in position.legal_moves() {
            let uci = UciMove::from_move(m);
            let code = board.code_of(uci).expect("it has a code");
            prop_assert_eq!(codes[usize::from(code)].replace(uci), None, "{} twice", code);
            let mut after = position.clone();
            after.play_unchecked(m);
            let mut played = board;
            prop_assert_eq!(played.play_code(code), Some(uci), "{} in {}", code, board.key());
            prop_assert_eq!(played, Board::from_position(&after), "{} in {}", uci, board.key());
        }
        for code in 0..=255 {
            let mut played = board;
            let found = played.play_code(code);
            prop_assert!(found.is_none() || played != board);
            if let Some(legal) = codes[usize::from(code)] {
                prop_assert_eq!(found, Some(legal));
            } else if let Some(m) = found {
                prop_assert!(m.to_move(position).is_none(), "{} is legal", m);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 60,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn legal_moves_have_codes(
            start in prop::sample::select(STARTS.to_vec()),
            choices in prop::collection::vec(any::<u16>(), 1..80),
        ) {
            let mut position = read_fen(start.as_bytes()).unwrap();
            for choice in choices {
                check(&position)?;
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                position.play_unchecked(legal[usize::from(choice) % legal.len()]);
            }
        }

        /// What is read from a damaged file is no danger.
        #[test]
        fn any_codes_are_played_without_harm(
            start in prop::sample::select(STARTS.to_vec()),
            codes in prop::collection::vec(any::<u8>(), 1..200),
        ) {
            let mut board = Board::from_position(&read_fen(start.as_bytes()).unwrap());
            for code in codes {
                let before = board;
                if board.play_code(code).is_none() {
                    prop_assert_eq!(board, before);
                }
                prop_assert!(board.key().piece_count() <= before.key().piece_count());
            }
        }
    }

    /// Databases hold these numbers.
    #[test]
    fn codes_stay_what_they_are() {
        for (start, m, code) in [
            (STARTS[0], "e2e3", 16),
            (STARTS[0], "e2e4", 17),
            (STARTS[0], "g1f3", 40 + 1),
            (STARTS[1], "e1g1", 32 + 16 + 26 + 28 + 8),
            (STARTS[1], "e1c1", 32 + 16 + 26 + 28 + 9),
            (STARTS[1], "f3h3", 32 + 16 + 26 + 28 + 10 + 12),
            (STARTS[4], "e5d6", 2),
            (STARTS[5], "c2b1n", 7),
            (STARTS[5], "c2c1q", 0),
        ] {
            let board = Board::from_position(&read_fen(start.as_bytes()).unwrap());
            assert_eq!(board.code_of(m.parse().unwrap()), Some(code), "{m} in {start}");
        }
    }
}
