//! What was played in a position.

use super::tally::Tally;
use crate::chess::{PositionKey, UciMove};

/// The moves played in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositionCount {
    /// The position.
    pub(crate) key: PositionKey,
    /// The fewest moves after which a game has the position.
    pub(crate) ply: u32,
    /// The games that have the position, each counted once.
    pub(crate) tally: Tally,
    /// The moves that were played there. A game that has the position twice may have played two.
    pub(crate) moves: Vec<MoveCount>,
}

/// A move, and the games that played it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MoveCount {
    /// The move.
    pub(crate) uci: UciMove,
    /// The position after it.
    pub(crate) to: PositionKey,
    /// The games that played it, each counted once.
    pub(crate) tally: Tally,
}

impl PositionCount {
    /// Counts in other games.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.ply = self.ply.min(other.ply);
        self.tally.merge(&other.tally);
        other.moves.iter().for_each(|played| self.add_move(played));
    }

    /// Counts in games that played a move.
    pub(super) fn add_move(&mut self, played: &MoveCount) {
        match self.moves.iter_mut().find(|known| known.uci == played.uci) {
            Some(known) => known.tally.merge(&played.tally),
            None => self.moves.push(played.clone()),
        }
    }

    /// Sorts the moves, the most played first.
    pub(crate) fn sort_moves(&mut self) {
        self.moves.sort_by_key(|played| (std::cmp::Reverse(played.tally.games), played.uci));
    }
}
