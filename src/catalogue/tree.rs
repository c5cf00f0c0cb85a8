//! The lines of a catalogue as one tree of moves.
//!
//! Lines share their beginnings, so replaying four thousand of them costs only some nine thousand
//! moves. A game whose moves are those of a line is followed without a board: the text of a move
//! leads from one node to the next, and each node knows its name.

use super::maybe_static::MaybeStatic;
use crate::chess::{self, Board, Chess, Move, MoveNumber, PackedSan, Position, PositionKey};

/// A node of the tree: the moves that lead there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// Where all lines begin.
    pub(crate) const ROOT: Self = Self(0);

    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("memory ends before the numbers"))
    }

    pub(super) const fn from_u32(number: u32) -> Self {
        Self(number)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All lines of a catalogue.
#[derive(Debug)]
pub(super) struct LineTree {
    // What following a game reads lies close together; the rest is apart.
    pub(super) edges: MaybeStatic<[TreeEdge]>,
    pub(super) nodes: MaybeStatic<[Node]>,
}

/// A move to a node, and what following a game needs of the node. Its children lie side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeEdge {
    /// The move that leads here.
    pub(super) san: PackedSan,
    /// The [short hash](short_hash) of the board here.
    pub(super) prefilter_hash: u32,
    pub(super) first_child: NodeId,
    pub(super) child_count: u16,
    /// Whether a line ends here.
    pub(super) ends_line: bool,
    /// The line that names the position here, plus one; zero if it has no name.
    pub(super) name: u32,
}

impl TreeEdge {
    /// What a table is filled with before it has edges.
    pub(super) const NONE: Self = Self {
        san: PackedSan::NONE,
        prefilter_hash: 0,
        first_child: NodeId::ROOT,
        child_count: 0,
        ends_line: false,
        name: 0,
    };
}

/// Half of the [prefilter hash](crate::chess::PositionKey::prefilter_hash) of a board.
pub(super) const fn short_hash(board: &Board) -> u32 {
    (board.key().prefilter_hash() >> 32) as u32
}

/// A node of the tree with what following a game needs of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'t> {
    id: NodeId,
    edge: &'t TreeEdge,
}

impl Cursor<'_> {
    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    /// Whether the position here has a [name](Self::name).
    #[inline(always)]
    pub(crate) fn is_named(self) -> bool {
        self.edge.name != 0
    }

    /// The line that names the position here, and whether a line ends here.
    pub(crate) fn name(self) -> Option<(usize, bool)> {
        let name = (self.edge.name as usize).checked_sub(1)?;
        Some((name, self.edge.ends_line))
    }
}

/// The rest of what is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) parent: NodeId,
}

impl Node {
    /// What a table is filled with before it has nodes.
    pub(super) const NONE: Self =
        Self { board: Board::from_key(PositionKey::from_words([0; 5])), parent: NodeId::ROOT };
}

impl LineTree {
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn cursor(&self, id: NodeId) -> Cursor<'_> {
        Cursor { id, edge: &self.edges[id.index()] }
    }

    /// The node that a move leads to, if a line has the move in this spelling.
    #[inline(always)]
    pub(super) fn child(&self, at: Cursor<'_>, san: PackedSan) -> Option<Cursor<'_>> {
        let TreeEdge { first_child, child_count, .. } = *at.edge;
        let children = &self.edges[first_child.index()..][..usize::from(child_count)];
        let (found, edge) = children.iter().enumerate().find(|(_, child)| child.san == san)?;
        let id = NodeId(first_child.0 + found as u32);
        (san != PackedSan::NONE).then_some(Cursor { id, edge })
    }

    /// The child of a node with this board, if a line goes there.
    pub(super) fn child_with(&self, id: NodeId, board: &Board) -> Option<NodeId> {
        let TreeEdge { first_child, child_count, .. } = self.edges[id.index()];
        // Boards lie apart, so only one with the same hash is read.
        let hash = short_hash(board);
        let children = self.edges[first_child.index()..][..usize::from(child_count)].iter();
        let mut children = (first_child.0..).map(NodeId).zip(children);
        let has_board =
            |child, edge: &TreeEdge| edge.prefilter_hash == hash && self.board(child) == board;
        children.find_map(|(child, edge)| has_board(child, edge).then_some(child))
    }

    pub(super) fn board(&self, id: NodeId) -> &Board {
        &self.node(id).board
    }

    /// All boards, that of the initial position included.
    pub(super) fn boards(&self) -> impl Iterator<Item = &Board> {
        self.nodes.iter().map(|node| &node.board)
    }

    /// The nodes from the root to `id`, without the root: one for each move.
    fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while at != NodeId::ROOT {
            path.push(at);
            at = self.node(at).parent;
        }
        path.reverse();
        path
    }

    /// The number of moves that lead to `id`.
    pub(super) fn plies(&self, id: NodeId) -> usize {
        self.path(id).len()
    }

    /// The moves from the initial position to `id`. `None` if they cannot be played: whoever forges
    /// the bytes of a catalogue can give it such a line.
    pub(super) fn moves(&self, id: NodeId) -> Option<Vec<Move>> {
        let mut position = Chess::default();
        let path = self.path(id);
        path.into_iter().map(|id| self.play(&mut position, id)).collect()
    }

    /// Plays the move that leads to `id` and returns it.
    fn play(&self, position: &mut Chess, id: NodeId) -> Option<Move> {
        let written = self.edges[id.index()].san.to_vec();
        let m = chess::read_move(position, &written).ok().or_else(|| {
            // The move was too long to be packed.
            let leads_there = |m: &Move| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                Board::from_position(&after) == *self.board(id)
            };
            position.legal_moves().iter().copied().find(leads_there)
        })?;
        position.play_unchecked(m);
        Some(m)
    }
}

/// Moves from the initial position as PGN movetext: `1. e4 c5 2. Nf3`.
pub(super) fn to_movetext(moves: &[Move]) -> String {
    let mut position = Chess::default();
    let mut text = String::new();
    for m in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        if position.turn().is_white() {
            text.push_str(&format!("{} ", MoveNumber::next_in(&position)));
        }
        text.push_str(&chess::play_as_san(&mut position, *m).to_string());
    }
    text
}
