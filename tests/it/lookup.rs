//! `eco lookup` and `eco search`.

use std::fs;

use serde_json::Value;

use crate::harness::Workplace;

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

#[test]
fn a_line_is_told_with_what_is_around_it() {
    let place = Workplace::new();
    place.run(&["lookup", "1.", "h3", "d5", "2.", "a3", "e5"]).exits(0).prints(
        "A00 Creepy Crawly Formation: Classical Defense\n\
         \x20 after 2... e5, ply 4\n\
         \x20 lichess 2026-09-11: 1. h3 d5 2. a3 e5\n\
         \x20 rnbqkbnr/ppp2ppp/8/3pp3/8/P6P/1PPPPPP1/RNBQKBNR w KQkq -\n\
         named on the way:\n\
         \x20 1. h3        A00 Clemenz Opening\n\
         \x20 2... e5      A00 Creepy Crawly Formation: Classical Defense\n",
    );
    let sicilian = place.run(&["lookup", "1. e4 d5 2. exd5 c5 3. dxc6"]).exits(0).stdout.clone();
    for typed in
        ["e4 d5 ed c5 dc", "e2e4 d7-d5 e:d c5 dc6 e.p.", "1.e4 {best} d5 (c5) 2.exd c5 dxc"]
    {
        place.run(&["lookup", typed]).exits(0).prints(&sicilian);
    }
    place.run(&["lookup", "h3", "d5", "a3"]).exits(0).prints(
        "no name for this position\n\
         \x20 rnbqkbnr/ppp1pppp/8/3p4/8/P6P/1PPPPPP1/RNBQKBNR b KQkq -\n\
         nearest named position before, 1. h3: A00 Clemenz Opening\n\
         named on the way:\n\
         \x20 1. h3        A00 Clemenz Opening\n\
         not this position, but named one move on:\n\
         \x20 2... e5      A00 Creepy Crawly Formation: Classical Defense\n",
    );
}

#[test]
fn programs_get_one_object_an_answer() {
    let place = Workplace::new();
    let answer = |args: &[&str]| -> Value {
        let args = [&["lookup", "--format", "jsonl"], args].concat();
        serde_json::from_str(&place.run(&args).exits(0).stdout).unwrap()
    };
    let line = answer(&["1. g3 f5 2. d4"]);
    assert_eq!(line["eco"], "A81");
    assert_eq!(line["transposed"], true);
    assert_eq!(line["line"], "1. d4 f5 2. g3");
    assert_eq!(line["trail"].as_array().unwrap().len(), 3);
    assert_eq!(line["nearest"], Value::Null);
    let position = answer(&[SICILIAN]);
    assert_eq!(position["opening"], "Sicilian Defense");
    assert_eq!(position["ply"], 0);
    assert!(position["next"].as_array().unwrap().len() > 10);
    let unknown = answer(&["h3", "d5", "a3"]);
    assert_eq!(unknown["eco"], Value::Null);
    assert_eq!(unknown["nearest"]["opening"], "Clemenz Opening");
    assert_eq!(unknown["next"][0]["move"], "e5");
}

#[test]
fn what_other_masters_say_is_told_and_who() {
    let place = Workplace::new();
    place.write("mine.tsv", "B20\tMy Sicilian\t1. e4 c5\n");
    place.write(
        "other.json",
        "[{\"eco\":\"B20\",\"name\":\"Sizilianisch\",\"moves\":\"1. e4 c5\",\
         \"scid\":\"B20a\",\"aliases\":{\"scid\":\"Sicilian\"}}]",
    );
    place.run(&["ingest", "mine.tsv", "builtin", "other.json", "--db", "x.db"]).exits(0);
    let run = place.run(&["lookup", "--catalogue", "x.db", "e4", "c5"]);
    let text = &run.exits(0).stdout;
    assert!(text.starts_with("B20 My Sicilian\n"), "{text}");
    for part in [
        "called elsewhere:\n  B20 Sicilian Defense (lichess 2026-09-11: 1. e4 c5)\n",
        "  B20 Sizilianisch (other ",
        "  B20a Sicilian (scid)\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn a_forgotten_en_passant_square_is_told() {
    let place = Workplace::new();
    place.write("m.tsv", "C02\tWith f6\t1. e4 e6 2. d4 d5 3. e5 f5\n");
    place.run(&["ingest", "m.tsv", "--db", "x.db"]).exits(0);
    let fen = "rnbqkbnr/ppp3pp/4p3/3pPp2/3P4/8/PPP2PPP/RNBQKBNR w KQkq - 0 4";
    let run = place.run(&["lookup", "--catalogue", "x.db", fen]);
    let told = "no name for this position\n  rnbqkbnr/ppp3pp/4p3/3pPp2/3P4/8/PPP2PPP/RNBQKBNR w \
                KQkq -\n  with the en passant square it is C02 With f6: ";
    assert!(run.exits(0).stdout.starts_with(told), "{}", run.stdout);
}

#[test]
fn a_list_is_answered_line_by_line() {
    let place = Workplace::new();
    let list = format!(
        "\u{feff}# positions and lines\r\n{SICILIAN}\r\n\r\n1. e4 e5 2. Ke3\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a \\\"start\\\"\"; bm e4;\n\
         8/8 w\n{SICILIAN} eco \"X\"; c0 \"mine\";\nd4 f5\n"
    );
    let run = place.pipe(&["lookup", "--format", "epd"], list.as_bytes());
    run.exits(1)
        .complains(
            "eco: line 4: '1. e4 e5 2. Ke3': column 13, move 2. Ke3: the white king on e1 cannot",
        )
        .complains("eco: line 6: '8/8 w': not a FEN")
        .prints(&format!(
            "{SICILIAN} eco \"B20\"; v0 \"Sicilian Defense\";\n1. e4 e5 2. Ke3\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a \\\"start\\\"\"; bm e4;\n\
             8/8 w\n{SICILIAN} eco \"B20\"; v0 \"Sicilian Defense\"; c0 \"mine\";\n\
             rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - eco \"A80\"; \
             v0 \"Dutch Defense\";\n"
        ));
    let piped = place.pipe(&["lookup", "-", "--format", "jsonl"], list.as_bytes());
    let answers: Vec<Value> =
        piped.exits(1).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 6);
    let fault = "'1. e4 e5 2. Ke3': column 13, move 2. Ke3: the white king on e1 cannot go to e3";
    assert_eq!(answers[1]["error"], fault);
    assert_eq!(answers[5]["eco"], "A80");
}

/// In every command that reads lines of positions.
#[test]
fn what_is_not_text_is_refused() {
    let place = Workplace::new();
    place.write("x.cbh", b"\x00\x00\x2c\x00\x2e\x01e4\n");
    place.write("x.png", b"\x89PNG\r\n\x1a\n");
    place.write("x.bin", [b"e4\n".repeat(10), vec![0; 100]].concat());
    for (name, complaint) in [
        ("x.cbh", "standard input: this is a ChessBase database, not PGN"),
        ("x.png", "standard input: this is an image, not PGN"),
        ("x.bin", "standard input: not PGN: it has a NUL byte at byte 30"),
    ] {
        for args in [&["lookup"][..], &["fen", "check"], &["fen", "key"], &["fen", "move"]] {
            let bytes = fs::read(place.path(name)).unwrap();
            place.pipe(args, &bytes).exits(1).complains(complaint).prints("");
        }
    }
    if cfg!(unix) {
        let zero = "standard input: not PGN: it has a NUL byte at byte 0";
        place.shell("eco lookup < /dev/zero").exits(1).complains(zero).prints("");
    }
}

#[test]
fn what_is_neither_position_nor_moves_is_told() {
    let place = Workplace::new();
    for (args, told) in [
        (
            &["e4", "e5", "Ke3"][..],
            "eco: 'e4 e5 Ke3': column 7, move 2. Ke3: the white king on e1 cannot go to e3",
        ),
        (&["xyzzy"], "not the code or name of an opening"),
        (&["4k3/8/8/8/8/8/8/4K2x w - - 0 1"], "eco: FEN: field 1 (placement), column 20"),
        (&["4k3/8/8/8/8/8/8/4K3 w - - id \"open"], "never closed"),
        (&[""], "eco: no position and no moves"),
        (
            &["e4", &"x".repeat(100_000)],
            "...': column 4, move 1... xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: not",
        ),
        (&["e4", "--catalogue", "no.db"], "eco: no.db: No such file"),
    ] {
        place.run(&[&["lookup"], args].concat()).exits(2).complains(told).prints("");
    }
}

#[test]
fn openings_are_found_by_code_and_words() {
    let place = Workplace::new();
    let run = place.run(&["search", "najdorf", "--limit", "1", "--format", "table"]);
    run.exits(0).complains("more (--limit)");
    run.prints_part("B90  Sicilian Defense: Najdorf Variation  …");
    let run = place.run(&["search", "B90-B91", "--limit", "0", "--format", "jsonl"]);
    let hits: Vec<Value> =
        run.exits(0).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(hits.len() > 5);
    assert!(hits.iter().all(|hit| hit["eco"] == "B90" || hit["eco"] == "B91"));
    assert_eq!(hits[0]["master"], "lichess");
    place.run(&["search", "zzz"]).exits(0).complains("eco: no opening matches 'zzz'");
    place.run(&["search", "  "]).exits(2).complains("neither a code nor a word");
}

#[test]
fn openings_are_found_as_people_call_them() {
    let place = Workplace::new();
    for (text, name, found_by) in [
        ("najdorf", "Sicilian Defense: Najdorf Variation", ""),
        ("KID", "King's Indian Defense", "alias: KID"),
        ("spanish exchange", "Ruy Lopez: Exchange Variation", "alias: Spanish"),
        ("sizilianisch", "Sicilian Defense", "language: de"),
        ("nimzoindian", "Nimzo-Indian Defense", ""),
        ("B90", "Sicilian Defense: Najdorf Variation", ""),
        ("Najdorff", "Sicilian Defense: Najdorf Variation", "nearest: Najdorf"),
        ("e4 c5", "Sicilian Defense", ""),
        ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Qc2", "Nimzo-Indian Defense: Classical Variation", ""),
    ] {
        let run = place.run(&["search", text, "--limit", "1", "--format", "jsonl"]);
        let hit: Value = serde_json::from_str(&run.exits(0).stdout).unwrap();
        assert_eq!(hit["opening"], name, "{text}");
        assert_eq!(hit["found_by"].as_str().unwrap_or_default(), found_by, "{text}");
    }
    let told = "eco: no opening is called 'Najdorff'; the nearest: 'Najdorf'";
    for command in ["search", "lookup"] {
        place.line(&format!("{command} Najdorff")).exits(0).complains(told);
    }
    // Where a guess may do harm, or nobody may see it, it is refused.
    place.line("fen show Najdorff").exits(1).complains(told);
    place.line("filter --position Najdorff").exits(2).complains("the nearest: 'Najdorf'");
    place.line("search QGD").complains("eco: 'QGD' is another name of Queen's Gambit Declined");
    place.line("lookup berlin").exits(0).prints_part("C65");
    // Moves may follow a slip, and codes stand beside one.
    place.line("lookup najdorff 6. Be3").exits(0).prints_part("English Attack\n  after 6. Be3");
    place.line("lookup E01-E09 clozed").exits(0).prints_part("E06 Catalan Opening: Closed");
    place.line("lookup C50 italain").exits(0).prints_part("C50 Italian Game");
    place.line("lookup C50 Nd4").exits(0).prints_part("3... Nd4");
    let told = "column 13, move 2. Ke3: the white king on e1 cannot go to e3";
    place.run(&["search", "1. e4 e5 2. Ke3"]).exits(0).complains(told);
    let many = place.run(&["lookup", "berlin"]);
    many.exits(0).complains("'berlin' is C65 Ruy Lopez: Berlin Defense");
}

#[test]
fn openings_are_a_tree_to_browse() {
    let place = Workplace::new();
    let tree = place.run(&["search", "--format", "table", "--limit", "1"]);
    tree.exits(0).prints_part("Sicilian Defense  B20-B99");
    let run = place.run(&["search", "--depth", "2", "--format", "jsonl"]);
    let rows: Vec<Value> =
        run.exits(0).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["opening"], &rows[0]["depth"]), (&"Sicilian Defense".into(), &1.into()));
    let najdorf = "Sicilian Defense: Najdorf Variation";
    assert!(rows.iter().any(|row| row["opening"] == najdorf && row["depth"] == 2));
    // Other formats have all openings.
    let all = place.run(&["search", "--format", "jsonl", "--limit", "0"]);
    assert_eq!(all.exits(0).stdout.lines().count(), 3810);
    place.run(&["search", "--depth", "4"]).exits(2);
    place.run(&["search", "--depth", "1", "--format", "pgn"]).exits(2).complains("--depth");
}

#[test]
fn other_names_are_added_to_a_database() {
    let place = Workplace::new();
    place
        .write("names.tsv", "alias\topening\tlanguage\nCoffee House\tVienna Game\ten\nOurs\tB90\n");
    place.run(&["ingest", "names.tsv", "--db", "x.db"]).exits(0);
    let first = |text: &str| {
        let search = ["search", "--catalogue", "x.db", "--limit", "1", "--format", "tsv", text];
        place.run(&search).exits(0).stdout.lines().nth(1).unwrap_or_default().to_owned()
    };
    assert!(first("coffee house").contains("Vienna Game"), "{}", first("coffee house"));
    assert!(first("ours english attack").contains("Najdorf"), "{}", first("ours english attack"));
    // More are added to those, and a name of nothing is a bad line.
    place.write("more.tsv", "alias\topening\nTea House\tVienna Game\n");
    place.run(&["ingest", "more.tsv", "--db", "x.db"]).exits(0);
    assert!(first("tea house").contains("Vienna Game") && first("coffee house").contains("Vienna"));
    place.write("bad.tsv", "alias\topening\nx\tNo Such Opening\n");
    let bad = place.run(&["ingest", "bad.tsv", "--db", "x.db"]);
    bad.exits(2).complains("bad.tsv: line 2: no opening is called 'No Such Opening'");
    // A name that an opening has comes before the same name of another.
    place.write("exact.tsv", "alias\topening\nDutch Defense\tVienna Game\n");
    place.run(&["ingest", "exact.tsv", "--db", "x.db"]).exits(0);
    assert!(first("dutch defense").contains("A80"), "{}", first("dutch defense"));
    let copy = ["search", "--catalogue", "x.db", "--format", "sqlite", "-o", "y.db"];
    place.run(&copy).exits(0);
    let args = ["search", "--catalogue", "y.db", "--format", "jsonl", "--limit", "1", "teahouse"];
    place.run(&args).exits(0).prints_part("\"found_by\":\"alias: Tea House\"");
}

#[test]
fn a_game_is_explained() {
    let place = Workplace::new();
    let pgn = b"[White \"A\"]\n[Black \"B\"]\n\n1. c4 d5 2. d4 a5 3. Ke3 *\n\n[White \"C\"]\n\n*\n";
    place.pipe(&["classify", "--explain", "-q"], pgn).exits(0).prints(
        "game 1: A - B, ?, ?\n\
         \x20 D06 Queen's Gambit\n\
         \x20   after 2. d4, ply 3, by transposition\n\
         \x20   lichess 2026-09-11, d.tsv: line 138: 1. d4 d5 2. c4\n\
         \x20   position rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq -\n\
         \x20 named on the way:\n\
         \x20   1. c4        A10 English Opening\n\
         \x20   1... d5      A10 English Opening: Anglo-Scandinavian Defense\n\
         \x20   2. d4        D06 Queen's Gambit\n\
         \x20 left the named positions for good with 2... a5, ply 4\n\
         \x20 on known ways, by any move order, until ply 3\n\
         \x20 by its move order alone it would be A10 English Opening: Anglo-Scandinavian Defense \
         (1. c4 d5)\n\
         \x20 error: move 3. Ke3: illegal\n\n\
         game 2: C - ?, ?, ?\n\
         \x20 no named position on its way\n\n",
    );
    let run = place.pipe(&["classify", "--explain", "-q", "--format", "jsonl"], pgn);
    let games: Vec<Value> =
        run.exits(0).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games[0]["trail"].as_array().unwrap().len(), 3);
    assert_eq!(games[0]["left_with"]["move"], "2... a5");
    assert_eq!(games[0]["left_with"]["ply"], 4);
    assert_eq!(games[0]["by_move_order"]["line"], "1. c4 d5");
    assert_eq!(games[0]["by_move_order"]["ply"], 2);
    assert_eq!(games[1]["eco"], Value::Null);
    place
        .pipe(&["classify", "--explain", "--format", "csv"], pgn)
        .exits(2)
        .complains("explanations are text");
    let fields = "eco,move_order_eco,move_order_opening,book_exit,master,master_version";
    place.pipe(&["classify", "--fields", fields, "--no-header", "-q"], pgn).exits(0).prints(
        "D06\tA10\tEnglish Opening: Anglo-Scandinavian Defense\t3\tlichess\t2026-09-11\n\
         \t\t\t0\t\t\n",
    );
}

/// A game by the moves of another master's line is not reported to have followed the deciding one.
#[test]
fn the_line_that_was_followed_is_told() {
    let place = Workplace::new();
    place.write("one.tsv", "A01\tOne\t1. Nf3 d5 2. g3\n");
    place.write("two.tsv", "A02\tTwo\t1. g3 d5 2. Nf3\n");
    place.run(&["ingest", "one.tsv", "two.tsv", "--db", "x.db", "--edition", "7"]).exits(0);
    let explain = |pgn: &[u8]| {
        place
            .pipe(&["classify", "--explain", "-q", "--catalogue", "x.db"], pgn)
            .exits(0)
            .stdout
            .clone()
    };
    let text = explain(b"1. g3 d5 2. Nf3 a6 *");
    assert!(
        text.contains(
            "A01 One\n    after 2. Nf3, ply 3, by the moves of a line of two 7: 1. g3 d5 2. Nf3\n    \
             one 7, one.tsv: line 1: 1. Nf3 d5 2. g3\n"
        ),
        "{text}"
    );
    assert!(explain(b"1. Nf3 d5 2. g3 *").contains("ply 3, by the moves of this line\n"));
    assert!(
        explain(b"1. Nf3 Nf6 2. g3 d5 3. Nd4 Ng8 4. Nf3 *").contains("ply 7, by transposition\n")
    );
}

#[test]
fn names_from_a_master_cannot_speak_to_a_terminal() {
    let place = Workplace::new();
    let name = "Red \\u001b[31m \\u202e Opening";
    place.write("m.json", format!("[{{\"eco\":\"A00\",\"name\":\"{name}\",\"moves\":\"1. e4\"}}]"));
    place.run(&["ingest", "m.json", "--db", "x.db"]).exits(0);
    for args in [
        &["lookup", "e4", "--catalogue", "x.db"][..],
        &["search", "red", "--catalogue", "x.db"],
        &["db", "diff", "x.db", "builtin", "--format", "table"],
        &["search", "--catalogue", "x.db", "--format", "lichess"],
    ] {
        let run = place.run(args);
        let text = format!("{}{}", run.exits(0).stdout, run.stderr);
        assert!(text.contains("Red  [31m") && !text.contains('\u{1b}'), "{args:?}\n{text}");
    }
    fs::remove_file(place.path("x.db")).unwrap();
}
