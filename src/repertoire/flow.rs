//! Games in progress through a book, ply by ply, and where they leave it.
//!
//! Where several orders of moves come to one position at one ply, their probabilities add up, so
//! the work grows with the book and not with the number of lines through it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map::Entry};

use super::{Book, BookLine, NodeId, ShortestLines, book::key_after, frequencies::Play};
use crate::chess::{Board, Position, PositionKey, UciMove};

/// The probability that games are in a position at a ply.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mass {
    pub(super) sum: f64,
    /// The most probable single line, and its last step.
    pub(super) best: f64,
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
    /// The games that do; its sum is the probability of one.
    pub(super) mass: Mass,
    /// The ply at which the most probable line arrives.
    ply: usize,
    pub(super) moves: BTreeSet<(NodeId, UciMove)>,
}

/// The positions in which games have left the book.
pub(super) type Exits = BTreeMap<PositionKey, Arrivals>;

/// Games in progress through a book. Each ply has its own layer, so the same position after 4 and
/// after 6 plies is two, and repetitions end with the depth.
pub(super) struct Flow<'f> {
    book: &'f Book,
    play: &'f dyn Play,
    pub(super) layers: Vec<BTreeMap<NodeId, Mass>>,
    /// The positions in which lines are marked as final.
    finals: HashSet<NodeId>,
    /// The moves that lead to the ends of lines.
    last_moves: HashMap<NodeId, Vec<(NodeId, UciMove)>>,
    /// Moves of the opponent without answer.
    pub(super) gaps: Exits,
    /// Ends of lines.
    pub(super) ends: Exits,
    /// Positions of the book in which nobody knows how games go on, or the game is over, or the
    /// line is marked as final; and those of the last ply.
    pub(super) known: Exits,
}

impl<'f> Flow<'f> {
    /// The games of a book up to a ply.
    pub(super) fn through(book: &'f Book, play: &'f dyn Play, depth: usize) -> Self {
        let (finals, last_moves) = (book.final_positions(), last_moves(book));
        let (layers, [gaps, ends, known]) = (Vec::new(), [(); 3].map(|()| Exits::new()));
        let mut flow = Self { book, play, layers, finals, last_moves, gaps, ends, known };
        flow.start();
        for _ in 0..depth {
            flow.step();
        }
        for (id, mass) in flow.layers.last().into_iter().flatten() {
            note_exit(&mut flow.known, &book.node(*id).key, *mass, depth);
        }
        flow
    }

    fn start(&mut self) {
        let mut roots: Vec<NodeId> = self.book.starts().collect();
        if roots.len() > 1 {
            roots = ShortestLines::of(self.book).starts().collect();
            // Of games that begin elsewhere, those alone that lines are prepared for.
            let is_initial = |id: &NodeId| self.book.node(*id).key == Board::default().key();
            let elsewhere = self.book.has_prepared() && self.play.begins_elsewhere();
            if !elsewhere && roots.first().is_some_and(is_initial) {
                roots.truncate(1);
            }
        }
        let games = |id: &NodeId| self.play.games(self.book, *id);
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
            let shares = self.play.shares(self.book, id);
            if shares.unknown > 0.0 {
                let key = &self.book.node(id).key;
                note_exit(&mut self.known, key, mass.part(shares.unknown), ply - 1);
            }
            for (uci, share) in shares.moves {
                let (to, key) = self.destination(id, uci);
                self.arrive(to, &key, mass.after(share, (id, uci)), ply);
            }
        }
    }

    /// Ends a line: only moves that come to another line of the book go on.
    fn end(&mut self, id: NodeId, mass: Mass, ply: usize) {
        let key = self.book.node(id).key;
        if self.finals.contains(&id) || is_over(&key) {
            note_exit(&mut self.known, &key, mass, ply - 1);
            return;
        }
        let shares = self.play.shares(self.book, id);
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
        let position = node.key.to_position().expect("games have it");
        let key = key_after(&position, uci.to_move(&position).expect("it was played"));
        (self.book.find(&key), key)
    }

    fn arrive(&mut self, to: Option<NodeId>, key: &PositionKey, mass: Mass, ply: usize) {
        let goes_on = |id: &NodeId| !self.book.is_own_turn(*id) || self.book.has_moves(*id);
        if let Some(id) = to.filter(goes_on) {
            let layer = self.layers.last_mut().expect("there is one from the start on");
            layer.entry(id).and_modify(|there| there.add(&mass)).or_insert(mass);
        } else if !is_over(key) && !to.is_some_and(|id| self.finals.contains(&id)) {
            note_exit(&mut self.gaps, key, mass, ply);
        } else {
            note_exit(&mut self.known, key, mass, ply);
        }
    }

    /// The most probable line to where games have left the book, from its end.
    pub(super) fn line_to(&self, key: PositionKey, arrivals: &Arrivals) -> BookLine {
        self.line_back(self.book.find(&key), arrivals.mass.last, arrivals.ply)
    }

    /// The most probable line to a position of the book at a ply.
    pub(super) fn line_at(&self, ply: usize, id: NodeId) -> BookLine {
        self.line_back(Some(id), self.layers[ply][&id].last, ply)
    }

    /// A line from its end, with its last step.
    fn line_back(
        &self,
        end: Option<NodeId>,
        last: Option<(NodeId, UciMove)>,
        ply: usize,
    ) -> BookLine {
        let mut plies = (0..ply).rev();
        let moves =
            std::iter::successors(last, |(before, _)| self.layers[plies.next()?][before].last);
        let end = end.or(last.map(|(before, _)| before));
        BookLine::back_from(end.expect("a line begins in the book"), moves)
    }

    /// Where the moves of a position in the layer of a ply lead in the next layer.
    fn steps(&self, ply: usize, id: NodeId) -> impl Iterator<Item = (NodeId, f64)> {
        let has_moves = self.book.has_moves(id);
        let is_open = has_moves || !self.finals.contains(&id);
        let shares = if is_open { self.play.shares(self.book, id).moves } else { Vec::new() };
        shares.into_iter().filter_map(move |(uci, share)| {
            let to = self.destination(id, uci).0?;
            let goes_on = self.layers[ply + 1].contains_key(&to);
            (goes_on && (has_moves || self.book.has_moves(to))).then_some((to, share))
        })
    }

    /// By ply, how each position of the layer is reached: from where, with which share.
    fn arrivals(&self) -> Vec<BTreeMap<NodeId, Vec<(NodeId, f64)>>> {
        let mut all = vec![BTreeMap::<NodeId, Vec<(NodeId, f64)>>::new(); self.layers.len()];
        for (ply, layer) in self.layers.iter().enumerate().take(self.layers.len() - 1) {
            for from in layer.keys() {
                for (to, share) in self.steps(ply, *from) {
                    all[ply + 1].entry(to).or_default().push((*from, share));
                }
            }
        }
        all
    }

    /// For each of these positions, the probability that a game has it, if the player chooses his
    /// moves to come there.
    pub(super) fn steered(&self, targets: &[NodeId]) -> Vec<f64> {
        let arrivals = self.arrivals();
        targets.iter().map(|target| self.steered_to(*target, &arrivals)).collect()
    }

    /// Goes back from the position: of own moves the best one counts, of the opponent's all, by
    /// their shares.
    fn steered_to(&self, target: NodeId, arrivals: &[BTreeMap<NodeId, Vec<(NodeId, f64)>>]) -> f64 {
        let mut values: BTreeMap<NodeId, f64> = BTreeMap::new();
        for ply in (0..self.layers.len()).rev() {
            if self.layers[ply].contains_key(&target) {
                values.insert(target, 1.0);
            }
            if ply == 0 {
                break;
            }
            let mut before: BTreeMap<NodeId, f64> = BTreeMap::new();
            for (to, value) in &values {
                for (from, share) in arrivals[ply].get(to).into_iter().flatten() {
                    let known = before.entry(*from).or_default();
                    match self.book.is_own_turn(*from) {
                        true => *known = known.max(*value),
                        false => *known += share * value,
                    }
                }
            }
            values = before;
        }
        let starts = self.layers.first().into_iter().flatten();
        starts.map(|(id, mass)| mass.sum * values.get(id).copied().unwrap_or(0.0)).sum()
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
