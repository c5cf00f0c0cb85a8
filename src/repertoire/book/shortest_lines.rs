//! The shortest lines to the positions of a book.

use super::{
    graph::Book,
    line::{BookLine, MAX_PLIES, end_of_line},
    node::{Edge, NodeId},
};
use crate::chess::{MoveNumber, UciMove};

/// One line to each position that the moves of a [`Book`] reach: the shortest, and among equals the
/// one that keeps to main lines.
#[derive(Debug, Clone)]
pub(crate) struct ShortestLines {
    steps: Vec<Option<Step>>,
    reached: Vec<NodeId>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    ply: u32,
    /// The number of positions reached before this one.
    order: u32,
    /// The previous position, and the move; `None` at a root.
    last: Option<(NodeId, UciMove)>,
}

impl ShortestLines {
    /// The lines through a book.
    #[must_use]
    pub(crate) fn of(book: &Book) -> Self {
        Self::along(book, |id, _| book.moves(id))
    }

    /// The lines along some of the moves of a book: those that `moves` returns for a position and
    /// its ply, the main one first.
    pub(crate) fn along<'b>(book: &'b Book, moves: impl Fn(NodeId, u32) -> Vec<&'b Edge>) -> Self {
        let mut lines = Self { steps: vec![None; book.len()], reached: Vec::new() };
        book.starts().for_each(|root| lines.reach(root, 0, None));
        let mut next = 0;
        while let Some(id) = lines.reached.get(next).copied() {
            next += 1;
            let ply = lines.ply(id).unwrap_or(0);
            for edge in moves(id, ply) {
                lines.reach(edge.to, ply + 1, Some((id, edge.uci)));
            }
        }
        lines
    }

    fn reach(&mut self, id: NodeId, ply: u32, last: Option<(NodeId, UciMove)>) {
        let known = &mut self.steps[id.index()];
        if known.is_none() {
            *known = Some(Step { ply, order: self.reached.len() as u32, last });
            self.reached.push(id);
        }
    }

    /// The reached positions, in their [order](Self::order).
    #[must_use]
    pub(crate) fn reached(&self) -> &[NodeId] {
        &self.reached
    }

    /// The previous position, and the move from there; `None` for a root or an unreached position.
    #[must_use]
    pub(crate) fn last(&self, id: NodeId) -> Option<(NodeId, UciMove)> {
        (*self.steps.get(id.index())?)?.last
    }

    /// The ply at which a position is reached; `None` if the moves of the book do not lead to it.
    #[must_use]
    pub(crate) fn ply(&self, id: NodeId) -> Option<u32> {
        self.steps.get(id.index())?.map(|step| step.ply)
    }

    /// The rank of a position: those of fewer plies first, then those by main lines. `None` as for
    /// [`ply`](Self::ply).
    #[must_use]
    pub(crate) fn order(&self, id: NodeId) -> Option<u32> {
        self.steps.get(id.index())?.map(|step| step.order)
    }

    /// The root of the line to a position, and its moves.
    #[must_use]
    pub(crate) fn line(&self, id: NodeId) -> Option<(NodeId, Vec<UciMove>)> {
        self.ply(id)?;
        let mut at = id;
        let mut moves = Vec::new();
        while let Some((before, uci)) = self.last(at) {
            moves.push(uci);
            at = before;
        }
        moves.reverse();
        Some((at, moves))
    }

    /// The line to a position as [movetext](BookLine::movetext), `1. e4 e5 2. Nf3`; empty at a
    /// root. Only the moves that are written are played.
    #[must_use]
    pub(crate) fn movetext(&self, book: &Book, id: NodeId) -> Option<String> {
        let skipped = (self.ply(id)? as usize).saturating_sub(MAX_PLIES);
        if skipped == 0 {
            return self.book_line(id)?.movetext(book);
        }
        let (mut at, mut moves) = (id, Vec::with_capacity(MAX_PLIES));
        while let Some((before, uci)) = self.last(at).filter(|_| moves.len() < MAX_PLIES) {
            moves.push(uci);
            at = before;
        }
        moves.reverse();
        let position = book.node(at).key.to_position().ok()?;
        end_of_line(position, self.number(book, at)?, &moves, skipped)
    }

    /// The number of the next move in a position, counted along its line.
    #[must_use]
    pub(crate) fn number(&self, book: &Book, id: NodeId) -> Option<MoveNumber> {
        let mut root = id;
        while let Some((before, _)) = self.last(root) {
            root = before;
        }
        let start = book.node(root).key.to_position().ok()?;
        Some(MoveNumber::next_in(&start).later(self.ply(id)? as usize))
    }

    /// The line to a position.
    #[must_use]
    pub(crate) fn book_line(&self, id: NodeId) -> Option<BookLine> {
        let (root, moves) = self.line(id)?;
        Some(BookLine { root, moves })
    }
}
