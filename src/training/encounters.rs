//! How often the positions of a book are met.

use super::deck::Deck;
use crate::repertoire::{Edge, NodeId, ShortestLines};

/// How likely a game through a book meets its positions, as far as moves lead there by no detour.
///
/// The opponent's moves come as often as they did in the games of the repertoire, or in those that
/// the deck has for it, each one of the book once more, so that none is left out. Own moves come as
/// often as they did in the games of the repertoire; those of the book once more.
#[derive(Debug, Clone)]
pub struct Encounters {
    chances: Vec<f64>,
}

impl Encounters {
    /// The chances of the positions that lines lead to.
    #[must_use]
    pub(super) fn of(deck: &Deck) -> Self {
        let (book, lines) = (deck.book(), deck.lines());
        let mut chances = vec![0.0; book.len()];
        let starts: Vec<NodeId> = lines.starts().collect();
        let games: f64 = starts.iter().map(|id| 1.0 + f64::from(book.node(*id).tally.games)).sum();
        for id in starts {
            chances[id.index()] = (1.0 + f64::from(book.node(id).tally.games)) / games;
        }
        // By plies: what leads to a position without a detour comes before it.
        let mut reached = lines.reached().to_vec();
        reached.sort_by_key(|id| lines.ply(*id));
        for id in reached {
            for (edge, share) in shares(deck, id) {
                if is_forward(lines, id, edge.to()) {
                    chances[edge.to().index()] += chances[id.index()] * share;
                }
            }
        }
        Self { chances }
    }

    /// The probability that a game meets a position, from 0 to 1.
    #[must_use]
    pub fn of_position(&self, id: NodeId) -> f64 {
        self.chances.get(id.index()).copied().unwrap_or(0.0)
    }
}

/// Whether a move leads to a position that is further from where lines begin.
pub(super) fn is_forward(lines: &ShortestLines, from: NodeId, to: NodeId) -> bool {
    lines.ply(from) < lines.ply(to)
}

/// The moves of the book in a position, with how often they are played there.
pub(super) fn shares(deck: &Deck, id: NodeId) -> Vec<(&Edge, f64)> {
    let (moves, played) = (deck.book().moves(id), deck.frequencies().played(deck.book(), id));
    let games: f64 = played.iter().map(|(_, games)| f64::from(*games)).sum();
    let all = games + moves.len() as f64;
    let of = |edge: &Edge| played.iter().find(|(uci, _)| *uci == edge.uci()).map_or(0, |m| m.1);
    moves.into_iter().map(|edge| (edge, (f64::from(of(edge)) + 1.0) / all)).collect()
}
