//! What other games than those of a repertoire played in the positions of its book.

use std::collections::BTreeMap;

use crate::{
    chess::UciMove,
    repertoire::{
        book::{Book, NodeId},
        games::{PlayedGame, Tally},
    },
};

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
    #[must_use]
    pub fn of(book: &Book, games: &[PlayedGame]) -> Self {
        let mut counts = Self::default();
        games.iter().for_each(|game| counts.add(book, game));
        counts
    }

    /// Counts a game in.
    pub(crate) fn add(&mut self, book: &Book, game: &PlayedGame) {
        let mut played = Vec::new();
        game.walk(usize::MAX, |key, uci| played.extend(book.find(key).zip(uci)));
        // A game that comes back to a position counts once.
        played.sort_unstable();
        played.dedup();
        let facts = game.facts(None, book.color());
        for (id, uci) in played {
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
    #[cfg(feature = "collection")]
    pub(crate) fn add_games(&mut self, id: NodeId, uci: UciMove, games: u32) {
        let tally = self.moves.entry(id).or_default().entry(uci).or_default();
        tally.games = tally.games.saturating_add(games);
    }

    /// The moves that were played in a position.
    pub(crate) fn moves(&self, id: NodeId) -> impl Iterator<Item = (UciMove, &Tally)> {
        self.moves.get(&id).into_iter().flatten().map(|(uci, tally)| (*uci, tally))
    }
}
