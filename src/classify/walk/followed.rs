//! The walk of a game whose moves somebody else plays.

use super::step::{State, Walk};
use crate::{
    chess::{Board, PackedSan},
    classify::verdict::NamedAt,
};

/// A walk that is given each move and the board after it, so that a game which is played anyway
/// need not be played again for its opening.
pub(crate) struct FollowedWalk<'c> {
    walk: Walk<'c>,
    is_over: bool,
}

impl<'c> FollowedWalk<'c> {
    /// A walk at its start.
    pub(in crate::classify) fn new(mut walk: Walk<'c>) -> Self {
        let is_over = walk.visit_start().is_break();
        Self { walk, is_over }
    }

    /// Follows the next move to the position after it.
    #[inline]
    pub(crate) fn follow(&mut self, written: PackedSan, after: &Board) {
        if self.is_over {
            return;
        }
        let walk = &mut self.walk;
        match &mut walk.state {
            State::OffLines(board) => *board = *after,
            State::OnLine(node) => {
                let node = *node;
                match walk.catalogue.child(walk.catalogue.cursor(node), written) {
                    Some(child) => walk.state = State::OnLine(child.id()),
                    None => walk.leave_line(node, *after),
                }
            }
        }
        walk.ply += 1;
        self.is_over = walk.visit().is_break();
    }

    /// The opening, as far as the walk has come.
    pub(crate) fn named(&self) -> Option<NamedAt<'c>> {
        self.walk.named
    }
}
