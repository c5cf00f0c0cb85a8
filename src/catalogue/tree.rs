//! The lines of a catalogue as one tree of moves.
//!
//! Lines share their beginnings, so replaying four thousand of them costs only some nine thousand
//! moves. A game whose moves are those of a line is followed without a board: the text of a move
//! leads from one node to the next, and each node knows its name.

use std::{borrow::Cow, iter, ops::Range};

use crate::chess::{self, Board, Chess, Move, PackedSan, Position, PositionKey};

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

/// All lines of a catalogue. The nodes are in the order of their distance from the root, and the
/// children of a node lie side by side, after those of the node before it.
///
/// Archives push all else out of the nearest caches. So what is asked for at each move, the edges,
/// is kept small and apart from what is asked for once a game.
#[derive(Debug, Clone)]
pub(crate) struct LineTree {
    /// The edge to each node, and an [end](TreeEdge::end).
    pub(super) edges: Cow<'static, [TreeEdge]>,
    /// By node, the move that leads there in full.
    pub(super) sans: Cow<'static, [PackedSan]>,
    pub(super) nodes: Cow<'static, [Node]>,
}

/// A move to a node, and what following a game needs of the node.
///
/// The lower bits are the move in [short](PackedSan::short), the others the first child. The
/// children end where those of the next node begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeEdge(u64);

const FIRST_CHILD: u32 = PackedSan::SHORT_BITS;

/// More nodes than a tree can have.
pub(super) const TOO_MANY: usize = 1 << (u64::BITS - FIRST_CHILD);

impl TreeEdge {
    /// What a table is filled with before it has edges.
    pub(super) const NONE: Self = Self(0);

    /// # Panics
    ///
    /// If there are [too many](TOO_MANY) nodes.
    pub(super) const fn new(san: PackedSan, first_child: usize) -> Self {
        assert!(first_child < TOO_MANY);
        Self(san.short() | (first_child as u64) << FIRST_CHILD)
    }

    /// What follows the last edge of a tree with this number of nodes.
    pub(super) const fn end(nodes: usize) -> Self {
        Self::new(PackedSan::NONE, nodes)
    }

    const fn first_child(self) -> usize {
        (self.0 >> FIRST_CHILD) as usize
    }

    /// The move in [short](PackedSan::short).
    const fn short(self) -> u64 {
        self.0 & ((1 << PackedSan::SHORT_BITS) - 1)
    }
}

/// A node of the tree with what following a game needs of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor {
    id: NodeId,
    edge: TreeEdge,
}

impl Cursor {
    pub(crate) fn id(self) -> NodeId {
        self.id
    }
}

/// The rest of what is known of a node. Where a game leaves the lines, its last name and its board
/// are asked for: they lie in one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Node {
    /// The position.
    pub(super) key: PositionKey,
    pub(super) parent: NodeId,
    /// The name of the position here.
    pub(super) name: NodeName,
    /// The last name on the way here, and the ply it has. The initial position, where the way
    /// begins, does not count.
    pub(super) last_name: NodeName,
    last_ply: u32,
}

const _: () = assert!(size_of::<Node>() == 64);

/// The line that names a position, and whether a line ends there: twice the line plus one, or zero
/// if the position has no name, and one more if a line ends there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeName(pub(super) u32);

impl NodeName {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn is_none(self) -> bool {
        self.0 >> 1 == 0
    }

    pub(super) fn line(self) -> Option<(usize, bool)> {
        let line = (self.0 as usize >> 1).checked_sub(1)?;
        Some((line, self.0 & 1 == 1))
    }
}

impl Node {
    /// What a table is filled with before it has nodes.
    pub(super) const NONE: Self = Self {
        parent: NodeId::ROOT,
        name: NodeName::NONE,
        last_name: NodeName::NONE,
        last_ply: 0,
        key: PositionKey::from_words([0; 5]),
    };

    pub(super) const fn root(name: NodeName, key: &PositionKey) -> Self {
        Self { name, key: *key, ..Self::NONE }
    }

    /// A node that a move leads to from its parent, whose number and entry these are.
    pub(super) const fn child(
        (number, parent): (NodeId, Self),
        ply: u32,
        name: NodeName,
        key: &PositionKey,
    ) -> Self {
        let (last_name, last_ply) =
            if name.is_none() { (parent.last_name, parent.last_ply) } else { (name, ply) };
        Self { parent: number, name, last_name, last_ply, key: *key }
    }
}

impl LineTree {
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn cursor(&self, id: NodeId) -> Cursor {
        Cursor { id, edge: self.edges[id.index()] }
    }

    #[inline(always)]
    pub(super) fn children(&self, at: Cursor) -> Range<usize> {
        at.edge.first_child()..self.edges[at.id.index() + 1].first_child()
    }

    /// The node that a move leads to, if a line has the move in this spelling.
    #[inline(always)]
    pub(crate) fn child(&self, at: Cursor, san: PackedSan) -> Option<Cursor> {
        let children = self.children(at);
        let (first, short) = (children.start, san.short());
        // Nearly all moves are as short as that.
        let is_same = |child: usize| !san.is_longer_than_short() || self.sans[child] == san;
        let mut edges = self.edges[children].iter().enumerate();
        let (found, edge) =
            edges.find(|(found, edge)| edge.short() == short && is_same(first + found))?;
        let id = NodeId((first + found) as u32);
        (san != PackedSan::NONE).then_some(Cursor { id, edge: *edge })
    }

    /// The child of a node with this board, if a line goes there.
    pub(crate) fn child_with(&self, id: NodeId, board: &Board) -> Option<NodeId> {
        let mut children = self.children(self.cursor(id)).map(NodeId::new);
        children.find(|child| self.board(*child) == *board)
    }

    /// The line that names the position at a node, and whether a line ends there.
    pub(crate) fn name(&self, id: NodeId) -> Option<(usize, bool)> {
        self.node(id).name.line()
    }

    /// The last of the [names](Self::name) on the way from the root to a node, without that of the
    /// root, and its ply.
    #[inline(always)]
    pub(crate) fn last_name(&self, id: NodeId) -> Option<(usize, bool, usize)> {
        let node = self.node(id);
        let (line, is_end) = node.last_name.line()?;
        Some((line, is_end, node.last_ply as usize))
    }

    pub(crate) fn board(&self, id: NodeId) -> Board {
        Board::from_key(&self.node(id).key)
    }

    /// The keys of all boards, that of the initial position included.
    pub(super) fn keys(&self) -> impl Iterator<Item = PositionKey> {
        self.nodes.iter().map(|node| node.key)
    }

    /// The nodes from the root to `id`, without the root: one for each move.
    fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = self.path_back(id).collect();
        path.reverse();
        path
    }

    /// The [path](Self::path) from its end.
    fn path_back(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let parent = |id: &NodeId| Some(self.node(*id).parent);
        iter::successors(Some(id), parent).take_while(|id| *id != NodeId::ROOT)
    }

    /// The number of moves that lead to `id`.
    pub(super) fn plies(&self, id: NodeId) -> usize {
        self.path_back(id).count()
    }

    /// The moves from the initial position to `id`. `None` if they cannot be played: a catalogue of
    /// forged bytes may have such a line.
    pub(super) fn moves(&self, id: NodeId) -> Option<Vec<Move>> {
        let mut position = Chess::default();
        let path = self.path(id);
        path.into_iter().map(|id| self.play(&mut position, id)).collect()
    }

    /// Plays the move that leads to `id` and returns it.
    fn play(&self, position: &mut Chess, id: NodeId) -> Option<Move> {
        let written = self.sans[id.index()].to_vec();
        let m = chess::read_move(position, &written).ok().or_else(|| {
            // The move was too long to be packed.
            let leads_there = |m: &Move| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                Board::from_position(&after) == self.board(id)
            };
            position.legal_moves().iter().copied().find(leads_there)
        })?;
        position.play_unchecked(m);
        Some(m)
    }
}
