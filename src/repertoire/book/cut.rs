//! A move is taken out of several chapters at once.
//!
//! A chapter may go on from a position that it no longer reaches without the move, while another
//! chapter reaches it by other moves. What follows there is still part of the repertoire. It moves
//! to that chapter, so that each chapter remains what can be played through from its beginning.

use std::{mem, rc::Rc};

use super::{
    graph::Book,
    node::{NodeId, Prepared},
};
use crate::chess::{PositionKey, UciMove};

/// A position that a chapter no longer reaches, with what it has there.
struct Stranded {
    /// The place of the chapter.
    chapter: usize,
    /// The chapter as it was.
    book: Rc<Book>,
    id: NodeId,
}

/// Removes a move from chapters, given in their order, with what only it leads to. `whole` is the
/// book of all of them.
pub(super) fn cut(chapters: &mut [&mut Book], whole: &Book, key: &PositionKey, uci: UciMove) {
    let rest = whole.without(key, uci);
    let mut stranded = Vec::new();
    for (chapter, book) in chapters.iter_mut().enumerate() {
        if !book.prepares(key, uci) {
            continue;
        }
        let without = book.without(key, uci);
        let before = Rc::new(mem::replace(&mut **book, without));
        let is_stranded = |id: &NodeId| {
            let node = before.node(*id);
            let has_content = !node.notes.is_empty() || !before.prepared_edges(*id).is_empty();
            has_content && book.find(&node.key).is_none() && rest.find(&node.key).is_some()
        };
        let lost = before.ids().filter(is_stranded);
        stranded.extend(lost.map(|id| Stranded { chapter, book: before.clone(), id }));
    }
    // A line that has moved may lead to the next one.
    loop {
        let before = stranded.len();
        stranded.retain(|lost| !adopt(chapters, lost, whole));
        if stranded.len() == before {
            break;
        }
    }
}

/// Gives what is stranded to a chapter that has the position: the last one before its own, or else
/// the first one after it, which keeps the order of the moves in the book of all chapters. Returns
/// whether there is one.
fn adopt(chapters: &mut [&mut Book], lost: &Stranded, whole: &Book) -> bool {
    let key = lost.book.node(lost.id).key;
    let has = |at: &usize| chapters[*at].find(&key).is_some();
    let heir =
        (0..lost.chapter).rev().find(has).or_else(|| (lost.chapter..chapters.len()).find(has));
    let Some(heir) = heir else { return false };
    let book = &mut *chapters[heir];
    let from = book.add_position(&key);
    lost.book.node(lost.id).notes.iter().for_each(|note| book.merge_note(from, note.clone()));
    let moves = lost.book.prepared_edges(lost.id);
    let own = book.prepared_edges(from).into_iter().chain(moves.clone());
    let chosen = own.filter(|(_, prepared)| prepared.is_chosen()).map(|(edge, _)| edge.uci).next();
    for (edge, Prepared { notes, .. }) in moves {
        let to = book.add_position(&lost.book.node(edge.to).key);
        let known = book.prepare_edge(from, edge.uci, to);
        notes.iter().for_each(|note| note.clone().merge_into(known));
    }
    let order = whole.find(&key).map(|id| whole.prepared_edges(id)).unwrap_or_default();
    for (ordinal, (edge, _)) in (1..).zip(order) {
        book.rank_move(from, edge.uci, ordinal);
    }
    chosen.into_iter().for_each(|uci| book.choose(&key, uci));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::{BookRule, Preparation, PreparedChapter, PreparedSource},
    };

    fn preparation(chapters: &[&str]) -> Preparation {
        let chapter = |(at, text): (usize, &&str)| {
            let mut book = Book::new(Color::White, BookRule::default());
            for line in text.split(" / ") {
                book.prepare(line).unwrap();
            }
            let (identity, study) = (at.to_string(), String::new());
            PreparedChapter { name: identity.clone(), identity, study, tags: Vec::new(), book }
        };
        let chapters = chapters.iter().enumerate().map(chapter).collect();
        Preparation::new(vec![PreparedSource { name: "s".to_owned(), chapters }])
    }

    fn last_move(line: &str) -> (PositionKey, UciMove) {
        let mut book = Book::new(Color::White, BookRule::default());
        let end = book.prepare(line).unwrap();
        let before = book.ids().find(|id| book.node(*id).edges.iter().any(|edge| edge.to == end));
        let before = book.node(before.unwrap());
        (before.key, before.edges[0].uci)
    }

    /// What a repertoire of the chapters has after the cut, and each chapter.
    #[test]
    fn what_another_chapter_leads_to_stays_with_it() {
        for (chapters, cut, rest, counts) in [
            // The second chapter comes to the position after 2. c4 by another order of moves.
            (
                &["1. d4 Nf6 2. c4 e6 3. Nc3", "1. c4 Nf6 2. d4"][..],
                "1. d4",
                "1. c4 Nf6 2. d4 e6 3. Nc3",
                &[5][..],
            ),
            (&["1. d4 Nf6 2. c4 e6", "1. c4 e5"], "1. d4", "1. c4 e5", &[2]),
            // What the second chapter has lost leads to what the first one has lost.
            (
                &["1. d4 d5 2. c4 e6 3. Nc3 Nf6", "1. d4 e6 2. c4 d5", "1. c4 e6 2. d4"],
                "1. d4",
                "1. c4 e6 2. d4 d5 3. Nc3 Nf6",
                &[6],
            ),
            (&["1. d4 d5 2. c4", "1. e4 e5"], "1. e4", "1. d4 d5 2. c4", &[3]),
        ] {
            let mut changed = preparation(chapters);
            let (key, uci) = last_move(cut);
            assert!(changed.cut(&key, uci), "{chapters:?}");
            let moves = |preparation: &Preparation| {
                let book = preparation.to_book(Color::White);
                let mut moves: Vec<_> = book
                    .ids()
                    .flat_map(|id| {
                        let edges = book.prepared_edges(id).into_iter();
                        edges.map(|(edge, _)| (book.node(id).key, edge.uci)).collect::<Vec<_>>()
                    })
                    .collect();
                moves.sort();
                moves
            };
            assert_eq!(moves(&changed), moves(&preparation(&[rest])), "{chapters:?}");
            let found: Vec<usize> = changed.chapters().map(|c| c.book.prepared_moves()).collect();
            assert_eq!(found, counts, "{chapters:?}");
        }
    }

    #[test]
    fn moves_keep_their_order() {
        let chapters = ["1. d4 Nf6 2. c4 e6 / 1. d4 Nf6 2. c4 g6", "1. c4 Nf6 2. d4 c5"];
        let mut changed = preparation(&chapters);
        let (key, uci) = last_move("1. d4");
        assert!(changed.cut(&key, uci));
        let book = changed.to_book(Color::White);
        let at = book.find(&last_move("1. d4 Nf6 2. c4 e6").0).unwrap();
        let moves: Vec<_> = book.moves(at).iter().map(|edge| edge.uci.to_string()).collect();
        assert_eq!(moves, ["e7e6", "g7g6", "c7c5"]);
    }
}
