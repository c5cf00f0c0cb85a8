//! Moves of codes in standard SAN: the fast form of `play_as_san`, which makes all legal moves.
//!
//! Only pieces of the same role that reach the target need be looked at, and nearly always there
//! are none. Mate is asked for where it can matter: no move follows it.
//!
//! What it saves: `eco stats my.db -j1` takes 0.65 s of processor time for 76,557 over-the-board
//! games, and 3.0 s with the plain form (x86-64, 2026-11).

use shakmaty::{Position, Role, Square};

use super::fast::{PAWN, attackers, squares};
use super::tables::{FILE_A, RANK_1, REACHED_FROM, lowest, mask};
use super::{Board, CodedBoard};
use crate::chess::UciMove;

const KING: usize = Role::King as usize;

/// By the number of a role: its letter.
const LETTERS: [u8; 8] = *b" PNBRQK ";

impl CodedBoard {
    /// Plays the move of a code, and adds it to a text as SAN, with the sign of check. Whether it
    /// leaves the king in check is not asked. `None` leaves board and text as they were.
    #[inline]
    pub(crate) fn play_code_to_san(&mut self, code: u8, san: &mut Vec<u8>) -> Option<()> {
        let before = *self.board();
        let m = self.play_code(code)?;
        before.write_san(m, san);
        if self.board().is_check() {
            san.push(b'+');
        }
        Some(())
    }
}

impl Board {
    /// Whether the side to move is mated.
    pub(crate) fn is_mate(&self) -> bool {
        self.is_check() && self.key().to_position().is_ok_and(|position| position.is_checkmate())
    }

    #[inline]
    fn is_check(&self) -> bool {
        let mover = self.mover();
        let king = lowest(self.by_role(KING) & mover.own);
        self.is_attacked(Square::new(king as u32 & 63), &mover)
    }

    /// Adds a legal move to a text, without a sign of check.
    fn write_san(&self, m: UciMove, san: &mut Vec<u8>) {
        let (from, to, role) = (m.from(), m.to(), self.role_on(m.from()));
        if role == KING && from.file().distance(to.file()) == 2 {
            san.extend_from_slice(if to > from { b"O-O" } else { b"O-O-O" });
            return;
        }
        let is_aside = role == PAWN && from.file() != to.file();
        let is_capture = is_aside || self.occupied() & mask(to) != 0;
        let (has_file, has_rank) = match role {
            PAWN => (is_aside, false),
            _ => {
                san.push(LETTERS[role]);
                let others = self.others_reaching(role, from, to);
                let on_file = others & (FILE_A << from.file() as u32) != 0;
                let on_rank = others & (RANK_1 << (8 * from.rank() as u32)) != 0;
                (others != 0 && (!on_file || on_rank), on_file)
            }
        };
        if has_file {
            san.push(from.file().char() as u8);
        }
        if has_rank {
            san.push(from.rank().char() as u8);
        }
        if is_capture {
            san.push(b'x');
        }
        san.extend_from_slice(&[to.file().char() as u8, to.rank().char() as u8]);
        if let Some(promotion) = m.promotion() {
            san.extend_from_slice(&[b'=', LETTERS[promotion as usize]]);
        }
    }

    /// The other pieces of the role that could go to the square.
    #[inline(always)]
    fn others_reaching(&self, role: usize, from: Square, to: Square) -> u64 {
        let mover = self.mover();
        let reached = REACHED_FROM[to as usize][role];
        let candidates = self.by_role(role) & mover.own & reached & !mask(from);
        if candidates == 0 {
            return 0;
        }
        let reaching = squares(attackers(candidates, to, self.occupied()));
        let legal = reaching.filter(|from| self.moved(role, *from, to, &mover).is_some());
        legal.fold(0, |all, from| all | mask(from))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::SanPlus;

    use super::*;
    use crate::chess::{board::coded_board::tests::STARTS, read_fen};

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 60,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn codes_are_written_as_the_plain_form_writes_their_moves(
            start in prop::sample::select(STARTS.to_vec()),
            choices in prop::collection::vec(any::<u16>(), 1..120),
        ) {
            let mut position = read_fen(start.as_bytes()).unwrap();
            for choice in choices {
                let board = CodedBoard::from(Board::from_position(&position));
                let legal = position.legal_moves();
                for m in &legal {
                    let Some(code) = board.code(UciMove::from_move(*m)) else { continue };
                    let (mut after, mut played, mut san) = (board, board, Vec::new());
                    prop_assert_eq!(after.play_code_to_san(code, &mut san), Some(()));
                    played.play_code(code);
                    if after.board().is_mate() {
                        *san.last_mut().unwrap() = b'#';
                    }
                    let plain = SanPlus::from_move(position.clone(), *m).to_string();
                    prop_assert_eq!(String::from_utf8(san).unwrap(), plain);
                    prop_assert_eq!(after, played);
                }
                if legal.is_empty() {
                    break;
                }
                position.play_unchecked(legal[usize::from(choice) % legal.len()]);
            }
        }
    }
}
