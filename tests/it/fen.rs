//! `eco fen`, from outside: lists of positions, and what is wrong with them.

use std::{fs, process::Stdio};

use serde_json::json;

use crate::harness::{Run, Workplace};

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";

pub fn fen(args: &[&str]) -> Run {
    Workplace::new().run(&[&["fen"], args].concat())
}

pub fn pipe(args: &[&str], input: &[u8]) -> Run {
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
         \x20 impossible: field 4 (en passant square), column 27: found 'e4', the square of the \
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
        for args in [&["-f", "polyglot"][..], &["-f", "polyglot", "--ep", "pseudo-legal"]] {
            fen(&[&["key", fen_text], args].concat()).exits(0).prints(&format!("{hash}\n"));
        }
    }
    // A pawn stands beside, and its capture is not legal: Polyglot hashes the file.
    let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
    let without =
        fen(&["key", "-f", "polyglot", &pinned.replace("d3", "-")]).exits(0).stdout.clone();
    assert_ne!(fen(&["key", "-f", "polyglot", pinned]).exits(0).stdout, without);
    fen(&["key", "-f", "polyglot", "--ep", "legal", pinned]).exits(2).complains("Polyglot");
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
    let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let rest = "4k3/8/8/8/8/8/8/4K3 w - -\n\n\n4k3/8/8/8/8/8/8/4K3 w - - c0 \"Gr\u{fc}nfeld\";\n";
    place
        .pipe(&["fen", "key"], list.as_bytes())
        .exits(1)
        .prints(&format!("{sicilian} hmvc 0; id \"a; b\";\n{rest}"))
        .complains(
            "eco: line 5: impossible position: field 1 (placement), column 1: found no white king",
        )
        .complains("eco: line 6: column 27: found '1a', expected an opcode");
    place.pipe(&["fen", "key", "-f", "epd"], list.as_bytes()).exits(1).prints(&format!(
        "{sicilian} hmvc 0; id \"a; b\"; eco \"B20\"; v0 \"Sicilian Defense\";\n{rest}"
    ));
    let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    place.run(&["fen", "key", "-f", "epd", najdorf]).exits(0).prints(
        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - eco \"B90\"; \
         v0 \"Sicilian Defense\"; v1 \"Najdorf Variation\";\n",
    );
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
         \x20 White to move, move 1\n",
    );
    let two = pipe(
        &["show", "--show", "mover", "--side", "mover"],
        format!("{START}\n{E4}\nx\n").as_bytes(),
    );
    two.exits(1).complains("eco: line 3: 'x': not a FEN");
    assert!(two.stdout.contains("White to move, move 1\n\n+---"), "{}", two.stdout);
    assert!(two.stdout.ends_with(
        "| r n b k q b n r |\n+-----------------+\nBlack to move, move 1\n\nno diagram\n"
    ));
    assert!(fen(&["show", "--theme", "coloured", START]).stdout.contains("\x1b[48;2;"));
    fen(&["show", "--mark", "z9", START]).exits(2).complains("expected a square such as e4");
}

#[test]
fn tables_are_printed_and_read_back_by_every_command() {
    let odd = "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 3 17";
    let lines = format!("{START}\n{odd}\n");
    let tables = pipe(&["check", "--format", "json"], lines.as_bytes()).exits(3).stdout.clone();
    assert!(tables.contains("\"castling\": \"Kq\"") && tables.contains("\"ply\": 32"), "{tables}");
    for command in ["check", "key", "move", "show"] {
        let plain = pipe(&[command], lines.as_bytes()).stdout.clone();
        pipe(&[command], tables.as_bytes()).prints(&plain);
    }
    let bare = r#"{"side":"w","castling":"-","en_passant":"-","placement":"4k3/8/8/8/8/8/8/4K3"}"#;
    pipe(&["move"], bare.as_bytes()).exits(0).prints("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    for (json, reason) in [
        ("{", "not a table of a FEN"),
        ("{}", "not a table of a FEN"),
        (r#"{"side":"w","castling":"-","en_passant":"-"}"#, "neither placement nor board"),
        (&bare.replace("8/4K3", "8/4X3"), "column 18: found 'X'"),
        (&bare.replace("\"w\"", "\"w KQ\""), "field 5 (halfmove clock), column 28"),
        (&tables.replace("\"ply\": 32", "\"ply\": 3"), "ply 3 contradicts side and move number"),
        (&format!("{{\"a\":\"{}", "x".repeat(3 << 20)), "longer than 1 MiB"),
    ] {
        pipe(&["move"], json.as_bytes()).exits(1).complains(reason);
    }
    // What stands for a table is no table, and the tables after it are read.
    let input = format!("{START}\nbad\n{E4}\n");
    let tables = pipe(&["check", "--format", "json"], input.as_bytes()).exits(5).stdout.clone();
    assert!(tables.contains("{\"error\":\"field 1 (placement), column 2: "), "{tables}");
    let run = pipe(&["move"], tables.as_bytes());
    run.exits(1).prints(&format!("{START}\n\n{E4}\n")).complains("not a table of a FEN");
}

#[test]
fn a_fen_without_quotes_is_understood() {
    let words: Vec<&str> = E4.split(' ').collect();
    fen(&[&["key"], &words[..], &words[..4]].concat())
        .exits(0)
        .prints(&"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n".repeat(2));
    fen(&[&["check"], &words[..]].concat()).exits(0);
    // Moves stand for the position after them, as words or in quotes.
    for command in ["check", "key", "show"] {
        let named =
            fen(&[command, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"]);
        for moves in [&["e4", "c5"][..], &["1. e4 c5"], &["1.", "e2e4", "c7-c5!?"]] {
            fen(&[&[command], moves].concat()).exits(0).prints(&named.stdout);
        }
        let run = fen(&[command, "e4", "c5", "Ke3"]);
        run.exits(1).complains("column 7, move 2. Ke3: the white king on e1 cannot go to e3");
    }
    fen(&["check", "hello"]).exits(5);
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
        for command in ["check", "key", "move", "show"] {
            let run = pipe(&[command], input);
            assert!(
                matches!(run.code, Some(0 | 1 | 5)),
                "{command}: {:?} {}",
                run.code,
                run.stderr
            );
            assert!(run.stderr.len() < 2000, "{command}: {} bytes of complaint", run.stderr.len());
            let is_plain = |c: char| !c.is_control() || c == '\n';
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
        run.exits(1).complains("eco: line 1: longer than 1 MiB\n");
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
    // With --ply all, the moves before the fault stand before its line.
    let run = pipe(&["move", "--ply", "all"], input.as_bytes());
    assert_eq!(place(run.exits(1)), [1, 0, 0, 1, 1, 0, 1], "{}", run.stdout);
    let run = pipe(&["move", "--format", "jsonl"], input.as_bytes());
    let lines: Vec<_> = objects(run.exits(1)).iter().map(|row| row["line"].as_u64()).collect();
    assert_eq!(lines, [2, 3, 5, 6, 7].map(Some));

    let input = format!("{START}\nbad\n{E4}\n");
    for (args, expected) in [
        (&["key"][..], &[1, 0, 1][..]),
        (&["key", "-f", "polyglot"], &[1, 0, 1]),
        (&["key", "-f", "epd", "--chess960"], &[1, 0, 1]),
        (&["set", "-", "a1="], &[1, 0, 1]),
    ] {
        let run = pipe(args, input.as_bytes());
        assert_eq!(place(run.exits(1)), expected, "{args:?}: {}", run.stdout);
    }
    // A single FEN on the command line has no neighbours.
    for command in ["key", "move", "show"] {
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
    run.exits(1).complains("eco: position 2: 'bad': not a FEN");
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(fen(&["key", "bad"]).stderr.starts_with("eco: 'bad': not a FEN"));
}

#[test]
fn the_initial_position_has_a_name() {
    for command in ["check", "key", "show", "move"] {
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
        fen(&["move", &format!("{fen_text} {found}"), "e4"]).exits(1).prints("");
    }
}

#[test]
fn check_takes_epd() {
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 9; id \"a; b\";";
    fen(&["check", epd]).exits(0);
    fen(&["check", "4k3/8/8/8/8/8/8/4K3 w K - id \"x\";"])
        .exits(4)
        .prints_part("repaired: 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    fen(&["check", &format!("{START} and so on")]).exits(5);
    fen(&["check", &format!("{START};")]).exits(5);
    let table = fen(&["check", epd, "--format", "json"]);
    table.exits(0).prints_part("\"halfmoves\": 3,\n  \"fullmoves\": 9,\n");
}

#[test]
fn a_new_name_replaces_all_of_the_old_one() {
    let old = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - \
               v1 \"Old\"; id \"x\"; v2 \"Older\";";
    let new = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - \
               eco \"B20\"; v0 \"Sicilian Defense\"; id \"x\";\n";
    fen(&["key", "-f", "epd", old]).exits(0).prints(new);
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
fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
    let place = Workplace::new();
    place.write("fens", format!("{START}\n").repeat(50_000));
    for args in [&["check"][..], &["key"], &["move"], &["show"]] {
        let mut command = place.command(&[&["fen"], args].concat());
        command.stdin(fs::File::open(place.path("fens")).unwrap());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::new(&child.wait_with_output().unwrap());
        run.exits(0).is_silent();
        #[cfg(target_os = "linux")]
        {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let mut command = place.command(&[&["fen"], args].concat());
            command.stdin(fs::File::open(place.path("fens")).unwrap());
            let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
            Run::new(&output).exits(2).complains("standard output: No space left on device");
        }
    }
    #[cfg(target_os = "linux")]
    place
        .run(&["fen", "show", START, "-o", "/dev/full"])
        .exits(2)
        .complains("/dev/full: an image is a file");
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
        let hash = fen(&["key", "--chess960", "-f", "polyglot", text]).exits(0).stdout.clone();
        assert_eq!(hash, fen(&["key", "--chess960", "-f", "polyglot", shredder]).stdout);
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
        fen(&["key", "--chess960", "-f", "epd", &najdorf]).exits(0).prints_part(" eco \"B90\"; ");
    }
    let unnamed = fen(&["key", "--chess960", "-f", "epd", shredder]).exits(0).stdout.clone();
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

pub fn objects(run: &Run) -> Vec<serde_json::Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn key_and_move_print_an_object_for_every_line() {
    let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let run = pipe(&["key", "--format", "jsonl"], format!("{najdorf}\nbad\n\n{E4}\n").as_bytes());
    let lines = objects(run.exits(1));
    let numbers: Vec<_> = lines.iter().map(|line| line["line"].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(4)]);
    assert_eq!(
        [&lines[0]["eco"], &lines[0]["opening"]],
        ["B90", "Sicilian Defense: Najdorf Variation"]
    );
    assert_eq!(lines[0]["error"], serde_json::Value::Null);
    assert!(lines[1]["error"].as_str().unwrap().starts_with("'bad': not a FEN"));
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

    let run = pipe(&["move", "--ply", "all", "--format", "jsonl"], input.as_bytes());
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
    run.exits(1).complains("eco: line 2: 'bad': not a FEN");
    assert_eq!(run.stdout.lines().nth(1), Some(""));
    assert_eq!(run.stdout.lines().count(), 3);
    for (change, reason) in [("e9=N", "'e9=N'"), ("e4=X", "'e4=X'"), ("e4=NN", "expected a FEN")] {
        let run = fen(&["set", "startpos", change]);
        assert_ne!(run.code, Some(0), "{reason}");
    }
    fen(&["set", "e4=N"]).exits(2).complains("no position");
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
fn missing_fields_are_forgiven_wherever_a_position_is_read() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let place = Workplace::new();
    for fields in ["", " w", " w -"] {
        let short = format!("{board}{fields}");
        place.run(&["fen", "check", &short]).exits(0).prints_part("no en passant");
        let key = place.run(&["fen", "key", &short]);
        key.exits(0).prints(&format!("{board} w - -\n"));
        let moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - e3 0 1\n";
        place.run(&["fen", "move", &short, "e4"]).exits(0).prints(moved);
        place.run(&["lookup", &short]).exits(0);
    }
    let address = format!("https://lichess.org/analysis/{board}_w_KQkq_-_0_1");
    place.run(&["lookup", &address]).exits(0);
}

#[test]
fn check_says_what_ends_a_game() {
    let place = Workplace::new();
    for (fen, state) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate"),
        ("k7/8/KQ6/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "check\n"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "insufficient material"),
    ] {
        place.run(&["fen", "check", fen]).exits(0).prints_part(&format!("  position: {state}"));
        let run = place.run(&["fen", "check", "--format", "jsonl", fen]);
        let object: serde_json::Value = serde_json::from_str(&run.exits(0).stdout).unwrap();
        let is_check = state.starts_with("check");
        let end = Some(state).filter(|state| *state != "check\n");
        assert_eq!((&object["check"], &object["end"]), (&json!(is_check), &json!(end)), "{fen}");
    }
    let broken = place.run(&["fen", "check", "--format", "jsonl", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    broken.exits(4).prints_part("\"check\":null,\"end\":null,");
    assert!(!place.run(&["fen", "check", START]).stdout.contains("position:"));
}

#[test]
fn set_says_what_it_removes() {
    let run = Workplace::new().run(&["fen", "set", START, "e2=", "d1=R", "e5="]);
    run.exits(0).complains("removed from e2: white pawn\n");
    run.complains("removed from d1: white queen\n").complains("removed from e5: nothing\n");
}
