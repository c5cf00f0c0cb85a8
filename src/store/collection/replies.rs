//! How often the games of collections play the moves of the opponent of a repertoire.

use super::explorer::Explorer;
use crate::{
    collection::PositionQuery,
    repertoire::{Book, MoveCounts},
    store::error::StoreError,
};

impl Explorer {
    /// What the games that are asked played in the positions of a book in which the opponent is to
    /// move and the book has a move: the numbers of games with a result.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn replies(&self, book: &Book) -> Result<MoveCounts, StoreError> {
        let mut counts = MoveCounts::default();
        let query = PositionQuery { from_position: true, ..PositionQuery::default() };
        for id in book.ids().filter(|id| !book.is_own_turn(*id) && book.has_moves(*id)) {
            for played in self.query(book.node(id).key(), &query)?.moves {
                let games = u32::try_from(played.score.games()).unwrap_or(u32::MAX);
                counts.add_games(id, played.uci, games);
            }
        }
        Ok(counts)
    }
}
