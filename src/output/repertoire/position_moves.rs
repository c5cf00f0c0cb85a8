//! The moves of a position in their order.

use std::cmp::Reverse;

use crate::{
    chess::play_as_san,
    repertoire::{Book, Edge, NodeId},
};

/// A move of a position that can be played there.
#[derive(Debug, Clone)]
pub(super) struct PositionMove<'b> {
    pub(super) edge: &'b Edge,
    pub(super) san: String,
    pub(super) is_book: bool,
    /// The share of the games that have the position. One that comes back to it and plays two moves
    /// there is one game.
    pub(super) share: Option<f64>,
}

/// The moves of a position: those of the book first, then the others by the number of their games.
pub(super) fn position_moves(book: &Book, id: NodeId) -> Vec<PositionMove<'_>> {
    let node = book.node(id);
    let Ok(position) = node.key.to_position() else { return Vec::new() };
    let mut others: Vec<&Edge> =
        node.edges.iter().filter(|edge| !book.has_move(id, edge)).collect();
    others.sort_by_key(|edge| (Reverse(edge.played.games), edge.uci));
    let all = node.tally.games;
    let in_book = book.moves(id).into_iter().map(|edge| (edge, true));
    let moves = in_book.chain(others.into_iter().map(|edge| (edge, false)));
    let moves = moves.filter_map(|(edge, is_book)| {
        let m = edge.uci.to_move(&position)?;
        let san = play_as_san(&mut position.clone(), m).to_string();
        let share = (all > 0).then(|| f64::from(edge.played.games) / f64::from(all));
        Some(PositionMove { edge, san, is_book, share })
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::{BookRule, Tally},
    };

    #[test]
    fn a_game_that_repeats_a_position_has_one_share_of_it() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. Nf3").unwrap();
        book.prepare("1. e4").unwrap();
        let root = book.roots()[0];
        // One game: 1. Nf3 Nf6 2. Ng1 Ng8 3. e4. Another: 1. e4.
        let node = book.node_mut(root);
        node.tally = Tally::of_results(2, [0; 3]);
        for (edge, games) in node.edges.iter_mut().zip([1, 2]) {
            edge.played = Tally::of_results(games, [0; 3]);
        }
        let shares = position_moves(&book, root);
        let shares: Vec<_> = shares.iter().map(|m| (m.san.as_str(), m.share.unwrap())).collect();
        assert_eq!(shares, [("Nf3", 0.5), ("e4", 1.0)]);
    }
}
