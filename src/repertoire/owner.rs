//! Whose lines are prepared, as far as the lines themselves say it: the owner has one move in
//! nearly every position, and an answer to several moves of the opponent.

use std::collections::HashSet;

use super::{Book, NodeId, Note};
use crate::chess::Color;

/// Positions in which several moves of the opponent are answered. With fewer, a side that has no
/// choice may be one whose lines follow a single game.
const LEAST: usize = 5;

/// The owner may have one choice for every ten of the opponent.
const OWN: usize = 10;

impl Book {
    /// The side whose moves the prepared ones are an answer with: that which nearly never has a
    /// choice, where the other one has several moves in at least five positions; `None` if the
    /// lines do not say it. Moves with `?`, `??` or `?!` are no choice: either side shows mistakes.
    ///
    /// ```
    /// use eco::{chess::Color, repertoire::{Book, BookRule}};
    ///
    /// let mut book = Book::new(Color::White, BookRule::default());
    /// for line in ["1. d4 d5", "1. c4 e5", "1. e4 c5 2. Nf3 d6", "1. e4 c5 2. Nc3 Nc6"] {
    ///     book.prepare(line).unwrap();
    /// }
    /// assert_eq!(book.owner(), None); // it could be the book of either side
    /// for line in ["1. c4 e5 2. Nc3 Nf6", "1. c4 e5 2. g3 Nf6", "1. d4 d5 2. c4 c6"] {
    ///     book.prepare(line).unwrap();
    /// }
    /// for line in ["1. d4 d5 2. Bf4 c5", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6"] {
    ///     book.prepare(line).unwrap();
    /// }
    /// for line in ["1. e4 c5 2. Nf3 d6 3. Bb5+ Bd7", "1. e4 c5 2. Nc3 Nc6 3. g3 g6"] {
    ///     book.prepare(line).unwrap();
    /// }
    /// book.prepare("1. e4 c5 2. Nc3 Nc6 3. f4 g6").unwrap();
    /// assert_eq!(book.owner(), Some(Color::Black));
    /// ```
    pub fn owner(&self) -> Option<Color> {
        let [white, black] = [Color::White, Color::Black].map(|side| self.choices(side));
        let is_owner = |own: usize, other: usize| other >= LEAST && OWN * own <= other;
        match () {
            () if is_owner(white, black) => Some(Color::White),
            () if is_owner(black, white) => Some(Color::Black),
            () => None,
        }
    }

    /// The number of positions in which several moves of this side are prepared that have no such
    /// mark, and that do not only follow a move that has one.
    pub fn choices(&self, side: Color) -> usize {
        let (mut open, mut count) = (self.roots().to_vec(), 0);
        let mut reached: HashSet<NodeId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let moves = self.prepared_edges(id).into_iter();
            let moves = moves.filter(|(_, prepared)| !Note::dismisses(&prepared.notes));
            let next: Vec<NodeId> = moves.map(|(edge, _)| edge.to).collect();
            count += usize::from(next.len() > 1 && self.node(id).key.turn() == side);
            open.extend(next.into_iter().filter(|to| reached.insert(*to)));
        }
        count
    }
}
