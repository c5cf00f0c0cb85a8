//! `eco fen from-pgn`: positions out of games.

use std::fs;

use eco::{
    chess::{Chess, Color, Position, Role, Square},
    pgn::{games, plain::read_plainly},
};

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

/// The structures of docs/filter.md: a part of the name, White's pawns, Black's, and the files
/// without other pawns.
const STRUCTURES: [(&str, &str, &str, &str); 5] = [
    ("isolated", "d4", "e6", "cde"),
    ("Carlsbad", "d4 e3", "c6 d5", "ce"),
    ("hedgehog", "c4 e4", "a6 b6 d6 e6", "cd"),
    ("Maróczy", "c4 e4", "d6", "cd"),
    ("Stonewall", "d4", "c6 d5 e6 f5", ""),
];

/// A game of each, and the ply at which its structure is first there; then games that come near.
const STRUCTURED: [(&str, usize); 8] = [
    ("1. e4 c6 2. d4 d5 3. exd5 cxd5 4. c4 Nf6 5. Nc3 e6 6. Nf3 Be7 7. cxd5 Nxd5 *", 14),
    ("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5 5. Bg5 c6 6. e3 Be7 *", 11),
    ("1. c4 c5 2. Nf3 Nf6 3. d4 cxd4 4. Nxd4 e6 5. Nc3 a6 6. e4 d6 7. Be2 b6 *", 14),
    ("1. e4 c5 2. Nf3 Nc6 3. d4 cxd4 4. Nxd4 g6 5. c4 Bg7 6. Be3 d6 *", 12),
    ("1. d4 f5 2. c4 e6 3. g3 Nf6 4. Bg2 d5 5. Nf3 c6 *", 10),
    ("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5 5. e3 Be7 *", 0),
    ("1. e4 e5 2. c4 d6 *", 0),
    ("1. d4 f5 2. c4 e6 3. g3 d5 4. Bg2 *", 0),
];

/// The first ply of a game at which a plain search finds a structure.
fn first_with(game: &[u8], (_, white, black, files): (&str, &str, &str, &str)) -> Option<usize> {
    let wanted = |square: Square| {
        let is_in = |squares: &str| squares.split(' ').any(|name| name == square.to_string());
        match () {
            () if is_in(white) => Some(Some(Color::White)),
            () if is_in(black) => Some(Some(Color::Black)),
            () => files.contains(square.file().char()).then_some(None),
        }
    };
    let has = |position: &Chess| {
        Square::ALL.into_iter().all(|square| {
            let piece = position.board().piece_at(square).filter(|piece| piece.role == Role::Pawn);
            wanted(square).is_none_or(|wanted| wanted == piece.map(|piece| piece.color))
        })
    };
    let mut position = Chess::default();
    let mut moves = read_plainly(game).moves.into_iter();
    for ply in 0.. {
        if has(&position) {
            return Some(ply);
        }
        let m = moves.next()?.san.to_move(&position).ok()?;
        position.play_unchecked(m);
    }
    None
}

#[test]
fn structures_of_the_page_are_found_where_plain_boards_have_them() {
    let page = include_str!("../../docs/filter.md");
    let club = include_bytes!("../../data/games/club.pgn");
    let own = STRUCTURED.iter().map(|(moves, _)| format!("[Event \"?\"]\n\n{moves}\n\n"));
    let all = [own.collect::<String>().as_bytes(), &famous_games(), club].concat();
    let place = Workplace::new();
    place.write("games.pgn", &all);
    for (number, structure) in STRUCTURES.into_iter().enumerate() {
        let row = page.lines().find(|line| line.starts_with("| ") && line.contains(structure.0));
        let text = row.and_then(|row| row.split('\'').find(|part| part.contains('/'))).unwrap();
        let found = |args: &[&str]| {
            let from_pgn = ["fen", "from-pgn", "games.pgn", "--ply", "found", "-f", "jsonl"];
            let run = place.run(&[&from_pgn, args].concat());
            let number = |row: &serde_json::Value, key: &str| row[key].as_u64();
            let rows = objects(&run);
            rows.iter().map(|row| (number(row, "game"), number(row, "ply"))).collect::<Vec<_>>()
        };
        let plain = games(&all).filter_map(|game| {
            Some((Some(game.number()), Some(first_with(game.bytes(), structure)? as u64)))
        });
        let plain: Vec<_> = plain.collect();
        assert_eq!(found(&["--structure", text]), plain, "{structure:?}");
        let own = (Some(number as u64 + 1), Some(STRUCTURED[number].1 as u64));
        assert!(plain.contains(&own), "{structure:?}: {plain:?}");
        assert_eq!(found(&["--structure", text, "--lasting", "999"]), []);
    }
}

#[test]
fn material_is_found_where_it_stays() {
    let place = Workplace::new();
    // Rooks are exchanged, one is lost, and rook and pawn are left for three half-moves.
    let fen = "3rr1k1/8/8/8/8/8/1P2R3/4R1K1 w - - 0 1";
    let game = format!("[FEN \"{fen}\"]\n\n1. Rxe8+ Rxe8 2. Rxe8+ Kf7 3. Re5 *\n");
    place.write("games.pgn", game);
    let found = |args: &[&str]| {
        let from_pgn = ["fen", "from-pgn", "games.pgn", "--from-position", "--ply", "found"];
        let run = place.run(&[&from_pgn[..], &["-f", "tsv", "--no-header"], args].concat());
        let rows = run.exits(0).stdout.lines();
        rows.map(|row| row.split('\t').nth(4).unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (args, plies) in [
        (&["--material", "KRRPvKRR"][..], &["0"][..]),
        (&["--material", "KRvKRP"], &["2"]),
        (&["--material", "KRPkr"], &["2"]),
        (&["--material", "KRkrp"], &[]),
        (&["--material", "KRRPvKR"], &["1"]),
        (&["--material", "KRRPvKR", "--lasting", "2"], &[]),
        (&["--material", "KR+P*vKR*", "--lasting", "6"], &["0"]),
        (&["--material", "KRPvK", "--lasting", "3"], &["3"]),
        (&["--material", "KRPvK", "--lasting", "4"], &[]),
        (&["--material", "KRPvKR", "--structure", "8/?/?/?/?/?/.P....../8"], &["2"]),
        (&["--material", "KRPvKR", "--structure", "8/?/?/?/?/?/P......./8"], &[]),
        (&["--material", "KQvK", "--material", "KRPvK"], &["3"]),
    ] {
        assert_eq!(found(args), plies, "{args:?}");
    }
    let run = place.run(&["fen", "from-pgn", "games.pgn", "--ply", "found"]);
    let goes = "eco: --ply found goes with --structure, --material or --position\n";
    run.exits(2).complains(goes);
    let run = place.run(&["filter", "games.pgn", "--lasting", "3"]);
    run.exits(2).complains("eco: --lasting: goes with structure or material\n");
}
