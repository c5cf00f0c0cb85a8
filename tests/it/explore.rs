//! `eco explore`: moves, games, filters, and what is no position.

use std::{fs, path::Path};

use serde_json::Value;

use crate::harness::{Run, Workplace, famous_games};

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("famous.pgn", famous_games());
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games/club.pgn");
    place.write("club.pgn", fs::read(club).unwrap());
    for (file, name) in [("famous.pgn", "famous"), ("club.pgn", "club")] {
        place.run(&["index", file, "--db", "x.db", "--name", name]).exits(0);
    }
    place
}

fn explore(place: &Workplace, args: &[&str]) -> Run {
    let mut all = vec!["explore", "--db", "x.db"];
    all.extend(args);
    place.run(&all)
}

fn rows(place: &Workplace, args: &[&str]) -> Vec<Value> {
    let run = explore(place, &[args, &["--format", "jsonl"]].concat());
    run.exits(0).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn games(rows: &[Value]) -> u64 {
    rows.iter().map(|row| row["games"].as_u64().unwrap()).sum()
}

#[test]
fn all_formats_have_the_same_moves() {
    let place = place();
    let rows = rows(&place, &["--collection", "famous"]);
    assert_eq!(games(&rows), 30);
    assert_eq!(rows[0]["move"], "e4");
    assert_eq!(rows[0]["opening"], "King's Pawn Game");
    let score = |row: &Value| {
        let [white, draws, black] = ["white", "draws", "black"].map(|c| row[c].as_f64().unwrap());
        (white + draws / 2.0) / (white + draws + black)
    };
    for row in &rows {
        assert!((100.0 * score(row) - row["score"].as_f64().unwrap()).abs() < 0.051, "{row}");
        assert!(row["reached"].as_u64() >= row["games"].as_u64(), "{row}");
    }
    let tsv = explore(&place, &["--collection", "famous"]);
    let moves: Vec<&str> =
        tsv.exits(0).stdout.lines().skip(1).map(|row| row.split('\t').next().unwrap()).collect();
    assert_eq!(moves, rows.iter().map(|row| row["move"].as_str().unwrap()).collect::<Vec<_>>());
    let table = explore(&place, &["--collection", "famous", "--format", "table"]);
    assert!(table.exits(0).stdout.contains("30 games: White, to move, won"), "{}", table.stdout);
    let black = explore(&place, &["e4", "--collection", "famous", "--format", "table"]);
    let results = |moves: &str| {
        let games = place.run(&["filter", "famous.pgn", "--position", moves, "-q"]);
        let count = |result: &str| games.stdout.matches(&format!("[Result \"{result}\"]")).count();
        [count("1-0"), count("1/2-1/2"), count("0-1")]
    };
    let [white, drawn, won] = results("e4");
    let games = (white + drawn + won) as f64;
    let [won, drawn, lost] = [won, drawn, white].map(|n| 100.0 * n as f64 / games);
    let head = format!("Black, to move, won {won:.1}%, drew {drawn:.1}%, lost {lost:.1}%");
    assert!(black.exits(0).stdout.contains(&head), "{head}\n{}", black.stdout);
    let few = explore(&place, &["--limit", "2"]);
    assert_eq!(few.exits(0).stdout.lines().count(), 3);
}

#[test]
fn a_table_fits_its_width() {
    let place = place();
    for width in ["80", "120"] {
        let run = explore(&place, &["e4", "--format", "table", "--width", width]);
        let width: usize = width.parse().unwrap();
        for line in run.exits(0).stdout.lines() {
            assert!(line.chars().count() <= width, "{line}");
        }
        for part in ["move", "games", "share", "score", "reached", "opening", "list", "result"] {
            assert!(run.stdout.contains(part), "no {part} in {width} columns:\n{}", run.stdout);
        }
    }
}

#[test]
fn a_position_is_the_same_by_moves_and_by_fen() {
    let place = place();
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let by_fen = rows(&place, &[fen]);
    assert_eq!(by_fen, rows(&place, &["1.", "e4", "e5"]));
    assert!(games(&by_fen) > 5);
}

#[test]
fn collections_and_selections_leave_games_out() {
    let place = place();
    let all = games(&rows(&place, &[]));
    let famous = games(&rows(&place, &["--collection", "famous"]));
    let club = games(&rows(&place, &["--collection", "club"]));
    assert_eq!(famous + club, all);
    let both = ["--collection", "club", "--collection", "famous"];
    assert_eq!(games(&rows(&place, &both)), all);
    let player = ["--player", "Fischer, Robert James"];
    let run = place.run(&["classify", "famous.pgn", "-q", player[0], player[1]]);
    let selected = run.exits(0).stdout.lines().count() as u64 - 1;
    assert_eq!(games(&rows(&place, &player)), selected);
    let until = games(&rows(&place, &["--until", "1899"]));
    assert!(until > 0 && until < all);
}

#[test]
fn games_are_shown_instead_of_moves() {
    let place = place();
    let top = rows(&place, &["--games", "2"]);
    assert_eq!((top.len(), &top[0]["list"]), (2, &"top".into()));
    assert_eq!(rows(&place, &["--games", "2", "--sort", "rating"]), top);
    let all = games(&rows(&place, &[]));
    assert_eq!(rows(&place, &["--games"]).len() as u64, all);
    let shown = rows(&place, &["--games", "3", "--sort", "date"]);
    let dates: Vec<&str> = shown.iter().map(|row| row["date"].as_str().unwrap()).collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "{dates:?}");
    assert_eq!(shown[0]["id"].as_str().unwrap().len(), 11);
}

#[test]
fn equal_games_are_in_the_order_of_the_files() {
    let place = Workplace::new();
    let game = |name: &str| {
        let replies = ["e5", "c5", "a6", "d5", "g6"];
        let reply = replies[name.bytes().map(usize::from).sum::<usize>() % replies.len()];
        format!(
            "[Date \"2024.01.01\"]\n[UTCDate \"2024.01.01\"]\n[UTCTime \"10:00:00\"]\n\
             [White \"{name}\"]\n[Result \"1-0\"]\n\n1. e4 {reply} 1-0\n\n"
        )
    };
    let names = |of: &str, numbers: std::ops::Range<u32>| -> Vec<String> {
        numbers.map(|n| format!("{of}{}", n * 7 % 100)).collect()
    };
    let index = |collection: &str, names: &[String]| {
        place.write("new.pgn", names.iter().map(|name| game(name)).collect::<String>());
        place.run(&["index", "new.pgn", "--db", "x.db", "--name", collection]).exits(0);
    };
    let check = |collections: &[&str], expected: &[String]| {
        for list in [&["--games", "99"][..], &["--games", "--sort", "date"]] {
            let named = collections.iter().flat_map(|name| ["--collection", name]);
            let list = list.iter().copied();
            let args: Vec<&str> = ["e4"].into_iter().chain(named).chain(list).collect();
            let shown = rows(&place, &args);
            let whites = shown.iter().map(|row| row["white"].as_str().unwrap().to_owned());
            assert_eq!(whites.collect::<Vec<_>>(), expected, "{args:?}");
        }
    };
    index("z", &names("z", 0..30));
    // A segment of its own, then one that takes in the smaller one before.
    for games in [30..45, 45..65] {
        index("z", &names("z", games.clone()));
        check(&["z"], &names("z", 0..games.end));
    }
    // What is known already keeps its place.
    index("z", &names("z", 10..70));
    index("a", &names("a", 0..9));
    check(&["z", "a"], &[names("a", 0..9), names("z", 0..70)].concat());
    place.run(&["db", "rename", "a", "zz", "--db", "x.db"]).exits(0);
    check(&[], &[names("z", 0..70), names("a", 0..9)].concat());
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let place = place();
    for (args, message) in [
        (&["--collection", "none"][..], "no collection 'none'; there is club, famous"),
        (&["e4", "e4"], "e4"),
        (&["8/8/8/8/8/8/8/8 w - -"], ""),
        (&["--player", "Nobody, N."], "no game has a player 'Nobody, N.'"),
        (
            &["--player", "Fisher, Bobby"],
            "no game has a player 'Fisher, Bobby': the nearest name is 'Fischer, Robert James'",
        ),
        (&["--player", "Fischer, Robert James", "--player", "Zzyzx"], "a player 'Zzyzx'"),
        (&["--game", "7-12"], "--game is not for this"),
        (&["--opening", "xyzzy"], "no opening is called 'xyzzy'"),
        (&["xyzzy"], "not the code or name of an opening"),
        (&["--color", "white"], "--color: goes with player"),
    ] {
        explore(&place, args).exits(2).complains(message);
    }
    place.run(&["explore", "--db", "missing.db"]).exits(2).complains("missing.db");
    place.write("junk.db", "junk");
    place.run(&["explore", "--db", "junk.db"]).exits(2).complains("not a position database");
    place.run(&["explore", "--db", "junk.db"]).complains("`eco index GAMES.pgn --db NEW.db`");
}

#[test]
fn positions_beyond_the_depth_of_a_collection_are_said_to_be() {
    let place = place();
    let args = ["index", "famous.pgn", "--db", "y.db", "--depth", "4"];
    place.run(&args).exits(0);
    let table = |moves: &[&str]| {
        let all = [&["explore", "--db", "y.db", "--format", "table"], moves].concat();
        place.run(&all).exits(0).stdout.clone()
    };
    assert!(!table(&["e4", "e5"]).contains("kept to ply"));
    assert!(!table(&["a4", "a5", "h4"]).contains("kept to ply"));
    let last = table(&["e4", "e5", "Nf3", "Nc6"]);
    assert!(last.contains("; positions are kept to ply 4, so reached is not known"), "{last}");
    let beyond = table(&["e4", "e5", "Nf3", "Nc6", "Bb5"]);
    assert!(beyond.contains("no game went on from here; positions are kept to ply 4"), "{beyond}");
}

#[test]
fn a_position_without_games_is_no_error() {
    let place = place();
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert!(rows(&place, &[fen]).is_empty());
    let run = explore(&place, &[fen, "--format", "table"]);
    run.exits(0).prints_part("no game went on from here");
}

#[test]
fn files_are_explored_as_the_collections_made_of_them() {
    let place = place();
    place.write("e4", "no input, since it is a move");
    let jsonl = |args: &[&str]| {
        let all = [&["explore", "--format", "jsonl"], args].concat();
        place.run(&all).exits(0).stdout.clone()
    };
    let both = jsonl(&["e4", "--db", "x.db"]);
    for inputs in [&["x.db"][..], &["./famous.pgn", "club.pgn"], &["club.pgn", "x.db"]] {
        let collections: &[&str] =
            if inputs.len() > 1 && inputs[1] == "x.db" { &["--collection", "famous"] } else { &[] };
        let found = jsonl(&[&["e4"], inputs, collections].concat());
        assert_eq!(found, both, "{inputs:?}");
    }
    let named = jsonl(&["famous.pgn", "kings", "gambit"]);
    assert_eq!(named, jsonl(&["e4", "e5", "f4", "famous.pgn"]));
    let piped = place.pipe(&["explore", "-", "e4", "--format", "jsonl"], &famous_games());
    assert_eq!(piped.exits(0).stdout, jsonl(&["e4", "famous.pgn"]));
    place.run(&["explore", "e4", "none.pgn"]).exits(1).complains("none.pgn").prints("");
    place.run(&["explore", "e4"]).exits(2).complains("`eco index GAMES.pgn`");
}

#[test]
fn the_games_of_a_position_are_written() {
    let place = place();
    let count = |args: &[&str]| {
        let all = [&["explore", "--db", "x.db", "-o", "o.pgn"], args].concat();
        place.run(&all).exits(0);
        fs::read_to_string(place.path("o.pgn")).unwrap().matches("[Event ").count() as u64
    };
    let e4 = games(&rows(&place, &["e4"]));
    assert_eq!(count(&["e4"]), e4);
    assert_eq!(count(&["e4", "--games"]), e4);
    assert_eq!(count(&["e4", "--games", "3"]), 3);
    assert_eq!(count(&["e4", "--games", "--sort", "date"]), e4);
    let fischer = ["--player", "Fischer, Robert James"];
    assert_eq!(count(&fischer), games(&rows(&place, &fischer)));
    // What is written is found again.
    count(&["e4", "c5"]);
    let again =
        place.run(&["explore", "e4", "c5", "o.pgn", "--format", "jsonl"]).exits(0).stdout.clone();
    let before = explore(&place, &["e4", "c5", "--format", "jsonl"]).exits(0).stdout.clone();
    assert_eq!(again, before);
    place.run(&["explore", "e4", "club.pgn", "-o", "club.pgn"]).exits(2).complains("club.pgn");
    // Without a file they are printed.
    let printed = explore(&place, &["e4", "c5", "-f", "pgn"]).exits(0).stdout.clone();
    assert_eq!(printed, fs::read_to_string(place.path("o.pgn")).unwrap());
}

#[test]
fn games_that_are_left_out_are_said_once() {
    let place = place();
    let games = [&famous_games()[..], &famous_games(), b"[White \"x\"]\n\n1. e4 *\n"].concat();
    place.write("twice.pgn", games);
    let run = place.run(&["explore", "e4", "twice.pgn"]);
    run.exits(0).complains("61 games read: 30 left out as duplicates (same players, date, site, ");
    run.complains("result and moves); 1 without a result, not counted\n");
    place.run(&["explore", "e4", "twice.pgn", "--quiet"]).exits(0).is_silent();
    place.run(&["explore", "e4", "club.pgn"]).exits(0).is_silent();
    let index = ["index", "twice.pgn", "--db", "new.db"];
    place.run(&index).exits(0).complains("30 games left out as duplicates (same players,");
    place.run(&[&index[..], &["--quiet"]].concat()).exits(0).is_silent();
}

#[test]
fn a_wrong_position_is_reported_before_games_are_read() {
    let place = Workplace::new();
    place.write("binary.pgn", [0; 100]);
    let run = place.run(&["explore", "nosuch", "binary.pgn"]);
    run.exits(2).complains("nosuch");
    assert!(!run.stderr.contains("binary.pgn"), "{}", run.stderr);
}
