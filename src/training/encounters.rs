//! How often the positions of a book are met, and lines drawn by that: to a position, and on from
//! it.

use fastrand::Rng;

use super::{Deck, deck::Branch};

use crate::chess::UciMove;
use crate::repertoire::{BookLine, Frequencies, NodeId};

/// How likely a game through a book meets its positions, and by which moves it comes there, as far
/// as moves lead there by no detour.
///
/// The opponent's moves come as often as they did in the games of the repertoire, or in those that
/// the deck has for it, each one of the book once more, so that none is left out. Own moves come as
/// often as they did in the games of the repertoire; those of the book once more.
#[derive(Debug, Clone)]
pub(super) struct Encounters {
    chances: Vec<f64>,
    /// The moves by which games arrive at positions, those of a position together.
    arrivals: Vec<Arrival>,
    /// The index of the first of those of each position, and of what follows.
    first: Vec<usize>,
}

/// A move that leads to a position.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    to: NodeId,
    from: NodeId,
    uci: UciMove,
    /// How often games arrive by it.
    chance: f64,
}

impl Encounters {
    /// Those of the positions that lines lead to.
    pub(super) fn of(deck: &Deck) -> Self {
        let (book, lines) = (deck.book(), &deck.lines);
        let mut chances = vec![0.0; book.len()];
        let mut arrivals: Vec<Arrival> = Vec::with_capacity(book.len());
        let starts: Vec<NodeId> = lines.starts().collect();
        let games: f64 = starts.iter().map(|id| 1.0 + f64::from(book.node(*id).tally.games)).sum();
        for id in starts {
            chances[id.index()] = (1.0 + f64::from(book.node(id).tally.games)) / games;
        }
        // By plies: what leads to a position without a detour comes before it.
        let mut reached: Vec<(Option<u32>, NodeId)> =
            lines.reached.iter().map(|id| (lines.ply(*id), *id)).collect();
        reached.sort_by_key(|(ply, _)| *ply);
        for (ply, from) in reached {
            let here = chances[from.index()];
            each_share(deck, from, |Branch { to, uci, .. }, share| {
                if ply < lines.ply(to) {
                    let chance = here * share;
                    chances[to.index()] += chance;
                    arrivals.push(Arrival { to, from, uci, chance });
                }
            });
        }
        arrivals.sort_by_key(|arrival| arrival.to);
        let mut first = vec![0; book.len() + 1];
        arrivals.iter().for_each(|arrival| first[arrival.to.index() + 1] += 1);
        (0..book.len()).for_each(|at| first[at + 1] += first[at]);
        Self { chances, arrivals, first }
    }

    /// The moves that lead to a position.
    fn to(&self, id: NodeId) -> &[Arrival] {
        &self.arrivals[self.first[id.index()]..self.first[id.index() + 1]]
    }

    /// The probability that a game meets a position, from 0 to 1.
    pub(super) fn chance(&self, id: NodeId) -> f64 {
        self.chances[id.index()]
    }

    /// A line to a position, the more likely the more often games come by it.
    pub(super) fn draw_to(&self, target: NodeId, rng: &mut Rng) -> BookLine {
        let mut arrival = |at: NodeId| {
            let arrival = draw(self.to(at), |arrival| arrival.chance, rng)?;
            Some((arrival.from, arrival.uci))
        };
        let moves = std::iter::successors(arrival(target), |(before, _)| arrival(*before));
        BookLine::back_from(target, moves)
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
        let mut moves = Vec::new();
        each_share(deck, from, |branch, share| moves.push((branch, share)));
        moves.retain(|(branch, _)| {
            deck.lines.ply(from) < deck.lines.ply(branch.to) && leads[branch.to.index()]
        });
        let preferred = moves.iter().find(|(branch, _)| Some(branch.uci) == preferred);
        let chosen = preferred.or_else(|| draw(&moves, |(_, share)| *share, rng));
        chosen.map(|(branch, _)| branch.uci)
    }

    /// Which positions lead to one of the targets, or are one.
    fn leads(&self, targets: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut leads = vec![false; self.chances.len()];
        let mut open: Vec<NodeId> = targets.into_iter().collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut leads[id.index()], true) {
                open.extend(self.to(id).iter().map(|arrival| arrival.from));
            }
        }
        leads
    }
}

/// Calls `visit` with the moves of the book in a position, and how often they are played there.
fn each_share(deck: &Deck, id: NodeId, mut visit: impl FnMut(Branch, f64)) {
    let moves = deck.branches(id);
    let others = match deck.frequencies() {
        Frequencies::Own => None,
        reference => Some(reference.played(deck.book(), id)),
    };
    let games = match &others {
        None => f64::from(deck.games(id)),
        Some(played) => played.iter().map(|(_, games)| f64::from(*games)).sum(),
    };
    let of = |branch: &Branch| match &others {
        None => branch.games,
        Some(played) => played.iter().find(|(uci, _)| *uci == branch.uci).map_or(0, |m| m.1),
    };
    let all = games + moves.len() as f64;
    moves.iter().for_each(|branch| visit(*branch, (f64::from(of(branch)) + 1.0) / all));
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
