//! A board that plays [codes of moves](super::move_code), and keeps what they depend on.
//!
//! A code depends on the number of pieces of each group. They change only by captures, promotions
//! and pawns that come to the seventh rank. To count them again for each move would be most of the
//! work; `CodedBoard::from` counts them all, and the tests hold what was kept against that.
//!
//! What keeping them saves: `eco index -j1` takes 53,000 instructions less for an over-the-board
//! game, of 195,000 (9,137 games, x86-64, callgrind, 2026-11).

use shakmaty::Square;

use super::Board;
use super::fast::{Mover, PAWN};
use super::move_code::{
    CASTLING_PLACES, GROUPS, KINGS, PAWNS, PLACES, PROMOTING, PROMOTIONS, RECIPROCALS, ROLES, nth,
    place_of, seventh,
};
use super::tables::{BETWEEN, REACHED_FROM, mask};
use crate::chess::{MoveFault, UciMove, packed_san::PackedSan};

/// A board, and for each side where the codes of its groups of pieces begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodedBoard {
    board: Board,
    starts: [Starts; 2],
}

/// By group, the code of the first place of its first piece; then the number of all places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Starts([u16; GROUPS + 1]);

impl Starts {
    fn of(board: &Board, side: usize) -> Self {
        let mut starts = [0; GROUPS + 1];
        for group in 0..GROUPS {
            let pieces = board.group_pieces(group, &board.side(side)).count_ones() as usize;
            starts[group + 1] = starts[group] + (pieces * PLACES[group]) as u16;
        }
        Self(starts)
    }

    /// Takes a piece away.
    #[inline(always)]
    fn remove(&mut self, group: usize) {
        for (at, start) in self.0.iter_mut().enumerate() {
            *start -= if at > group { PLACES[group] as u16 } else { 0 };
        }
    }

    /// Whether all places have a code.
    #[inline(always)]
    fn have_codes(&self) -> bool {
        self.0[GROUPS] <= 256
    }

    /// The group that a code is of; [`GROUPS`] if it is of none.
    #[inline(always)]
    fn group_of(&self, code: u8) -> usize {
        self.0.iter().map(|start| usize::from(*start <= u16::from(code))).sum::<usize>() - 1
    }
}

/// By the number of a role, the group of its pieces. A pawn is of this one unless it promotes.
const GROUP_OF: [u8; 8] = [0, 0, 2, 3, 4, 6, 5, 0];

/// No square.
const NOWHERE: u8 = 64;

/// By group, origin and place: the target, where pieces of the group go as on an empty board.
static TARGETS: [[[u8; 32]; 64]; GROUPS] = {
    let mut targets = [[[NOWHERE; 32]; 64]; GROUPS];
    let mut at = 0;
    while at < GROUPS * 64 * 64 {
        let (group, from, to) = (at >> 12, at >> 6 & 63, at & 63);
        if group > PROMOTING && REACHED_FROM[from][ROLES[group] as usize] >> to & 1 == 1 {
            targets[group][from][place_of(group, from, to)] = to as u8;
        }
        at += 1;
    }
    targets
};

impl Default for CodedBoard {
    /// The initial position.
    fn default() -> Self {
        Self::from(Board::default())
    }
}

impl From<Board> for CodedBoard {
    fn from(board: Board) -> Self {
        Self { board, starts: [0, 1].map(|side| Starts::of(&board, side)) }
    }
}

impl CodedBoard {
    /// The board.
    #[inline(always)]
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move as it is written, and returns its code; `None` if it has none.
    ///
    /// # Errors
    ///
    /// As [`Board::play`]; the board is then as it was.
    #[inline]
    pub(crate) fn play_to_code(&mut self, written: &[u8]) -> Result<Option<u8>, MoveFault> {
        match self.play_packed_to_code(PackedSan::new(written)) {
            Some(code) => Ok(Some(code)),
            None => self.play_to_code_plain(written),
        }
    }

    /// Plays it by the fast path alone. `None` leaves the board as it was and says nothing about
    /// the move: ask [`play_to_code`](Self::play_to_code).
    #[inline(always)]
    pub(crate) fn play_packed_to_code(&mut self, san: PackedSan) -> Option<u8> {
        let before = self.board;
        let m = self.board.play_packed(san)?;
        let mover = before.mover();
        let Some(code) = self.code_of(&before, m, &mover) else {
            self.board = before;
            return None;
        };
        self.count_pieces(&before, m, &mover);
        Some(code)
    }

    #[cold]
    fn play_to_code_plain(&mut self, written: &[u8]) -> Result<Option<u8>, MoveFault> {
        let before = self.board;
        self.board.play(written)?;
        let m = UciMove::between(&before.key(), &self.board.key());
        let code = m.and_then(|m| self.code_of(&before, m, &before.mover()));
        *self = Self::from(self.board);
        Ok(code)
    }

    /// The code of a legal move of `before`, whose pieces are counted.
    #[inline(always)]
    fn code_of(&self, before: &Board, m: UciMove, mover: &Mover) -> Option<u8> {
        let starts = &self.starts[mover.number];
        if !starts.have_codes() {
            return before.index_of(m);
        }
        let (from, to) = (m.from(), m.to());
        let (group, place) = match m.promotion() {
            None => {
                let group = usize::from(GROUP_OF[before.role_on(from)]);
                (group, place_of(group, from as usize, to as usize))
            }
            Some(promotion) => {
                let role = PROMOTIONS.iter().position(|role| *role == promotion)?;
                // There is no double step to promote by.
                let step = place_of(PAWNS, from as usize, to as usize).saturating_sub(1);
                (PROMOTING, step * PROMOTIONS.len() + role)
            }
        };
        let pieces = before.group_pieces(group, mover);
        let piece = (pieces & (mask(from) - 1)).count_ones() as usize;
        u8::try_from(usize::from(starts.0[group]) + piece * PLACES[group] + place).ok()
    }

    /// Counts the pieces anew after a move, as far as it changed them.
    #[inline(always)]
    fn count_pieces(&mut self, before: &Board, m: UciMove, mover: &Mover) {
        let (from, to) = (m.from(), m.to());
        let (own, others) = (mover.number, mover.number ^ 1);
        let moving = before.role_on(from);
        let is_capture = before.side(others).own & mask(to) != 0;
        if is_capture || moving == PAWN && from.file() != to.file() {
            self.starts[others].remove(group_on(before, to, others));
        }
        if moving == PAWN && (mask(from) | mask(to)) & seventh(own) != 0 {
            self.starts[own] = Starts::of(&self.board, own);
        }
    }

    /// Plays the move of a code, if the position has a piece for it that may move so, and returns
    /// it. Whether that leaves the king in check is not asked. `None` leaves the board as it was.
    #[inline]
    pub(crate) fn play_code(&mut self, code: u8) -> Option<UciMove> {
        let mover = self.board.mover();
        let starts = &self.starts[mover.number];
        if !starts.have_codes() {
            let m = self.board.move_at(code)?;
            self.board.play_pseudo_legal(m)?;
            *self = Self::from(self.board);
            return Some(m);
        }
        let group = starts.group_of(code);
        let rest = usize::from(code) - usize::from(*starts.0[..GROUPS].get(group)?);
        let piece = (rest * RECIPROCALS[group]) >> 16;
        let place = rest - piece * PLACES[group];
        let from = nth(self.board.group_pieces(group, &mover), piece)?;
        if group <= PROMOTING || group == KINGS && CASTLING_PLACES.contains(&place) {
            let m = self.board.move_of_place(group, from, place, &mover)?;
            if group != PAWNS || self.is_en_passant(m, &mover) {
                return self.play_rare(m, &mover);
            }
            self.step(PAWN, from, m.to(), &mover);
            self.board.mark_en_passant(true, from, m.to(), &mover);
            if mask(m.to()) & seventh(mover.number) != 0 {
                self.starts[mover.number] = Starts::of(&self.board, mover.number);
            }
            return Some(m);
        }
        let to = TARGETS[group][from as usize][place];
        if to == NOWHERE {
            return None;
        }
        let to = Square::new(u32::from(to));
        let blocked = BETWEEN[from as usize][to as usize] & self.board.occupied();
        if blocked | mover.own & mask(to) != 0 {
            return None;
        }
        self.step(ROLES[group] as usize, from, to, &mover);
        Some(UciMove::step(from, to))
    }

    /// Whether a move of a pawn takes one that does not stand where it goes.
    #[inline(always)]
    fn is_en_passant(&self, m: UciMove, mover: &Mover) -> bool {
        let others = self.board.side(mover.number ^ 1).own;
        m.from().file() != m.to().file() && others & mask(m.to()) == 0
    }

    /// Moves a piece, and takes what stands there.
    #[inline(always)]
    fn step(&mut self, role: usize, from: Square, to: Square, mover: &Mover) {
        let others = mover.number ^ 1;
        if self.board.side(others).own & mask(to) != 0 {
            self.starts[others].remove(group_on(&self.board, to, others));
        }
        self.board.shift(role, from, to, mover);
        self.board.pass_turn(from, to);
    }

    /// Plays a move that moves or takes more than a piece where it goes.
    #[cold]
    fn play_rare(&mut self, m: UciMove, mover: &Mover) -> Option<UciMove> {
        let before = self.board;
        self.board.play_pseudo_legal(m)?;
        self.count_pieces(&before, m, mover);
        Some(m)
    }

    /// The boards of a line that moves of these codes make, this one first, each with the move that
    /// is played there. It ends where a code is that of no move.
    pub(crate) fn line(self, codes: &[u8]) -> impl Iterator<Item = (Board, Option<UciMove>)> {
        let (mut next, mut codes) = (Some(self), codes.iter());
        std::iter::from_fn(move || {
            let before = next.take()?;
            let mut after = before;
            let m = codes.next().and_then(|code| after.play_code(*code));
            next = m.map(|_| after);
            Some((before.board, m))
        })
    }
}

/// The group of the piece that a move of the other side takes. En passant, none stands there.
fn group_on(board: &Board, square: Square, side: usize) -> usize {
    let role = board.role_on(square);
    let is_promoting = role == PAWN && seventh(side) & mask(square) != 0;
    if is_promoting { PROMOTING } else { usize::from(GROUP_OF[role]) }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;
    use shakmaty::{Chess, Position, san::SanPlus};

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

    impl CodedBoard {
        /// The code of a legal move; `None` if it has none.
        pub(crate) fn code(&self, m: UciMove) -> Option<u8> {
            self.code_of(&self.board, m, &self.board.mover())
        }
    }

    fn coded(position: &Chess) -> CodedBoard {
        Board::from_position(position).into()
    }

    /// What holds of every position: each legal move has a code of its own, by which it is played
    /// as it is played otherwise, and which it gets as it is written; whatever else has a code is
    /// played without harm. What the board keeps is what is counted anew.
    fn check(position: &Chess) -> Result<(), TestCaseError> {
        let board = coded(position);
        let mut codes = [None; 256];
        for m in position.legal_moves() {
            let uci = UciMove::from_move(m);
            let code = board.code(uci).expect("it has a code");
            prop_assert_eq!(codes[usize::from(code)].replace(uci), None, "{} twice", code);
            let mut after = position.clone();
            after.play_unchecked(m);
            let (mut played, mut read) = (board, board);
            prop_assert_eq!(played.play_code(code), Some(uci), "{} in {:?}", code, position);
            prop_assert_eq!(played, coded(&after), "{} in {:?}", uci, position);
            let san = SanPlus::from_move(position.clone(), m).to_string();
            prop_assert_eq!(read.play_to_code(san.as_bytes()), Ok(Some(code)), "{}", san);
            prop_assert_eq!(read, played, "{} in {:?}", san, position);
        }
        for code in 0..=255 {
            let mut played = board;
            let found = played.play_code(code);
            prop_assert!(found.is_none() || played != board);
            prop_assert_eq!(played, CodedBoard::from(played.board), "after {}", code);
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
            choices in prop::collection::vec(any::<u16>(), 1..120),
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
            codes in prop::collection::vec(any::<u8>(), 1..300),
        ) {
            let mut board = coded(&read_fen(start.as_bytes()).unwrap());
            for code in codes {
                let before = board;
                if board.play_code(code).is_none() {
                    prop_assert_eq!(board, before);
                }
                prop_assert_eq!(board, CodedBoard::from(board.board));
                prop_assert!(board.board.piece_count() <= before.board.piece_count());
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
            let board = coded(&read_fen(start.as_bytes()).unwrap());
            assert_eq!(board.code(m.parse().unwrap()), Some(code), "{m} in {start}");
        }
    }

    #[test]
    fn a_line_ends_where_a_code_is_no_move() {
        let start = CodedBoard::default();
        let line: Vec<_> = start.line(&[17, 255, 17]).map(|(_, m)| m).collect();
        assert_eq!(line, [Some("e2e4".parse().unwrap()), None]);
    }

    #[test]
    fn what_is_no_move_changes_nothing() {
        let mut board = CodedBoard::default();
        assert!(board.play_to_code(b"e5").is_err());
        assert_eq!(board, CodedBoard::default());
    }
}
