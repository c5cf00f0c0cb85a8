//! Games in progress through a book, ply by ply: where they meet what the book does not have.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map::Entry};

use super::frequencies::Frequencies;
use crate::{
    chess::{Board, EnPassantMode, Position, PositionKey, UciMove},
    repertoire::{
        book::{Book, BookLine, NodeId, ShortestLines},
        games::Tally,
    },
};

/// The probability that games are in a position at a ply.
#[derive(Debug, Clone, Copy)]
struct Mass {
    sum: f64,
    /// The most probable single line, and its last step.
    best: f64,
    last: Option<(NodeId, UciMove)>,
}

impl Mass {
    /// The part that continues with a move of this share.
    fn after(&self, share: f64, last: (NodeId, UciMove)) -> Self {
        Self { sum: self.sum * share, best: self.best * share, last: Some(last) }
    }

    /// The part that stays.
    fn part(&self, share: f64) -> Self {
        Self { sum: self.sum * share, best: self.best * share, last: self.last }
    }

    fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        if other.best > self.best {
            (self.best, self.last) = (other.best, other.last);
        }
    }
}

/// The games that have left the book in a position.
pub(super) struct Arrivals {
    mass: Mass,
    /// The ply at which the most probable line arrives.
    ply: usize,
    moves: BTreeSet<(NodeId, UciMove)>,
}

impl Arrivals {
    /// The probability of a game that does.
    pub(super) fn probability(&self) -> f64 {
        self.mass.sum
    }
}

/// The positions in which games have left the book.
type Exits = BTreeMap<PositionKey, Arrivals>;

/// Games in progress through a book. Each ply has its own layer, so the same position after 4 and
/// after 6 plies is two, and repetitions end with the depth.
pub(super) struct Flow<'f> {
    book: &'f Book,
    frequencies: Frequencies<'f>,
    layers: Vec<BTreeMap<NodeId, Mass>>,
    /// The positions in which lines are marked as final.
    finals: HashSet<NodeId>,
    /// The moves that lead to the ends of lines.
    last_moves: HashMap<NodeId, Vec<(NodeId, UciMove)>>,
    /// Moves of the opponent without answer.
    pub(super) gaps: Exits,
    /// Ends of lines.
    pub(super) ends: Exits,
}

impl<'f> Flow<'f> {
    /// The games of a book up to a ply.
    pub(super) fn through(book: &'f Book, frequencies: Frequencies<'f>, depth: usize) -> Self {
        let (finals, last_moves) = (book.final_positions(), last_moves(book));
        let (layers, gaps, ends) = (Vec::new(), Exits::new(), Exits::new());
        let mut flow = Self { book, frequencies, layers, finals, last_moves, gaps, ends };
        flow.start();
        for _ in 0..depth {
            flow.step();
        }
        flow
    }

    fn start(&mut self) {
        let mut roots: Vec<NodeId> = self.book.starts().collect();
        if roots.len() > 1 {
            roots = ShortestLines::of(self.book).starts().collect();
            // Of games that begin elsewhere, those alone that lines are prepared for.
            let is_initial = |id: &NodeId| self.book.node(*id).key == Board::default().key();
            if !self.book.has_prepared() && roots.first().is_some_and(is_initial) {
                roots.truncate(1);
            }
        }
        let games = |id: &NodeId| self.frequencies.games(self.book, *id) as f64;
        let weights: Vec<f64> = roots.iter().map(|id| 1.0 + games(id)).collect();
        let all: f64 = weights.iter().sum();
        self.layers.push(BTreeMap::new());
        for (id, weight) in roots.iter().zip(weights) {
            let sum = weight / all;
            let mass = Mass { sum, best: sum, last: None };
            self.arrive(Some(*id), &self.book.node(*id).key, mass, 0);
        }
    }

    /// Plays one ply.
    fn step(&mut self) {
        let ply = self.layers.len();
        let Some(layer) = self.layers.last().cloned() else { return };
        self.layers.push(BTreeMap::new());
        for (id, mass) in layer {
            if !self.book.has_moves(id) {
                self.end(id, mass, ply);
                continue;
            }
            for (uci, share) in self.frequencies.shares(self.book, id).moves {
                let (to, key) = self.destination(id, uci);
                self.arrive(to, &key, mass.after(share, (id, uci)), ply);
            }
        }
    }

    /// Ends a line: only moves that come to another line of the book go on.
    fn end(&mut self, id: NodeId, mass: Mass, ply: usize) {
        let key = self.book.node(id).key;
        if self.finals.contains(&id) || is_over(&key) {
            return;
        }
        let shares = self.frequencies.shares(self.book, id);
        let mut ended = shares.unknown;
        for (uci, share) in shares.moves {
            match self.destination(id, uci) {
                (Some(to), key) if self.book.has_moves(to) => {
                    self.arrive(Some(to), &key, mass.after(share, (id, uci)), ply);
                }
                _ => ended += share,
            }
        }
        let arrivals = note_exit(&mut self.ends, &key, mass.part(ended), ply - 1);
        arrivals.moves.extend(self.last_moves.get(&id).into_iter().flatten());
    }

    /// Where a move leads: to a position that the book may have.
    fn destination(&self, from: NodeId, uci: UciMove) -> (Option<NodeId>, PositionKey) {
        let node = self.book.node(from);
        if let Some(edge) = node.edge(uci) {
            return (Some(edge.to), self.book.node(edge.to).key);
        }
        let mut after = node.key.to_position().expect("games have it");
        after.play_unchecked(uci.to_move(&after).expect("it was played"));
        let key = PositionKey::from_position(&after, EnPassantMode::Legal);
        (self.book.find(&key), key)
    }

    fn arrive(&mut self, to: Option<NodeId>, key: &PositionKey, mass: Mass, ply: usize) {
        let goes_on = |id: &NodeId| !self.book.is_own_turn(*id) || self.book.has_moves(*id);
        if let Some(id) = to.filter(goes_on) {
            let layer = self.layers.last_mut().expect("there is one from the start on");
            layer.entry(id).and_modify(|there| there.add(&mass)).or_insert(mass);
        } else if !is_over(key) && !to.is_some_and(|id| self.finals.contains(&id)) {
            note_exit(&mut self.gaps, key, mass, ply);
        }
    }

    /// The most probable line to where games have left the book, from its end.
    pub(super) fn line_to(&self, key: PositionKey, arrivals: &Arrivals) -> BookLine {
        let mut moves = Vec::new();
        let mut root = self.book.find(&key);
        let (mut last, mut ply) = (arrivals.mass.last, arrivals.ply);
        while let Some((before, uci)) = last {
            moves.push(uci);
            ply -= 1;
            root = Some(before);
            last = self.layers[ply][&before].last;
        }
        moves.reverse();
        BookLine { root: root.expect("a line begins in the book"), moves }
    }

    /// The games with the moves that lead to where games have left the book.
    pub(super) fn tally(&self, arrivals: &Arrivals) -> Tally {
        let mut sum = Tally::default();
        for (from, uci) in &arrivals.moves {
            match self.frequencies {
                Frequencies::Own => {
                    let edges = self.book.node(*from).edges.iter();
                    edges.filter(|edge| edge.uci == *uci).for_each(|edge| sum.merge(&edge.played));
                }
                Frequencies::Reference(counts) => counts
                    .moves(*from)
                    .filter(|(played, _)| played == uci)
                    .for_each(|(_, tally)| sum.merge(tally)),
            }
        }
        sum
    }
}

fn last_moves(book: &Book) -> HashMap<NodeId, Vec<(NodeId, UciMove)>> {
    let mut last: HashMap<NodeId, Vec<(NodeId, UciMove)>> = HashMap::new();
    for id in book.ids().filter(|id| book.is_own_turn(*id)) {
        let moves = book.node(id).edges.iter();
        for edge in moves.filter(|edge| !book.has_moves(edge.to)) {
            last.entry(edge.to).or_default().push((id, edge.uci));
        }
    }
    last
}

fn note_exit<'e>(
    exits: &'e mut Exits,
    key: &PositionKey,
    mass: Mass,
    ply: usize,
) -> &'e mut Arrivals {
    let arrivals = match exits.entry(*key) {
        Entry::Vacant(entry) => entry.insert(Arrivals { mass, ply, moves: BTreeSet::new() }),
        Entry::Occupied(entry) => {
            let arrivals = entry.into_mut();
            if mass.best > arrivals.mass.best {
                arrivals.ply = ply;
            }
            arrivals.mass.add(&mass);
            arrivals
        }
    };
    arrivals.moves.extend(mass.last);
    arrivals
}

/// Whether nothing can be played any more.
pub(super) fn is_over(key: &PositionKey) -> bool {
    key.to_position().is_ok_and(|position| position.legal_moves().is_empty())
}
