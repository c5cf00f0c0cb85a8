//! Any bytes as PGN studies: the book that they make is written as PGN, JSON, EPD and Polyglot, and
//! read back from each. The first byte chooses the side.

use std::collections::BTreeMap;

use eco::{
    chess::{Chess, Color, PositionKey, UciMove},
    pgn::games,
    repertoire::{
        Book, BookRule, ChapterLimits, Extract, ExtractOptions, MovesOf, PgnLayout, PolyglotBook,
        read_epd, read_json, to_polyglot, write_epd, write_json,
    },
};

pub fn check_bytes(bytes: &[u8]) {
    let Some((first, pgn)) = bytes.split_first() else { return };
    let color = Color::from_white(first & 1 == 0);
    let book = read_pgn(pgn, color);
    let again = read_pgn(pgn, color);
    assert_eq!(json(&again), json(&book));
    check_pgn(&book);
    check_json(&book);
    check_epd(&book);
    check_polyglot(&book);
}

fn read_pgn(pgn: &[u8], color: Color) -> Book {
    let mut book = Book::new(color, BookRule::default());
    for game in games(pgn) {
        let chapter = book.add_chapter(&game);
        let known = (book.len(), book.prepared_moves());
        let second = book.add_chapter(&game);
        assert_eq!(second.moves, chapter.moves);
        assert_eq!((book.len(), book.prepared_moves()), known);
    }
    book
}

/// The moves of every position that has any, in order.
fn graph(book: &Book) -> BTreeMap<PositionKey, Vec<UciMove>> {
    let moves = |id| book.moves(id).iter().map(|edge| edge.uci).collect::<Vec<_>>();
    let nodes = book.ids().map(|id| (book.node(id).key, moves(id)));
    nodes.filter(|(_, moves)| !moves.is_empty()).collect()
}

fn all(book: &Book) -> Extract<'_> {
    Extract::new(book, ExtractOptions::default(), None)
}

fn json(book: &Book) -> String {
    let mut out = Vec::new();
    write_json(&all(book), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("JSON is text")
}

fn check_pgn(book: &Book) {
    let chapters = ChapterLimits { max_moves: 5, ..ChapterLimits::default() };
    for layout in [PgnLayout::Whole, PgnLayout::Chapters(chapters)] {
        let Ok(pgn) = book.to_pgn("fuzzed", layout) else { continue };
        let mut again = Book::new(book.color(), BookRule::default());
        for game in games(pgn.as_bytes()) {
            let chapter = again.add_chapter(&game);
            assert_eq!(chapter.faults, [], "{pgn}");
        }
        assert_eq!(graph(&again), graph(book), "{pgn}");
        if layout == PgnLayout::Whole {
            assert_eq!(again.to_pgn("fuzzed", layout).as_ref(), Ok(&pgn));
        }
    }
}

fn check_json(book: &Book) {
    let text = json(book);
    let again = read_json(text.as_bytes()).expect("it was written");
    assert_eq!(json(&again), text);
    assert_eq!(graph(&again), graph(book));
}

fn check_epd(book: &Book) {
    let mut out = Vec::new();
    write_epd(&all(book), &mut out).expect("memory can be written");
    let reading = read_epd(&out, book.color());
    assert_eq!(reading.faults, [], "{}", out.escape_ascii());
    for id in book.ids().filter(|id| book.is_own_turn(*id) && !book.moves(*id).is_empty()) {
        let moves =
            |book: &Book, id| book.moves(id).iter().map(|edge| edge.uci).collect::<Vec<UciMove>>();
        let found = reading.book.find(&book.node(id).key).expect("the position was written");
        assert_eq!(moves(&reading.book, found), moves(book, id));
    }
}

fn check_polyglot(book: &Book) {
    let bytes = to_polyglot(&all(book));
    let file = PolyglotBook::from_bytes(&bytes).expect("it was written");
    let roots: Vec<Chess> = book
        .roots()
        .iter()
        .map(|root| book.node(*root).key.to_position().expect("books have legal positions"))
        .collect();
    let reading = file.to_book(book.color(), MovesOf::Both, &roots);
    assert_eq!((reading.illegal, reading.deleted), (0, 0));
    assert_eq!(graph(&reading.book), graph(book));
}
