//! Lines drawn by lot: to a position, and on from it.

use fastrand::Rng;

use super::{
    deck::Deck,
    encounters::{Encounters, is_forward, shares},
};
use crate::{
    chess::UciMove,
    repertoire::{BookLine, NodeId},
};

/// The ways through a book that make no detour, each move with how often it is played.
#[derive(Debug, Clone)]
pub(super) struct Ways {
    /// The moves that lead to a position, with how often games arrive by them.
    to: Vec<Vec<(NodeId, UciMove, f64)>>,
}

impl Ways {
    pub(super) fn of(deck: &Deck, encounters: &Encounters) -> Self {
        let lines = deck.lines();
        let mut to = vec![Vec::new(); deck.book().len()];
        for from in lines.reached().iter().copied() {
            for (edge, share) in shares(deck, from) {
                if is_forward(lines, from, edge.to()) {
                    let arrivals = encounters.of_position(from) * share;
                    to[edge.to().index()].push((from, edge.uci(), arrivals));
                }
            }
        }
        Self { to }
    }

    /// A line to a position, the more likely the more often games come by it.
    pub(super) fn draw_to(&self, target: NodeId, rng: &mut Rng) -> BookLine {
        let (mut root, mut moves) = (target, Vec::new());
        while let Some((before, uci, _)) = draw(&self.to[root.index()], |way| way.2, rng) {
            moves.push(*uci);
            root = *before;
        }
        moves.reverse();
        BookLine { root, moves }
    }

    /// The next move towards one of the targets: the preferred one if it leads there, or else one
    /// by how often it is played. `None` if no move does.
    pub(super) fn draw_on(
        &self,
        deck: &Deck,
        from: NodeId,
        targets: impl IntoIterator<Item = NodeId>,
        preferred: Option<UciMove>,
        rng: &mut Rng,
    ) -> Option<UciMove> {
        let leads = self.leads(targets);
        let mut moves = shares(deck, from);
        moves.retain(|(edge, _)| {
            is_forward(deck.lines(), from, edge.to()) && leads[edge.to().index()]
        });
        let preferred = moves.iter().find(|(edge, _)| Some(edge.uci()) == preferred);
        let chosen = preferred.or_else(|| draw(&moves, |(_, share)| *share, rng));
        chosen.map(|(edge, _)| edge.uci())
    }

    /// Which positions lead to one of the targets, or are one.
    fn leads(&self, targets: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut leads = vec![false; self.to.len()];
        let mut open: Vec<NodeId> = targets.into_iter().collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut leads[id.index()], true) {
                open.extend(self.to[id.index()].iter().map(|(before, ..)| *before));
            }
        }
        leads
    }
}

/// One of the items, by their weights; the first if all weigh nothing.
fn draw<'i, T>(items: &'i [T], weight: impl Fn(&T) -> f64, rng: &mut Rng) -> Option<&'i T> {
    let all: f64 = items.iter().map(&weight).sum();
    let mut left = rng.f64() * all;
    let drawn = items.iter().find(|item| {
        left -= weight(item);
        left < 0.0
    });
    drawn.or(items.first())
}
