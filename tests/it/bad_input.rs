//! The response to each bad input.

use std::{fs, process::Stdio};

use crate::{
    classify::packed,
    harness::{Run, Workplace, famous_games},
};

const ARGS: [&str; 4] = ["classify", "--no-header", "--fields", "game,eco,error"];

fn classify(input: &[u8]) -> Run {
    Workplace::new().pipe(&ARGS, input)
}

#[test]
fn a_missing_file_is_named_and_the_others_are_done() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 *");
    let run = place.run(&[&ARGS[..], &["no.pgn", "g.pgn"]].concat());
    run.exits(1).prints("1\tB00\t\n").complains("eco: no.pgn: No such file");
}

#[test]
fn an_empty_folder_and_a_file_without_games_are_named() {
    let place = Workplace::new();
    place.write("d/notes.txt", "");
    place.write("n.pgn", "These are my notes on the opening.\n");
    place.write("b.pgn", [0_u8, 159, 146, 150, 0, 255, 10, 13].repeat(1000));
    place.run(&["classify", "d"]).exits(1).complains("eco: d: no *.pgn");
    place.run(&["classify", "n.pgn"]).exits(1).complains("eco: n.pgn: no game in it");
    place
        .run(&["classify", "b.pgn"])
        .exits(1)
        .complains("eco: b.pgn: not PGN: it has a NUL byte at byte 0");
}

#[test]
fn an_old_file_stays_where_no_game_can_be_read() {
    let place = Workplace::new();
    place.write("binary.pgn", b"\0\0\x2c\0\x2e\x01");
    for (command, old) in [
        ("classify", "old.csv"),
        ("classify", "old.parquet"),
        ("classify --explain", "old.txt"),
        ("stats", "old.tsv"),
        ("filter", "old.pgn"),
        ("report", "old.html"),
        ("fen from-pgn", "old.txt"),
    ] {
        for input in ["absent.pgn", "binary.pgn"] {
            place.write(old, "old");
            let words = format!("{command} {input} -o {old}");
            place.run(&words.split(' ').collect::<Vec<_>>()).complains(input);
            assert_eq!(fs::read_to_string(place.path(old)).unwrap(), "old", "{words}");
        }
        fs::remove_file(place.path(old)).unwrap();
        assert_eq!(place.files(), ["binary.pgn"], "{command}");
    }
}

#[test]
fn an_empty_input_has_no_games() {
    for input in [&b""[..], b"\n\n \r\n", b"\xef\xbb\xbf"] {
        classify(input).exits(0).prints("").is_silent();
    }
}

#[test]
fn formats_that_are_not_read_are_named() {
    for (start, part) in [
        (&b"7z\xbc\xaf\x27\x1c\0\0"[..], "7-Zip"),
        (b"Rar!\x1a\x07\x01", "RAR"),
        (b"\xff\xfe[\0E\0", "UTF-16"),
        (b"SQLite format 3\0", "name it"),
        (b"Scid.si\0\x02\x90", "Scid database"),
        (b"\0\0\x2c\0\x2e\x01\0\0", "ChessBase database"),
        (b"MZ\x90\0[Event \"x\"]\n\n1. e4 *\n", "NUL byte at byte 3"),
        (b"\x07\n1. e4 e5 \0 *\n", "NUL byte at byte 11"),
        (&[b"1. e4 e5 *\n".repeat(500), b"\0".to_vec()].concat(), "NUL byte at byte 5500"),
    ] {
        classify(start).exits(1).prints("").complains(part);
    }
}

/// Nothing of it is taken for a game, however it comes; the other files are read.
#[test]
fn a_file_that_is_not_pgn_is_refused_by_every_reader() {
    let place = Workplace::new();
    let chance = b"\0\0\x2c\0\x2e\x01\n[Event \"x\"]\n\n1. e4 c5 *\n".repeat(20);
    let kind = "ChessBase database";
    place.write("games.cbh", &chance);
    place.write("games.cbh.gz", packed("gz", &chance));
    place.write("games.pgn", "1. e4 c5 *\n");
    for name in ["games.cbh", "games.cbh.gz"] {
        place
            .run(&["classify", name, "games.pgn", "--format", "tsv", "--no-header"])
            .exits(1)
            .complains(kind);
    }
    for arguments in [
        &["classify", "games.cbh", "--range", "100:200"][..],
        &["split", "games.cbh", "--parts", "2"],
        &["filter", "games.cbh"],
        &["stats", "games.cbh"],
        &["tag", "games.cbh"],
        &["fen", "from-pgn", "games.cbh"],
        &["index", "games.cbh", "--db", "new.db"],
        &["repertoire", "add", "r", "games.cbh", "--color", "white", "--db", "r.db"],
        &["report", "games.cbh", "-o", "out.html"],
    ] {
        let run = place.run(arguments);
        assert!(run.code == Some(1) || run.code == Some(2), "{arguments:?}");
        run.complains(kind);
    }
}

/// Input from a pipe cannot be decompressed a second time to recover everything before the damage.
#[test]
fn a_damaged_stream_in_a_pipe_loses_few_games() {
    let place = Workplace::new();
    for how in ["gz", "bz2", "xz"] {
        let mut bytes = packed(how, &noisy_games());
        let middle = bytes.len() / 2;
        bytes[middle..middle + 40].fill(0xff);
        place.write("bad", &bytes);
        let named = place.run(&[&ARGS[..], &["bad"]].concat());
        let piped = place.pipe(&ARGS, &bytes);
        let [named, piped] = [named, piped].map(|run| run.exits(1).stdout.lines().count());
        assert!(named > 10_000 && piped + 150 > named, "{how}: {named} games, {piped} in a pipe");
    }
}

/// Many small games that do not pack well.
fn noisy_games() -> Vec<u8> {
    let mut games = Vec::new();
    let mut state = 1_u64;
    for number in 0..30_000 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        games.extend(
            format!("[Event \"{number}\"]\n[Noise \"{state:x}\"]\n\n1. e4 c5 *\n\n").bytes(),
        );
    }
    games
}

#[test]
fn a_stream_that_breaks_off_gives_the_games_before() {
    let place = Workplace::new();
    let games = noisy_games();
    for how in ["gz", "bz2", "xz", "zst", "zip"] {
        let whole = packed(how, &games);
        let good = whole.len() * 2 / 3;
        place.write("cut", &whole[..good]);
        let run = place.run(&[&ARGS[..], &["cut"]].concat());
        run.exits(1).complains(": cannot be read beyond byte ");
        // xz makes one block of all: the test only asks for what any decoder has unpacked by then.
        let rows = run.stdout.lines().count();
        assert!((10_000..30_000).contains(&rows), "{how}: {rows} games");
        assert!(run.stdout.lines().all(|row| row.ends_with("\tB20\t")), "a broken game is listed");
        let offset = run.stderr.split("byte ").nth(1).unwrap().split(':').next().unwrap();
        let offset: usize = offset.parse().unwrap();
        assert!((good / 2..=good).contains(&offset), "{how}: byte {offset} of {good}");
    }
}

#[test]
fn a_stream_with_damage_gives_the_games_before() {
    let place = Workplace::new();
    let mut gz = packed("gz", &noisy_games());
    let middle = gz.len() / 2;
    gz[middle..middle + 40].fill(0xff);
    place.write("bad.pgn.gz", gz);
    let run = place.run(&[&ARGS[..], &["bad.pgn.gz"]].concat());
    run.exits(1).complains("eco: bad.pgn.gz: cannot be read beyond byte ");
    // Damage in gzip may be seen only when the checksum comes, at the end.
    let rows = run.stdout.lines().count();
    assert!(rows > 14_000, "{rows} games before damage in the middle");
}

#[test]
#[cfg(unix)]
fn a_pipe_with_a_name_is_read_once() {
    let place = Workplace::new();
    let whole = packed("gz", &noisy_games());
    place.write("cut.gz", &whole[..whole.len() / 2]);
    place.write("games.zip", packed("zip", b"1. e4 *"));
    for (file, code) in [("cut.gz", 1), ("games.zip", 0)] {
        let program = env!("CARGO_BIN_EXE_eco");
        let script = format!("mkfifo p; cat {file} > p & exec {program} classify -q p; rm p");
        let mut command = std::process::Command::new("sh");
        command.current_dir(place.folder()).args(["-c", &script]);
        let run = Run::new(&command.output().unwrap());
        run.exits(code);
        assert!(run.stdout.lines().count() > 1, "{file}");
        std::fs::remove_file(place.path("p")).unwrap();
    }
}

#[test]
fn bad_moves_end_the_walk_and_are_told_with_their_number() {
    for (movetext, row) in [
        ("1. e4 c5 2. Nf4", "1\tB20\tmove 2. Nf4: illegal\n"),
        ("1. Nf3 d5 2. Nc3 d4 3. Nd2", "1\tA06\tmove 3. Nd2: illegal\n"),
        ("1. Nf3 a6 2. Na3 a5 3. Nc4 a4 4. Ne5", "1\tA04\tmove 4. Ne5: ambiguous\n"),
        ("1. e4 --", "1\tB00\tmove 1... --: null move\n"),
        ("1. e4 e5 2. Sf3", "1\tC20\tmove 2. Sf3: not a move\n"),
    ] {
        classify(movetext.as_bytes()).exits(0).prints(row).complains("1 of 1 game has an error");
    }
}

#[test]
fn what_comes_when_the_name_is_decided_is_only_checked_strictly() {
    let place = Workplace::new();
    let open = b"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Zz";
    place.pipe(&ARGS, open).exits(0).prints("1\tC50\tmove 4. Zz: not a move\n");
    // All sixteen pawns have left where they began, which no position with a name can come from.
    let decided = b"1. a4 h5 2. b4 g5 3. c4 f5 4. d4 e5 5. e4 d5 6. f4 c5 7. g4 b5 8. h4 a5 9. Zz";
    place.pipe(&ARGS, decided).exits(0).prints("1\tA00\t\n").is_silent();
    let strict = [&ARGS[..], &["--strict"]].concat();
    let row = "1\tA00\tmove 9. Zz: not a move\n";
    place.pipe(&strict, decided).exits(1).prints(row).complains("1 of 1 game has an error");
}

#[test]
fn strict_makes_an_error_in_a_game_count() {
    let place = Workplace::new();
    let args = [&ARGS[..], &["--strict", "--quiet"]].concat();
    place.pipe(&args, b"1. e4 Ke2").exits(1).is_silent();
    place.pipe(&args, b"1. e4 e5").exits(0).is_silent();
}

#[test]
fn damaged_games_are_reported_and_the_next_is_found() {
    let next = "\n\n[Event \"next\"]\n\n1. d4 {Good.} d5 *\n";
    for (damaged, row) in [
        ("[Event \"x\"]\n\n1. e4 c5 { never closed", "1\tB20\tcomment never closed\n"),
        ("[Event \"x\"]\n\n1. e4 c5 (1... e5", "1\tB20\tvariation never closed\n"),
        ("[Event \"x\n\n1. e4 c5 *", "1\tB20\ttag Event: unterminated\n"),
        ("[White \"w\"]\n[Event x]\n\n1. e4 c5 *", "1\tB20\ttag Event: no value in quotes\n"),
        ("[Event \"x\"]\n\n1. e4 \0\0\0 c5 *", "1\tB20\t\n"),
        ("[Event \"x\"]\n\n1. e4 c5 Qx\0 *", "1\tB20\tmove 2. Qx : not a move\n"),
        (
            "[FEN \"8/8/8 w - - 0 1\"]\n\n1. e4 *",
            "1\t\tFEN: field 1 (placement), column 6: found 3 ranks, expected 8 ranks\n",
        ),
        (
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *",
            "1\t\tFEN: impossible position: field 1 (placement), column 1: found no pieces, expected \
             at least the two kings\n",
        ),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "1\t\tvariant Atomic: not classified\n"),
        ("[Variant \"Chess960\"]\n\n1. e4 *", "1\t\tvariant Chess960: not classified\n"),
        ("[Event \"a \"b\" c\"]\n[White \"w\"]\n\n1. e4 c5 *", "1\tB20\t\n"),
        ("[Event \"x\" y]\n\n1. e4 c5 *", "1\tB20\ttag Event: text after the value\n"),
    ] {
        let run = classify(format!("{damaged}{next}").as_bytes());
        run.exits(0).prints(&format!("{row}2\tD00\t\n"));
    }
}

#[test]
fn deep_and_long_things_take_no_room() {
    let next = "\n\n[Event \"next\"]\n\n1. d4 d5 *\n";
    let deep = "(".repeat(100_000);
    let closed = format!("{deep}{}", ")".repeat(100_000));
    let long = "x".repeat(20_000_000);
    for (game, row) in [
        (format!("1. e4 c5 {deep}"), "1\tB20\tvariation never closed\n"),
        (format!("1. e4 {closed} c5"), "1\tB20\t\n"),
        (
            format!("1. e4 c5 {{{long}}}"),
            "1\tB20\tlonger than 8388608 bytes: the rest was not read\n",
        ),
        (
            format!("1. e4 c5 {{{long}"),
            "1\tB20\tlonger than 8388608 bytes: the rest was not read\n",
        ),
        (format!("[Event \"{long}\"]\n\n1. e4 c5"), "1\t\ttag Event: unterminated\n"),
        (format!("1. e4 c5 {long}"), "1\tB20\t"),
    ] {
        let run = classify(format!("{game}{next}").as_bytes());
        run.exits(0);
        let (first, last) = run.stdout.split_once("\n").unwrap();
        assert!(format!("{first}\n").starts_with(row), "{:.200}", first);
        assert_eq!(last, "2\tD00\t\n");
    }
}

#[test]
fn line_ends_marks_and_encodings_make_no_difference() {
    let games = String::from_utf8(famous_games()).unwrap();
    let expected = classify(games.as_bytes()).stdout;
    assert_eq!(expected.lines().count(), 30);
    let latin1: Vec<u8> = games.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for variant in [
        games.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}{games}").into_bytes(),
        games.trim_end().as_bytes().to_vec(),
        games.replace("]\n\n", "]\n").into_bytes(),
        games.replace("\n\n[", "\n[").into_bytes(),
        latin1,
    ] {
        classify(&variant).exits(0).prints(&expected);
    }
}

#[test]
fn a_megabyte_that_is_no_move_is_not_repeated_in_the_error() {
    let run = classify(format!("1. e4 {}", "\u{e9}x".repeat(500_000)).as_bytes());
    run.exits(0);
    assert!(run.stdout.len() < 200, "{} bytes", run.stdout.len());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games().repeat(300));
    let mut command = place.command(&["classify", "g.pgn"]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let run = Run::new(&child.wait_with_output().unwrap());
    run.exits(0).is_silent();
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    for args in [
        "--help",
        "--version",
        "help stats",
        "classify -h",
        "fen check --help",
        "man",
        "completions bash",
        "classify g.pgn",
        "filter g.pgn",
        "tag g.pgn",
        "stats g.pgn",
        "report g.pgn -o -",
        "search najdorf",
        "lookup e4",
        "search --format lichess",
        "fen show startpos",
        "fen set startpos e2=",
        "fen show startpos -o -",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = place.command(&args.split(' ').collect::<Vec<_>>());
        let output = command.stdin(Stdio::null()).stdout(full).output().unwrap();
        println!("{args}");
        Run::new(&output)
            .exits(2)
            .complains("eco: standard output: ")
            .complains("No space left on device");
    }
}

#[test]
#[cfg(unix)]
fn help_into_a_closed_pipe_is_no_error() {
    let place = Workplace::new();
    place.shell("eco --help | true; eco stats --help | head -n 1; eco --version | true").exits(0);
    let mut command = place.command(&["stats", "--help"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.stdin(Stdio::null()).stdout(writer).output().unwrap();
    Run::new(&output).exits(0).is_silent();
}

#[test]
fn usage_errors_exit_with_2() {
    let place = Workplace::new();
    for args in [
        &["classify", "--threads", "0"][..],
        &["classify", "--format", "xml"],
        &["classify", "--catalogue", "no.db", "x.pgn"],
        &["no-such-command"],
        &["db"],
    ] {
        place.run(args).exits(2);
    }
}
