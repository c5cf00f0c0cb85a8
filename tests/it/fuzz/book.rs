//! Any bytes as a book in JSON, in EPD and for Polyglot: what is read is legal, is written, and is
//! read again.

use eco::{
    chess::{Chess, Color, Position},
    repertoire::{
        Book, Extract, ExtractOptions, MovesOf, PgnLayout, PolyglotBook, read_epd, read_json,
        to_polyglot, write_epd, write_json,
    },
};

pub fn check_bytes(bytes: &[u8]) {
    if let Ok(book) = read_json(bytes) {
        check(&book);
    }
    for color in [Color::White, Color::Black] {
        check(&read_epd(bytes, color).book);
    }
    check_polyglot(bytes);
}

/// The moves of a book are legal, and it is written and read again as JSON and EPD.
fn check(book: &Book) {
    for id in book.ids() {
        let position = book.node(id).key.to_position().expect("books have legal positions");
        for edge in book.moves(id) {
            assert!(edge.uci.to_move(&position).is_some());
        }
    }
    let text = json(book);
    let again = read_json(text.as_bytes()).expect("it was written");
    assert_eq!(json(&again), text);
    let lines = epd(book);
    let reading = read_epd(lines.as_bytes(), book.color());
    assert_eq!(reading.faults, [], "{lines}");
    assert!(book.to_pgn("fuzzed", PgnLayout::Whole).is_ok());
    let bytes = to_polyglot(&extract(book));
    assert!(PolyglotBook::from_bytes(&bytes).is_ok());
}

fn extract(book: &Book) -> Extract<'_> {
    Extract::new(book, ExtractOptions::default(), None)
}

fn json(book: &Book) -> String {
    let mut out = Vec::new();
    write_json(&extract(book), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("JSON is text")
}

fn epd(book: &Book) -> String {
    let mut out = Vec::new();
    write_epd(&extract(book), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("EPD is text")
}

fn check_polyglot(bytes: &[u8]) {
    let Ok(file) = PolyglotBook::from_bytes(bytes) else {
        assert!(!bytes.len().is_multiple_of(16));
        return;
    };
    let start = Chess::default();
    for (m, weight) in file.moves(&start) {
        assert!(start.is_legal(m) && weight > 0);
    }
    for has in [MovesOf::Own, MovesOf::Both] {
        let reading = file.to_book(Color::White, has, std::slice::from_ref(&start));
        let counted = reading.illegal + reading.deleted + reading.unreached;
        assert!(counted <= bytes.len() / 16);
        check(&reading.book);
    }
}
