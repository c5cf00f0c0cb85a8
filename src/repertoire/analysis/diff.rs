//! Where two books differ.

use std::collections::HashSet;

use crate::{
    chess::UciMove,
    repertoire::{
        book::{Book, NodeId, ShortestLines},
        games::Tally,
    },
};

/// A move that one of two books has and the other has not.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Which book has it.
    pub side: DiffSide,
    /// Where it is played, in the book that has it.
    pub node: NodeId,
    /// The move.
    pub uci: UciMove,
    /// The games of that book in which it was played.
    pub played: Tally,
    /// Whether the other book has other moves in this position, has the position but nothing to
    /// play there, or has not got it at all.
    pub other: OtherBook,
}

/// One of two books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiffSide {
    /// The first one.
    First,
    /// The second one.
    Second,
}

/// What a book has of a position in which the other one has a move more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherBook {
    /// Other moves.
    PlaysOther,
    /// The position, as the end of a line.
    Ends,
    /// Nothing.
    Lacks,
}

impl Book {
    /// The moves that one of two books has and the other has not, however their positions are
    /// reached: those of the first, then those of the second, each in the order of
    /// shortest lines. Moves after a position that the other book lacks are not listed.
    ///
    /// ```
    /// use eco::{chess::Color, repertoire::{Book, BookRule, DiffSide}};
    ///
    /// let [mut a, mut b] = [0, 1].map(|_| Book::new(Color::White, BookRule::default()));
    /// a.prepare("1. e4 e5 2. Nf3 Nc6 3. Bb5").unwrap();
    /// b.prepare("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5").unwrap();
    /// let moves: Vec<_> = a.differences(&b).iter().map(|d| (d.side, d.uci.to_string())).collect();
    /// assert_eq!(moves[0], (DiffSide::First, "f1b5".to_owned()));
    /// assert_eq!(moves[1], (DiffSide::Second, "f1c4".to_owned()));
    /// assert_eq!(moves.len(), 2);
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut found = more_in(self, other, DiffSide::First);
        found.extend(more_in(other, self, DiffSide::Second));
        found
    }
}

/// The moves that `book` has and `other` has not.
fn more_in(book: &Book, other: &Book, side: DiffSide) -> Vec<Difference> {
    let (lines, other_ways) = (ShortestLines::of(book), ShortestLines::of(other));
    let in_other = |id| {
        let id = other.find(&book.node(id).key)?;
        other_ways.ply(id).map(|_| id)
    };
    let mut reached: Vec<NodeId> = book.ids().filter(|id| lines.ply(*id).is_some()).collect();
    reached.sort_by_key(|id| lines.order(*id));
    let mut found = Vec::new();
    for node in reached {
        let is_start = lines.ply(node) == Some(0);
        let Some(theirs) = in_other(node) else {
            if is_start {
                let all = book.moves(node);
                found.extend(all.iter().map(|edge| Difference {
                    side,
                    node,
                    uci: edge.uci,
                    played: edge.played,
                    other: OtherBook::Lacks,
                }));
            }
            continue;
        };
        let known: HashSet<UciMove> = other.moves(theirs).iter().map(|edge| edge.uci).collect();
        let has = if known.is_empty() { OtherBook::Ends } else { OtherBook::PlaysOther };
        let more = book.moves(node).into_iter().filter(|edge| !known.contains(&edge.uci));
        found.extend(more.map(|edge| Difference {
            side,
            node,
            uci: edge.uci,
            played: edge.played,
            other: has,
        }));
    }
    found
}
