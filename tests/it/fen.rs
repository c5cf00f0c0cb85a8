//! `eco fen`, from outside.

use std::{fs, process::Stdio};

use crate::harness::{Run, Workplace, famous_games};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";

fn fen(args: &[&str]) -> Run {
    Workplace::new().run(&[&["fen"], args].concat())
}

fn pipe(args: &[&str], input: &[u8]) -> Run {
    Workplace::new().pipe(&[&["fen"], args].concat(), input)
}

#[test]
fn check_tells_the_worst_class_by_its_exit_code() {
    for (text, code) in [
        (START, 0),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kq–KQ —", 0),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 1", 3),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1", 4),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", 5),
        ("", 5),
    ] {
        fen(&["check", text]).exits(code).is_silent();
        fen(&["check", "--quiet", text]).exits(code).prints("");
    }
    let several = format!("{START}\n\n# a comment\n8/8/8/8/8/8/8/8 w - - 0 1\n{START}\n");
    pipe(&["check"], several.as_bytes()).exits(4);
}

#[test]
fn check_points_at_every_fault_and_repairs_what_is_certain() {
    fen(&["check", "4k3/8/8/8/4P3/8/8/4K3 b K e4 3 1"]).exits(4).prints(
        "impossible: 4k3/8/8/8/4P3/8/8/4K3 b K e4 3 1\n\
         \x20                                   ^ ^  ^\n\
         \x20 impossible: field 3 (castling rights), column 25: found 'K', expected no such right: \
         no white rook on h1\n\
         \x20 impossible: field 4 (en passant square), column 27: found \"e4\", the square of the \
         pawn itself, expected e3, the square that it has passed over\n\
         \x20 odd: field 5 (halfmove clock), column 30: found 3, expected at most 1, the half-moves \
         of the game so far\n\
         \x20 repaired: 4k3/8/8/8/4P3/8/8/4K3 b - e3 3 1\n",
    );
    pipe(&["check"], b"\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ \xe2\x80\x93\n")
        .exits(0)
        .prints(
            "line 2: ok: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ –\n\
             \x20 forgiven: castling letters not in the order KQkq\n\
             \x20 forgiven: another dash for -\n\
             \x20 forgiven: no move counters: 0 and 1\n\
             \x20 normalized: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
        );
}

#[test]
fn check_decodes_old_files_before_it_counts_columns() {
    pipe(&["check"], b"\xe9\xe8/8 w - - 0 1\r\n").exits(5).prints(
        "line 1: syntax: éè/8 w - - 0 1\n\
         \x20               ^^  ^\n\
         \x20 syntax: field 1 (placement), column 1: found 'é', expected one of PNBRQKpnbrqk, a \
         digit 1 to 8, or /\n\
         \x20 syntax: field 1 (placement), column 2: found 'è', expected one of PNBRQKpnbrqk, a \
         digit 1 to 8, or /\n\
         \x20 syntax: field 1 (placement), column 5: found 2 ranks, expected 8 ranks\n",
    );
}

#[test]
fn check_as_jsonl_has_a_line_for_each_fen() {
    let run = pipe(&["check", "--format", "jsonl"], format!("{START}\nx y\n").as_bytes());
    let lines: Vec<serde_json::Value> =
        run.exits(5).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["class"], "ok");
    assert_eq!(lines[0]["fen"], START);
    assert_eq!(lines[1]["line"], 2);
    assert_eq!(lines[1]["fen"], serde_json::Value::Null);
    let fault = &lines[1]["faults"][0];
    assert_eq!(
        [&fault["class"], &fault["kind"], &fault["name"], &fault["found"]],
        ["syntax", "placement-letter", "placement", "'x'"]
    );
    assert_eq!((&fault["field"], &fault["column"]), (&1.into(), &1.into()));
}

#[test]
fn keys_follow_the_en_passant_mode() {
    let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
    let nobody = E4;
    for (mode, pinned_key, nobody_key) in
        [("legal", "-", "-"), ("pseudo-legal", "d3", "-"), ("always", "d3", "e3")]
    {
        let run = fen(&["key", "--ep", mode, pinned, nobody]);
        run.exits(0).prints(&format!(
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - {pinned_key}\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {nobody_key}\n"
        ));
    }
    fen(&["key", nobody]).prints("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
}

#[test]
fn hashes_are_those_of_polyglot() {
    // The nine keys in the description of Polyglot's book format, which prove the random numbers.
    for (fen_text, hash) in [
        (START, "463b96181691fc9c"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "823c9b50fd114196"),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", "0756b94461c50fb0"),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", "662fafb965db29d4"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "22a48b5a8e47ff78"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", "652a607ca3f242c1"),
        ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", "00fdd303c946bdd9"),
        ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", "3c8123ea7b067637"),
        ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", "5c3f9b829b279560"),
    ] {
        for args in [&["--hash"][..], &["--hash", "--ep", "pseudo-legal"]] {
            fen(&[&["key", fen_text], args].concat()).exits(0).prints(&format!("{hash}\n"));
        }
    }
    // A pawn stands beside, and its capture is not legal: Polyglot hashes the file.
    let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
    let without = fen(&["key", "--hash", &pinned.replace("d3", "-")]).exits(0).stdout.clone();
    assert_ne!(fen(&["key", "--hash", pinned]).exits(0).stdout, without);
    fen(&["key", "--hash", "--ep", "legal", pinned]).exits(2).complains("Polyglot");
}

#[test]
fn keys_of_lists_keep_their_operations_and_take_names() {
    let list = "\u{feff}rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 hmvc 0; id \"a; b\";\r\n\
                # skipped\r\n\
                \r\n\
                4k3/8/8/8/8/8/8/4K3 w - - 0 1\r\n\
                4k3/8/8/8/8/8/8/8 w - - 0 1\r\n\
                4k3/8/8/8/8/8/8/4K3 w - - 1a;\r\n\
                4k3/8/8/8/8/8/8/4K3 w - - c0 \"Gr\u{fc}nfeld\"";
    let place = Workplace::new();
    place.write("list.epd", list);
    let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let rest = "4k3/8/8/8/8/8/8/4K3 w - -\n\n\n4k3/8/8/8/8/8/8/4K3 w - - c0 \"Gr\u{fc}nfeld\";\n";
    place
        .run(&["fen", "key", "--file", "list.epd"])
        .exits(1)
        .prints(&format!("{sicilian} hmvc 0; id \"a; b\";\n{rest}"))
        .complains("eco: list.epd:5: impossible position: field 1 (placement), column 1: found no white king")
        .complains("eco: list.epd:6: column 27: found \"1a\", expected an opcode");
    place.run(&["fen", "key", "--name", "--file", "list.epd"]).exits(1).prints(&format!(
        "{sicilian} hmvc 0; id \"a; b\"; eco \"B20\"; v0 \"Sicilian Defense\";\n{rest}"
    ));
    let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    place.run(&["fen", "key", "--name", najdorf]).exits(0).prints(
        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - eco \"B90\"; \
         v0 \"Sicilian Defense\"; v1 \"Najdorf Variation\";\n",
    );
}

#[test]
fn moves_are_played_and_explained() {
    fen(&["move", START, "1.", "e4", "c5", "2.Ng1-f3!?"])
        .exits(0)
        .prints("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n");
    fen(&["move", "startpos", "e4", "--each", "e5", "--ep", "legal"]).exits(0).prints(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
    );
    fen(&["move", "startpos", "e4"]).exits(0).prints(&format!("{E4}\n"));
    fen(&["move", "--lang", "ru", "startpos", "Кf3"])
        .exits(0)
        .prints("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n");
    fen(&["move", START, "e4 e5", "Bc4 Nf6 Ke3"])
        .exits(1)
        .prints("")
        .complains("eco: column 72, move 3. Ke3: the white king on e1 cannot go to e3\n");
    fen(&["move", "8/8/8/8/8/8/8/8 w - - 0 1", "e4"]).exits(1).complains("found no pieces");
    fen(&["move", "--lang", "xx", "startpos"]).exits(2).complains("no language \"xx\"");
}

#[test]
fn lines_of_moves_are_played_each_by_itself() {
    let lines = format!(
        "{START} e4\n{START} e5\nstartpos d4\nnonsense\n{E4}\n4k3/8/8/8/8/8/8/4K2R w K - 0-0\n"
    );
    pipe(&["move"], lines.as_bytes())
        .exits(1)
        .prints(&format!(
            "{E4}\n\
             \n\
             rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\n\
             \n\
             {E4}\n\
             4k3/8/8/8/8/8/8/5RK1 b - - 1 1\n"
        ))
        .complains(
            "eco: -:2: column 58, move 1. e5: it is White's turn, and this is a move of Black",
        )
        .complains("eco: -:4: field 1 (placement), column 2: found 'o'");
}

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
        "--each",
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
    let run = pipe(&["from-pgn", "--variations", "--each"], text.as_bytes());
    run.exits(0).complains("eco: 2 variations are nested more than 64 deep, and skipped\n");
    assert_eq!(run.stdout.lines().count(), 2 + 64);
    pipe(&["from-pgn", "--each"], text.as_bytes()).exits(0).is_silent();
}

#[test]
fn games_come_from_every_input_in_the_same_order() {
    let place = Workplace::new();
    let games = famous_games();
    place.write("games.pgn", &games);
    let plain =
        place.run(&["fen", "from-pgn", "games.pgn", "--each", "-j", "1"]).exits(0).stdout.clone();
    assert!(plain.lines().count() > 1000, "{} positions", plain.lines().count());
    place.write("packed/games.pgn.zst", zstd::encode_all(&games[..], 3).unwrap());
    place.run(&["fen", "from-pgn", "packed", "--each", "-j", "7"]).exits(0).prints(&plain);
    place.pipe(&["fen", "from-pgn", "--each"], &games).exits(0).prints(&plain);
    // The output passes `check`.
    place.pipe(&["fen", "check", "--quiet"], plain.as_bytes()).exits(0);
}

#[test]
fn positions_are_shown_piped_as_ascii() {
    let plain =
        fen(&["show", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--side", "black", "--mark", "e4,d5"]);
    plain.exits(0).prints(
        "  +-----------------+\n\
         1 | . . . K . . . . |\n\
         2 | . . . P . . . . |\n\
         3 | . . . . . . . . |\n\
         4 | . . .[.]. . . . |\n\
         5 | . . . .[.]. . . |\n\
         6 | . . . . . . . . |\n\
         7 | . . . . . . . . |\n\
         8 | . . . k . . . . |\n\
         \x20 +-----------------+\n\
         \x20   h g f e d c b a\n\
         \x20 White to move\n",
    );
    let two = pipe(
        &["show", "--no-coordinates", "--side", "mover"],
        format!("{START}\n{E4}\nx\n").as_bytes(),
    );
    two.exits(1).complains("eco: -:3: field 1 (placement)");
    assert!(two.stdout.contains("White to move\n\n+---"), "{}", two.stdout);
    assert!(
        two.stdout
            .ends_with("| r n b k q b n r |\n+-----------------+\nBlack to move\n\nno diagram\n")
    );
    assert!(fen(&["show", "--style", "coloured", START]).stdout.contains("\x1b[48;2;"));
    fen(&["show", "--mark", "z9", START]).exits(2).complains("expected a square such as e4");
}

#[test]
fn images_are_written_and_replaced() {
    let place = Workplace::new();
    place.run(&["fen", "image", START, "-o", "a.svg", "--caption", "x < y"]).exits(0).is_silent();
    let svg = fs::read_to_string(place.path("a.svg")).unwrap();
    assert!(roxmltree::Document::parse(&svg).is_ok());
    place.run(&["fen", "image", E4, "-o", "a.svg"]).exits(0);
    assert_ne!(fs::read_to_string(place.path("a.svg")).unwrap(), svg);
    place.run(&["fen", "image", START, "-o", "a.png", "--square", "16"]).exits(0);
    assert!(fs::read(place.path("a.png")).unwrap().starts_with(b"\x89PNG"));
    place
        .run(&["fen", "image", "startpos", "-o", "b.PDF", "--caption", "日"])
        .exits(0)
        .complains("the font of PNG and PDF has no 日; boxes are drawn instead");
    assert!(fs::read(place.path("b.PDF")).unwrap().starts_with(b"%PDF-"));
    fs::remove_file(place.path("b.PDF")).unwrap();
    assert_eq!(place.files(), ["a.png", "a.svg"]);
    let piped = place.run(&["fen", "image", START, "-o", "-"]).exits(0).stdout.clone();
    assert!(piped.starts_with("<svg "));
    for (args, reason) in [
        (&["-o", "a.gif"][..], "a.gif: an image is a file that ends in .svg, .png, .pdf or .tex"),
        (&["-o", "no/such/a.svg"], "no/such/a.svg: cannot be written: No such file or directory\n"),
        (&["-o", "a.svg", "--square", "3"], "4..=500"),
        (&["-o", "a.svg", "--light", "red"], "expected a colour"),
        (&["-o", "a.svg", "--arrow", "e2"], "expected two squares"),
        (&[], "--output"),
    ] {
        place.run(&[&["fen", "image", START], args].concat()).exits(2).complains(reason);
    }
    assert_eq!(place.files(), ["a.png", "a.svg"]);
}

#[test]
fn many_fens_give_many_images() {
    let place = Workplace::new();
    let lines = format!("{START}\nnonsense\n4k3/8/8/8/8/8/8/4K3 w - - id \"Two kings\";\n");
    place
        .pipe(&["fen", "image", "-o", "d.svg"], lines.as_bytes())
        .exits(1)
        .complains("eco: -:2: field 1 (placement)");
    place.pipe(&["fen", "image", "-o", "n%n.svg", "--caption", "Mine"], lines.as_bytes()).exits(1);
    assert_eq!(place.files(), ["d-1.svg", "d-3.svg", "n1.svg", "n3.svg"]);
    assert!(fs::read_to_string(place.path("d-3.svg")).unwrap().contains(">Two kings</text>"));
    assert!(fs::read_to_string(place.path("n3.svg")).unwrap().contains(">Mine</text>"));
}

#[test]
fn tables_are_taken_apart_and_put_together() {
    let place = Workplace::new();
    let odd = "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 3 17";
    let lines = format!("{START}\n{odd}\n");
    for format in ["json", "jsonl"] {
        let tables = place.pipe(&["fen", "parse", "--format", format], lines.as_bytes());
        let back =
            place.pipe(&["fen", "parse", "--from", "json"], tables.exits(0).stdout.as_bytes());
        back.exits(0).prints(&lines);
    }
    let table = place.run(&["fen", "parse", odd, "--format", "tsv"]).exits(0).stdout.clone();
    assert_eq!(table.lines().count(), 7 + 64);
    assert!(table.contains("castling\tKq\n") && table.contains("\nd5\tp\n"), "{table}");
    assert!(table.contains("\nply\t32\n"), "{table}");
    let tables = place.pipe(&["fen", "parse", "--format", "tsv"], lines.as_bytes());
    let tables = tables.exits(0).stdout.clone();
    place.pipe(&["fen", "parse", "--from", "tsv"], tables.as_bytes()).exits(0).prints(&lines);
    for (tsv, reason) in [
        ("x\ty\n", "line 1: found \"x\\ty\""),
        ("side\tw\n", "no field \"castling\""),
        (&tables.replace("ply\t0", "ply\t3"), "ply 3 contradicts side and move number"),
        (&tables.replace("halfmoves\t0", "halfmoves\tx"), "line 5: found \"x\""),
    ] {
        let run = place.pipe(&["fen", "parse", "--from", "tsv"], tsv.as_bytes());
        run.exits(1).complains(reason);
    }
    let bare = r#"{"side":"w","castling":"-","en_passant":"-","placement":"4k3/8/8/8/8/8/8/4K3"}"#;
    place
        .pipe(&["fen", "parse", "--from", "json"], bare.as_bytes())
        .exits(0)
        .prints("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    for (json, reason) in [
        ("{", "not a table of a FEN"),
        ("[]", "not a table of a FEN"),
        (r#"{"side":"w","castling":"-","en_passant":"-"}"#, "neither placement nor board"),
        (&bare.replace("8/4K3", "8/4X3"), "column 18: found 'X'"),
        (&bare.replace("\"w\"", "\"w KQ\""), "field 5 (halfmove clock), column 28"),
    ] {
        let run = place.pipe(&["fen", "parse", "--from", "json"], json.as_bytes());
        run.exits(1).prints("\n").complains(reason);
    }
}

#[test]
fn a_fen_without_quotes_is_understood() {
    let words: Vec<&str> = E4.split(' ').collect();
    fen(&[&["key"], &words[..], &words[..4]].concat())
        .exits(0)
        .prints(&"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n".repeat(2));
    fen(&[&["check"], &words[..]].concat()).exits(0);
    fen(&[&["move"], &words[..], &["1...", "c5"]].concat())
        .exits(0)
        .prints("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2\n");
}

#[test]
fn no_input_is_too_odd() {
    let long = "k".repeat(3 << 20);
    for input in [
        &b""[..],
        b"\n\n\r\n",
        b"\0\0\0\n\xff\xfe\x80",
        b"Gr\xfcnfeld w - - 0 1\r\n",
        b"\xef\xbb\xbf\n",
        long.as_bytes(),
        &[long.as_bytes(), b" w - - 0 1\n", START.as_bytes()].concat(),
    ] {
        for command in ["check", "key", "move", "show", "parse"] {
            let run = pipe(&[command], input);
            assert!(
                matches!(run.code, Some(0 | 1 | 5)),
                "{command}: {:?} {}",
                run.code,
                run.stderr
            );
            assert!(run.stderr.len() < 2000, "{command}: {} bytes of complaint", run.stderr.len());
            let is_plain =
                |c: char| !c.is_control() || c == '\n' || (command == "parse" && c == '\t');
            assert!(run.stdout.chars().all(is_plain), "{command}");
        }
    }
    // The line after an overlong one is still read.
    let run = pipe(&["key"], &[long.as_bytes(), b"\n", START.as_bytes()].concat());
    run.exits(1).prints("\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
}

#[test]
fn a_line_that_is_too_long_is_reported_and_has_no_answer() {
    let long = format!("{START}{}\n{E4}\n", " ".repeat(1 << 20));
    for (command, printed) in [("check", "line 2: ok"), ("key", "\nrnbqkbnr/pppppppp/8/8/4P3")] {
        let run = pipe(&[command], long.as_bytes());
        run.exits(1).complains("eco: -:1: line longer than 1 MiB\n");
        assert!(run.stdout.starts_with(printed), "{}", run.stdout);
    }
}

#[test]
fn answers_line_up_with_lines() {
    let long = " ".repeat(1 << 20);
    let input = format!("# none\n{START} Nf3\nbad\n\n{START}{long}\n{E4} e5 Ke2 a1\n{START} e4\n");
    let place = |run: &Run| run.stdout.lines().map(|line| line.len().min(1)).collect::<Vec<_>>();
    let run = pipe(&["move"], input.as_bytes());
    assert_eq!(place(run.exits(1)), [1, 0, 0, 0, 1], "{}", run.stdout);
    // With --each, the moves before the fault stand before its line.
    let run = pipe(&["move", "--each"], input.as_bytes());
    assert_eq!(place(run.exits(1)), [1, 0, 0, 1, 1, 0, 1], "{}", run.stdout);
    let run = pipe(&["move", "--format", "jsonl"], input.as_bytes());
    let lines: Vec<_> = objects(run.exits(1)).iter().map(|row| row["line"].as_u64()).collect();
    assert_eq!(lines, [2, 3, 5, 6, 7].map(Some));

    let input = format!("{START}\nbad\n{E4}\n");
    for (args, expected) in [
        (&["key"][..], &[1, 0, 1][..]),
        (&["key", "--hash"], &[1, 0, 1]),
        (&["key", "--name", "--chess960"], &[1, 0, 1]),
        (&["set", "-", "a1="], &[1, 0, 1]),
        (&["parse", "--format", "jsonl"], &[1, 1, 1]),
    ] {
        let run = pipe(args, input.as_bytes());
        assert_eq!(place(run.exits(1)), expected, "{args:?}: {}", run.stdout);
    }
    // What stands for a table is no table, and the tables after it are read.
    for (format, back) in [("json", "json"), ("jsonl", "json")] {
        let tables = pipe(&["parse", "--format", format], input.as_bytes()).stdout;
        assert!(tables.contains("{\"error\":\"field 1 (placement), column 2: "), "{tables}");
        let run = pipe(&["parse", "--from", back], tables.as_bytes());
        run.exits(1).prints(&format!("{START}\n\n{E4}\n")).complains("not a table of a FEN");
    }
    // No table takes all memory.
    for (format, table) in [("json", "{\"a\":\"".to_owned()), ("tsv", "side\t".to_owned())] {
        let table = table + &"x".repeat(3 << 20);
        let run = pipe(&["parse", "--from", format], table.as_bytes());
        run.exits(1).prints("\n").complains("longer than 1 MiB");
    }
    // A single FEN on the command line has no neighbours.
    for command in ["key", "move", "show", "parse"] {
        fen(&[command, "bad"]).exits(1).prints("");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    for (rest, lines) in [("# a comment\n", 0), ("startpos\n", 1), ("\n", 0)] {
        let run = pipe(&["key"], format!("\u{feff}{rest}").as_bytes());
        assert_eq!(run.exits(0).stdout.lines().count(), lines, "{rest:?}");
    }
    let marked = format!("\u{feff}{START}\n");
    pipe(&["check"], marked.as_bytes()).exits(0).prints(&format!("line 1: ok: {START}\n"));
}

#[test]
fn faults_of_the_command_line_say_in_which_fen() {
    let run = fen(&["key", START, "bad", E4]);
    run.exits(1).complains("eco: FEN 2: field 1 (placement), column 2");
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(fen(&["key", "bad"]).stderr.starts_with("eco: field 1"));
}

#[test]
fn the_initial_position_has_a_name() {
    for command in ["check", "key", "show", "parse", "move"] {
        let named = fen(&[command, "startpos"]).exits(0).stdout.clone();
        assert_eq!(named, fen(&[command, START]).stdout, "{command}");
    }
    fen(&["move", "startpos", "moves", "e2e4"]).exits(0).prints(&format!("{E4}\n"));
    fen(&["move", START, "moves e2e4"]).exits(0).prints(&format!("{E4}\n"));
}

#[test]
fn a_semicolon_behind_a_fen_does_not_hide_the_moves() {
    let five = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    for (fen_text, found) in [(five, "1;"), (five, ";"), (START, ";"), ("startpos", ";")] {
        fen(&["move", &format!("{fen_text} {found}"), "e4"])
            .exits(1)
            .prints("")
            .complains(&format!("found {found:?} after the FEN, expected moves"));
    }
}

#[test]
fn what_move_prints_can_be_read_again() {
    let mut text = "4k3/8/8/8/8/8/8/4K2R b - - 9999 9999".to_owned();
    for word in ["Kd8", "Kd2", "Kd7"] {
        text = fen(&["move", &text, word]).exits(0).stdout.trim_end().to_owned();
    }
    assert_eq!(text, "8/3k4/8/8/8/8/3K4/7R w - - 10002 10001");
    let last = "4k3/8/8/8/8/8/8/4K2R b - - 4294967295 4294967295";
    let kept = "3k4/8/8/8/8/8/8/4K2R w - - 4294967295 4294967295\n";
    fen(&["move", last, "Kd8"]).exits(0).prints(kept);
}

#[test]
fn check_and_parse_take_epd() {
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 9; id \"a; b\";";
    fen(&["check", epd]).exits(0);
    fen(&["check", "4k3/8/8/8/8/8/8/4K3 w K - id \"x\";"])
        .exits(4)
        .prints_part("repaired: 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    fen(&["check", &format!("{START} and so on")]).exits(5);
    fen(&["check", &format!("{START};")]).exits(5);
    let table = fen(&["parse", epd, "--format", "tsv"]);
    table.exits(0).prints_part("halfmoves\t3\nfullmoves\t9\n");
}

#[test]
fn a_new_name_replaces_all_of_the_old_one() {
    let old = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - \
               v1 \"Old\"; id \"x\"; v2 \"Older\";";
    let new = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - \
               eco \"B20\"; v0 \"Sicilian Defense\"; id \"x\";\n";
    fen(&["key", "--name", old]).exits(0).prints(new);
    Workplace::new().run(&["lookup", "--format", "epd", old]).exits(0).prints(new);
}

#[test]
fn check_says_how_many_faults_it_does_not_tell() {
    let text = format!("{} w - - 0 1", "x".repeat(100));
    fen(&["check", &text]).exits(5).prints_part("\n  and 37 more\n");
    let json = pipe(&["check", "--format", "jsonl"], text.as_bytes());
    json.prints_part("\"more_faults\":37,");
}

#[test]
fn standard_output_takes_one_image() {
    let refused = "only one image fits on standard output";
    fen(&["image", START, E4, "-o", "-"]).exits(2).prints("").complains(refused);
    let two = format!("{START}\n{E4}\n");
    pipe(&["image", "-o", "-"], two.as_bytes()).exits(2).prints("").complains(refused);
    pipe(&["image", "-o", "-"], format!("{START}\n").as_bytes()).exits(0).prints_part("</svg>\n");
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_images_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Workplace::new();
    let mut command = place.command(&["fen", "image", START, E4, "-o"]);
    command.arg(std::ffi::OsStr::from_bytes(b"d\xff.svg"));
    Run::new(&command.output().unwrap()).exits(0);
    let mut names: Vec<_> =
        fs::read_dir(place.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names[0].as_bytes(), b"d\xff-1.svg");
    assert_eq!(names[1].as_bytes(), b"d\xff-2.svg");
}

#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
    let place = Workplace::new();
    place.write("fens", format!("{START}\n").repeat(50_000));
    for args in [&["check"][..], &["key"], &["move"], &["show"], &["parse"]] {
        let mut command = place.command(&[&["fen"], args, &["--file", "fens"]].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::new(&child.wait_with_output().unwrap());
        run.exits(0).is_silent();
        #[cfg(target_os = "linux")]
        {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let mut command = place.command(&[&["fen"], args, &["--file", "fens"]].concat());
            let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
            Run::new(&output).exits(2).complains("standard output: No space left on device");
        }
    }
    #[cfg(target_os = "linux")]
    place
        .run(&["fen", "image", START, "-o", "/dev/full"])
        .exits(2)
        .complains("/dev/full: an image is a file");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Workplace::new();
    for command in ["check", "key", "move", "show", "parse"] {
        place
            .run(&["fen", command, "--file", "none"])
            .exits(2)
            .complains("eco: none: No such file or directory");
        place.run(&["fen", command, "--file", "."]).exits(2).complains("eco: .: is a directory");
    }
}

#[test]
fn every_word_of_move_is_understood_or_refused_with_its_column() {
    let knight = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n";
    for words in ["♘ f3", "1. ♘ f3", "♞\u{fe0e} f3!", "N f3", "1. N f3", "Nf3 ⩲", "Nf3 $14 N +-"]
    {
        fen(&["move", "startpos", words]).exits(0).prints(knight);
    }
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9";
    for words in ["О-О", "о-о", "0-0", "0–0", "O-O", "О—О"] {
        fen(&["move", castles, words]).exits(0).prints("r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 9\n");
    }
    for (words, column, word) in [
        (&["e4", "日本", "e5"][..], 13, "1... 日本"),
        (&["e4", "--", "e5"], 13, "1... --"),
        (&["e4", "e5", "--"], 16, "2. --"),
        (&["e4", "Z0"], 13, "1... Z0"),
        (&["e4", "&", "e5"], 13, "1... &"),
        (&["e4", ")", "e5"], 13, "1... )"),
        (&["e4", "§!", "e5"], 13, "1... §"),
        (&["e4", "e5", "♘", "Nf3"], 16, "2. ♘"),
        (&["e4", "e5", "Ке2"], 16, "2. Ке2"),
        (&["e4", "e5", "1-0", "@"], 20, "2. @"),
        (&["e4", "О-О"], 13, "1... О-О"),
        (&["e4", "00"], 13, "1... 00"),
    ] {
        fen(&[&["move", "startpos"], words].concat())
            .exits(1)
            .prints("")
            .complains(&format!("eco: column {column}, move {word}:"));
    }
    // Both a knight and a pawn can go there.
    fen(&["move", "startpos e4 e5 N f3"])
        .exits(1)
        .complains("column 18, move 2. f3: N stands apart");
    fen(&["move", "--", "startpos", "e4"]).exits(0).prints(&format!("{E4}\n"));
    fen(&["move", "startpos", "e4", "1-0", "e5"])
        .exits(1)
        .complains("eco: column 17: e5 comes after the result 1-0");
}

#[test]
fn short_fens_are_completed_where_a_diagram_is_wanted() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for command in ["show", "parse"] {
        for (short, full) in [("", " w - -"), (" b", " b - -"), (" w Kq", " w Kq -")] {
            let run = fen(&[command, &format!("{board}{short}")]);
            run.exits(0).complains("eco: forgiven: ");
            assert_eq!(run.stdout, fen(&[command, &format!("{board}{full}")]).stdout);
        }
        fen(&[command, board]).complains(
            "eco: forgiven: no side to move: White; no castling rights: none; no en passant square: none\n",
        );
        pipe(&[command], format!("{board}\n{board} b\n{board}\n").as_bytes())
            .exits(0)
            .complains("eco: -:1: forgiven: no side to move")
            .complains("eco: forgiven: 2 more FENs lack fields\n");
    }
    // Where moves are played or positions compared, a field that is missing is a fault.
    fen(&["key", board]).exits(1).complains("field 2 (side to move)");
    fen(&["check", board]).exits(5);
}

#[test]
fn fens_are_taken_out_of_what_they_were_copied_with() {
    let under = E4.replace(' ', "_");
    for (text, forgiven) in [
        (format!("[FEN \"{E4}\"]"), "the tag of a game around the FEN"),
        (
            format!("https://lichess.org/analysis/standard/{under}"),
            "the address of a page around the FEN",
        ),
        (
            format!("https://www.chess.com/analysis?fen={}&flip=true", E4.replace(' ', "+")),
            "the address of a page around the FEN",
        ),
        (under.clone(), "underscores between the fields"),
    ] {
        fen(&["check", &text])
            .exits(0)
            .prints(&format!("ok: {E4}\n  forgiven: {forgiven}\n  normalized: {E4}\n"));
        let key = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n";
        fen(&["key", &text]).exits(0).prints(key);
        pipe(&["key"], format!("{text}\n{text}\n").as_bytes()).exits(0).prints(&key.repeat(2));
        fen(&["move", &text, "e5"]).exits(0).prints_part("/4p3/");
        fen(&["move", &text, "x5"])
            .exits(1)
            .complains(&format!("column {}, move 1... x5", text.chars().count() + 2));
    }
    let repaired = format!("repaired: {START}\n");
    fen(&["check", &START.replacen("/8/8/", "//8/", 1)]).exits(5).prints_part(&repaired);
}

#[test]
fn castling_rights_of_chess960_are_named_and_never_dropped() {
    let shredder = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1";
    for text in [shredder, &shredder.replace("HEhe", "KQkq")] {
        fen(&["check", text])
            .exits(4)
            .prints_part("these are castling rights of Chess960\n  hint: --chess960 ");
        fen(&["move", text, "e4"]).exits(1).prints("").complains("Chess960");
        fen(&["key", text]).exits(1).prints("").complains("--chess960 reads them");
        let key = shredder.strip_suffix(" 0 1").unwrap();
        fen(&["key", "--chess960", text]).exits(0).prints(&format!("{key}\n"));
        let hash = fen(&["key", "--chess960", "--hash", text]).exits(0).stdout.clone();
        assert_eq!(hash, fen(&["key", "--chess960", "--hash", shredder]).stdout);
        fen(&["check", "--chess960", text]).exits(0);
    }
    fen(&["check", shredder]).prints_part(&format!("  normalized: {shredder}\n"));
    let wrong = shredder.replace("HEhe", "GEhe");
    fen(&["check", "--chess960", &wrong]).exits(4).prints_part("no white rook on g1");
    fen(&["key", "--chess960", &wrong]).exits(1).complains("no white rook on g1");
    fen(&["key", "--chess960", START]).exits(0).prints_part(" w KQkq -\n");
    // The rights of standard chess have the names of standard chess.
    for rights in ["KQkq", "HAha"] {
        let najdorf =
            format!("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w {rights} - 0 6");
        fen(&["key", "--chess960", "--name", &najdorf]).exits(0).prints_part(" eco \"B90\"; ");
    }
    let unnamed = fen(&["key", "--chess960", "--name", shredder]).exits(0).stdout.clone();
    assert!(!unnamed.contains("eco"), "{unnamed}");
}

#[test]
fn keys_of_positions_without_kings_are_printed_on_request() {
    let pawns = "8/8/8/3pP3/8/8/8/8 w - d6 0 9";
    fen(&["key", pawns]).exits(1).complains("found no white king");
    fen(&["key", "--lenient", pawns]).exits(0).prints("8/8/8/3pP3/8/8/8/8 w - d6\n");
    let apart = "8/8/8/3p2P1/8/8/8/8 w - d6 0 9";
    fen(&["key", "--lenient", apart]).exits(0).prints("8/8/8/3p2P1/8/8/8/8 w - -\n");
    fen(&["key", "--lenient", "--ep", "always", apart]).exits(0).prints_part(" w - d6\n");
    fen(&["key", "--lenient", "--chess960", apart]).exits(0).prints_part(" w - -\n");
}

fn objects(run: &Run) -> Vec<serde_json::Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn key_and_move_print_an_object_for_every_line() {
    let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let run = pipe(
        &["key", "--name", "--format", "jsonl"],
        format!("{najdorf}\nbad\n\n{E4}\n").as_bytes(),
    );
    let lines = objects(run.exits(1));
    let numbers: Vec<_> = lines.iter().map(|line| line["line"].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(4)]);
    assert_eq!(
        [&lines[0]["eco"], &lines[0]["opening"]],
        ["B90", "Sicilian Defense: Najdorf Variation"]
    );
    assert_eq!(lines[0]["error"], serde_json::Value::Null);
    assert!(lines[1]["error"].as_str().unwrap().starts_with("field 1"));
    assert_eq!(lines[1]["key"], serde_json::Value::Null);
    assert_eq!(lines[2]["hash"], "823c9b50fd114196");
    assert_eq!(lines[2]["fen"], E4);

    let input = "startpos e4 e5 Qh5\nstartpos e5\nstartpos\n4k3/P7/8/8/8/8/8/4K3 w - - 0 9 a8=Q\n";
    let run = pipe(&["move", "--format", "jsonl"], input.as_bytes());
    let lines = objects(run.exits(1));
    assert_eq!(lines.len(), 4);
    assert_eq!([&lines[0]["san"], &lines[0]["uci"], &lines[0]["lan"]], ["Qh5", "d1h5", "Qd1-h5"]);
    assert_eq!((&lines[0]["ply"], &lines[0]["line"]), (&3.into(), &1.into()));
    assert_eq!(
        lines[1]["error"],
        "column 10, move 1. e5: it is White's turn, and this is a move of Black"
    );
    assert_eq!((&lines[2]["ply"], &lines[2]["san"]), (&0.into(), &serde_json::Value::Null));
    assert_eq!(
        [&lines[3]["san"], &lines[3]["uci"], &lines[3]["lan"]],
        ["a8=Q+", "a7a8q", "a7-a8=Q+"]
    );

    let run = pipe(&["move", "--each", "--format", "jsonl"], input.as_bytes());
    let lines = objects(run.exits(1));
    let places: Vec<_> =
        lines.iter().map(|row| (row["line"].as_u64(), row["ply"].as_u64())).collect();
    let expected = [(1, Some(1)), (1, Some(2)), (1, Some(3)), (2, None), (4, Some(1))];
    assert_eq!(places, expected.map(|(line, ply)| (Some(line), ply)));
}

#[test]
fn pieces_are_put_and_removed() {
    fen(&["set", "startpos", "e2=", "e4=P"])
        .exits(0)
        .prints("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1\n");
    fen(&["set", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9", "h1=-", "d5=", "a8=n"])
        .exits(0)
        .prints("n3k2r/8/8/4P3/8/8/8/R3K3 w Qk - 0 9\n");
    fen(&["set", "8/8/8/8/8/8/8/8", "e1=K", "e8=k"])
        .exits(0)
        .prints("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n")
        .complains("eco: forgiven: no side to move: White");
    let lines = format!("{START}\nbad\n{E4}\n");
    let run = pipe(&["set", "-", "d8="], lines.as_bytes());
    run.exits(1).complains("eco: -:2: field 1");
    assert_eq!(run.stdout.lines().nth(1), Some(""));
    assert_eq!(run.stdout.lines().count(), 3);
    for (change, reason) in
        [("e9=N", "\"e9=N\""), ("e4=X", "\"e4=X\""), ("e4=NN", "expected a FEN")]
    {
        let run = fen(&["set", "startpos", change]);
        assert_ne!(run.code, Some(0), "{reason}");
    }
    fen(&["set", "e4=N"]).exits(2).complains("no FEN");
}

#[test]
fn the_help_explains_a_fen() {
    let help = fen(&["--help"]).exits(0).stdout.clone();
    for part in [
        "in six fields",
        "the side to move: w or b",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn moves_are_read_in_every_language() {
    // King, queen, rook, bishop and knight as books print them; the FEN lets each move to one
    // square.
    let start = "4k3/8/8/8/8/8/7r/RNBQK3 w - - 0 1";
    for (code, letters) in [
        ("en", "K Q R B N"),
        ("nl", "K D T L P"),
        ("de", "K D T L S"),
        ("fr", "R D T F C"),
        ("es", "R D T A C"),
        ("it", "R D T A C"),
        ("ru", "Кр Ф Л С К"),
        ("pt", "R D T B C"),
        ("pl", "K H W G S"),
        ("cs", "K D V S J"),
        ("hu", "K V B F H"),
        ("sv", "K D T L S"),
        ("da", "K D T L S"),
        ("nb", "K D T L S"),
        ("fi", "K D T L R"),
        ("tr", "Ş V K F A"),
        ("el", "Ρ Β Π Α Ι"),
        ("uk", "Кр Ф Т С К"),
    ] {
        for (letter, (square, english)) in letters.split(' ').zip([
            ("f1", "K"),
            ("d8", "Q"),
            ("a8", "R"),
            ("g5", "B"),
            ("c3", "N"),
        ]) {
            let expected =
                fen(&["move", start, &format!("{english}{square}")]).exits(0).stdout.clone();
            fen(&["move", "--lang", code, start, &format!("{letter}{square}")])
                .exits(0)
                .prints(&expected);
        }
    }
}

#[test]
fn images_warn_of_what_is_not_drawn() {
    let place = Workplace::new();
    let long = "word ".repeat(200);
    place
        .run(&["fen", "image", START, "-o", "a.png", "--caption", &long])
        .exits(0)
        .complains("eco: the caption is cut; four lines fit");
    place
        .run(&["fen", "image", START, "-o", "a.png", "--caption", "日本 \u{2a72}"])
        .exits(0)
        .complains("eco: the font of PNG and PDF has no 日本; boxes are drawn instead\n");
    place.run(&["fen", "image", START, "-o", "a.svg", "--caption", "日本"]).exits(0).is_silent();
}

#[test]
fn images_have_the_arrows_of_comments() {
    let place = Workplace::new();
    let line = format!("{} c0 \"best [%cal Ge2e4][%csl Rd5]\";\n", &START[..START.len() - 4]);
    place.pipe(&["fen", "image", "-o", "a.svg"], line.as_bytes()).exits(0);
    place
        .run(&["fen", "image", START, "-o", "b-1.svg", "--arrow", "Ge2e4", "--mark", "Rd5"])
        .exits(0);
    let svg = |name| fs::read_to_string(place.path(name)).unwrap();
    assert_eq!(svg("a-1.svg"), svg("b-1.svg"));
    let args = [
        "--text-color",
        "#010203",
        "--theme",
        "night",
        "--mover",
        "false",
        "--circle",
        "e4",
        "--check",
    ];
    place.run(&[&["fen", "image", START, "-o", "c.svg"][..], &args].concat()).exits(0);
    assert!(svg("c.svg").contains("#010203") && svg("c.svg").contains("#202024"));
    place
        .run(&["fen", "image", START, "-o", "c.svg", "--theme", "pink"])
        .exits(2)
        .complains("no theme");
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
    for args in
        [&["--after", "2.Nf3"][..], &["--after", "2.Sf3", "--lang", "de"], &["--after", "2."]]
    {
        place
            .run(&[&["fen", "from-pgn", "games.pgn"], args].concat())
            .exits(0)
            .prints(&format!("{after_nf3}\n"))
            .complains("eco: 1 of 2 games lack the move\n");
    }
    place.run(&["fen", "from-pgn", "games.pgn", "--after", "2...Nf6"]).exits(0).prints("");
    place
        .run(&["fen", "from-pgn", "games.pgn", "--after", "2...Nf6", "--variations"])
        .exits(0)
        .prints("rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3\n")
        .complains("eco: 1 variations have a move that cannot be played");
    let run = place.run(&[
        "fen",
        "from-pgn",
        "games.pgn",
        "--each",
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
    let epd = place.run(&["fen", "from-pgn", "games.pgn", "--after", "2.Nf3", "--epd"]);
    let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - id \"A - B, 2.Nf3\"; \
                c0 \"[%cal Ge2e4,Rd8h4][%csl Yf7]\";\n";
    epd.exits(0).prints(line);
    place.pipe(&["fen", "image", "-o", "a.svg"], line.as_bytes()).exits(0).is_silent();
    let svg = fs::read_to_string(place.path("a-1.svg")).unwrap();
    assert!(svg.contains("A - B, 2.Nf3") && svg.matches("fill-opacity=\".8\"").count() == 2);
    place
        .run(&["fen", "from-pgn", "games.pgn", "--after", "x"])
        .exits(2)
        .complains("expected 24.Rxd4");
}
