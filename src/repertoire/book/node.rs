//! A position of a book, and its moves.

use std::cmp::Reverse;

use super::note::Note;
use crate::{
    chess::{PositionKey, UciMove},
    repertoire::games::Tally,
};

/// A position of a book: its index in the book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The index of the position among all positions of its book, from 0.
    #[must_use]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The preparation of a move: its rank, and the notes on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The rank among the prepared moves of the position, the main line first. The numbers need
    /// not be consecutive. A move of rank 0 comes before those of all other chapters, too.
    pub ordinal: u32,
    /// The notes on the move.
    pub notes: Vec<Note>,
}

/// The rank of a move that comes before those of other chapters.
pub(crate) const CHOSEN: u32 = 0;

impl Prepared {
    /// Whether the move comes before those of other chapters.
    pub(crate) fn is_chosen(&self) -> bool {
        self.ordinal == CHOSEN
    }
}

/// A move from one position to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub(crate) uci: UciMove,
    pub(crate) to: NodeId,
    pub(crate) played: Tally,
    pub(crate) prepared: Option<Prepared>,
}

impl Edge {
    pub(super) fn new(uci: UciMove, to: NodeId) -> Self {
        Self { uci, to, played: Tally::default(), prepared: None }
    }

    /// The move.
    #[must_use]
    pub fn uci(&self) -> UciMove {
        self.uci
    }

    /// The position that the move leads to.
    #[must_use]
    pub fn to(&self) -> NodeId {
        self.to
    }

    /// The games in which the move was played.
    #[must_use]
    pub fn played(&self) -> &Tally {
        &self.played
    }

    /// The preparation; `None` if the move was only played.
    #[must_use]
    pub fn prepared(&self) -> Option<&Prepared> {
        self.prepared.as_ref()
    }

    /// The sort key of moves, the main one first: prepared moves by their ordinal, played moves by
    /// the number of their games.
    pub(super) fn rank(&self) -> (u32, Reverse<u32>, UciMove) {
        let ordinal = self.prepared.as_ref().map_or(u32::MAX, |prepared| prepared.ordinal);
        (ordinal, Reverse(self.played.games), self.uci)
    }
}

/// A position with its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub(crate) key: PositionKey,
    pub(crate) tally: Tally,
    pub(crate) edges: Vec<Edge>,
    pub(crate) notes: Vec<Note>,
}

impl Node {
    pub(super) fn new(key: PositionKey) -> Self {
        Self { key, tally: Tally::default(), edges: Vec::new(), notes: Vec::new() }
    }

    /// The position.
    #[must_use]
    pub fn key(&self) -> &PositionKey {
        &self.key
    }

    /// The games that have the position.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// All moves that were played or are prepared, in no order. [`Book::moves`](super::Book::moves)
    /// returns those of the book.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The notes on the position itself.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    pub(crate) fn edge(&self, uci: UciMove) -> Option<&Edge> {
        self.edges.iter().find(|edge| edge.uci == uci)
    }
}
