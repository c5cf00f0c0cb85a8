//! `eco classify`: inputs, fields, formats, order.

use std::io::Write;

use crate::harness::{Workplace, famous_games};

const TWO: &str = "[White \"A\"]\n[Black \"B, \\\"Bee\\\"\"]\n[Result \"1-0\"]\n[Date \"2020.01.02\"]\n\n1. e4 c5 1-0\n\n[White \"C\"]\n\n1. g3 f5 2. d4 Zz *\n";

#[test]
fn rows_have_the_fields_asked_for_in_the_order_asked_for() {
    let place = Workplace::new();
    place.write("g.pgn", TWO);
    place.run(&["classify", "g.pgn"]).exits(0).prints(
        "source\tgame\twhite\tblack\tresult\tdate\teco\topening\tply\ttransposed\terror\n\
         g.pgn\t1\tA\tB, \"Bee\"\t1-0\t2020.01.02\tB20\tSicilian Defense\t2\tfalse\t\n\
         g.pgn\t2\tC\t\t\t\tA81\tDutch Defense: Fianchetto Attack\t3\ttrue\t\
         move 2... Zz: not a move\n",
    );
    place
        .run(&["classify", "g.pgn", "--no-header", "--fields", "eco,game"])
        .prints("B20\t1\nA81\t2\n");
    let fields = "family,variation,subvariation,key";
    place.run(&["classify", "g.pgn", "--fields", fields]).prints(
        "family\tvariation\tsubvariation\tkey\n\
         Sicilian Defense\t\t\trnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
         Dutch Defense\tFianchetto Attack\t\trnbqkbnr/ppppp1pp/8/5p2/3P4/6P1/PPP1PP1P/RNBQKBNR b KQkq -\n",
    );
    place.run(&["classify", "g.pgn", "--fields", "foo"]).exits(2).complains("no field 'foo'");
}

const ONLINE: &str = "\
[Event \"Rated Blitz game\"]
[Site \"https://lichess.org/abcdefgh\"]
[Round \"1.2\"]
[WhiteElo \"2345\"]
[BlackElo \"?\"]
[UTCTime \"23:59:05\"]
[TimeControl \"180+2\"]
[Termination \"Time \\\"forfeit\\\"\"]
[Annotator \"a\tb\"]

1. e4 c5 1-0

[Event \"Daily\"]
[Site \"Chess.com\"]
[WhiteElo \"99999\"]
[TimeControl \"1/86400\"]
[Link \"https://www.chess.com/game/daily/7\"]

1. d4 *
";

#[test]
fn further_tags_have_fields() {
    let place = Workplace::new();
    place.write("g.pgn", ONLINE);
    let fields = "event,site,round,white_elo,black_elo,time_control,speed,rated,termination,\
                  utc_time,link,tag:Annotator,tag:Nothing,eco";
    let run = |format| place.run(&["classify", "g.pgn", "--fields", fields, "--format", format]);
    run("tsv").exits(0).prints(
        "event\tsite\tround\twhite_elo\tblack_elo\ttime_control\tspeed\trated\ttermination\t\
         utc_time\tlink\ttag:Annotator\ttag:Nothing\teco\n\
         Rated Blitz game\thttps://lichess.org/abcdefgh\t1.2\t2345\t\t180+2\tblitz\ttrue\t\
         Time \"forfeit\"\t23:59:05\thttps://lichess.org/abcdefgh\ta b\t\tB20\n\
         Daily\tChess.com\t\t\t\t1/86400\tcorrespondence\t\t\t\t\
         https://www.chess.com/game/daily/7\t\t\tA40\n",
    );
    let jsonl = run("jsonl").exits(0).stdout.clone();
    let first = jsonl.lines().next().unwrap();
    for part in [
        "\"white_elo\":2345",
        "\"black_elo\":null",
        "\"rated\":true",
        "\"tag:Annotator\":\"a b\"",
        "\"tag:Nothing\":null",
    ] {
        assert!(first.contains(part), "{part} is not in {first}");
    }
    // A table and the trace of a game do without tags, and tags without them.
    place
        .run(&["classify", "g.pgn", "--no-header", "--fields", "tag:Round,book_exit,tag:Site"])
        .prints("1.2\t2\thttps://lichess.org/abcdefgh\n\t1\tChess.com\n");
    for fields in ["tag:", "tag:a b", "tag:Round,tag:Round"] {
        place.run(&["classify", "g.pgn", "--fields", fields]).exits(2);
    }
}

const COMMENTED: &str = "\
[Event \"1\"]
[TimeControl \"60+1\"]

1. e4 { [%eval 0.3] [%clk 0:01:00] } 1... c5 { [%eval -0.25] [%clk 0:00:59] } 2. a4 $6 { caf\u{e9} }
{ [%eval #-3] [%clk 0:00:50.9] } (2. Nf3 { [%eval 0.4] [%clk 0:00:40] }) 2... h5 { [%clk 0:00:01] } 0-1

[Event \"2\"]

1. e4 {[%emt 0:00:05]} c5 {[%emt 0:01:00]} 1-0

[Event \"3\"]

1. e4 {good} c5 1-0

[Event \"4\"]
[Variant \"Atomic\"]

1. e4 {[%eval 0.3]} *
";

#[test]
fn evaluations_and_clocks_have_fields() {
    let place = Workplace::new();
    // Not all is UTF-8.
    let latin: Vec<u8> = COMMENTED.chars().map(|c| c as u8).collect();
    place.write("g.pgn", &latin);
    let fields =
        "eval_book,eval_15,clock_book_white,clock_book_black,time_book_white,time_book_black";
    let run = |format: &[&str]| {
        let args = ["classify", "g.pgn", "--no-header", "--fields", fields];
        place.run(&[&args[..], format].concat()).exits(0).stdout.clone()
    };
    assert_eq!(run(&[]), "-10000\t\t50\t59\t11\t0\n\t\t\t\t5\t60\n\t\t\t\t\t\n\t\t\t\t\t\n");
    let rows = run(&["--format", "jsonl"]);
    let expected = "{\"eval_book\":-10000,\"eval_15\":null,\"clock_book_white\":50,\
                    \"clock_book_black\":59,\"time_book_white\":11,\"time_book_black\":0}";
    assert_eq!(rows.lines().next(), Some(expected));
}

/// The plies of the fields are those of the position that names the game.
#[test]
fn fifteen_moves_are_thirty_plies() {
    let place = Workplace::new();
    let comment = |ply: usize| format!("{{ [%eval {ply}.5] [%clk {ply}] }}");
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle();
    let plies = |count| (1..=count).zip(moves.clone());
    let game = |count| {
        let words = plies(count).map(|(ply, san)| format!("{san} {} ", comment(ply)));
        format!("[Event \"{count}\"]\n\n{}*\n\n", words.collect::<String>())
    };
    place.write("g.pgn", [29, 30, 31].map(game).concat());
    let fields = "eval_15,clock_15_white,clock_15_black";
    let run = place.run(&["classify", "g.pgn", "--no-header", "--fields", fields]);
    run.exits(0).prints("\t\t\n3050\t29\t30\n3050\t29\t30\n");
}

#[test]
fn a_row_has_any_number_of_tags() {
    let place = Workplace::new();
    let tags: String = (0..40).map(|n| format!("[T{n} \"value {n}\"]\n")).collect();
    place.write("g.pgn", tags + "\n1. e4 c5 *\n");
    // Other fields stand among them, and the order is that of the fields, not of the game.
    let fields: Vec<String> = (0..40).rev().map(|n| format!("tag:T{n}")).collect();
    let list = format!("{},eco,{},ply", fields[..20].join(","), fields[20..].join(","));
    let values: Vec<String> = (0..40).rev().map(|n| format!("value {n}")).collect();
    let row = format!("{}\tB20\t{}\t2\n", values[..20].join("\t"), values[20..].join("\t"));
    let args = ["classify", "g.pgn", "--no-header", "--fields", &list];
    place.run(&args).exits(0).prints(&row);
    let args = ["classify", "g.pgn", "--format", "jsonl", "--fields", &list];
    place.run(&args).exits(0).prints_part("\"tag:T0\":\"value 0\",\"ply\":2}");
}

#[test]
fn the_reference_classifier_gives_the_same_rows() {
    let place = Workplace::new();
    place.write("two.pgn", TWO);
    place.write(
        "odd.pgn",
        "[FEN \"4k3/8/8/8/8/8/8/4K2x w - - 0 1\"]\n\n*\n\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
         [White \"x\n\n1. e4 c5 *\n\n[White \"y\"]\n\n1. e4 c5 {\n",
    );
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    for more in [&[][..], &["--strict"], &["--fields", "all", "-j", "3"]] {
        let run = |reference: &[&str]| {
            let args = [&["classify", "two.pgn", "odd.pgn", data], more, reference].concat();
            place.run(&args)
        };
        let (fast, slow) = (run(&[]), run(&["--reference"]));
        assert!(fast.stdout.lines().count() > 50, "{}", fast.stdout);
        assert_eq!((slow.stdout, slow.code), (fast.stdout, fast.code), "{more:?}");
    }
}

#[test]
fn every_format_says_the_same() {
    let place = Workplace::new();
    place.write("g.pgn", TWO);
    let run =
        |format| place.run(&["classify", "g.pgn", "--format", format]).exits(0).stdout.clone();
    assert!(
        run("csv").contains(
            "g.pgn,1,A,\"B, \"\"Bee\"\"\",1-0,2020.01.02,B20,Sicilian Defense,2,false,\n"
        )
    );
    let rows: Vec<serde_json::Value> =
        run("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0]["black"], "B, \"Bee\"");
    assert_eq!((&rows[0]["game"], &rows[0]["ply"]), (&1.into(), &2.into()));
    assert_eq!(
        (&rows[1]["black"], &rows[1]["transposed"]),
        (&serde_json::Value::Null, &true.into())
    );
    let table = run("table");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.contains("B20  Sicilian Defense"), "{table}");
}

#[test]
fn a_game_without_opening_has_empty_fields_and_ply_0() {
    let place = Workplace::new();
    let fields = ["classify", "--fields", "eco,opening,ply,transposed,key"];
    let run = |format: &str| {
        let args: Vec<&str> =
            fields.into_iter().chain(["--no-header", "--format", format]).collect();
        place.pipe(&args, b"[White \"A\"]\n\n*\n").stdout.clone()
    };
    assert_eq!(run("tsv"), "\t\t0\t\t\n");
    assert_eq!(run("csv"), ",,0,,\n");
    assert_eq!(
        run("jsonl"),
        "{\"eco\":null,\"opening\":null,\"ply\":null,\"transposed\":null,\"key\":null}\n"
    );
}

#[test]
fn input_comes_from_files_folders_and_pipes_in_order() {
    let place = Workplace::new();
    place.write("d/b.pgn", TWO);
    place.write("d/a/z.PGN", "1. d4 *");
    place.write("d/notes.txt", "1. c4 *");
    place.write("e.txt", "1. c4 *");
    let args = ["classify", "--no-header", "--fields", "source,game,eco"];
    let run = |inputs: &[&str]| {
        let run = place.pipe(&[&args, inputs].concat(), b"1. Nh3 *");
        // The program may be that of another system.
        run.exits(0).stdout.replace('\\', "/")
    };
    assert_eq!(run(&[]), "-\t1\tA00\n");
    assert_eq!(run(&["-"]), "-\t1\tA00\n");
    assert_eq!(
        run(&["e.txt", "d", "-"]),
        "e.txt\t1\tA10\nd/a/z.PGN\t1\tA40\nd/b.pgn\t1\tB20\nd/b.pgn\t2\tA81\n-\t1\tA00\n"
    );
}

pub fn packed(how: &str, bytes: &[u8]) -> Vec<u8> {
    match how {
        "gz" => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "bz2" => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "xz" => {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "zst" => zstd::encode_all(bytes, 1).unwrap(),
        "zip" => {
            let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            let options = zip::write::SimpleFileOptions::default();
            let files = [
                ("readme.txt", &b"1. e4"[..]),
                ("__MACOSX/._x.pgn", b"\0\x05"),
                ("d/x.pgn", bytes),
            ];
            for (name, bytes) in files {
                writer.start_file(name, options).unwrap();
                writer.write_all(bytes).unwrap();
            }
            writer.finish().unwrap().into_inner()
        }
        _ => unreachable!("no such format"),
    }
}

#[test]
fn compression_is_told_by_content() {
    let place = Workplace::new();
    let games = famous_games();
    let args = ["classify", "--no-header", "--fields", "game,white,eco,ply"];
    let plain = place.pipe(&args, &games).exits(0).stdout.clone();
    assert_eq!(plain.lines().count(), 30);
    for how in ["gz", "bz2", "xz", "zst", "zip"] {
        let bytes = packed(how, &games);
        place.write("games", &bytes);
        place.run(&[&args[..], &["games"]].concat()).exits(0).prints(&plain).is_silent();
        place.pipe(&args, &bytes).exits(0).prints(&plain);
    }
    // Members one after the other, as log rotation and pzstd make them, are one file.
    for how in ["gz", "bz2", "xz", "zst"] {
        let (head, tail) = games.split_at(5000);
        let both = [packed(how, head), packed(how, tail)].concat();
        place.pipe(&args, &both).exits(0).prints(&plain);
    }
    place.write("games.zip", packed("zip", &games));
    let run = place.run(&["classify", "games.zip", "--fields", "source", "--no-header"]);
    assert!(run.stdout.starts_with("games.zip/d/x.pgn\n"), "{}", run.stdout);
}

#[test]
fn the_bytes_are_the_same_at_any_thread_count_and_block_size() {
    let place = Workplace::new();
    let mut games = famous_games().repeat(20);
    games.extend(b"[Event \"bad\"]\n\n1. e4 {\n\n[Event \"good\"]\n\n1. d4 {x} *\n");
    place.write("g.pgn", &games);
    for format in ["tsv", "csv", "jsonl", "table"] {
        let run = |threads: &str, block: &str| {
            let args =
                ["classify", "g.pgn", "--format", format, "-j", threads, "--block-size", block];
            place.run(&args).exits(0).stdout.clone()
        };
        let expected = run("1", "1048576");
        assert_eq!(expected.lines().count(), 602 + usize::from(format != "jsonl"));
        for threads in ["1", "2", "7"] {
            for block in ["100", "1024", "1048576"] {
                assert!(
                    run(threads, block) == expected,
                    "{format}, {threads} threads, blocks of {block}"
                );
            }
        }
    }
}

#[test]
fn stats_count_transpositions_and_errors() {
    let place = Workplace::new();
    place.write("g.pgn", format!("{TWO}\n\n1. e4 c5 *\n\n1. e4 e5 2. Nf3 *\n"));
    for (by, expected) in
        [("transposed", ["in order 3", "transposed 1"]), ("error", ["none 3", "move 1"])]
    {
        let run = place.run(&["stats", "g.pgn", "--by", by, "--no-header", "-q"]);
        let rows = run.exits(0).stdout.lines().map(|row| row.split('\t').collect::<Vec<_>>());
        let rows: Vec<String> = rows.map(|row| format!("{} {}", row[0], row[1])).collect();
        assert_eq!(rows, expected, "{by}");
    }
}

#[test]
fn byrne_fischer_and_transpositions_are_named_by_position() {
    let place = Workplace::new();
    let args = ["classify", "--no-header", "--fields", "eco,ply,transposed"];
    for (movetext, row) in [
        ("1. c4 d5 2. d4 *", "D06\t3\ttrue\n"),
        ("1. d4 f5 2. g3 *", "A81\t3\tfalse\n"),
        ("1. g3 f5 2. d4 *", "A81\t3\ttrue\n"),
    ] {
        place.pipe(&args, movetext.as_bytes()).prints(row);
    }
    let games =
        place.pipe(&["classify", "--no-header", "--fields", "white,black,eco"], &famous_games());
    assert!(
        games.stdout.contains("Byrne, Donald\tFischer, Robert James\tA15\n"),
        "{}",
        games.stdout
    );
}

#[test]
fn nothing_is_written_to_disk() {
    let place = Workplace::new();
    place.write("g.pgn", TWO);
    place.run(&["classify", "g.pgn"]).exits(0);
    assert_eq!(place.files(), ["g.pgn"]);
}

#[test]
fn a_piece_apart_from_its_square_is_never_a_pawn() {
    let place = crate::harness::Workplace::new();
    for (moves, opening, error) in [
        ("1. e4 e5 2. ♘ f3 ♞ c6 3. ♗ b5 *", "Ruy Lopez", ""),
        ("1. e4 e5 2. N f3 Nc6 3. Bb5 *", "Ruy Lopez", ""),
        ("1. e4 e5 2. ♘f3 Nc6 3. Bb5 *", "Ruy Lopez", ""),
        ("1. e4 e5 2. 日本 Nf3 *", "King's Pawn Game", "move 2. 日本: not a move"),
        ("1. e4 e5 2. ♘ d5 *", "King's Pawn Game", "move 2. ♘d5: illegal"),
        ("1. e4 ⩲ e5 N 2. Nf3 △ Nc6 3. Bb5 *", "Ruy Lopez", ""),
    ] {
        for reference in [&[][..], &["--reference"]] {
            let args = [&["classify", "-", "--fields", "opening,error", "--no-header"], reference];
            let run = place.pipe(&args.concat(), moves.as_bytes());
            run.exits(0);
            if reference.is_empty() || !error.contains('♘') {
                assert_eq!(run.stdout, format!("{opening}\t{error}\n"), "{moves} {reference:?}");
            }
        }
    }
}
