//! `eco fen from-pgn`: positions out of games.

use std::fs;

use crate::{
    fen::{START, objects, pipe},
    harness::{Workplace, famous_games},
};

#[test]
fn games_give_their_positions() {
    let place = Workplace::new();
    place.write(
        "games.pgn",
        "[White \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"b\"]\n\n1. d4 Nf3 *\n\n\
         [Variant \"Atomic\"]\n\n1. e4 *\n\n\
         [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 30\"]\n\n30. O-O *\n",
    );
    let e4e5nf3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1";
    let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 30";
    let counts = "eco: 2 of 4 games have an error; --format tsv names them\n";
    let run = place.run(&["fen", "from-pgn", "games.pgn"]);
    run.exits(0).prints(&format!("{e4e5nf3}\n{d4}\n\n{castled}\n"));
    assert_eq!(run.stderr, counts);
    place.run(&["fen", "from-pgn", "games.pgn", "--strict", "--quiet"]).exits(1).is_silent();

    let run = place.run(&["fen", "from-pgn", "games.pgn", "--ply", "2", "--format", "tsv"]);
    run.exits(0).prints(
        "source\tgame\twhite\tblack\tply\tnumber\tmove\tfen\tarrows\tmarks\terror\n\
         games.pgn\t1\ta\t\t2\t1...\te5\trnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\t\t\t\n\
         games.pgn\t2\tb\t\t\t\t\t\t\t\tmove 1... Nf3: illegal\n\
         games.pgn\t3\t\t\t\t\t\t\t\t\tvariant Atomic: not classified\n",
    );
    run.complains("eco: 3 of 4 games end before ply 2\n");

    let run = place.run(&[
        "fen",
        "from-pgn",
        "games.pgn",
        "--ply",
        "all",
        "--format",
        "csv",
        "--no-header",
        "--ep",
        "legal",
    ]);
    run.exits(0);
    assert_eq!(run.stdout.lines().count(), 3 + 1 + 1 + 1);
    assert!(run.stdout.contains(
        "games.pgn,2,b,,1,1.,d4,rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1,,,move 1... Nf3: illegal\n"
    ));
    place
        .run(&["fen", "from-pgn", "no.pgn", "games.pgn", "--ply", "0", "--quiet"])
        .exits(1)
        .prints(&format!("{START}\n{START}\n4k3/8/8/8/8/8/8/4K2R w K - 0 30\n"))
        .complains("eco: no.pgn: No such file");
}

#[test]
fn variations_that_are_too_deep_are_named() {
    let text = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(66), ")".repeat(66));
    let run = pipe(&["from-pgn", "--variations", "--ply", "all"], text.as_bytes());
    run.exits(0).complains("eco: 2 variations are nested more than 64 deep, and skipped\n");
    assert_eq!(run.stdout.lines().count(), 2 + 64);
    pipe(&["from-pgn", "--ply", "all"], text.as_bytes()).exits(0).is_silent();
}

#[test]
fn games_come_from_every_input_in_the_same_order() {
    let place = Workplace::new();
    let games = famous_games();
    place.write("games.pgn", &games);
    let plain = place
        .run(&["fen", "from-pgn", "games.pgn", "--ply", "all", "-j", "1"])
        .exits(0)
        .stdout
        .clone();
    assert!(plain.lines().count() > 1000, "{} positions", plain.lines().count());
    place.write("packed/games.pgn.zst", zstd::encode_all(&games[..], 3).unwrap());
    place.run(&["fen", "from-pgn", "packed", "--ply", "all", "-j", "7"]).exits(0).prints(&plain);
    place.pipe(&["fen", "from-pgn", "--ply", "all"], &games).exits(0).prints(&plain);
    // The output passes `check`.
    place.pipe(&["fen", "check", "--quiet"], plain.as_bytes()).exits(0);
}

#[test]
fn positions_of_games_are_chosen_by_move_with_variations_and_arrows() {
    let place = Workplace::new();
    place.write(
        "games.pgn",
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 {x [%cal Ge2e4,Rd8h4][%csl Yf7]} (2. Bc4 Nf6 (2... Zz)) 2... Nc6 3. Bb5 *\n\n\
         [White \"C\"]\n\n1. d4 d5 *\n",
    );
    let after_nf3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    for args in [&["--ply", "2.Nf3"][..], &["--ply", "2.Sf3", "--lang", "de"], &["--ply", "2."]] {
        place
            .run(&[&["fen", "from-pgn", "games.pgn"], args].concat())
            .exits(0)
            .prints(&format!("{after_nf3}\n"))
            .complains("eco: 1 of 2 games lacks the move\n");
    }
    place.run(&["fen", "from-pgn", "games.pgn", "--ply", "2...Nf6"]).exits(0).prints("");
    place
        .run(&["fen", "from-pgn", "games.pgn", "--ply", "2...Nf6", "--variations"])
        .exits(0)
        .prints("rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3\n")
        .complains("eco: 1 variation has a move that cannot be played");
    let run = place.run(&[
        "fen",
        "from-pgn",
        "games.pgn",
        "--ply",
        "all",
        "--variations",
        "--lang",
        "de",
        "--format",
        "jsonl",
    ]);
    let rows = objects(run.exits(0));
    let moves: Vec<_> = rows.iter().map(|row| row["move"].as_str().unwrap()).collect();
    assert_eq!(moves, ["e4", "e5", "Sf3", "Lc4", "Sf6", "Sc6", "Lb5", "d4", "d5"]);
    assert_eq!(rows[2]["arrows"], serde_json::json!(["Ge2e4", "Rd8h4"]));
    assert_eq!(rows[2]["marks"], serde_json::json!(["Yf7"]));
    assert_eq!((&rows[4]["depth"], &rows[4]["number"]), (&1.into(), &"2...".into()));
    assert_eq!([&rows[0]["white"], &rows[0]["black"]], ["A", "B"]);
    let epd = place.run(&["fen", "from-pgn", "games.pgn", "--ply", "2.Nf3", "-f", "epd"]);
    let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - id \"A - B, 2.Nf3\"; \
                c0 \"[%cal Ge2e4,Rd8h4][%csl Yf7]\";\n";
    epd.exits(0).prints(line);
    place.pipe(&["fen", "show", "-o", "a.svg"], line.as_bytes()).exits(0).is_silent();
    let svg = fs::read_to_string(place.path("a.svg")).unwrap();
    assert!(svg.contains("A - B, 2.Nf3") && svg.matches("fill-opacity=\".8\"").count() == 2);
    place
        .run(&["fen", "from-pgn", "games.pgn", "--ply", "x"])
        .exits(2)
        .complains("a move such as 24.Rxd4");
}
