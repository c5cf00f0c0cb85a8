//! How the positions of a book are reached.

use std::collections::VecDeque;

use super::{Book, BookLine, NodeId};
use crate::chess::UciMove;

/// To each position that the moves of a [`Book`] lead to, one way: the shortest, and of several the
/// one that keeps to main lines.
#[derive(Debug, Clone)]
pub struct Ways {
    steps: Vec<Option<Step>>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    ply: u32,
    /// How many positions were reached before.
    order: u32,
    /// The position before, and the move; none at a root.
    last: Option<(NodeId, UciMove)>,
}

impl Ways {
    /// The ways through a book.
    #[must_use]
    pub fn through(book: &Book) -> Self {
        let mut ways = Self { steps: vec![None; book.len()] };
        let mut queue = VecDeque::new();
        let mut order = 0..;
        let mut next = || order.next().unwrap_or(u32::MAX);
        for root in book.roots() {
            ways.set(*root, Step { ply: 0, order: next(), last: None });
            queue.push_back(*root);
        }
        while let Some(id) = queue.pop_front() {
            let ply = ways.ply(id).unwrap_or(0) + 1;
            for edge in book.moves(id) {
                if ways.ply(edge.to).is_none() {
                    let last = Some((id, edge.uci));
                    ways.set(edge.to, Step { ply, order: next(), last });
                    queue.push_back(edge.to);
                }
            }
        }
        ways
    }

    fn set(&mut self, id: NodeId, step: Step) {
        self.steps[id.index()] = Some(step);
    }

    /// After how many plies a position is reached; `None` if the moves of the book do not lead to it.
    #[must_use]
    pub fn ply(&self, id: NodeId) -> Option<u32> {
        self.steps.get(id.index())?.map(|step| step.ply)
    }

    /// How many positions come before it, those that are reached sooner, and those by main lines; `None` as
    /// for [`ply`](Self::ply).
    #[must_use]
    pub fn order(&self, id: NodeId) -> Option<u32> {
        self.steps.get(id.index())?.map(|step| step.order)
    }

    /// Where the way to a position begins, and its moves.
    #[must_use]
    pub fn line(&self, id: NodeId) -> Option<(NodeId, Vec<UciMove>)> {
        let mut at = id;
        let mut moves = Vec::new();
        while let Some((before, uci)) = self.steps.get(at.index()).copied()??.last {
            moves.push(uci);
            at = before;
        }
        moves.reverse();
        Some((at, moves))
    }

    /// The way to a position as movetext, `1. e4 e5 2. Nf3`; empty at a root.
    #[must_use]
    pub fn movetext(&self, book: &Book, id: NodeId) -> Option<String> {
        self.book_line(id)?.movetext(book)
    }

    /// The way to a position as a line.
    #[must_use]
    pub fn book_line(&self, id: NodeId) -> Option<BookLine> {
        let (root, moves) = self.line(id)?;
        Some(BookLine { root, moves })
    }
}
