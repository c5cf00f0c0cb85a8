//! A repertoire in memory: positions, and the moves between them.

use std::collections::HashSet;

use hashbrown::HashMap;

use super::note::{BLUNDER, DUBIOUS, MISTAKE};
use super::{
    BookRule, MoveCounters, PositionCount, Prepared, Tally, node::CHOSEN, tally::LazyTally,
};
use super::{Edge, Node, NodeId, Note};
use crate::chess::{Chess, Color, Language, Move, Position, PositionKey, UciMove};
use crate::collection::KeptGame;
use crate::pgn::{TypedError, play_typed};

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
    /// The counters with which lines begin, where those are not the ones of the initial position.
    counters: HashMap<PositionKey, MoveCounters>,
    has_prepared: bool,
}

impl Book {
    /// An empty book for a side.
    pub fn new(color: Color, rule: BookRule) -> Self {
        let (nodes, index, roots) = (Vec::new(), HashMap::new(), Vec::new());
        let (is_root, counters) = (HashSet::new(), HashMap::new());
        Self { color, rule, nodes, index, roots, is_root, counters, has_prepared: false }
    }

    /// The side it is for.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Which of the moves that were played are the book.
    pub fn rule(&self) -> BookRule {
        self.rule
    }

    /// Sets which of the moves that were played are the book.
    pub(crate) fn set_rule(&mut self, rule: BookRule) {
        self.rule = rule;
    }

    /// Makes all moves the book, prepared or played.
    pub(crate) fn take_all_moves(&mut self) {
        self.rule = BookRule::default();
        self.has_prepared = false;
    }

    /// Whether any move is prepared, so that the prepared moves are the book.
    pub fn has_prepared(&self) -> bool {
        self.has_prepared
    }

    /// Whether any games are counted in it.
    pub fn has_counts(&self) -> bool {
        let is_played = |node: &Node| {
            node.tally.games > 0 || node.edges.iter().any(|edge| edge.played.games > 0)
        };
        self.nodes.iter().any(is_played)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The positions that lines begin with, in order: most often just the initial one.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// Sets the counters of lines that begin with a position, unless it has some.
    pub(crate) fn set_counters(&mut self, key: &PositionKey, counters: MoveCounters) {
        if counters != MoveCounters::default() {
            self.counters.entry(*key).or_insert(counters);
        }
    }

    /// The counters of lines that begin with a position.
    pub(crate) fn counters(&self, id: NodeId) -> MoveCounters {
        self.counters.get(&self.node(id).key).copied().unwrap_or_default()
    }

    /// The position of a node, with the counters of lines that begin there; `None` if it is
    /// impossible, as only a damaged database has it.
    pub(crate) fn position(&self, id: NodeId) -> Option<Chess> {
        self.counters(id).fen(&self.node(id).key).to_position().ok()
    }

    /// The roots that the book has moves for. Games may have begun in positions without prepared
    /// moves.
    pub(crate) fn starts(&self) -> impl Iterator<Item = NodeId> {
        self.roots.iter().copied().filter(|root| !self.has_prepared || self.shows_moves(*root))
    }

    /// All positions.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The position of this key.
    pub fn find(&self, key: &PositionKey) -> Option<NodeId> {
        self.index.get(key).copied()
    }

    /// A position.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether it is the turn of the side the book is for.
    pub fn is_own_turn(&self, id: NodeId) -> bool {
        self.node(id).key.turn() == self.color
    }

    /// Whether a move of this position is a mistake: prepared for the side that the book is for,
    /// and marked with `?` or `??`, or with `?!` if the [rule](super::Breadth::no_dubious) says so,
    /// by the first source that judges it. Mistakes and what follows are shown and written as they
    /// came; they are no moves of the book.
    ///
    /// ```
    /// use eco::{chess::Color, pgn::Game, repertoire::{Book, BookRule}};
    ///
    /// let mut book = Book::new(Color::White, BookRule::default());
    /// book.add_chapter(&Game::from_bytes(b"1. e4 (1. f3? e5) 1... e5 *"));
    /// let root = book.roots()[0];
    /// let [mistake] = book.mistakes(root)[..] else { panic!("1. f3 is one") };
    /// assert_eq!((book.moves(root).len(), mistake.uci.to_string()), (1, "f2f3".to_owned()));
    /// ```
    pub fn is_mistake(&self, id: NodeId, edge: &Edge) -> bool {
        let is_bad = match Note::judgement(edge.notes()) {
            Some(MISTAKE | BLUNDER) => true,
            Some(DUBIOUS) => self.rule.mine.no_dubious,
            _ => false,
        };
        is_bad && self.is_own_turn(id)
    }

    /// A move of a position, if it is a [mistake](Self::is_mistake).
    pub fn mistake(&self, id: NodeId, uci: UciMove) -> Option<&Edge> {
        self.node(id).edge(uci).filter(|edge| self.is_mistake(id, edge))
    }

    /// The mistakes of a position, in their order.
    pub fn mistakes(&self, id: NodeId) -> Vec<&Edge> {
        self.sorted(id, |edge| self.is_mistake(id, edge))
    }

    /// The moves of the book and the mistakes of a position, in their order.
    pub(crate) fn shown_moves(&self, id: NodeId) -> Vec<&Edge> {
        self.sorted(id, |edge| self.shows_move(id, edge))
    }

    /// Whether a move of this position is in the book, or a mistake.
    pub(crate) fn shows_move(&self, id: NodeId, edge: &Edge) -> bool {
        self.has_move(id, edge) || self.is_mistake(id, edge)
    }

    /// Whether any move of this position is in the book, or a mistake.
    pub(crate) fn shows_moves(&self, id: NodeId) -> bool {
        self.node(id).edges.iter().any(|edge| self.shows_move(id, edge))
    }

    fn sorted(&self, id: NodeId, is_wanted: impl Fn(&Edge) -> bool) -> Vec<&Edge> {
        let mut moves: Vec<&Edge> =
            self.node(id).edges.iter().filter(|edge| is_wanted(edge)).collect();
        moves.sort_by_key(|edge| edge.rank());
        moves
    }

    /// Whether a move of this position is in the book. See the [module](crate::repertoire).
    pub(crate) fn has_move(&self, id: NodeId, edge: &Edge) -> bool {
        if self.has_prepared {
            return edge.prepared.is_some() && !self.is_mistake(id, edge);
        }
        let breadth = if self.is_own_turn(id) { self.rule.mine } else { self.rule.theirs };
        edge.prepared.is_some() || breadth.admits(self.node(id), edge)
    }

    /// The moves of this position that are in the book, the main one first: prepared ones as they
    /// are ordered, played ones by the number of their games.
    pub fn moves(&self, id: NodeId) -> Vec<&Edge> {
        self.sorted(id, |edge| self.has_move(id, edge))
    }

    /// Whether any move of this position is in the book.
    pub(crate) fn has_moves(&self, id: NodeId) -> bool {
        self.node(id).edges.iter().any(|edge| self.has_move(id, edge))
    }

    /// The positions in which a line is marked as final: `[%eco end]` in a comment on them, or on a
    /// move that leads there.
    pub(crate) fn final_positions(&self) -> HashSet<NodeId> {
        let marked = |notes: &[Note]| notes.iter().any(Note::marks_end);
        let mut finals = HashSet::new();
        for id in self.ids() {
            let node = self.node(id);
            finals.extend(marked(&node.notes).then_some(id));
            let moves = node.edges.iter().filter(|edge| marked(edge.notes()));
            finals.extend(moves.map(|edge| edge.to));
        }
        finals
    }

    /// Returns the id of a position, which is added if the book does not have it.
    ///
    /// # Panics
    ///
    /// At 2³² positions.
    pub(crate) fn add_position(&mut self, key: &PositionKey) -> NodeId {
        let next = NodeId(u32::try_from(self.nodes.len()).expect("there are fewer positions"));
        let id = *self.index.entry(*key).or_insert(next);
        if id == next {
            let (edges, notes) = (Vec::new(), Vec::new());
            self.nodes.push(Node { key: *key, tally: LazyTally::default(), edges, notes });
        }
        id
    }

    /// Returns the id of a position that lines begin with from now on.
    pub(crate) fn add_root(&mut self, key: &PositionKey) -> NodeId {
        let id = self.add_position(key);
        if self.is_root.insert(id) {
            self.roots.push(id);
        }
        id
    }

    /// Whether lines begin with a position.
    pub(crate) fn is_root(&self, key: &PositionKey) -> bool {
        self.find(key).is_some_and(|id| self.is_root.contains(&id))
    }

    /// Makes a root, if it is one, the first of all.
    pub(crate) fn begin_with(&mut self, key: &PositionKey) {
        let first = self.find(key);
        self.roots.sort_by_key(|root| Some(*root) != first);
    }

    /// Makes roots of the positions that no move leads to, and of one position in each cycle that
    /// none of those reaches.
    pub(crate) fn add_roots(&mut self) {
        let mut has_predecessor = vec![false; self.len()];
        for edge in self.nodes.iter().flat_map(|node| &node.edges) {
            has_predecessor[edge.to.index()] = true;
        }
        let starts = self.ids().filter(|id| !has_predecessor[id.index()]);
        let mut is_reached = vec![false; self.len()];
        for start in starts.chain(self.ids()) {
            if !is_reached[start.index()] {
                let key = self.node(start).key;
                self.add_root(&key);
                self.mark_reached(start, &mut is_reached);
            }
        }
    }

    /// Marks a position and all that its moves lead to.
    fn mark_reached(&self, start: NodeId, is_reached: &mut [bool]) {
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_reached[id.index()], true) {
                open.extend(self.node(id).edges.iter().map(|edge| edge.to));
            }
        }
    }

    /// A position whose games and notes may be changed.
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Gives all notes this source.
    pub(super) fn set_source(&mut self, source: &str) {
        for node in &mut self.nodes {
            let moves = node.edges.iter_mut().filter_map(|edge| edge.prepared.as_mut());
            let notes = moves.flat_map(|prepared| &mut prepared.notes).chain(&mut node.notes);
            notes.for_each(|note| source.clone_into(&mut note.source));
        }
    }

    /// Sets the games in which a move was played. The move is added if the position does not have
    /// it.
    pub(crate) fn set_played(&mut self, from: NodeId, uci: UciMove, to: NodeId, played: Tally) {
        self.add_move(from, uci, to).played = played.into();
    }

    /// The notes on a prepared move; `None` if it is not prepared.
    pub(crate) fn move_notes_mut(&mut self, from: NodeId, uci: UciMove) -> Option<&mut Vec<Note>> {
        let edge = self.nodes[from.index()].edges.iter_mut().find(|edge| edge.uci == uci)?;
        edge.prepared.as_mut().map(|prepared| &mut prepared.notes)
    }

    /// The move between two positions. One that is added is neither played nor prepared.
    fn add_move(&mut self, from: NodeId, uci: UciMove, to: NodeId) -> &mut Edge {
        let edges = &mut self.nodes[from.index()].edges;
        let index = edges.iter().position(|edge| edge.uci == uci).unwrap_or_else(|| {
            if edges.is_empty() {
                // Nearly all positions of games have one move; room for four would double a book.
                edges.reserve_exact(1);
            }
            edges.push(Edge { uci, to, played: LazyTally::default(), prepared: None });
            edges.len() - 1
        });
        &mut edges[index]
    }

    /// Makes a move of a position prepared, ranked after those that are, and returns the position
    /// it leads to. `m` must be a legal move of `position`, which is the one of `from`.
    pub(crate) fn prepare_move(&mut self, from: NodeId, position: &Chess, m: Move) -> NodeId {
        let to = self.add_position(&key_after(position, m));
        self.prepare_edge(from, UciMove::from_move(m), to);
        to
    }

    /// Makes a move between two positions prepared, ranked after those that are. Returns its notes.
    pub(crate) fn prepare_edge(
        &mut self,
        from: NodeId,
        uci: UciMove,
        to: NodeId,
    ) -> &mut Vec<Note> {
        self.has_prepared = true;
        let prepared = self.node(from).edges.iter().filter_map(|edge| edge.prepared.as_ref());
        let last = prepared.map(|prepared| prepared.ordinal).max().unwrap_or(0);
        // A file may give a move the greatest ordinal there is; the moves after it share it.
        let ordinal = last.saturating_add(1);
        let edge = self.add_move(from, uci, to);
        &mut edge.prepared.get_or_insert(Prepared { ordinal, notes: Vec::new() }).notes
    }

    /// Sets the rank of a prepared move.
    pub(super) fn rank_move(&mut self, from: NodeId, uci: UciMove, ordinal: u32) {
        let edge = self.nodes[from.index()].edges.iter_mut().find(|edge| edge.uci == uci);
        if let Some(prepared) = edge.and_then(|edge| edge.prepared.as_mut()) {
            prepared.ordinal = ordinal;
        }
    }

    /// Prepares a line from the initial position, as PGN movetext without variations, and returns
    /// its last position.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played; the book is then what it was.
    pub fn prepare(&mut self, movetext: &str) -> Result<NodeId, TypedError> {
        let (start, mut moves) = (Chess::default(), Vec::new());
        play_typed(start.clone(), movetext, Language::English, |m, _| moves.push(m))?;
        Ok(self.prepare_from(&start, moves))
    }

    /// Prepares a line of legal moves from a position, and returns its last position.
    pub fn prepare_from(&mut self, start: &Chess, moves: impl IntoIterator<Item = Move>) -> NodeId {
        let (key, mut position) = (PositionKey::from(start), start.clone());
        let mut id = self.add_root(&key);
        self.set_counters(&key, MoveCounters::of(start));
        for m in moves {
            id = self.prepare_move(id, &position, m);
            position.play_unchecked(m);
        }
        id
    }

    /// Puts the positions into an order, which has each of them once.
    pub(crate) fn reorder(&mut self, order: Vec<NodeId>) {
        let mut places = vec![NodeId(0); order.len()];
        (0..).zip(order).for_each(|(place, id)| places[id.index()] = NodeId(place));
        for edge in self.nodes.iter_mut().flat_map(|node| &mut node.edges) {
            edge.to = places[edge.to.index()];
        }
        self.index.values_mut().for_each(|id| *id = places[id.index()]);
        self.roots.iter_mut().for_each(|id| *id = places[id.index()]);
        self.is_root = self.roots.iter().copied().collect();
        for at in 0..places.len() {
            while places[at].index() != at {
                let place = places[at].index();
                self.nodes.swap(at, place);
                places.swap(at, place);
            }
        }
    }

    /// Adds the counts of a position.
    pub(crate) fn add_count(&mut self, count: &PositionCount) {
        let id = self.add_position(&count.key);
        self.nodes[id.index()].tally.merge(&count.tally);
        for played in &count.moves {
            let to = self.add_position(&played.to);
            self.add_move(id, played.uci, to).played.merge(&played.tally);
        }
    }
}

/// The key of the position after a legal move.
pub(super) fn key_after(position: &Chess, m: Move) -> PositionKey {
    let mut after = position.clone();
    after.play_unchecked(m);
    PositionKey::from(&after)
}

impl Book {
    /// The number of prepared moves.
    pub fn prepared_moves(&self) -> usize {
        self.ids().map(|id| self.prepared_edges(id).len()).sum()
    }

    /// Whether nothing is prepared in it: no move, and no note on a position.
    pub fn is_blank(&self) -> bool {
        !self.ids().any(|id| self.prepares_anything(id))
    }

    /// Whether a move of a position is prepared, or a note is on it.
    pub(crate) fn prepares_anything(&self, id: NodeId) -> bool {
        let node = self.node(id);
        !node.notes.is_empty() || node.edges.iter().any(|edge| edge.prepared.is_some())
    }

    /// Prepares what another book prepares, after what this one has: its moves behind the existing
    /// ones, and its notes unless they are there. Lines that begin where lines of this one do are
    /// numbered as those are.
    pub fn merge_prepared(&mut self, other: &Self) {
        for root in other.roots() {
            let key = other.node(*root).key;
            let is_known = self.is_root(&key);
            self.add_root(&key);
            if !is_known {
                self.set_counters(&key, other.counters(*root));
            }
        }
        other.ids().filter(|id| other.prepares_anything(*id)).for_each(|id| {
            self.merge_position(other, id);
        });
    }

    /// Prepares what another book prepares in one position. Returns the position.
    pub(super) fn merge_position(&mut self, other: &Self, id: NodeId) -> NodeId {
        let node = other.node(id);
        let from = self.add_position(&node.key);
        let notes = &mut self.node_mut(from).notes;
        node.notes.iter().for_each(|note| note.clone().merge_into(notes));
        for (edge, prepared) in other.prepared_edges(id) {
            let to = self.add_position(&other.node(edge.to).key);
            let notes = self.prepare_edge(from, edge.uci, to);
            prepared.notes.iter().for_each(|note| note.clone().merge_into(notes));
        }
        from
    }

    /// The prepared moves of a position, the main one first.
    pub(crate) fn prepared_edges(&self, id: NodeId) -> Vec<(&Edge, &Prepared)> {
        let edges = self.node(id).edges.iter();
        let mut moves: Vec<_> =
            edges.filter_map(|edge| Some((edge, edge.prepared.as_ref()?))).collect();
        moves.sort_by_key(|(edge, prepared)| (prepared.ordinal, edge.uci));
        moves
    }

    /// The moves that a game played in positions of the book, once each.
    pub(super) fn moves_of(&self, game: &KeptGame) -> Vec<(NodeId, UciMove)> {
        let mut played = Vec::new();
        game.walk(usize::MAX, |key, uci| played.extend(self.find(key).zip(uci)));
        played.sort_unstable();
        played.dedup();
        played
    }

    /// Whether a move of a position is prepared.
    pub(super) fn prepares(&self, key: &PositionKey, uci: UciMove) -> bool {
        let edge = self.find(key).and_then(|id| self.node(id).edge(uci));
        edge.is_some_and(|edge| edge.prepared.is_some())
    }

    /// The prepared lines without a move and what only it leads to.
    pub(super) fn without(&self, key: &PositionKey, uci: UciMove) -> Self {
        let is_kept = |id: NodeId, edge: &Edge| self.node(id).key != *key || edge.uci != uci;
        let mut rest = Self::new(self.color(), self.rule());
        let mut open: Vec<NodeId> = self.roots().iter().rev().copied().collect();
        let mut reached: HashSet<NodeId> = open.iter().copied().collect();
        for root in self.roots() {
            let key = self.node(*root).key;
            rest.add_root(&key);
            rest.set_counters(&key, self.counters(*root));
        }
        while let Some(id) = open.pop() {
            let at = rest.add_position(&self.node(id).key);
            rest.node_mut(at).notes.extend_from_slice(&self.node(id).notes);
            let moves = self.prepared_edges(id).into_iter();
            for (edge, prepared) in moves.filter(|(edge, _)| is_kept(id, edge)) {
                let to = rest.add_position(&self.node(edge.to).key);
                rest.prepare_edge(at, edge.uci, to).extend(prepared.notes.iter().cloned());
                if prepared.is_chosen() {
                    rest.rank_move(at, edge.uci, CHOSEN);
                }
                if reached.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        rest
    }

    /// Ranks the prepared moves of a position within its chapter, `first` before the others, whose
    /// order stays.
    pub(super) fn rank_moves(&mut self, key: &PositionKey, first: Option<UciMove>) {
        let Some(from) = self.find(key) else { return };
        let moves = self.prepared_edges(from).into_iter();
        let mut order: Vec<UciMove> = moves.map(|(edge, _)| edge.uci).collect();
        order.sort_by_key(|uci| Some(*uci) != first);
        (1..).zip(order).for_each(|(ordinal, uci)| self.rank_move(from, uci, ordinal));
    }

    /// The main one of the prepared moves of a position.
    pub(super) fn main_move(&self, key: &PositionKey) -> Option<UciMove> {
        let moves = self.prepared_edges(self.find(key)?);
        moves.first().map(|(edge, _)| edge.uci)
    }

    /// The prepared move of a position that comes before those of other chapters.
    pub(super) fn chosen_move(&self, key: &PositionKey) -> Option<UciMove> {
        let moves = self.prepared_edges(self.find(key)?);
        moves.first().filter(|(_, prepared)| prepared.is_chosen()).map(|(edge, _)| edge.uci)
    }

    /// Puts a move before those that other chapters have in the position.
    pub(crate) fn choose(&mut self, key: &PositionKey, uci: UciMove) {
        if let Some(from) = self.find(key) {
            self.rank_move(from, uci, CHOSEN);
        }
    }

    /// Prepares the moves that another book puts before those of other chapters.
    pub(crate) fn merge_chosen(&mut self, other: &Self) {
        for id in other.ids() {
            for (edge, _) in other.prepared_edges(id).iter().filter(|(_, p)| p.is_chosen()) {
                let from = self.add_position(&other.node(id).key);
                let to = self.add_position(&other.node(edge.to).key);
                self.prepare_edge(from, edge.uci, to);
            }
        }
    }
}
