//! A repertoire in memory: positions, and the moves between them.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use crate::{
    chess::{Chess, Color, EnPassantMode, Move, Position, PositionKey, UciMove},
    repertoire::games::{PositionCount, Tally},
};

/// A position of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Its place among all positions of its book, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What one source says of a move, or of a position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The chapter it is from.
    pub source: String,
    /// Numeric annotation glyphs, in order: 1 for `!`.
    pub nags: Vec<u8>,
    /// What is said; empty if there are only glyphs.
    pub comment: String,
}

/// That a move is prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// Its place among the prepared moves of its position, the main line first. The numbers need
    /// not follow each other.
    pub ordinal: u32,
    /// What is said of it.
    pub notes: Vec<Note>,
}

/// A move from one position to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The move.
    pub uci: UciMove,
    /// Where it leads.
    pub to: NodeId,
    /// The games in which it was played.
    pub played: Tally,
    /// Whether it is prepared, and what is said of it.
    pub prepared: Option<Prepared>,
}

/// A position with its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The position.
    pub key: PositionKey,
    /// The games that have it.
    pub tally: Tally,
    /// All moves that were played or are prepared, in no order. [`Book::moves`] has those of the book.
    pub edges: Vec<Edge>,
    /// What is said of the position itself.
    pub notes: Vec<Note>,
}

/// Which of the moves that were played are the book, where nothing is prepared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BookRule {
    /// Those that were played in so many games at least.
    pub min_games: u32,
    /// And in such a share of the games that have the position, from 0 to 1.
    pub min_share: f64,
}

impl Default for BookRule {
    /// All.
    fn default() -> Self {
        Self { min_games: 1, min_share: 0.0 }
    }
}

/// A repertoire in memory. See the [module](crate::repertoire) for which moves are the book.
///
/// ```
/// use eco::{chess::{Color, PositionKey}, repertoire::{Book, BookRule}};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. g3 f5 2. d4").unwrap();
/// book.prepare("1. d4 f5 2. g3 g6").unwrap(); // comes to the same position
/// let root = book.roots()[0];
/// assert_eq!(book.len(), 7);
/// assert!(book.is_own_turn(root));
/// let moves: Vec<_> = book.moves(root).iter().map(|edge| edge.uci.to_string()).collect();
/// assert_eq!(moves, ["g2g3", "d2d4"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    color: Color,
    rule: BookRule,
    nodes: Vec<Node>,
    index: HashMap<PositionKey, NodeId>,
    roots: Vec<NodeId>,
    is_root: HashSet<NodeId>,
    has_prepared: bool,
}

impl Book {
    /// An empty book for a side.
    #[must_use]
    pub fn new(color: Color, rule: BookRule) -> Self {
        let (nodes, index, roots) = (Vec::new(), HashMap::new(), Vec::new());
        let is_root = HashSet::new();
        Self { color, rule, nodes, index, roots, is_root, has_prepared: false }
    }

    /// The side it is for.
    #[must_use]
    pub fn color(&self) -> Color {
        self.color
    }

    /// Which of the moves that were played are the book.
    #[must_use]
    pub fn rule(&self) -> BookRule {
        self.rule
    }

    /// Sets which of the moves that were played are the book.
    pub fn set_rule(&mut self, rule: BookRule) {
        self.rule = rule;
    }

    /// Whether any move is prepared, so that the prepared moves are the book.
    #[must_use]
    pub fn has_prepared(&self) -> bool {
        self.has_prepared
    }

    /// Says that moves are prepared, though this book may not have them: it is part of another.
    pub fn keep_to_prepared(&mut self) {
        self.has_prepared = true;
    }

    /// How many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The positions that lines begin with, in order: most often just the initial one.
    #[must_use]
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// Whether lines begin with a position.
    #[must_use]
    pub fn is_root(&self, id: NodeId) -> bool {
        self.is_root.contains(&id)
    }

    /// The roots that the book has moves for. Games may have begun elsewhere than what is prepared, and
    /// nothing of the book is known there.
    pub fn starts(&self) -> impl Iterator<Item = NodeId> {
        self.roots.iter().copied().filter(|root| !self.has_prepared || self.has_moves(*root))
    }

    /// All positions.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The position of this key.
    #[must_use]
    pub fn find(&self, key: &PositionKey) -> Option<NodeId> {
        self.index.get(key).copied()
    }

    /// A position.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A position, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Whether it is the turn of the side the book is for.
    #[must_use]
    pub fn is_own_turn(&self, id: NodeId) -> bool {
        self.node(id).key.turn() == self.color
    }

    /// Whether a move of this position is in the book. See the [module](crate::repertoire).
    #[must_use]
    pub fn has_move(&self, id: NodeId, edge: &Edge) -> bool {
        if self.has_prepared {
            return edge.prepared.is_some();
        }
        let (games, of) = (edge.played.games, self.node(id).tally.games);
        games >= self.rule.min_games.max(1)
            && f64::from(games) >= self.rule.min_share * f64::from(of)
    }

    /// The moves of this position that are in the book, the main one first: prepared ones as they
    /// are ordered, played ones by the number of their games.
    #[must_use]
    pub fn moves(&self, id: NodeId) -> Vec<&Edge> {
        let mut moves: Vec<&Edge> =
            self.node(id).edges.iter().filter(|edge| self.has_move(id, edge)).collect();
        moves.sort_by_key(|edge| edge.rank());
        moves
    }

    /// Whether any move of this position is in the book.
    #[must_use]
    pub fn has_moves(&self, id: NodeId) -> bool {
        self.node(id).edges.iter().any(|edge| self.has_move(id, edge))
    }

    /// The id of a position, which is added if it is not there yet.
    ///
    /// # Panics
    ///
    /// At 2³² positions.
    pub fn add_position(&mut self, key: &PositionKey) -> NodeId {
        let next = NodeId(u32::try_from(self.nodes.len()).expect("there are fewer positions"));
        let id = *self.index.entry(*key).or_insert(next);
        if id == next {
            let (tally, edges, notes) = (Tally::default(), Vec::new(), Vec::new());
            self.nodes.push(Node { key: *key, tally, edges, notes });
        }
        id
    }

    /// The id of a position with which lines begin.
    pub fn add_root(&mut self, key: &PositionKey) -> NodeId {
        let id = self.add_position(key);
        if self.is_root.insert(id) {
            self.roots.push(id);
        }
        id
    }

    /// Makes roots of the positions to which no move leads, and of one in each circle that is not reached
    /// from those.
    pub fn add_roots(&mut self) {
        let mut is_led_to = vec![false; self.len()];
        for id in self.ids() {
            self.node(id).edges.iter().for_each(|edge| is_led_to[edge.to.index()] = true);
        }
        let starts = self.ids().filter(|id| !is_led_to[id.index()]);
        let mut is_reached = vec![false; self.len()];
        for start in starts.chain(self.ids()) {
            if !is_reached[start.index()] {
                let key = self.node(start).key;
                self.add_root(&key);
                self.reach(start, &mut is_reached);
            }
        }
    }

    /// Marks what the moves from a position lead to, and itself.
    fn reach(&self, start: NodeId, is_reached: &mut [bool]) {
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_reached[id.index()], true) {
                open.extend(self.node(id).edges.iter().map(|edge| edge.to));
            }
        }
    }

    /// A move between two positions, which is added if it is not there yet; as such it is neither played
    /// nor prepared.
    pub fn add_move(&mut self, from: NodeId, uci: UciMove, to: NodeId) -> &mut Edge {
        let edges = &mut self.nodes[from.index()].edges;
        let place = edges.iter().position(|edge| edge.uci == uci).unwrap_or_else(|| {
            if edges.is_empty() {
                // Nearly all positions of games have one move; room for four would double a book.
                edges.reserve_exact(1);
            }
            edges.push(Edge { uci, to, played: Tally::default(), prepared: None });
            edges.len() - 1
        });
        &mut edges[place]
    }

    /// Makes a move of a position prepared, behind those that are, and returns what is said of it.
    /// `m` must be a legal move of `position`, which is the one of `from`.
    pub fn prepare_move(
        &mut self,
        from: NodeId,
        position: &Chess,
        m: Move,
    ) -> (NodeId, &mut Prepared) {
        let mut after = position.clone();
        after.play_unchecked(m);
        let to = self.add_position(&PositionKey::from_position(&after, EnPassantMode::Legal));
        self.has_prepared = true;
        let prepared = self.node(from).edges.iter().filter_map(|edge| edge.prepared.as_ref());
        let last = prepared.map(|prepared| prepared.ordinal).max().unwrap_or(0);
        // A file may give a move the last number there is; what comes behind it shares the number.
        let ordinal = last.saturating_add(1);
        let edge = self.add_move(from, UciMove::from_move(m), to);
        (to, edge.prepared.get_or_insert(Prepared { ordinal, notes: Vec::new() }))
    }

    /// Makes a move prepared, in place of what was said of it.
    pub fn set_prepared(&mut self, from: NodeId, uci: UciMove, to: NodeId, prepared: Prepared) {
        self.has_prepared = true;
        self.add_move(from, uci, to).prepared = Some(prepared);
    }

    /// Prepares a line from the initial position, as PGN movetext without variations.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played; those before it are prepared.
    pub fn prepare(&mut self, movetext: &str) -> Result<NodeId, crate::pgn::TypedError> {
        let mut positions = vec![Chess::default()];
        let played = crate::pgn::play_typed(
            Chess::default(),
            movetext,
            crate::chess::Language::English,
            |position| positions.push(position.clone()),
        );
        let key = |position| PositionKey::from_position(position, EnPassantMode::Legal);
        let mut id = self.add_root(&key(&positions[0]));
        for pair in positions.windows(2) {
            let uci = UciMove::between(&key(&pair[0]), &key(&pair[1]));
            let m = uci.and_then(|uci| uci.to_move(&pair[0]));
            id = self.prepare_move(id, &pair[0], m.expect("the move was played")).0;
        }
        played.map(|_| id)
    }

    /// Adds what was played in a position.
    ///
    /// # Panics
    ///
    /// If a move of the count is not legal in its position.
    pub fn add_count(&mut self, count: &PositionCount) -> NodeId {
        let id = self.add_position(&count.key);
        self.node_mut(id).tally.merge(&count.tally);
        let position = count.key.to_position().expect("games have it");
        for (uci, tally) in &count.moves {
            let m = uci.to_move(&position).expect("it was played");
            let mut after = position.clone();
            after.play_unchecked(m);
            let to = self.add_position(&PositionKey::from_position(&after, EnPassantMode::Legal));
            self.add_move(id, *uci, to).played.merge(tally);
        }
        id
    }
}

impl Edge {
    /// What moves are ordered by, the main one first.
    fn rank(&self) -> (u32, Reverse<u32>, UciMove) {
        let ordinal = self.prepared.as_ref().map_or(u32::MAX, |prepared| prepared.ordinal);
        (ordinal, Reverse(self.played.games), self.uci)
    }
}
