//! One step of a walk: a move is played, and the position it leads to may have a name.
//!
//! While the moves are those of a line, the walk only follows the tree of lines, which knows the
//! positions and their names. Off the lines it keeps a board and looks its position up.

use std::ops::ControlFlow;

use crate::catalogue::{Catalogue, NodeId, Reachability};
use crate::chess::{Board, Chess, MoveNumber, PackedSan, PositionKey};
use crate::classify::verdict::{GameError, NamedAt};
use crate::pgn::{MainLine, Token};

/// How far games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// While another name can still come.
    Decided,
    /// As far as the rule goes.
    Exhaustive,
}

/// A game that is followed through the catalogue.
pub(crate) struct Walk<'c> {
    pub(crate) catalogue: &'c Catalogue,
    pub(in crate::classify) state: State,
    /// The number of moves played.
    pub(crate) ply: usize,
    pub(super) extent: Extent,
    /// The number of the first move.
    first: MoveNumber,
    /// Whether the start position itself counts.
    pub(crate) counts_start: bool,
    /// The last named position.
    pub(crate) named: Option<NamedAt<'c>>,
}

/// Where a game is.
pub(in crate::classify) enum State {
    /// Its moves are those that a line begins with.
    OnLine(NodeId),
    /// No line begins with its moves.
    OffLines(Board),
}

/// Where the walk of a game ends that is off the lines.
#[derive(Clone, Copy)]
pub(super) enum Limit<'c> {
    /// Where no other name can come.
    Decided(&'c Reachability),
    /// Where there are fewer pieces than this.
    MinPieces(usize),
}

impl<'c> Limit<'c> {
    #[inline(always)]
    pub(super) fn new(catalogue: &'c Catalogue, extent: Extent) -> Self {
        match extent {
            Extent::Decided => Self::Decided(catalogue.reachability()),
            Extent::Exhaustive => Self::MinPieces(catalogue.min_pieces()),
        }
    }

    /// Whether neither the name of the position counts nor that of any later one.
    #[inline(always)]
    pub(super) fn is_passed(&self, board: &Board) -> bool {
        match self {
            Self::Decided(reachability) => reachability.is_decided(board),
            Self::MinPieces(min) => board.key().piece_count() < *min,
        }
    }
}

impl<'c> Walk<'c> {
    /// A game at its start; `None` is the standard position, which does not count itself.
    #[inline]
    pub(crate) fn new(catalogue: &'c Catalogue, start: Option<&Chess>, extent: Extent) -> Self {
        let off_lines = start
            .map(Board::from_position)
            .filter(|board| *board != catalogue.tree.board(NodeId::ROOT));
        Self {
            catalogue,
            state: off_lines.map_or(State::OnLine(NodeId::ROOT), State::OffLines),
            ply: 0,
            extent,
            first: start.map_or(MoveNumber::after(0), MoveNumber::next_in),
            counts_start: start.is_some(),
            named: None,
        }
    }

    pub(crate) fn move_number(&self) -> MoveNumber {
        self.first.later(self.ply)
    }

    /// [Visits](Self::visit) the start position, if it counts.
    pub(crate) fn visit_start(&mut self) -> ControlFlow<()> {
        if self.counts_start { self.visit() } else { ControlFlow::Continue(()) }
    }

    /// Plays the next move of a main line and [visits](Self::visit) the position.
    pub(super) fn play_next(
        &mut self,
        main_line: &mut MainLine<'_>,
    ) -> Result<ControlFlow<()>, GameError> {
        match main_line.next() {
            Some(Token::Move(written)) => self.step(written)?,
            Some(Token::OpenComment) => return Err(GameError::OpenComment),
            Some(Token::OpenVariation) => return Err(GameError::OpenVariation),
            Some(Token::Result(_)) | None => return Ok(ControlFlow::Break(())),
        }
        Ok(self.visit())
    }

    pub(crate) fn step(&mut self, written: &[u8]) -> Result<(), GameError> {
        let number = self.move_number();
        let fail = |fault| GameError::bad_move(number, written, fault);
        match &mut self.state {
            State::OffLines(board) => board.play(written).map_err(fail)?,
            State::OnLine(node) => {
                let cursor = self.catalogue.tree.cursor(*node);
                if let Some(child) = self.catalogue.tree.child(cursor, PackedSan::new(written)) {
                    *node = child.id();
                } else {
                    let node = *node;
                    let mut board = self.catalogue.tree.board(node);
                    board.play(written).map_err(fail)?;
                    self.leave_line(node, board);
                }
            }
        }
        self.ply += 1;
        Ok(())
    }

    /// Goes to the position that the next move leads to. How it is written need not be known.
    #[inline]
    pub(crate) fn step_to(&mut self, written: PackedSan, board: Board) {
        match self.state {
            State::OffLines(_) => self.state = State::OffLines(board),
            State::OnLine(node) => {
                let cursor = self.catalogue.tree.cursor(node);
                match self.catalogue.tree.child(cursor, written) {
                    Some(child) => self.state = State::OnLine(child.id()),
                    None => self.leave_line(node, board),
                }
            }
        }
        self.ply += 1;
    }

    /// Goes from a node of the lines to a board one move further.
    pub(super) fn leave_line(&mut self, node: NodeId, board: Board) {
        // The move may be that of a line, only spelled differently.
        let child = self.catalogue.tree.child_with(node, &board);
        self.state = child.map_or(State::OffLines(board), State::OnLine);
    }

    /// Takes the name of the position, if it has one. Breaks if no later position counts.
    #[inline(never)]
    pub(crate) fn visit(&mut self) -> ControlFlow<()> {
        if let State::OffLines(board) = &self.state
            && Limit::new(self.catalogue, self.extent).is_passed(board)
        {
            return ControlFlow::Break(());
        }
        if let Some(named) = self.name_here() {
            self.named = Some(named);
        }
        if self.ply == self.catalogue.max_ply() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    pub(crate) fn name_here(&self) -> Option<NamedAt<'c>> {
        match &self.state {
            State::OnLine(node) => name_on_line(self.catalogue, *node, self.ply),
            State::OffLines(board) => find_name(self.catalogue, &board.key(), self.ply),
        }
    }

    /// The name by the order of the moves alone: that of a line which the game has just followed to
    /// its end.
    pub(crate) fn name_by_moves(&self) -> Option<NamedAt<'c>> {
        let State::OnLine(_) = self.state else { return None };
        self.name_here().filter(|named| !named.is_transposed())
    }

    pub(crate) fn board(&self) -> Board {
        match &self.state {
            State::OnLine(node) => self.catalogue.tree.board(*node),
            State::OffLines(board) => *board,
        }
    }
}

/// The name of a position that was reached at this ply by the moves of lines.
fn name_on_line<'c>(catalogue: &'c Catalogue, node: NodeId, ply: usize) -> Option<NamedAt<'c>> {
    let (line, is_end) = catalogue.tree.name(node)?;
    Some(NamedAt { catalogue, line, ply, is_transposed: ply > 0 && !is_end })
}

/// The name of a position that was reached at this ply by other moves.
// Out of line, so that the fast path saves no registers for it.
#[inline(never)]
pub(super) fn find_name<'c>(
    catalogue: &'c Catalogue,
    key: &PositionKey,
    ply: usize,
) -> Option<NamedAt<'c>> {
    let position = catalogue.find(key)?;
    let line = catalogue.positions()[position].line;
    Some(NamedAt { catalogue, line, ply, is_transposed: ply > 0 })
}

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
        self.walk.step_to(written, *after);
        self.is_over = self.walk.visit().is_break();
    }

    /// The opening, as far as the walk has come.
    pub(crate) fn named(&self) -> Option<NamedAt<'c>> {
        self.walk.named
    }
}
