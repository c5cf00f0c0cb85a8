//! Changes of prepared lines: two books become one, a line is taken out, a move becomes the first.

use std::collections::HashSet;

use super::{
    graph::Book,
    node::{CHOSEN, Edge, NodeId, Prepared},
    note::Note,
};
use crate::chess::{PositionKey, UciMove};

impl Book {
    /// The number of prepared moves.
    #[must_use]
    pub fn prepared_moves(&self) -> usize {
        self.ids().map(|id| self.prepared_edges(id).len()).sum()
    }

    /// Whether nothing is prepared in it: no move, and no note on a position.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.ids().all(|id| self.node(id).notes.is_empty() && self.prepared_edges(id).is_empty())
    }

    /// Prepares what another book prepares, after what this one has: its moves behind the existing
    /// ones, and its notes unless they are there. Lines that begin where lines of this one do are
    /// numbered as those are.
    pub(crate) fn merge_prepared(&mut self, other: &Self) {
        for root in other.roots() {
            let key = other.node(*root).key;
            let is_known = self.is_root(&key);
            self.add_root(&key);
            if !is_known {
                self.set_counters(&key, other.counters(*root));
            }
        }
        for id in other.ids() {
            let node = other.node(id);
            let moves = other.prepared_edges(id);
            if moves.is_empty() && node.notes.is_empty() {
                continue;
            }
            let from = self.add_position(&node.key);
            node.notes.iter().for_each(|note| self.merge_note(from, note.clone()));
            for (edge, prepared) in moves {
                let to = self.add_position(&other.node(edge.to).key);
                let notes = self.prepare_edge(from, edge.uci, to);
                prepared.notes.iter().for_each(|note| note.clone().merge_into(notes));
            }
        }
    }

    /// The prepared moves of a position, the main one first.
    pub(crate) fn prepared_edges(&self, id: NodeId) -> Vec<(&Edge, &Prepared)> {
        let edges = self.node(id).edges.iter();
        let mut moves: Vec<_> =
            edges.filter_map(|edge| Some((edge, edge.prepared.as_ref()?))).collect();
        moves.sort_by_key(|(edge, prepared)| (prepared.ordinal, edge.uci));
        moves
    }

    /// Whether a move of a position is prepared.
    pub(super) fn prepares(&self, key: &PositionKey, uci: UciMove) -> bool {
        let edge = self.find(key).and_then(|id| self.node(id).edge(uci));
        edge.is_some_and(|edge| edge.prepared.is_some())
    }

    /// The prepared lines without a move and what only it leads to.
    #[must_use]
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
            rest.add_notes(at, self.node(id).notes.iter().cloned());
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

    /// Makes a prepared move the main one of a position; the order of the others stays.
    pub(super) fn make_main(&mut self, key: &PositionKey, uci: UciMove) {
        let Some(from) = self.find(key) else { return };
        let moves = self.prepared_edges(from).into_iter().map(|(edge, _)| edge.uci);
        let mut order: Vec<UciMove> = moves.filter(|other| *other != uci).collect();
        order.insert(0, uci);
        self.rank_moves(from, &order);
    }

    /// The main one of the prepared moves of a position.
    pub(super) fn main_move(&self, key: &PositionKey) -> Option<UciMove> {
        let moves = self.prepared_edges(self.find(key)?);
        moves.first().map(|(edge, _)| edge.uci)
    }

    /// Puts a move before those that other chapters have in the position.
    pub(crate) fn choose(&mut self, key: &PositionKey, uci: UciMove) {
        if let Some(from) = self.find(key) {
            self.rank_move(from, uci, CHOSEN);
        }
    }

    /// Takes that back.
    pub(super) fn unchoose(&mut self, key: &PositionKey) {
        let Some(from) = self.find(key) else { return };
        let moves = self.prepared_edges(from).into_iter();
        let order: Vec<UciMove> = moves.map(|(edge, _)| edge.uci).collect();
        self.rank_moves(from, &order);
    }

    fn rank_moves(&mut self, from: NodeId, order: &[UciMove]) {
        for (ordinal, uci) in (1..).zip(order) {
            self.rank_move(from, *uci, ordinal);
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

    /// The notes on a prepared move.
    pub(super) fn notes_on(&mut self, key: &PositionKey, uci: UciMove) -> Option<&mut Vec<Note>> {
        let from = self.find(key)?;
        self.move_notes_mut(from, uci)
    }
}
