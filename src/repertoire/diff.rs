//! Where two books differ.

use std::collections::HashMap;

use super::{Book, Edge, NodeId, Note, ShortestLines, Tally};
use crate::{chess::UciMove, named::named};

/// A move that one of two books has and the other has not, or of which they say different things.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Which book this is about.
    pub side: DiffSide,
    /// Where the move is played, in that book.
    pub node: NodeId,
    /// The move; `None` if it is about the notes on the position itself.
    pub uci: Option<UciMove>,
    /// The games of that book in which it was played, or that have the position.
    pub played: Tally,
    /// What the other book has there.
    pub other: OtherBook,
}

named! {
    /// One of two books.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum DiffSide {
        /// The first one.
        First = "first",
        /// The second one.
        Second = "second",
    }
}

named! {
    /// What a book has where the other one has a move more, or where it says something else.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OtherBook {
        /// Other moves.
        PlaysOther = "other moves",
        /// The position, as the end of a line.
        Ends = "ends here",
        /// Nothing.
        Lacks = "has it not",
        /// The move, but another one is the first choice.
        PrefersOther = "prefers other",
        /// Other glyphs or comments.
        SaysOther = "says other",
        /// Neither glyphs nor comments.
        SaysNothing = "says nothing",
    }
}

impl OtherBook {
    /// Whether the other book has not got the move at all.
    pub fn lacks_move(self) -> bool {
        matches!(self, Self::PlaysOther | Self::Ends | Self::Lacks)
    }
}

impl Book {
    /// Where two books differ, however their positions are reached: what the first has, then
    /// what the second has, each in the order of shortest lines.
    ///
    /// These are the moves that the other book has not; then, of prepared moves that both have, the
    /// first choices that are not those of the other book, and moves and positions with glyphs or
    /// comments that are not those of the other book, whatever their sources. Moves after a
    /// position that the other book lacks are not listed.
    ///
    /// ```
    /// use eco::{chess::Color, pgn::Game, repertoire::{Book, BookRule, DiffSide, OtherBook}};
    ///
    /// let [mut a, mut b] = [0, 1].map(|_| Book::new(Color::White, BookRule::default()));
    /// a.add_chapter(&Game::from_bytes(b"1. e4 e5 2. Nf3 {solid} Nc6 3. Bb5"));
    /// b.add_chapter(&Game::from_bytes(b"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"));
    /// let found = a.differences(&b);
    /// let moves: Vec<_> = found.iter().map(|d| (d.side, d.uci.unwrap().to_string())).collect();
    /// assert_eq!(moves[0], (DiffSide::First, "g1f3".to_owned()));
    /// assert_eq!(found[0].other, OtherBook::SaysNothing);
    /// assert_eq!(moves[1], (DiffSide::First, "f1b5".to_owned()));
    /// assert_eq!(moves[2], (DiffSide::Second, "f1c4".to_owned()));
    /// assert_eq!(moves.len(), 3);
    /// ```
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut found = more_in(self, other, DiffSide::First);
        found.extend(more_in(other, self, DiffSide::Second));
        found
    }
}

/// What `book` has and `other` has not.
fn more_in(book: &Book, other: &Book, side: DiffSide) -> Vec<Difference> {
    let lines_of = |book| ShortestLines::along(book, |id, _| book.shown_moves(id));
    let (lines, other_lines) = (lines_of(book), lines_of(other));
    let in_other = |id| {
        let id = other.find(&book.node(id).key)?;
        other_lines.ply(id).map(|_| id)
    };
    let mut found = Vec::new();
    for node in lines.reached.iter().copied() {
        let place = BookPosition { book, side, node };
        match in_other(node) {
            Some(theirs) => place.compare(other, theirs, &mut found),
            None if lines.ply(node) == Some(0) => {
                let moves = book.shown_moves(node).into_iter();
                found.extend(moves.map(|edge| place.of_move(edge, OtherBook::Lacks)));
            }
            None => {}
        }
    }
    found
}

/// A position of one of two books.
#[derive(Clone, Copy)]
struct BookPosition<'b> {
    book: &'b Book,
    side: DiffSide,
    node: NodeId,
}

impl BookPosition<'_> {
    /// Adds what the other book has not in the same position.
    fn compare(self, other: &Book, theirs: NodeId, found: &mut Vec<Difference>) {
        let Self { book, side, node } = self;
        let (moves, others) = (book.shown_moves(node), other.shown_moves(theirs));
        let known: HashMap<UciMove, &Edge> = others.iter().map(|edge| (edge.uci, *edge)).collect();
        let (notes, their_notes) = (&book.node(node).notes, &other.node(theirs).notes);
        if let Some(other) = said_otherwise(notes, their_notes) {
            let played = *book.node(node).tally;
            found.push(Difference { side, node, uci: None, played, other });
        }
        for (place, edge) in moves.iter().enumerate() {
            let Some(theirs) = known.get(&edge.uci) else {
                let has = if others.is_empty() { OtherBook::Ends } else { OtherBook::PlaysOther };
                found.push(self.of_move(edge, has));
                continue;
            };
            // Of moves that were only played, the games decide.
            let is_prepared = edge.prepared.is_some() && theirs.prepared.is_some();
            let first = others.first().map(|first| first.uci);
            let is_theirs = |uci| moves.iter().any(|edge| Some(edge.uci) == uci);
            if place == 0 && is_prepared && first != Some(edge.uci) && is_theirs(first) {
                found.push(self.of_move(edge, OtherBook::PrefersOther));
            }
            if let Some(other) = said_otherwise(edge.notes(), theirs.notes()) {
                found.push(self.of_move(edge, other));
            }
        }
    }

    fn of_move(self, edge: &Edge, other: OtherBook) -> Difference {
        let Self { side, node, .. } = self;
        Difference { side, node, uci: Some(edge.uci), played: *edge.played, other }
    }
}

/// What the other book says, if this one says something else than that.
fn said_otherwise(notes: &[Note], others: &[Note]) -> Option<OtherBook> {
    let said = |notes: &[Note]| {
        let comments: Vec<String> =
            Note::all_comments(notes).into_iter().map(str::to_owned).collect();
        (Note::all_nags(notes), comments)
    };
    let (said, theirs) = (said(notes), said(others));
    let nothing = (Vec::new(), Vec::new());
    match () {
        () if said == theirs || said == nothing => None,
        () if theirs == nothing => Some(OtherBook::SaysNothing),
        () => Some(OtherBook::SaysOther),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        pgn::Game,
        repertoire::{BookRule, ShortestLines},
    };

    fn book(games: &[&str]) -> Book {
        let mut book = Book::new(Color::White, BookRule::default());
        games.iter().for_each(|game| drop(book.add_chapter(&Game::from_bytes(game.as_bytes()))));
        book
    }

    fn found(a: &[&str], b: &[&str]) -> Vec<String> {
        let (a, b) = (book(a), book(b));
        let text = |Difference { side, node, uci, other, .. }: Difference| {
            let book = if side == DiffSide::First { &a } else { &b };
            let line = ShortestLines::of(book).movetext(book, node).unwrap_or_default();
            let uci = uci.map(|uci| uci.to_string()).unwrap_or_default();
            format!("{side:?} {line}: {uci} {other:?}")
        };
        a.differences(&b).into_iter().map(text).collect()
    }

    #[test]
    fn moves_their_order_and_what_is_said_are_compared() {
        for (a, b, expected) in [
            (&["1. e4 {a} e5"][..], &["1. e4 {a} e5"][..], &[][..]),
            // Sources do not count.
            (&["[Event \"a\"]\n\n1. e4! {a}"], &["[Event \"b\"]\n\n1. e4! {a}"], &[]),
            (
                &["{start} 1. e4 {a} e5 {b}"],
                &["1. e4 {c} e5! {b}"],
                &[
                    "First :  SaysNothing",
                    "First : e2e4 SaysOther",
                    "First 1. e4: e7e5 SaysOther",
                    "Second : e2e4 SaysOther",
                    "Second 1. e4: e7e5 SaysOther",
                ],
            ),
            (&["1. e4 {a\nb}"], &["1. e4"], &["First : e2e4 SaysNothing"]),
            (
                &["1. e4 (1. d4) e5"],
                &["1. d4 (1. e4 e5)"],
                &["First : e2e4 PrefersOther", "Second : d2d4 PrefersOther"],
            ),
            // Another first move that is new is a new move.
            (&["1. e4"], &["1. d4 (1. e4)"], &["Second : d2d4 PlaysOther"]),
            // The notes of a move that only one has go with it.
            (&["1. e4 e5 {a}"], &["1. e4"], &["First 1. e4: e7e5 Ends"]),
        ] {
            assert_eq!(found(a, b), expected, "for {a:?} and {b:?}");
        }
    }
}
