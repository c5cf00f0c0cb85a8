//! Books survive a round trip through JSON, and bad documents are refused.

use proptest::prelude::*;

use super::{read_json, write_json};
use crate::repertoire::{Book, BookRule, Extract, ExtractOptions, Note, ShortestLines, Tally};
use crate::{chess::Color, repertoire::tests::random};

fn written(book: &Book) -> Vec<u8> {
    let mut out = Vec::new();
    write_json(&Extract::new(book, ExtractOptions::default(), None), &mut out).unwrap();
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_book_comes_back_with_all_that_is_told_of_it(book in random::book()) {
        let again = read_json(&written(&book)).unwrap();
        prop_assert_eq!(written(&again), written(&book));
        prop_assert_eq!(random::contents(&again), random::contents(&book));
    }

    #[test]
    fn no_document_is_too_bad(
        book in random::book(),
        at in any::<prop::sample::Index>(),
        patch in prop::sample::select(vec!["", "0", "}", "\"", "null", "[[", "-1", "e9", "\u{fffd}"]),
    ) {
        let mut bytes = written(&book);
        let at = at.index(bytes.len());
        bytes.splice(at..at + 1, patch.bytes());
        let _ = read_json(&bytes);
    }
}

#[test]
fn faults_say_where_they_are() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (positions, fault) in [
        ("1", "invalid type: integer `1`, expected a position at line 1 column 31"),
        (
            r#"{"key": "8/8/8/8/8/8/8/8 w - -"}"#,
            "position 1: found key '8/8/8/8/8/8/8/8 w - -', expected the first four fields of \
             a FEN, of a position that is possible",
        ),
        (
            r#"{"key": "START"}, {"key": "START", "moves": [{"uci": "e2e5"}]}"#,
            "position 2 (START): 'e2e5' is no legal move there",
        ),
        (
            r#"{"key": "START", "played": {"games": 1, "wins": 4294967295}}"#,
            "position 1: these counts contradict each other",
        ),
        (
            r#"{"key": "START", "played": {"games": 1, "first": "yesterday"}}"#,
            "position 1: found date 'yesterday', expected one such as 2021-05-13",
        ),
    ] {
        let positions = positions.replace("START", start);
        let text = format!(r#"{{"color":"white","positions":[{positions}]}}"#);
        let found = read_json(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(found, fault.replace("START", start), "for {positions}");
    }
    let found = read_json(b"{\"color\": \"green\"}").unwrap_err().to_string();
    assert_eq!(found, "found color 'green', expected white or black");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// The moves of the initial position in a document with these.
fn first_moves(roots: &str, moves: &str) -> Vec<String> {
    let text = format!(
        r#"{{"color":"white",{roots}"positions":[{{"key":"{START}","moves":[{moves}]}}]}}"#
    );
    let book = read_json(text.as_bytes()).unwrap();
    assert!(book.has_prepared(), "{text}");
    let lines = ShortestLines::of(&book);
    assert!(lines.reached.len() > 1, "{text}");
    random::moves(&book, book.roots()[0]).iter().map(ToString::to_string).collect()
}

#[test]
fn what_a_document_leaves_out_is_found() {
    let last = r#"{"uci":"a2a3","prepared":{"ordinal":4294967295}}"#;
    let played = |uci: &str, games| {
        format!(r#"{{"uci":"{uci}","prepared":null,"played":{{"games":{games}}}}}"#)
    };
    let (e4, d4) = (played("e2e4", 1), played("d2d4", 9));
    let d3 = r#"{"uci":"d2d3"}"#;
    for (moves, expected) in [
        // In the order of the document, not by the number of games.
        (format!("{e4},{d4}"), &["e2e4", "d2d4"][..]),
        (format!("{e4},{d3},{d4}"), &["d2d3"]),
        (format!("{last},{d3}"), &["a2a3", "d2d3"]),
    ] {
        assert_eq!(first_moves("", &moves), expected, "{moves}");
        let roots = format!(r#""roots":["{START}"],"#);
        assert_eq!(first_moves(&roots, &moves), expected, "{moves}");
    }
}

#[test]
fn a_document_is_the_same_on_every_machine() {
    let mut book = Book::new(Color::White, BookRule::default());
    let end = book.prepare("1. e4").unwrap();
    let root = book.roots()[0];
    let edge = &mut book.node_mut(root).edges[0];
    *edge.played = Tally {
        games: 4,
        wins: 1,
        draws: 1,
        losses: 1,
        rated: 3,
        rated_half_points: 3,
        rating_sum: 6001,
        first: "2020-01".parse().ok(),
        last: "2021-05-13".parse().ok(),
        ..Tally::default()
    };
    let note = Note { source: "a".to_owned(), nags: vec![1, 14], comment: "\"best\"".to_owned() };
    edge.prepared.as_mut().unwrap().notes.push(note.clone());
    book.node_mut(end).notes.push(note);
    let catalogue = crate::catalogue::Catalogue::builtin();
    let mut out = Vec::new();
    write_json(&Extract::new(&book, ExtractOptions::default(), Some(catalogue)), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), GOLDEN);
}

const GOLDEN: &str = r#"{"color":"white","roots":["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"],"positions":[
{"key":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","line":"","eco":null,"opening":null,"played":null,"notes":[],"moves":[{"san":"e4","uci":"e2e4","to":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","prepared":{"ordinal":1,"notes":[{"source":"a","nags":[1,14],"comment":"\"best\""}]},"played":{"games":4,"wins":1,"draws":1,"losses":1,"score":0.5,"average_rating":2000,"performance":2000,"rated":3,"rated_half_points":3,"rating_sum":6001,"first":"2020-01","last":"2021-05-13"}}]},
{"key":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","line":"1. e4","eco":"B00","opening":"King's Pawn Game","played":null,"notes":[{"source":"a","nags":[1,14],"comment":"\"best\""}],"moves":[]}
]}
"#;

#[test]
fn chapters_keep_the_numbers_of_their_moves() {
    let mut book = Book::new(Color::White, BookRule::default());
    let fen = "rnbqkbnr/pp2pppp/8/2pp4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4";
    let pgn = format!("[FEN \"{fen}\"]\n\n4. cxd5 *");
    book.add_chapter(&crate::pgn::Game::from_bytes(pgn.as_bytes()));
    let text = written(&book);
    assert!(String::from_utf8(text.clone()).unwrap().contains("\"line\":\"4. cxd5\""));
    assert_eq!(written(&read_json(&text).unwrap()), text);
}
