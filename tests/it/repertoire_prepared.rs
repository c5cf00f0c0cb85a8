//! Questions about a prepared repertoire with variations five deep that transpose, with answers
//! found by hand.

use crate::harness::Workplace;

/// White answers 1... d5 and 1... Nf6 with 2. c4. 1... Nf6 2. c4 e6 3. Nc3 d5 reaches the main
/// line. In the other chapter, 5. e4 would reach the fourth variation of the first.
const PREPARED: &str = "\
[Event \"Nested\"]

1. d4 d5 (1... Nf6 2. c4 e6 (2... g6 3. Nc3 $1 d5 (3... Bg7 4. e4 d6 (4... O-O
5. Nf3 (5. Be2 d6 (5... c5 6. d5 {Five variations deep.}) 6. Nf3)) 5. Nf3)) 3.
Nc3 d5) 2. c4 e6 3. Nc3 Nf6 *

[Event \"Other order\"]

1. d4 Nf6 2. c4 g6 3. Nc3 $2 d6 4. Nf3 Bg7 5. g3 *
";

/// Eight games: four and two come to the end of the main line, one meets 2... c5, and in the last
/// one White forgets 2. c4, and is back in the book after eight plies.
const GAMES: [(&str, &str, usize); 4] = [
    ("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5", "1-0", 4),
    ("1. d4 Nf6 2. c4 e6 3. Nc3 d5 4. Bg5", "1/2-1/2", 2),
    ("1. d4 Nf6 2. c4 c5", "0-1", 1),
    ("1. d4 Nf6 2. Nf3 g6 3. c4 Bg7 4. Nc3 d6 5. e4 O-O", "0-1", 1),
];

fn place() -> Workplace {
    let place = Workplace::new();
    let games = GAMES.iter().flat_map(|(moves, result, count)| {
        (0..*count).map(move |n| {
            format!("[White \"Own\"]\n[Result \"{result}\"]\n[Round \"{n}\"]\n\n{moves} {result}\n")
        })
    });
    place.write("games.pgn", games.collect::<Vec<_>>().join("\n"));
    place.write("prepared.pgn", PREPARED);
    let build = ["repertoire", "build", "r", "games.pgn", "--color", "white", "--player", "Own"];
    place.run(&[&build[..], &["--db", "r.db"]].concat()).exits(0);
    place.run(&["repertoire", "add", "r", "prepared.pgn", "--db", "r.db"]).exits(0).is_silent();
    place
}

/// The rows that a command prints, of some columns.
fn asked(place: &Workplace, args: &[&str], columns: &[&str]) -> (Vec<String>, String) {
    let run = place.run(&[&["repertoire"][..], args, &["--db", "r.db"]].concat());
    let mut rows = run.exits(0).stdout.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let places: Vec<usize> =
        columns.iter().map(|name| header.iter().position(|h| h == name).unwrap()).collect();
    let rows = rows.map(|row| places.iter().map(|n| row[*n]).collect::<Vec<_>>().join(" | "));
    (rows.collect(), run.stderr.clone())
}

#[test]
fn games_leave_it_where_they_do() {
    let place = place();
    let columns = ["game", "status", "ply", "move", "book", "reentry"];
    let (rows, told) = asked(&place, &["check", "r", "games.pgn", "--games"], &columns);
    assert_eq!(
        rows,
        [
            "1 | book ended | 6 | 4. Bg5 |  | ",
            "2 | book ended | 6 | 4. Bg5 |  | ",
            "3 | book ended | 6 | 4. Bg5 |  | ",
            "4 | book ended | 6 | 4. Bg5 |  | ",
            "5 | book ended | 6 | 4. Bg5 |  | ",
            "6 | book ended | 6 | 4. Bg5 |  | ",
            "7 | theirs | 3 | 2... c5 | e6, g6 | ",
            "8 | mine | 2 | 2. Nf3 | c4 | 8",
        ]
    );
    assert_eq!(told, "8 games: 1 mine, 1 theirs, 6 book ended, 0 completed, 0 unmatched\n");
    // Five points in eight games: the expected score of each.
    let columns = ["line", "status", "move", "games", "score", "cost"];
    let (rows, _) = asked(&place, &["check", "r", "games.pgn", "--min-games", "1"], &columns);
    assert_eq!(
        rows,
        [
            "1. d4 Nf6 2. c4 | theirs | 2... c5 | 1 | 0.0 | 0.62",
            "1. d4 Nf6 | mine | 2. Nf3 | 1 | 0.0 | 0.62",
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 | book ended | 4. Bg5 | 6 | 83.3 | -1.25",
        ]
    );
}

#[test]
fn gaps_are_as_likely_as_their_move_orders_together() {
    let place = place();
    let columns = ["line", "met", "games", "score"];
    // Half of all games have 1... Nf6; there one of three with 2. c4 has 2... c5, and counts 0.25.
    let c5 = "1. d4 Nf6 2. c4 c5 | 4.17 | 1 | 0.0";
    let (rows, told) = asked(&place, &["gaps", "r", "--depth", "5"], &columns);
    assert_eq!(rows, [c5]);
    assert_eq!(told, "coverage to ply 5: 95.8 %, 1 gap\n");
    // One ply later, half of the games by 1... d5, and of the other half two of three, which lose
    // 0.75 and get half of what is lost. 2... g6 gets the other half, and has three replies.
    let (rows, told) = asked(&place, &["gaps", "r", "--depth", "6"], &columns);
    let d5 = "1. d4 Nf6 2. c4 g6 3. Nc3 d5 | 4.17 | 0 | ";
    assert_eq!(rows, ["1. d4 d5 2. c4 e6 3. Nc3 Nf6 | 83.33 | 6 | 83.3", c5, d5]);
    assert_eq!(told, "coverage to ply 6: 8.3 %, 3 gaps\n");
}

#[test]
fn what_looks_wrong_is_found() {
    let place = place();
    let (rows, told) = asked(&place, &["lint", "r"], &["kind", "line", "moves", "detail"]);
    assert_eq!(
        rows,
        [
            "dead end | 1. d4 d5 2. c4 e6 3. Nc3 Nf6 |  | no answer",
            "dead end | 1. d4 Nf6 2. c4 g6 3. Nc3 d5 |  | no answer",
            "transposition | 1. d4 Nf6 2. c4 g6 3. Nc3 d6 4. Nf3 Bg7 | e4 | \
             leads to 1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3",
            "never played | 1. d4 Nf6 2. c4 g6 3. Nc3 d6 4. Nf3 Bg7 | g3 | in none of 1 game",
            "contradiction | 1. d4 Nf6 2. c4 g6 | Nc3 | ! (Nested #1) against ? (Other order #2)",
        ]
    );
    assert!(told.starts_with("5 findings: 0 choice, 2 dead end, 1 transposition"), "{told}");
}
