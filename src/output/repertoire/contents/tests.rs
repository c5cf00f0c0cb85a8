//! Contents of small books, as text.

use unicode_width::UnicodeWidthStr;

use super::*;
use crate::catalogue::Catalogue;
use crate::chess::{Color, Position, PositionKey, UciMove};
use crate::repertoire::{Book, BookRule, Tally};

fn options(depth: usize) -> ContentsOptions<'static> {
    ContentsOptions { depth, order: ContentsOrder::Book, scores: None }
}

/// The games of the last move of a line, and of those that come to it by other moves.
#[test]
fn a_line_has_the_games_of_its_last_move() {
    let mut book = Book::new(Color::White, BookRule::default());
    for line in ["1. d4 d5 2. c4 e6", "1. d4 d5 2. c4 c6", "1. c4"] {
        book.prepare(line).unwrap();
    }
    let games = |games: u32, wins: u32| Tally::of_results(games, [wins, 0, games - wins]);
    let mut play = |from: &str, uci: &str, tally: Tally| {
        let id = book.prepare(from).unwrap();
        let edge = book.node_mut(id).edges.iter_mut().find(|edge| edge.uci.to_string() == uci);
        edge.unwrap().played = tally.into();
    };
    play("", "d2d4", games(9, 3));
    play("", "c2c4", games(2, 2));
    play("1. d4", "d7d5", games(7, 2));
    play("1. d4 d5", "c2c4", games(4, 1));
    play("1. d4 d5 2. c4", "e7e6", games(2, 0));
    play("1. d4 d5 2. c4", "c7c6", games(5, 5));
    let (unnamed, _) = Catalogue::from_masters([]);
    let text = |order| {
        let options = ContentsOptions { depth: 8, order, scores: None };
        let rows = contents(&book, &unnamed, book.roots()[0], options);
        let text = contents_text(&rows, 0, None);
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let text: [Vec<String>; 3] =
        [ContentsOrder::Book, ContentsOrder::Games, ContentsOrder::Score].map(text);
    let main = "1. d4 d5 2. c4 (7 with transpositions) 4 25.0%";
    let (e6, c6, other) = ("2... e6 2 0.0%", "2... c6 5 100.0%", "1. c4 2 100.0%");
    assert_eq!(text[0], [main, e6, c6, other]);
    assert_eq!(text[1], [main, c6, e6, other]);
    assert_eq!(text[2], [other, main, c6, e6]);
}

#[test]
fn a_book_reads_like_a_table_of_contents() {
    let mut book = Book::new(Color::White, BookRule::default());
    book.prepare("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5").unwrap();
    book.prepare("1. d4 d5 2. c4 c6 3. Nf3").unwrap();
    book.prepare("1. d4 Nf6 2. c4 e6 3. Nc3 d5").unwrap();
    let options = options(6);
    let rows = contents(&book, Catalogue::builtin(), book.roots()[0], options);
    let text = contents_text(&rows, 70, None);
    let expected = "\
1. d4  A40 Queen's Pawn Game
  1... d5 2. c4  D06 Queen's Gambit
    2... e6 3. Nc3 Nf6 …  D35 Queen's Gambit Declined: Normal Defense
    2... c6 3. Nf3  D11 Slav Defense: Modern Line
  1... Nf6 2. c4 e6 3. Nc3 d5 = 1. d4 d5 2. c4 e6 3. Nc3 Nf6  D35 Queen's Gambit Declined: Normal Defense
";
    assert_eq!(text, expected);
    let narrow = contents_text(&rows, 50, Some(50));
    assert_eq!(narrow.lines().map(UnicodeWidthStr::width).max(), Some(50), "{narrow}");
    let shortened = "    2... e6 3. Nc3 Nf6 …  D35 …Normal Defense\n";
    assert!(narrow.contains(shortened), "{narrow}");
    assert!(narrow.contains("\n  1... Nf6 2. c4 e6 3. Nc3 d5 = 1. d4 d5 2. c4 e6…\n"), "{narrow}");
    assert_eq!(contents_text(&rows, 200, Some(200)), text);
}

/// The contents of these lines for White, without names, from the position after some moves of
/// them.
fn contents_of(lines: &[&str], from: &str, depth: usize) -> String {
    let mut book = Book::new(Color::White, BookRule::default());
    for line in lines {
        book.prepare(line).unwrap();
    }
    let from = book.prepare(from).unwrap();
    let (unnamed, _) = Catalogue::from_masters([]);
    contents_text(&contents(&book, &unnamed, from, options(depth)), 80, None)
}

#[test]
fn a_line_points_to_where_its_position_is_listed() {
    let slow_first = ["1. e3 e6 2. e4 e5 3. Nf3 Nc6", "1. e4 e5 2. Nf3"];
    let late_first = ["1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5", "1. e4 e5 2. d4"];
    for (lines, from, depth, expected) in [
        (&slow_first[..], "", 8, "1. e3 e6 2. e4 e5 3. Nf3 Nc6\n1. e4 e5 = 1. e3 e6 2. e4 e5\n"),
        // A position that was too deep is listed where there is room.
        (&slow_first, "", 4, "1. e3 e6 2. e4 e5 …\n1. e4 e5 2. Nf3 Nc6\n"),
        (&slow_first, "1. e3", 8, "1... e6 2. e4 e5 3. Nf3 Nc6\n"),
        (&late_first, "", 8, "1. Nf3 Nf6 2. Ng1 Ng8 = the first position\n1. e4 e5 2. d4\n"),
    ] {
        assert_eq!(
            contents_of(lines, from, depth),
            expected,
            "{lines:?} from {from:?}, {depth} plies"
        );
    }
}

#[test]
fn chapters_from_a_position_are_listed_with_their_numbers() {
    let mut book = Book::new(Color::White, BookRule::default());
    for pgn in [
        "1. d4 d5 *",
        "[FEN \"rnbqkbnr/pp2pppp/8/2pp4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4\"]\n\n4. cxd5 *",
    ] {
        book.add_chapter(&crate::pgn::Game::from_bytes(pgn.as_bytes()));
    }
    let (unnamed, _) = Catalogue::from_masters([]);
    let text = contents_text(&whole_contents(&book, &unnamed, options(8)), 80, None);
    let expected = "1. d4 d5\n\
                    rnbqkbnr/pp2pppp/8/2pp4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4\n4. cxd5\n";
    assert_eq!(text, expected);
}

#[test]
fn moves_are_numbered_from_the_root() {
    let root: PositionKey =
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -".parse().unwrap();
    let mut book = Book::new(Color::Black, BookRule::default());
    let mut at = (book.add_root(&root), root.to_position().unwrap());
    let (unnamed, _) = Catalogue::from_masters([]);
    let mut ids = vec![at.0];
    for uci in ["c7c5", "g1f3", "d7d6"] {
        let m = uci.parse::<UciMove>().unwrap().to_move(&at.1).unwrap();
        at.0 = book.prepare_move(at.0, &at.1, m);
        at.1.play_unchecked(m);
        ids.push(at.0);
    }
    for (id, expected) in
        ids.into_iter().zip(["1... c5 2. Nf3 d6\n", "2. Nf3 d6\n", "2... d6\n", ""])
    {
        assert_eq!(contents_text(&contents(&book, &unnamed, id, options(8)), 80, None), expected);
    }
}
