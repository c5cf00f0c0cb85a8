//! What there is to say of a position once it is answered.

use super::deck::Deck;
use crate::{
    chess::{MoveNumber, UciMove},
    repertoire::{NodeId, Note},
};

/// What there is to say of a position once it is answered: the moves of the book, what it remarks
/// on the main one, and how the games of the repertoire went. Moves are SAN.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Lesson {
    /// The number of the move.
    pub number: Option<MoveNumber>,
    /// The moves of the book, the main one first.
    pub book: Vec<String>,
    /// Comments on the main move and on the position after it.
    pub comments: Vec<String>,
    /// What games played there, the most frequent first, at most six moves.
    pub played: Vec<PlayedThere>,
}

/// A move that games of the repertoire played.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlayedThere {
    /// The move.
    pub uci: UciMove,
    /// The move as SAN.
    pub san: String,
    /// The number of games.
    pub games: u32,
    /// Points a game for the side of the repertoire, from 0 to 1; `None` if none has a result.
    pub score: Option<f64>,
    /// Whether the book has the move.
    pub is_in_book: bool,
}

/// More moves than these say nothing that helps to remember one.
const MAX_PLAYED: usize = 6;

impl Lesson {
    /// What there is to say of a position.
    #[must_use]
    pub fn of(deck: &Deck, id: NodeId) -> Self {
        let (book, node) = (deck.book(), deck.book().node(id));
        let moves = book.moves(id);
        let mut notes = Vec::new();
        if let Some(main) = moves.first() {
            notes.extend(main.prepared().into_iter().flat_map(|prepared| prepared.notes.clone()));
            notes.extend_from_slice(book.node(main.to()).notes());
        }
        let mut played: Vec<PlayedThere> = Vec::new();
        for edge in node.edges().iter().filter(|edge| edge.played().games > 0) {
            played.push(PlayedThere {
                uci: edge.uci(),
                san: node.san([edge.uci()]).concat(),
                games: edge.played().games,
                score: edge.played().score(),
                is_in_book: moves.iter().any(|answer| answer.uci() == edge.uci()),
            });
        }
        played.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.san.cmp(&b.san)));
        played.truncate(MAX_PLAYED);
        Self {
            number: deck.lines().number(book, id),
            book: node.san(moves.iter().map(|edge| edge.uci())),
            comments: Note::all_words(&notes),
            played,
        }
    }
}
