//! How often moves are played: in the games of a repertoire, or in others.

use std::collections::BTreeMap;

use super::{Book, GameFacts, NodeId, Tally};
use crate::{chess::UciMove, collection::KeptGame};

/// The games that the frequencies of the opponents' moves are from.
///
/// # Smoothing
///
/// Few games say little of a single one, so counts are smoothed by absolute discounting (H. Ney,
/// U. Essen and R. Kneser, "On structuring probabilistic dependences in stochastic language
/// modelling", Computer Speech and Language 8, 1994): each move that was played loses 0.75 games
/// (the discount that K. W. Church and W. A. Gale found, Computer Speech and Language 5, 1991), and
/// what all of them lose goes to the moves that the book has for the opponent, in equal parts. Of
/// `n` games, of which `c` have a move and which have `k` different ones, the move has the share
/// `(c - 0.75) / n`, and a move of the book `0.75 k / n` divided by the number of such moves
/// besides. A move of a single game among five has 5 %, one of 100 games among 500 has 19.85 %.
///
/// The same is done for own moves, of which only those of the book count: a first game with one of
/// two prepared moves does not take the other one out of the repertoire.
#[derive(Debug, Clone, Copy)]
pub enum Frequencies<'f> {
    /// Those of the repertoire.
    Own,
    /// Others.
    Reference(&'f MoveCounts),
}

/// The games that each move that was played loses.
const DISCOUNT: f64 = 0.75;

/// The moves of a position with their shares.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shares {
    /// The moves, and how likely each is; no share is 0.
    pub(super) moves: Vec<(UciMove, f64)>,
    /// The share of moves that neither games nor book know.
    pub(super) unknown: f64,
}

/// How both sides play in the positions of a book.
pub(super) trait Play {
    /// The moves that are played in a position, whoever is to move.
    fn shares(&self, book: &Book, id: NodeId) -> Shares;

    /// The number of games that have a position, or what they weigh.
    fn games(&self, book: &Book, id: NodeId) -> f64;

    /// Whether games begin elsewhere too, where lines begin in the initial position.
    fn begins_elsewhere(&self) -> bool {
        true
    }
}

impl Play for Frequencies<'_> {
    fn games(&self, book: &Book, id: NodeId) -> f64 {
        match self {
            Self::Own => book.node(id).tally.games.into(),
            Self::Reference(counts) => {
                counts.moves(id).map(|(_, tally)| f64::from(tally.games)).sum()
            }
        }
    }

    fn shares(&self, book: &Book, id: NodeId) -> Shares {
        let expected = book.moves(id);
        let moves: Vec<UciMove> = expected.iter().map(|edge| edge.uci).collect();
        let played = match book.is_own_turn(id) {
            true => expected.iter().map(|edge| (edge.uci, edge.played.games)).collect(),
            false => self.played(book, id),
        };
        smoothed(&played, &moves)
    }
}

impl Frequencies<'_> {
    /// The games of each move that was played in a position; own moves count in the games of the
    /// repertoire.
    pub(crate) fn played(&self, book: &Book, id: NodeId) -> Vec<(UciMove, u32)> {
        match self {
            Self::Reference(counts) if !book.is_own_turn(id) => {
                counts.moves(id).map(|(uci, tally)| (uci, tally.games)).collect()
            }
            Self::Own | Self::Reference(_) => {
                let edges = book.node(id).edges.iter();
                edges.map(|edge| (edge.uci, edge.played.games)).collect()
            }
        }
    }
}

/// The shares of moves, given those that are expected.
fn smoothed(played: &[(UciMove, u32)], expected: &[UciMove]) -> Shares {
    let seen = || played.iter().filter(|(_, games)| *games > 0);
    let games: f64 = seen().map(|(_, games)| f64::from(*games)).sum();
    let rest = if games > 0.0 { DISCOUNT * seen().count() as f64 / games } else { 1.0 };
    let mut moves: Vec<(UciMove, f64)> =
        seen().map(|(uci, n)| (*uci, (f64::from(*n) - DISCOUNT) / games)).collect();
    for uci in expected {
        let part = rest / expected.len() as f64;
        match moves.iter_mut().find(|(known, _)| known == uci) {
            Some((_, share)) => *share += part,
            None => moves.push((*uci, part)),
        }
    }
    Shares { moves, unknown: if expected.is_empty() { rest } else { 0.0 } }
}

/// The moves that games played in the positions of a book.
///
/// It holds only positions of the book, so its size is bounded by the book's, however many games
/// there are. Counts of parts add up to the count of the whole, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveCounts {
    moves: BTreeMap<NodeId, BTreeMap<UciMove, Tally>>,
}

impl MoveCounts {
    /// What these games played. Wins are those of the side that the book is for.
    pub fn of(book: &Book, games: &[KeptGame]) -> Self {
        let mut counts = Self::default();
        games.iter().for_each(|game| counts.add(book, game));
        counts
    }

    /// Counts a game in.
    pub(crate) fn add(&mut self, book: &Book, game: &KeptGame) {
        let facts = GameFacts::of(game, None, book.color());
        for (id, uci) in book.moves_of(game) {
            self.moves.entry(id).or_default().entry(uci).or_default().add(&facts);
        }
    }

    /// Counts in the games of another part.
    pub fn merge(&mut self, other: &Self) {
        for (id, moves) in &other.moves {
            let mine = self.moves.entry(*id).or_default();
            moves.iter().for_each(|(uci, tally)| mine.entry(*uci).or_default().merge(tally));
        }
    }

    /// Counts in games of which no more is known than that they played a move.
    pub(crate) fn add_games(&mut self, id: NodeId, uci: UciMove, games: u32) {
        let tally = self.moves.entry(id).or_default().entry(uci).or_default();
        tally.games = tally.games.saturating_add(games);
    }

    /// The games in which a move was played.
    pub(super) fn games(&self, id: NodeId, uci: UciMove) -> Option<&Tally> {
        self.moves.get(&id)?.get(&uci)
    }

    /// The moves that were played in a position.
    pub(crate) fn moves(&self, id: NodeId) -> impl Iterator<Item = (UciMove, &Tally)> {
        self.moves.get(&id).into_iter().flatten().map(|(uci, tally)| (*uci, tally))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repertoire::BookRule;

    #[test]
    fn a_single_game_counts_a_quarter() {
        let uci = |text: &str| text.parse::<UciMove>().unwrap();
        let [e5, c5, a6] = ["e7e5", "c7c5", "a7a6"].map(uci);
        for (played, expected, shares, unknown) in [
            (&[][..], &[e5, c5][..], vec![(e5, 0.5), (c5, 0.5)], 0.0),
            (&[(a6, 1)], &[e5, c5], vec![(a6, 0.25), (e5, 0.375), (c5, 0.375)], 0.0),
            // 0.75 games each are lost by two moves; the book has half of the 1.5 for each of its.
            (&[(a6, 1), (e5, 4)], &[e5, c5], vec![(a6, 0.05), (e5, 0.8), (c5, 0.15)], 0.0),
            (&[(a6, 1), (e5, 0)], &[], vec![(a6, 0.25)], 0.75),
            (&[], &[], vec![], 1.0),
        ] {
            let found = smoothed(played, expected);
            let is_near = |(a, b): (&(UciMove, f64), &(UciMove, f64))| {
                a.0 == b.0 && (a.1 - b.1).abs() < 1e-12
            };
            assert_eq!(found.moves.len(), shares.len(), "{played:?}");
            assert!(found.moves.iter().zip(&shares).all(is_near), "{found:?}");
            assert_eq!(found.unknown, unknown);
        }
    }

    #[test]
    fn one_game_leaves_the_other_own_move_in_the_repertoire() {
        let mut book = Book::new(crate::chess::Color::White, BookRule::default());
        book.prepare("1. e4").unwrap();
        book.prepare("1. d4").unwrap();
        let root = book.roots()[0];
        let edge = book.node_mut(root).edges.iter_mut().find(|e| e.uci.to_string() == "e2e4");
        edge.unwrap().played.games = 1;
        let Shares { moves, unknown } = Frequencies::Own.shares(&book, root);
        let moves: Vec<_> = moves.iter().map(|(uci, share)| (uci.to_string(), *share)).collect();
        assert_eq!(moves, [("e2e4".to_owned(), 0.625), ("d2d4".to_owned(), 0.375)]);
        assert_eq!(unknown, 0.0);
    }

    #[test]
    fn many_games_say_what_they_say() {
        let uci = |text: &str| text.parse::<UciMove>().unwrap();
        let played = [(uci("e7e5"), 400), (uci("a7a6"), 100)];
        let shares = smoothed(&played, &[uci("e7e5")]).moves;
        assert!((1.0 / shares[1].1 - 5.04).abs() < 0.005, "{shares:?}");
    }
}
