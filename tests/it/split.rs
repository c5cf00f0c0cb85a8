//! Files of frames, and parts of files, as a user meets them.

use std::process::Command;

use crate::harness::{Workplace, famous_games};

/// More games than one frame of 8 MiB holds.
fn many_games() -> Vec<u8> {
    famous_games().repeat(9 * 1024 * 1024 / famous_games().len())
}

/// Whether a program is installed. If not, that is said.
fn is_installed(program: &str) -> bool {
    let is_installed = Command::new(program).arg("--version").output().is_ok();
    if !is_installed {
        eprintln!("{program} is not installed: nothing is compared with it");
    }
    is_installed
}

#[test]
fn frames_that_are_written_are_read_by_all_threads_and_by_other_programs() {
    let place = Workplace::new();
    let games = many_games();
    place.write("games.pgn", &games);
    place.run(&["filter", "games.pgn", "-q", "-o", "frames.pgn.zst", "--frames"]).exits(0);
    let packed = std::fs::read(place.path("frames.pgn.zst")).unwrap();
    assert!(packed.starts_with(&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]));
    assert!(zstd::decode_all(&packed[..]).unwrap() == games);
    for program in ["zstd", "pzstd"] {
        if is_installed(program) {
            let run = Command::new(program)
                .args(["-dcq"])
                .arg(place.path("frames.pgn.zst"))
                .output()
                .unwrap();
            assert!(run.status.success() && run.stdout == games, "{program}");
        }
    }
    let fields = ["--fields", "game,offset,white,eco", "-q"];
    let rows = |file: &str, threads| {
        let run = place.run(&[&["classify", file, "-j", threads], &fields[..]].concat());
        run.exits(0);
        run.stdout
    };
    let expected = rows("games.pgn", "1");
    for threads in ["1", "2", "8"] {
        assert!(rows("frames.pgn.zst", threads) == expected, "{threads} threads");
    }
    let split = place.run(&["split", "frames.pgn.zst", "--parts", "9"]);
    split.exits(0);
    assert_eq!(split.stdout.lines().count(), 3, "{}", split.stdout);
    // A frame that is cut off is answered as by one thread.
    place.write("cut.pgn.zst", &packed[..packed.len() - 1000]);
    let cut = |threads| place.run(&["classify", "cut.pgn.zst", "-q", "-j", threads]);
    let (one, eight) = (cut("1"), cut("8"));
    one.exits(1).complains("cannot be read beyond byte");
    assert!((one.stdout, one.stderr, one.code) == (eight.stdout, eight.stderr, eight.code));
}

#[test]
fn the_rows_of_the_parts_are_the_rows_of_the_file() {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    let classify = |range: &[&str]| {
        let args = ["classify", "games.pgn", "--no-header", "--fields", "source,offset,white,eco"];
        let run = place.run(&[&args[..], range].concat());
        run.exits(0);
        run.stdout
    };
    let expected = classify(&[]);
    for size in ["100", "1000", "4999"] {
        let parts = place.run(&["split", "games.pgn", "--parts", size, "--no-header"]);
        let mut rows = String::new();
        for part in parts.exits(0).stdout.lines() {
            let fields: Vec<&str> = part.split('\t').collect();
            let [path, offset, length, compression] = fields[..] else { panic!("{part}") };
            assert_eq!((path, compression), ("games.pgn", "plain"));
            rows += &classify(&["--range", &format!("{offset}:{length}")]);
        }
        assert!(rows == expected, "parts of {size} bytes");
    }
}

#[test]
fn a_range_is_of_one_file() {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    place.write("games.pgn.zst", zstd::encode_all(&famous_games()[..], 1).unwrap());
    let two = ["classify", "games.pgn", "games.pgn.zst", "--range", "0:100"];
    place.run(&two).exits(2).complains("--range reads a part of one file");
    place.run(&["classify", "games.pgn", "--range", "5"]).exits(2);
    let inside = place.run(&["classify", "games.pgn.zst", "--range", "5:100"]);
    inside.exits(1).complains("no frame begins at byte 5");
    let range = |range| place.run(&["classify", "games.pgn", "-q", "--range", range]);
    for beyond in ["9999999:5", "18446744073709551615:1"] {
        range(beyond).exits(1).complains("is this copy whole?");
    }
    range("1:18446744073709551615").exits(0);
    let size = std::fs::metadata(place.path("games.pgn")).unwrap().len();
    for beyond in ["9223372036854775807:9223372036854775807", "9999999:5"] {
        range(beyond).exits(1).complains(&format!("the file has {size} bytes"));
    }
    place.run(&["classify", "/dev/zero", "--range", "0:100"]).exits(1);
    place.write("long.pgn", famous_games().repeat(200_000 / famous_games().len() + 1));
    let run = place.run(&["split", "long.pgn", "--parts", "18446744073709551615", "--no-header"]);
    let parts: Vec<u64> = run
        .exits(0)
        .stdout
        .lines()
        .map(|row| row.split('\t').nth(2).unwrap().parse().unwrap())
        .collect();
    let (last, whole) = parts.split_last().unwrap();
    assert!(*last <= 64 && whole.len() > 1000 && whole.iter().all(|length| *length == 64));
    for file in ["games.pgn", "games.pgn.zst"] {
        let none = place.run(&["classify", file, "-q", "--no-header", "--range", "0:0"]);
        assert_eq!(none.exits(0).stdout, "", "{file}");
    }
    place.run(&["split", "games.pgn"]).exits(2).complains("--parts <N|SIZE>");
    let sized = |size| place.run(&["split", "games.pgn", "--parts", size]).exits(0).stdout.clone();
    assert_eq!(sized("4k"), sized("4K"));
    place.run(&["split", "games.pgn", "--parts", "0m"]).exits(2).complains("such as");
    place.run(&["split", "--parts", "2"]).exits(2).complains("standard input cannot be split");
    place.run(&["split", "-", "--parts", "2"]).exits(2).complains("cannot be split");
    place.run(&["split", "none.pgn", "--parts", "2"]).exits(1).complains("none.pgn: ");
}

#[cfg(unix)]
#[test]
fn a_path_can_be_read_back_from_json() {
    let place = Workplace::new();
    let name = "a\nb\tc\u{1b}.pgn";
    place.write(name, famous_games());
    let run = place.run(&["split", ".", "--parts", "1", "-f", "jsonl"]);
    let row: serde_json::Value = serde_json::from_str(&run.exits(0).stdout).unwrap();
    assert_eq!(std::fs::read(place.path(row["path"].as_str().unwrap())).unwrap(), famous_games());
    let run = place.run(&["split", name, "--parts", "1", "-f", "tsv", "--no-header"]);
    assert!(run.exits(0).stdout.starts_with("a b c .pgn\t"), "{}", run.stdout);
}

#[test]
fn frames_are_for_zst_files() {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    for command in ["tag", "filter"] {
        place
            .run(&[command, "games.pgn", "-o", "out.pgn.gz", "--frames"])
            .exits(2)
            .complains("only .zst files are written as frames");
        place.run(&[command, "games.pgn", "-o", "out.pgn.zst", "--frames"]).exits(0);
        let packed = std::fs::read(place.path("out.pgn.zst")).unwrap();
        assert!(packed.starts_with(&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), "{command}");
    }
}
