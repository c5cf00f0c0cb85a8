//! `eco filter`, from outside: on odd files, and split over files; and that all commands select
//! alike.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::harness::{Run, Workplace, famous_games};

/// The bytes that a run writes to standard output, and its messages.
pub fn bytes(place: &Workplace, args: &[&str]) -> (Vec<u8>, String) {
    let output = place.command(args).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    (output.stdout, stderr)
}

#[test]
fn a_filter_of_everything_gives_the_input_back() {
    let place = Workplace::new();
    let famous = famous_games();
    let odd: &[&[u8]] = &[
        b"\xef\xbb\xbf; a file\n\n[Event \"a\"]\r\n\r\n1. e4 e5 *\r\n\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 *",
        b"text before\n[Event \"M\xfcnchen\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4 {open\n\n[Event \"c\"]\n\n*",
        b"[Event \"a\"]\r\r1. e4 e5 1-0\r\r[Event \"b\"]\r\r1. d4 *\r",
        b"1. e4 *\n1. d4 d5 0-1\n\n1. c4",
        b"\n\n\n[White \"tags only\"]\n\n[White \"again\"]\n",
        &famous,
    ];
    for (index, pgn) in odd.iter().enumerate() {
        place.write("odd.pgn", pgn);
        for more in
            [&[][..], &["-j", "1"], &["-j", "3", "--block-size", "7"], &["--min-plies", "0"]]
        {
            for all in
                [&[][..], &["--game", "1-"], &["--until", "9999", "--game", "1-", "--since", "1"]]
            {
                if all.len() > 2 && index != 5 {
                    continue;
                }
                let (out, _) = bytes(&place, &[&["filter", "odd.pgn"], more, all].concat());
                assert!(
                    out == *pgn,
                    "file {index}, {more:?} {all:?}: {}",
                    String::from_utf8_lossy(&out)
                );
            }
        }
    }
    // So is text without games; with a condition, none of it is about a game that is selected.
    let long = "text\n".repeat(1 << 20);
    let text = format!("{long}[Event \"a\"]\n\n*\n");
    for pgn in ["", "\u{feff}", "just text", "\n\n \n", &long, &text] {
        place.write("text.pgn", pgn);
        for more in [&[][..], &["-j", "1"]] {
            let run = place.run(&[&["filter", "text.pgn"], more].concat());
            let length = run.stdout.len();
            assert!(run.stdout == *pgn, "{length} bytes of {}, {more:?}", pgn.len());
        }
    }
    assert_eq!(bytes(&place, &["filter", "text.pgn", "--game", "1"]).0, b"[Event \"a\"]\n\n*\n");
    place.write("text.pgn", "just {text");
    place.write("b.pgn", "1. d4 *\n");
    place.run(&["filter", "text.pgn", "--game", "1"]).prints("");
    let two = "just {text\n} *\n\n1. d4 *\n";
    place.run(&["filter", "text.pgn", "b.pgn"]).prints(two);
    // A game longer than what is looked at is copied to its end, or left out to its end.
    let long = format!("[Event \"long\"]\n\n1. e4 {{{}}} *\n\n", "x\n".repeat(5 << 20));
    let pgn = format!("[Event \"a\"]\n\n*\n\n{long}[Event \"b\"]\n\n*\n");
    place.write("long.pgn", &pgn);
    assert!(bytes(&place, &["filter", "long.pgn"]).0 == pgn.as_bytes());
    assert!(bytes(&place, &["filter", "long.pgn", "--game", "2"]).0 == long.as_bytes());
    let short = bytes(&place, &["filter", "long.pgn", "--game", "1,3"]).0;
    assert_eq!(String::from_utf8(short).unwrap(), pgn.replace(&long, ""));
}

#[test]
fn games_that_come_together_stay_apart() {
    let place = Workplace::new();
    place.write(
        "a.pgn",
        "\u{feff}[Event \"a\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4 *\n\n1. c4 c5 *\n",
    );
    place.write("b.pgn", "; b\n[Event \"c\"]\n\n1. e4 *");
    place
        .run(&["filter", "a.pgn", "--game", "1,3"])
        .exits(0)
        .prints("\u{feff}[Event \"a\"]\n\n1. e4 e5\n\n*\n\n1. c4 c5 *\n");
    place.run(&["filter", "a.pgn", "--game", "2"]).prints("[Event \"b\"]\n\n1. d4 *\n\n");
    place
        .run(&["filter", "b.pgn", "a.pgn", "--game", "1"])
        .prints("; b\n[Event \"c\"]\n\n1. e4 *\n\u{feff}[Event \"a\"]\n\n1. e4 e5\n\n");
    place.run(&["filter", "b.pgn", "b.pgn", "--game", "2"]).exits(0).prints("");
}

/// The files of a folder with their bytes, unpacked.
fn files(place: &Workplace, folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap());
    let read = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        let bytes =
            if name.ends_with(".zst") { zstd::decode_all(&bytes[..]).unwrap() } else { bytes };
        (name, String::from_utf8(bytes).unwrap())
    });
    read.collect()
}

/// The games of a text, which all begin with `Event`.
fn games(text: &str) -> Vec<String> {
    let parts = text.split("[Event ").skip(1);
    parts.map(|part| format!("[Event {}", part.trim_end())).collect()
}

#[test]
fn files_by_opening_hold_all_games_together() {
    let place = Workplace::new();
    let all = famous_games();
    place.write("g.pgn", &all);
    let mut expected = games(str::from_utf8(&all).unwrap());
    expected.sort();
    for (by, more) in [
        ("eco", &[][..]),
        ("eco:1", &["--format", "pgn.zst", "--level", "3"]),
        ("eco:2", &["-j", "1", "--block-size", "100"]),
        ("family", &["-j", "3"]),
        ("year", &[]),
    ] {
        let args = ["filter", "g.pgn", "--by", by, "-O", "out"];
        let run = place.run(&[&args, more].concat());
        let parts = files(&place, "out");
        run.exits(0)
            .prints("")
            .complains(&format!("30 of 30 games are selected in {} files", parts.len()));
        assert!(parts.len() > 3, "{:?}", parts.keys());
        let mut found: Vec<String> = parts.values().flat_map(|text| games(text)).collect();
        found.sort();
        assert_eq!(found, expected, "by {by}");
        for (name, text) in &parts {
            place.write("part.pgn", text);
            let fields = ["classify", "part.pgn", "--no-header", "--fields", "eco,family,date"];
            let rows = place.run(&fields).stdout.clone();
            let (stem, _) = name.split_once('.').unwrap();
            let is_there = |row: &str| match by {
                "family" => row.split('\t').nth(1).unwrap().replace('ü', "u") == stem,
                "year" => row.split('\t').nth(2).unwrap().starts_with(stem),
                _ => row.starts_with(stem),
            };
            assert!(rows.lines().all(is_there), "{name}:\n{rows}");
        }
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn names_of_players_make_names_of_files_that_are_safe() {
    let place = Workplace::new();
    let names = [
        "../../evil",
        "CON",
        "con",
        "Zoë, Ann",
        "ann zoe",
        "?",
        "",
        "a/b\\\\c:d",
        "\u{1b}[31m",
        "TAL",
        "Tal.",
        "-rf",
        &"x".repeat(3000),
    ];
    let mut pgn = String::new();
    for (index, name) in names.iter().enumerate() {
        pgn += &format!("[Event \"{index}\"]\n[White \"{name}\"]\n[Black \"Bob\"]\n\n*\n\n");
    }
    place.write("g.pgn", &pgn);
    let run = |folder, more: &[&str]| {
        let args = ["filter", "g.pgn", "--by", "player", "-O", folder];
        place.run(&[&args, more].concat()).exits(0);
        files(&place, folder)
    };
    let parts = run("one", &["-j", "1"]);
    let found: Vec<&str> = parts.keys().map(String::as_str).collect();
    let long = format!("{}.pgn", "x".repeat(80));
    let mut expected = [
        "______evil.pgn",
        "CON_.pgn",
        "Zoe, Ann.pgn",
        "unknown.pgn",
        "a_b_c_d.pgn",
        "__31m.pgn",
        "TAL.pgn",
        "rf.pgn",
        "Bob.pgn",
        &long,
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(games(&parts["Bob.pgn"]).len(), names.len());
    assert_eq!(games(&parts["Zoe, Ann.pgn"]).len(), 2);
    assert_eq!(run("two", &["-j", "7", "--block-size", "50"]), parts, "the same at any threads");
    // Of a player who is asked for there is one file.
    let parts = run("three", &["--player", "Ann Zoe"]);
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["Zoe, Ann.pgn"]);
    // Nothing outside of the folders.
    let there: BTreeSet<String> = fs::read_dir(place.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(there.into_iter().collect::<Vec<_>>(), ["g.pgn", "one", "three", "two"]);
}

#[test]
fn a_folder_that_has_files_is_refused_and_a_failed_run_leaves_none() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.write("full/mine.txt", "mine");
    let split = |folder, more: &[&str]| {
        place.run(&[&["filter", "g.pgn", "--by", "eco", "-O", folder], more].concat())
    };
    split("full", &[]).exits(2).complains("is not empty");
    split("g.pgn", &[]).exits(2);
    split("out", &["--player", "Nobody, Such"]).exits(2).complains("no game has a player");
    split("out", &["--format", "a/b"]).exits(2);
    split("out", &["--format", "zip"]).exits(2).complains(".zip is not written");
    split("out", &["--format", "csv"]).exits(2).complains("not written to .csv");
    split("out", &["--level", "3"]).exits(2);
    split(".", &[]).exits(2);
    place.run(&["filter", "g.pgn", "-O", "out"]).exits(2);
    for more in [&["-O", "out"][..], &["--format", "pgn"], &["--by", "eco", "-O", "out"]] {
        let run = place.run(&[&["filter", "g.pgn", "-o", "one.pgn"], more].concat());
        run.exits(2).complains("cannot be used with");
    }
    place.run(&["filter", "g.pgn", "--by", "eco"]).exits(2);
    place.run(&["filter", "g.pgn", "--by", "x", "-O", "out"]).exits(2);
    place.run(&["filter", ".", "--by", "eco", "-O", "out"]).exits(2).complains("is within");
    let names = fs::read_dir(place.folder()).unwrap().map(|e| e.unwrap().file_name());
    assert_eq!(names.collect::<BTreeSet<_>>().len(), 2, "litter");
    assert_eq!(fs::read_dir(place.path("full")).unwrap().count(), 1);
}

#[test]
fn outputs_are_compressed_as_their_names_say_and_whole_or_not_there() {
    let place = Workplace::new();
    let all = famous_games();
    place.write("g.pgn", &all);
    for name in ["o.pgn", "o.pgn.gz", "o.pgn.bz2", "o.pgn.xz", "o.pgn.zst"] {
        place.run(&["filter", "g.pgn", "--eco", "C", "-o", name]).exits(0).prints("");
        let plain = bytes(&place, &["filter", "g.pgn", "--eco", "C"]).0;
        assert_eq!(bytes(&place, &["filter", name]).0, plain, "{name}");
        assert!(plain.len() < all.len() && !plain.is_empty());
    }
    place.write("old.pgn", "old");
    let nobody = ["filter", "g.pgn", "--player", "Kasparow", "-o", "old.pgn"];
    place.run(&nobody).exits(2).complains("'Kasparov, Garry'").complains("nothing was written");
    place.run(&["filter", "missing.pgn", "-o", "old.pgn"]).exits(1);
    let unquoted = ["filter", "g.pgn", "--position", "1.e4", "c5", "2.c3", "-o", "old.pgn"];
    place.run(&unquoted).exits(2).complains("c5: no such file; moves of one position go in quotes");
    place.run(&["filter", "g.pgn", "-o", "g.pgn"]).exits(2);
    assert_eq!(fs::read(place.path("old.pgn")).unwrap(), b"old");
    assert_eq!(fs::read(place.path("g.pgn")).unwrap(), all);
}

#[test]
fn a_surname_is_every_spelling_that_can_be_of_one_person() {
    let place = Workplace::new();
    let games = |players: &[&str]| -> String {
        players.iter().map(|white| format!("[White \"{white}\"]\n\n1. e4 *\n\n")).collect()
    };
    place.write("one.pgn", games(&["Tal, Mihail", "Tal,M", "Tal", "Talbot, M"]));
    for args in [&["filter", "-o", "tal.pgn"][..], &["stats"], &["tag"], &["classify"]] {
        let run = place.run(&[args, &["one.pgn", "--player", "tal"]].concat());
        run.exits(0).complains("player 'tal': 3 spellings: 'Tal', 'Tal, Mihail', 'Tal,M'");
    }
    place.write("two.pgn", games(&["Tal, Mihail", "Tal,B"]));
    for args in [
        &["filter", "-o", "new.pgn"][..],
        &["filter", "--unique"],
        &["classify", "-o", "new.tsv"],
        &["tag", "-o", "new.pgn"],
        &["stats"],
        &["report", "-o", "new.html"],
        &["index", "--db", "new.db"],
    ] {
        let run = place.run(&[args, &["two.pgn", "--player", "Tal"]].concat());
        run.exits(2).prints("");
        run.complains("'Tal' is not one player: 2 spellings: 'Tal, Mihail', 'Tal,B'; name one");
        assert_eq!(place.files(), ["one.pgn", "tal.pgn", "two.pgn"], "{args:?}");
    }
    place.run(&["index", "two.pgn", "--db", "new.db"]).exits(0);
    let run = place.run(&["explore", "--db", "new.db", "--player", "Tal"]);
    run.exits(2).complains("'Tal' is not one player");
}

#[test]
fn a_player_nobody_has_is_an_error_in_every_command() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.run(&["repertoire", "build", "r", "g.pgn", "--color", "white", "--db", "r.db"]).exits(0);
    let player = ["--player", "Byrne, Donlad"];
    for command in [
        &["classify", "g.pgn"][..],
        &["classify", "g.pgn", "-o", "new"],
        &["filter", "g.pgn"],
        &["tag", "g.pgn"],
        &["tag", "g.pgn", "-o", "new"],
        &["tag", "g.pgn", "-O", "new"],
        &["tag", "g.pgn", "--in-place"],
        &["fen", "from-pgn", "g.pgn"],
        &["repertoire", "build", "new", "g.pgn", "--color", "white", "--db", "new.db"],
        &["repertoire", "check", "r", "g.pgn", "--db", "r.db"],
        &["repertoire", "check", "r", "g.pgn", "--db", "r.db", "--games"],
        &["filter", "g.pgn", "--db", "r.db", "--follows", "r:0"],
        &["novelties", "g.pgn", "--reference", "r.db"],
    ] {
        let run = place.run(&[command, &player].concat());
        run.exits(2).prints("").complains("'Byrne, Donald'");
    }
    let names = fs::read_dir(place.folder()).unwrap().map(|e| e.unwrap().file_name());
    let names: BTreeSet<_> = names.collect();
    assert_eq!(names, ["g.pgn", "r.db"].map(Into::into).into());
    assert_eq!(fs::read(place.path("g.pgn")).unwrap(), famous_games());
    // Each name that nobody has is one, whatever the others are.
    place.write("old.pgn", "old");
    for others in [&["--player", "Zzyzx"][..], &["--against", "Zzyzx"]] {
        for command in [
            &["classify", "g.pgn"][..],
            &["filter", "g.pgn"],
            &["filter", "g.pgn", "-o", "old.pgn"],
            &["tag", "g.pgn", "-o", "old.pgn"],
            &["fen", "from-pgn", "g.pgn"],
        ] {
            let run =
                place.run(&[command, &["--player", "Fischer, Robert James"], others].concat());
            run.exits(2).prints("").complains("no game has a player 'Zzyzx'");
        }
    }
    assert_eq!(fs::read(place.path("old.pgn")).unwrap(), b"old");
    // Who is there, but in no game that fits, is no error.
    let fits = ["filter", "g.pgn", "--player", "Byrne, Donald", "--since", "1999"];
    place.run(&fits).exits(0).prints("").complains("0 of 30 games are selected");
    place.run(&["filter", "--player", "X"]).exits(0).prints("");
}

#[test]
fn openings_are_selected_by_the_names_that_people_use() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 c5 *\n\n1. d4 d5 2. c4 e6 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n");
    for (opening, moves) in [
        ("sizilianisch", "1. e4 c5 *"),
        ("qgd", "1. d4 d5 2. c4 e6 *"),
        ("spanish", "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0"),
        ("queengambit declined", "1. d4 d5 2. c4 e6 *"),
    ] {
        let run = place.run(&["filter", "g.pgn", "--quiet", "--opening", opening]);
        assert_eq!(run.exits(0).stdout.trim(), moves, "{opening}");
        assert_eq!(run.stderr, "", "{opening}");
    }
    let slip = place.run(&["filter", "g.pgn", "--quiet", "--opening", "sicillian"]);
    slip.exits(0).complains("eco: no opening is called 'sicillian'; the nearest: 'Sicilian'");
    assert_eq!(slip.stdout.trim(), "1. e4 c5 *");
    place.run(&["index", "g.pgn", "--opening", "spanish", "--db", "y.db"]).exits(0);
    let count = ["explore", "--db", "y.db", "--opening", "espanola", "--format", "jsonl"];
    place.run(&count).exits(0).prints_part("\"games\":1");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 *\n");
    for (args, part) in [
        (&["--color", "white"][..], "--color: goes with player or against"),
        (&["--eco", "B20-A10"], "B20-A10 ends before it begins; expected A10-B20"),
        (&["--since", "2022", "--until", "2021"], "no date is on or after 2022 and on or before"),
        (&["--opening", "xyzzy"], "no opening is called 'xyzzy'; `eco search` finds"),
        (&["--opening", "najdorf", "--eco", "C"], "no opening has these codes and words together"),
        (&["--result", "win"], "go with player"),
        (&["--rating", "2000..", "--rating-of", "player"], "--rating-of: goes with player"),
        (&["--rating", "2000"], "expected the lowest and the highest rating"),
        (&["--rating-of", "player"], "--rating"),
        (&["--rated=perhaps"], "possible values: yes, no"),
        (&["--not", "event"], "expected NAME=VALUE"),
        (&["--not", "color=black"], "--color: goes with player or against"),
        (&["--eco", "Z99"], "expected a code"),
        (&["--eco", "najdorf"], "expected a code"),
        (&["--opening", "..."], "expected words"),
        (&["--result", "won"], "not a result"),
        (&["--since", "yesterday"], "not a date"),
        (&["--speed", "fast"], "not a speed"),
        (&["--game", "0"], "expected N"),
        (&["--tag", "Round"], "expected NAME=VALUE"),
        (&["--player", " "], "expected a value"),
        (&["--event", ""], "expected a value"),
    ] {
        for command in ["filter", "classify", "tag"] {
            place.run(&[&[command, "g.pgn"], args].concat()).exits(2).complains(part).prints("");
        }
    }
}

/// Runs a command on famous games, of which some of 1900 to 1962 are selected.
fn selected(place: &Workplace, command: &[&str]) -> Run {
    let selection = ["--since", "1900", "--until", "1962", "--eco", "B,C,D"];
    place.run(&[command, &selection].concat())
}

#[test]
fn all_commands_select_alike() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    let rows =
        selected(&place, &["classify", "g.pgn", "--no-header", "--fields", "game,white,date"]);
    let numbers: Vec<String> =
        rows.stdout.lines().map(|row| row.split('\t').next().unwrap().to_owned()).collect();
    assert!(numbers.len() > 1 && numbers.len() < 10, "{}", rows.stdout);
    let with_reference =
        ["classify", "g.pgn", "--no-header", "--fields", "game,white,date", "--reference"];
    assert_eq!(selected(&place, &with_reference).stdout, rows.stdout);
    let filtered = selected(&place, &["filter", "g.pgn"]).stdout;
    assert_eq!(filtered.matches("[Event").count(), numbers.len());
    let fens = selected(&place, &["fen", "from-pgn", "g.pgn", "--format", "tsv", "--no-header"]);
    let of_fens: Vec<&str> =
        fens.stdout.lines().map(|row| row.split('\t').nth(1).unwrap()).collect();
    assert_eq!(of_fens, numbers);
    // Everywhere a database names the openings.
    place.write("mine.tsv", "eco\tname\tpgn\nE99\tMine\t1. e4\n");
    place.run(&["ingest", "mine.tsv", "--db", "mine.db"]).exits(0);
    let by_db = ["g.pgn", "--catalogue", "mine.db", "--eco", "E99", "--opening", "mine"];
    let numbers_by = |command: &[&str], column: usize| -> Vec<String> {
        let run = place.run(&[command, &by_db, &["--format", "tsv", "--no-header"]].concat());
        let rows = run.exits(0).stdout.lines();
        rows.map(|row| row.split('\t').nth(column).unwrap().to_owned()).collect()
    };
    let classified = numbers_by(&["classify"], 1);
    assert!(classified.len() > 5);
    assert_eq!(numbers_by(&["fen", "from-pgn"], 1), classified);
    let filtered = place.run(&[&["filter"][..], &by_db].concat());
    assert_eq!(filtered.exits(0).stdout.matches("[Event").count(), classified.len());
    // Games that are not selected are copied.
    let tagged = selected(&place, &["tag", "g.pgn"]);
    let copied = 30 - numbers.len();
    tagged
        .exits(0)
        .complains(&format!("30 games: {} changed, {copied} not selected", numbers.len()));
    assert_eq!(tagged.stdout.matches("[ECO ").count(), numbers.len());
    let is_new = |line: &&str| !line.starts_with("[ECO ") && !line.starts_with("[Opening ");
    let lines: Vec<&str> = tagged.stdout.lines().filter(is_new).collect();
    let before = String::from_utf8(famous_games()).unwrap();
    assert_eq!(lines, before.lines().collect::<Vec<_>>());
    // Repertoires take the same games, whatever the colour.
    let build = ["repertoire", "build", "r", "g.pgn", "--color", "white", "--db", "r.db"];
    let built = selected(&place, &build);
    built.exits(0).prints_part(&format!("added {} games, {copied} not selected", numbers.len()));
    let check =
        ["repertoire", "check", "r", "g.pgn", "--db", "r.db", "--games", "--only", "unmatched"];
    let unmatched = selected(&place, &check);
    unmatched.exits(0).complains(&format!("{copied} unmatched"));
    let novelties = ["novelties", "g.pgn", "--reference", "r.db"];
    selected(&place, &novelties).exits(0).complains(&format!("{} games, ", numbers.len()));
}

#[test]
fn a_selection_by_tags_needs_no_moves_that_can_be_played() {
    let place = Workplace::new();
    let game =
        "[Event \"a\"]\n[White \"Ann\"]\n[Result \"1-0\"]\n[FEN \"nonsense\"]\n\n1. Ke9 what 1-0\n";
    place.write("g.pgn", game);
    let tags = ["--player", "ann", "--result", "win", "--min-plies", "2"];
    place.run(&[&["filter", "g.pgn"], &tags[..]].concat()).exits(0).prints(game);
    place.run(&["filter", "g.pgn", "--eco", "A,B,C,D,E"]).exits(0).prints("");
}

#[test]
fn a_damaged_input_gives_its_whole_games() {
    let place = Workplace::new();
    let games = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(2000);
    let packed = zstd::encode_all(games.as_bytes(), 3).unwrap();
    place.write("cut.pgn.zst", &packed[..packed.len() - 9]);
    let run = place.run(&["filter", "cut.pgn.zst"]);
    run.exits(1);
    assert!(games.starts_with(&run.stdout));
    place.write("cut.gz", &gzip(games.as_bytes())[..100]);
    let run = place.run(&["filter", "cut.gz"]);
    run.exits(1);
    assert!(
        games.starts_with(&run.stdout) && run.stdout.ends_with("*\n\n") | run.stdout.is_empty()
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
