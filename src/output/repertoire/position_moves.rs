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
    /// The share of the games that went on from the position.
    pub(super) share: Option<f64>,
}

/// The moves of a position: those of the book first, then the others by the number of their games.
pub(super) fn position_moves(book: &Book, id: NodeId) -> Vec<PositionMove<'_>> {
    let node = book.node(id);
    let Ok(position) = node.key.to_position() else { return Vec::new() };
    let mut others: Vec<&Edge> =
        node.edges.iter().filter(|edge| !book.has_move(id, edge)).collect();
    others.sort_by_key(|edge| (Reverse(edge.played.games), edge.uci));
    let all: u64 = node.edges.iter().map(|edge| u64::from(edge.played.games)).sum();
    let in_book = book.moves(id).into_iter().map(|edge| (edge, true));
    let moves = in_book.chain(others.into_iter().map(|edge| (edge, false)));
    let moves = moves.filter_map(|(edge, is_book)| {
        let m = edge.uci.to_move(&position)?;
        let san = play_as_san(&mut position.clone(), m).to_string();
        let share = (all > 0).then(|| f64::from(edge.played.games) / all as f64);
        Some(PositionMove { edge, san, is_book, share })
    });
    moves.collect()
}
