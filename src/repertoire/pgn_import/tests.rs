//! Reading of prepared games in any order and nesting.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::Chapter;
use crate::chess::{Color, PositionKey, San};
use crate::pgn::Game;
use crate::repertoire::{Book, BookRule, Note, ShortestLines};

fn book_of(games: &[&str]) -> (Book, Vec<Chapter>) {
    let mut book = Book::new(Color::White, BookRule::default());
    let chapters =
        games.iter().map(|game| book.add_chapter(&Game::from_bytes(game.as_bytes()))).collect();
    (book, chapters)
}

fn notes_text(notes: &[Note]) -> String {
    let texts = notes.iter().map(|note| {
        let nags: String = note.nags.iter().map(|nag| format!("${nag}")).collect();
        let comment = Some(&note.comment).filter(|comment| !comment.is_empty());
        nags + &comment.map_or(String::new(), |comment| format!("{{{comment}}}"))
    });
    texts.collect()
}

/// The positions that have prepared moves or notes, each by a line to it, with these.
fn contents(book: &Book) -> Vec<String> {
    let lines = ShortestLines::of(book);
    let nodes = book.ids().map(|id| {
        let node = book.node(id);
        let position = node.key.to_position().unwrap();
        let moves = book.moves(id).into_iter().map(|edge| {
            let san = San::from_move(&position, edge.uci.to_move(&position).unwrap());
            format!(" {san}{}", notes_text(&edge.prepared.as_ref().unwrap().notes))
        });
        let line = lines.movetext(book, id).unwrap();
        (line, notes_text(&node.notes) + &moves.collect::<String>())
    });
    let noted = nodes.filter(|(_, text)| !text.is_empty());
    noted.map(|(line, text)| format!("{line}:{text}")).collect()
}

#[test]
fn every_move_of_every_line_is_prepared() {
    for (games, expected) in [
        (&["1. e4 e5 2. Nf3"][..], &[": e4", "1. e4: e5", "1. e4 e5: Nf3"][..]),
        // Variations, in each other.
        (
            &["1. e4 e5 (1... c5 2. c3 (2. d4 cxd4)) (1... e6) 2. Nf3"],
            &[
                ": e4",
                "1. e4: e5 c5 e6",
                "1. e4 e5: Nf3",
                "1. e4 c5: c3 d4",
                "1. e4 c5 2. d4: cxd4",
            ],
        ),
        // Chapters are merged, and the first move stays first.
        (&["1. e4 e5", "1. d4", "1. e4 c5"], &[": e4 d4", "1. e4: e5 c5"]),
        // So are lines that transpose; the main line comes first.
        (
            &["1. d4 (1. e4 d5 2. d4 Nc6) d5 2. e4 dxe4"],
            &[
                ": d4 e4",
                "1. d4: d5",
                "1. d4 d5: e4",
                "1. d4 d5 2. e4: dxe4 Nc6",
                "1. e4: d5",
                "1. e4 d5: d4",
            ],
        ),
        // A variation before any move, and one without any.
        (&["(1. d4) 1. e4 ()"], &[": e4 d4"]),
        // A result in a variation is a remark; one outside is the end.
        (&["1. e4 (1. d4 * d5) e5 * 2. d4"], &[": e4 d4", "1. e4: e5", "1. d4: d5"]),
    ] {
        let (book, chapters) = book_of(games);
        assert_eq!(contents(&book), expected, "for {games:?}");
        assert!(chapters.iter().all(|chapter| chapter.faults.is_empty()), "for {games:?}");
    }
}

#[test]
fn notes_belong_where_they_stand() {
    for (game, expected) in [
        ("{Start} $36 1. e4! {b\nest} ; by test\n", &[":$36{Start} e4$1{b\nest}{by test}"][..]),
        ("1. e4 {a} (1. d4 {b}) {c} e5 {d}", &[": e4{a}{c} d4{b}", "1. e4: e5{d}"]),
        ("1. e4 ({x} 1. d4 {y}) ({z})", &[": e4{z} d4{x}{y}"]),
        ("1. e4 ({x} ({y} 1. c4) 1. d4)", &[": e4 c4{y} d4{x}"]),
        (
            "1. e4 {[%eval 0.3] [%cal Ge2e4]} e5 {[%eco transposes to 1. e4]}",
            &[": e4{[%eval 0.3] [%cal Ge2e4]}", "1. e4: e5"],
        ),
        // Among the moves, commands are no notes.
        ("1. e4 [%clk 0:01] {a} (1. d4[x] {b}) [%eval 1] e5", &[": e4{a} d4{b}", "1. e4: e5"]),
        // A comment after a bad move belongs to no move.
        ("1. e4 Nf3 {lost} $1 (1... e5 {kept})", &[": e4", "1. e4: e5{kept}"]),
    ] {
        let (book, _) = book_of(&[game]);
        assert_eq!(contents(&book), expected, "for {game:?}");
    }
}

#[test]
fn a_bad_move_ends_its_line_and_nothing_else() {
    for (game, faults, expected) in [
        ("1. e4 e5 2. Nf6 d6 3. d4", &["move 2. Nf6: illegal"][..], &[": e4", "1. e4: e5"][..]),
        // Variations of the bad move are read, those of what follows it cannot be.
        (
            "1. foo (1. e4) e5 (1... c5) (1... c6 (1... e6))",
            &["move 1. foo: not a move"],
            &[": e4"],
        ),
        ("1. e4 {open", &["comment never closed"], &[": e4"]),
        ("1. e4 (1. d4", &["variation never closed"], &[": e4 d4"]),
        ("[Event \"x\n\n1. e4", &["tag Event: unterminated"], &[": e4"]),
        (
            "[FEN \"x\"]\n\n1. e4",
            &[
                "FEN: field 1 (placement), column 1: found 'x', expected one of PNBRQKpnbrqk, a digit 1 to 8, or /",
            ],
            &[],
        ),
        ("[Variant \"Atomic\"]\n\n1. e4", &["variant Atomic: left out"], &[]),
    ] {
        let (book, chapters) = book_of(&[game]);
        let found_faults: Vec<_> =
            chapters[0].faults.iter().map(|fault| fault.kind.to_string()).collect();
        assert_eq!(found_faults, faults, "for {game:?}");
        assert_eq!(contents(&book), expected, "for {game:?}");
    }
    let (_, chapters) = book_of(&["1. e4 e4"]);
    assert_eq!(chapters[0].faults[0].to_string(), "game 1: move 1... e4: illegal");
}

#[test]
fn lines_with_null_moves_are_kept_as_text() {
    for (game, expected) in [
        // As a variation, in one, and as the rest of a game.
        (
            "1. e4 e5 (1... -- 2. d4 d5) 2. Nf3",
            &[": e4", "1. e4: e5{(1... -- 2. d4 d5)}", "1. e4 e5: Nf3"][..],
        ),
        ("1. e4 (1. d4 Z0 2. c4) e5", &[": e4 d4{(1... Z0 2. c4)}", "1. e4: e5"]),
        ("1. e4 e5 2. @@@@ Nc6 *", &[": e4", "1. e4: e5{(2. @@@@ Nc6)}"]),
        ("1. -- e5 *", &[":{(1. -- e5)}"]),
        // Comments, glyphs and variations within stay in it; those before and behind do not.
        (
            "1. e4 {a} e5 ({b} 1... -- {c} 2. d4! (2. f4 {d\nd} (2. c4) f5) {e} d5 $14) {f} 2. Nf3",
            &[
                ": e4{a}",
                "1. e4: e5{b}{(1... -- c 2. d4 ! (2. f4 d\nd (2. c4) 2... f5) e 2... d5 +=)}{f}",
                "1. e4 e5: Nf3",
            ],
        ),
        // A variation in place of the null move is read: it begins in a position of the book.
        ("1. e4 (1. -- (1. d4) e5) e5", &[": e4{(1. -- 1... e5)} d4", "1. e4: e5"]),
        (
            "1. e4 e5 2. -- {threat} (2. Nf3 Nc6) *",
            &[": e4", "1. e4: e5{(2. -- threat)}", "1. e4 e5: Nf3", "1. e4 e5 2. Nf3: Nc6"],
        ),
        ("{a} 1. Z0 {b} (1. d4 {c}) ({d} 1. c4) e5 *", &[":{a}{(1. Z0 b 1... e5)} d4{c} c4{d}"]),
        // So is one within such a variation; one in place of a later move is text.
        (
            "1. e4 e5 2. -- (2. -- $1 (2. Nf3 (2. Nc3)) d6) d5 (2... d6 (2... d5)) *",
            &[
                ": e4",
                "1. e4: e5{(2. -- ! 2... d6)}{(2. -- 2... d5 (2... d6 (2... d5)))}",
                "1. e4 e5: Nf3 Nc3",
            ],
        ),
        ("1. e4 e5 2. -- (2. Nf3", &[": e4", "1. e4: e5{(2. --)}", "1. e4 e5: Nf3"]),
        // Nothing is lost where brackets are missing.
        ("1. e4 e5 (1... -- 2. d4 (2. c4", &[": e4", "1. e4: e5{(1... -- 2. d4 (2. c4))}"]),
        // After a bad move nothing is known, and that is said.
        ("1. e4 e6 2. e6 --", &[": e4", "1. e4: e6"]),
    ] {
        let (book, chapters) = book_of(&[game]);
        assert_eq!(contents(&book), expected, "for {game:?}");
        let is_bad = game.contains("2. e6") || game.contains("(2.") && !game.contains(')');
        assert_eq!(chapters[0].faults.len(), usize::from(is_bad), "for {game:?}");
        let lines = game.matches("--").count() + game.matches("Z0").count();
        let lines = lines + game.matches("@@").count() / 2;
        let lines = if is_bad && game.contains("e6 --") { 0 } else { lines };
        assert_eq!(chapters[0].null_lines, lines, "for {game:?}");
    }
}

#[test]
fn a_chapter_may_start_anywhere() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30";
    let game = format!("[FEN \"{fen}\"]\n\n{{ending}} 30... Kd7 (30... Ke8 31. e4) 31. e4");
    let (book, chapters) = book_of(&["1. e4", &game]);
    assert_eq!(book.roots().len(), 2);
    let faults: Vec<_> = chapters[1].faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["game 1: move 30... Ke8: illegal"]);
    let root = book.node(book.roots()[1]);
    assert_eq!(
        root.notes,
        [Note { comment: "ending".to_owned(), ..Note::of_nag("game 1", 0) }]
            .map(|note| Note { nags: Vec::new(), ..note })
    );
}

#[test]
fn a_game_without_moves_adds_what_it_says() {
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n";
    for (movetext, positions) in [("*", 0), ("", 0), ("{won} *", 1), ("1. e4 *", 2)] {
        let (book, chapters) = book_of(&[&format!("{fen}{movetext}")]);
        assert_eq!(book.len(), positions, "for {movetext:?}");
        assert_eq!(chapters[0].faults, [], "for {movetext:?}");
    }
}

#[test]
fn the_source_of_a_note_is_its_chapter() {
    for (tags, name) in [
        ("", "game 1"),
        ("[White \"?\"] [Event \"\"]", "game 1"),
        ("[White \"Carlsen\"]", "Carlsen - ? #1"),
        ("[Event \"My lines\"] [White \"Carlsen\"]", "My lines #1"),
        ("[Event \"x\"] [ChapterName \"Najdorf\"]", "Najdorf"),
        ("[StudyName \"Sicilian\"]", "Sicilian #1"),
        ("[StudyName \"Sicilian\"] [ChapterName \"Najdorf\"]", "Sicilian: Najdorf"),
    ] {
        let (book, chapters) = book_of(&[&format!("{tags}\n\n1. e4 {{x}}")]);
        assert_eq!(chapters[0].name, name, "for {tags:?}");
        let edge = book.moves(book.roots()[0])[0];
        assert_eq!(edge.prepared.as_ref().unwrap().notes[0].source, name, "for {tags:?}");
    }
}

#[test]
fn variations_nested_without_end_are_passed_over_with_a_fault() {
    let game = format!("1. e4 {}{} e5", "(1. d4 ".repeat(100_000), ")".repeat(100_000));
    let (book, chapters) = book_of(&[&game]);
    assert_eq!(contents(&book), [": e4 d4", "1. e4: e5"]);
    assert_eq!(chapters[0].moves, 2 + Chapter::MAX_DEPTH);
    let too_deep = "game 1: variations within more than 10000 others: passed over";
    assert_eq!(chapters[0].faults[0].to_string(), too_deep);
    assert_eq!(chapters[0].faults.len() + chapters[0].omitted, 1);
}

#[test]
fn of_very_many_faults_only_the_first_are_kept() {
    let (_, chapters) = book_of(&[&format!("1. e4 {}", "(1. x)".repeat(500))]);
    assert_eq!((chapters[0].faults.len(), chapters[0].omitted), (100, 400));
}

#[test]
fn comments_without_end_take_no_time() {
    let comments: String = (0..100_000).map(|n| format!("{{{n}}}")).collect();
    let (book, _) = book_of(&[&format!("1. e4 {comments} e5")]);
    let edge = book.moves(book.roots()[0])[0];
    assert_eq!(edge.prepared.as_ref().unwrap().notes.len(), 1000);
    assert_eq!(book.len(), 3);
}

/// Lines that begin alike, as variations of each other. The obvious implementation: recursion.
fn nested(lines: &[Vec<String>]) -> String {
    let lines: Vec<_> = lines.iter().filter(|line| !line.is_empty()).collect();
    let mut firsts: Vec<&String> = Vec::new();
    for line in &lines {
        if !firsts.contains(&&line[0]) {
            firsts.push(&line[0]);
        }
    }
    let continuation = |first: &String| {
        let lines = lines.iter().filter(|line| line[0] == *first);
        nested(&lines.map(|line| line[1..].to_vec()).collect::<Vec<_>>())
    };
    let Some((main, others)) = firsts.split_first() else { return String::new() };
    let others = others.iter().map(|first| format!("({first} {}) ", continuation(first)));
    format!("{main} {}{}", others.collect::<String>(), continuation(main))
}

/// All prepared moves, as positions before and after.
fn moves(book: &Book) -> BTreeSet<(PositionKey, PositionKey)> {
    let of = |id| book.moves(id).into_iter().map(move |edge| (id, edge.to));
    let key = |id| book.node(id).key;
    book.ids().flat_map(of).map(|(from, to)| (key(from), key(to))).collect()
}

const PIECES: [&str; 27] = [
    "e4",
    "e5",
    "d4",
    "d5",
    "Nf3",
    "Nf6",
    "Ng1",
    "Ng8",
    "Qxg9",
    "--",
    "Z0",
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "{a}",
    "{b}",
    "{",
    "; c\n",
    "$1",
    "!",
    "?!",
    "+=",
    "*",
    "{[%eco transposes]}",
];

const WORDS: [&str; 10] = ["e4", "e5", "d4", "d5", "Nf3", "Nf6", "Nc3", "Nc6", "Ng1", "Ng8"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nested_variations_are_the_lines_they_nest(
        lines in prop::collection::vec(prop::collection::vec(prop::sample::select(&WORDS[..]), 1..10), 1..12),
    ) {
        let mut one_by_one = Book::new(Color::White, BookRule::default());
        let mut played = Vec::new();
        for line in &lines {
            // Illegal moves are left out.
            let mut text: Vec<String> = Vec::new();
            for word in line {
                text.push((*word).to_owned());
                if Book::new(Color::White, BookRule::default()).prepare(&text.join(" ")).is_err() {
                    text.pop();
                }
            }
            one_by_one.prepare(&text.join(" ")).unwrap();
            played.push(text);
        }
        let pgn = nested(&played);
        let (mut book, chapters) = book_of(&[&pgn]);
        prop_assert!(chapters[0].faults.is_empty(), "{pgn}: {:?}", chapters[0].faults);
        prop_assert_eq!(moves(&book), moves(&one_by_one), "{}", pgn);
        let before = book.clone();
        book.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        prop_assert_eq!(book, before);
    }

    #[test]
    fn a_second_reading_of_anything_changes_nothing(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..40),
    ) {
        let pgn = pieces.join(" ");
        let (mut book, chapters) = book_of(&[&pgn]);
        let before = book.clone();
        let again = book.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        prop_assert_eq!(book, before, "{}", pgn);
        prop_assert_eq!(&again.faults, &chapters[0].faults, "{}", pgn);
    }
}
