//! `eco index` and `eco db`: games kept, found known, removed, exported; and files that are
//! killed, shared, read-only, foreign or old.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
    time::Duration,
};

use crate::harness::{Workplace, famous_games};

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("famous.pgn", famous_games());
    let club = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games/club.pgn");
    place.write("club.pgn", fs::read(club).unwrap());
    place
}

/// The cells of these columns, joined by blanks, for each collection.
fn collections(place: &Workplace, columns: &[&str]) -> Vec<String> {
    let list = place.run(&["db", "list", "--db", "x.db"]);
    let mut rows = list.exits(0).stdout.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let at = |name: &&str| header.iter().position(|column| column == name).unwrap();
    let indices: Vec<usize> = columns.iter().map(at).collect();
    rows.map(|row| indices.iter().map(|at| row[*at]).collect::<Vec<_>>().join(" ")).collect()
}

/// Many games that differ.
fn many_games(count: usize) -> Vec<u8> {
    let place = place();
    let club = fs::read_to_string(place.path("club.pgn")).unwrap();
    let copies = (0..count).map(|n| club.replace("[Round \"", &format!("[Round \"{n}.")));
    copies.collect::<Vec<_>>().join("\n").into_bytes()
}

#[test]
fn games_are_kept_once_and_exported_as_they_are() {
    let place = place();
    let index = ["index", "famous.pgn", "club.pgn", "--db", "x.db"];
    place.run(&index).exits(0).prints("x.db: games: added 50 games\n");
    place.run(&index).exits(0).prints("x.db: games: added 0 games, 50 known already\n");
    assert_eq!(collections(&place, &["name", "games", "counted", "depth"]), ["games 50 50 50"]);

    let export = ["filter", "x.db", "-o", "out.pgn"];
    place.run(&export).exits(0).complains("50 of 50 games are selected");
    place.run(&["index", "out.pgn", "--db", "x.db"]).exits(0).prints_part("50 known already");
    // Whatever is classified, it is the same games.
    let rows = |file: &str| {
        let fields = "white,black,date,result,eco,opening,ply,event,site,round";
        let run = place.run(&["classify", file, "--fields", fields, "-q"]);
        let mut rows: Vec<String> = run.exits(0).stdout.lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    place.write("all.pgn", [famous_games(), fs::read(place.path("club.pgn")).unwrap()].concat());
    assert_eq!(rows("out.pgn"), rows("all.pgn"));
}

#[test]
fn copies_from_another_source_are_added_once_if_moves_decide() {
    let place = place();
    let copy = String::from_utf8(std::fs::read(place.path("famous.pgn")).unwrap()).unwrap();
    place.write("copy.pgn", copy.replace("[Site \"", "[Site \"copied from "));
    let moves = ["--same-game", "moves"];
    let index = |args: &[&str]| place.run(&[&["index", "--db", "x.db"][..], args].concat());
    index(&["famous.pgn", "copy.pgn"]).exits(0).prints_part("added 60 games");
    index(&[&["famous.pgn", "copy.pgn", "--name", "m"][..], &moves].concat())
        .exits(0)
        .prints_part("m: added 30 games, 30 known already");
    index(&["copy.pgn", "--name", "m"]).exits(0).prints_part("added 0 games, 30 known already");
    let build = |args: &[&str]| {
        let build = ["repertoire", "build", "r", "copy.pgn", "--db", "r.db", "--color", "white"];
        place.run(&[&build[..], args].concat())
    };
    build(&["famous.pgn"]).exits(0).prints_part("added 60 games");
    place.run(&["db", "remove", "r", "--yes", "--db", "r.db"]).exits(0);
    build(&moves).exits(0).prints_part("added 30 games");
    build(&["famous.pgn"]).exits(0).prints_part("added 0 games, 60 known already");
    index(&["famous.pgn", "--same-game", "loose"]).exits(2).complains("strict, moves");
}

#[test]
fn only_selected_games_are_kept_exported_or_removed() {
    let place = place();
    let fischer = ["--player", "Fischer, Robert James"];
    place
        .run(&[&["index", "famous.pgn", "--db", "x.db"][..], &fischer].concat())
        .exits(0)
        .prints_part("not selected");
    let kept: usize = collections(&place, &["games"])[0].parse().unwrap();
    assert!((1..30).contains(&kept), "{kept}");
    place.run(&["index", "famous.pgn", "--db", "x.db"]).exits(0);
    assert_eq!(collections(&place, &["games"]), ["30"]);
    let export = [&["filter", "x.db", "-q"][..], &fischer].concat();
    let pgn = place.run(&export).exits(0).stdout.clone();
    assert_eq!(pgn.matches("[White ").count(), kept);

    let remove =
        [&["db", "remove", "games", "--games", "--yes", "--db", "x.db"][..], &fischer].concat();
    place.run(&remove).exits(0).prints(&format!("x.db: games: removed {kept} games\n"));
    assert_eq!(collections(&place, &["games"]), [(30 - kept).to_string()]);
    place.run(&export).exits(2).prints("").complains("no game has a player");
    place.run(&["index", "famous.pgn", "--db", "x.db"]).exits(0).prints_part("added");
    assert_eq!(collections(&place, &["games"]), ["30"]);
    // By the opening that the game had when it was kept.
    let remove = ["db", "remove", "games", "--games", "--eco", "A,B,C,D,E", "--db", "x.db"];
    place.run(&remove).exits(2).complains(
        "nothing was removed; to remove 30 of 30 games of games: eco db remove --yes games --games",
    );
    assert_eq!(collections(&place, &["games"]), ["30"]);
    let would = "x.db: games: would lose 30 of 30 games\n";
    place.run(&[&remove[..], &["--dry-run"]].concat()).exits(0).prints(would);
    place.run(&[&remove[..], &["--yes"]].concat()).exits(0);
    assert_eq!(collections(&place, &["games"]), ["0"]);
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_is_written() {
    let place = place();
    let absent = "none.pgn: no such file; nothing was written";
    place.run(&["index", "none.pgn", "--db", "x.db"]).exits(1).complains(absent);
    for (args, complaint) in [
        (
            &["index", "famous.pgn", "--player", "Fisher", "--db", "x.db"][..],
            "no game has a player",
        ),
        (&["index", "famous.pgn", "--opening", "xyzzy", "--db", "x.db"], "'xyzzy'"),
        (&["index", "famous.pgn", "--depth", "0", "--db", "x.db"], "0 is not in 1..=1000"),
        (&["index", "famous.pgn", "--name", "a\tb", "--db", "x.db"], "without control characters"),
    ] {
        place.run(args).exits(2).complains(complaint);
        assert!(!place.path("x.db").exists(), "{args:?}");
    }
    place.run(&["index", "famous.pgn", "--db", "x.db", "--name", "a"]).exits(0);
    place.run(&["index", "famous.pgn", "--db", "x.db", "--name", "b"]).exits(0);
    let before = fs::read(place.path("x.db")).unwrap();
    for (args, complaint) in [
        (&["index", "club.pgn", "--db", "x.db"][..], "has the collections a, b; choose one"),
        (
            &["db", "remove", "a", "--games", "--player", "Fisher, Bobby", "--db", "x.db"],
            "the nearest name is 'Fischer, Robert James'; nothing was written",
        ),
        (&["db", "remove", "a", "--games", "--db", "x.db"], "--games needs a selection"),
        (&["db", "remove", "a", "--eco", "A", "--db", "x.db"], "add --games"),
        (
            &["db", "remove", "a", "--games", "--game", "3", "--db", "x.db"],
            "--game is not for this",
        ),
        (
            &["index", "club.pgn", "--db", "x.db", "--name", "a", "--depth", "9"],
            "collection 'a' finds positions up to ply 50",
        ),
        (
            &["db", "remove", "c", "--games", "--eco", "A", "--db", "x.db"],
            "x.db: has nothing of the name 'c'; it has collection a, b",
        ),
        (&["db", "remove", "a", "c", "--db", "x.db"], "nothing of the name 'c'; it has"),
        (&["db", "rename", "a", "b", "--db", "x.db"], "is there already"),
    ] {
        place.run(args).exits(2).complains(complaint);
        assert!(fs::read(place.path("x.db")).unwrap() == before, "{args:?}");
    }
}

#[test]
fn a_run_that_is_killed_leaves_all_or_nothing() {
    let place = place();
    place.write("many.pgn", many_games(100));
    place.run(&["index", "famous.pgn", "--db", "x.db"]).exits(0);
    let args = ["index", "many.pgn", "--db", "x.db", "--quiet"];
    let before = fs::read(place.path("x.db")).unwrap();
    let mut seen = Vec::new();
    for wait in (0..30).map(|n| 10 + 20 * n) {
        let _ = fs::remove_file(place.path("x.db-journal"));
        fs::write(place.path("x.db"), &before).unwrap();
        let mut child = place.command(&args).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let database = eco::store::Database::open(&place.path("x.db")).unwrap();
        assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
        seen.extend(collections(&place, &["games"]));
    }
    assert!(seen.iter().all(|games| games == "30" || games == "2030"), "{seen:?}");
    assert!(seen.contains(&"30".to_owned()), "every kill came too late");
    place.run(&args).exits(0);
    assert_eq!(collections(&place, &["games"]), ["2030"]);
}

#[test]
fn a_first_run_that_is_killed_leaves_no_database() {
    let place = place();
    place.write("many.pgn", many_games(100));
    let args = ["index", "many.pgn", "--db", "x.db", "--quiet"];
    let mut killed = 0;
    for wait in [5, 20, 60, 120, 200, 300] {
        let mut child = place.command(&args).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if place.path("x.db").exists() {
            assert_eq!(collections(&place, &["games"]), ["2000"]);
            fs::remove_file(place.path("x.db")).unwrap();
        } else {
            killed += 1;
        }
    }
    assert!(killed > 0, "every kill came too late");
    place.run(&args).exits(0);
    assert!(!place.files().iter().any(|name| name.starts_with(".eco")), "{:?}", place.files());
}

/// Parts that workers make of one file are joined.
#[test]
fn databases_are_joined_and_a_run_that_is_killed_leaves_none() {
    let place = place();
    let pgn = [many_games(60), many_games(20)].concat();
    let (half, size) = (pgn.len() / 2, pgn.len());
    place.write("many.pgn", pgn);
    let ranges = [format!("0:{half}"), format!("{half}:{}", size - half)];
    for (part, range) in ["a.db", "b.db"].iter().zip(&ranges) {
        place.run(&["index", "many.pgn", "--range", range, "--db", part]).exits(0);
    }
    place.run(&["index", "many.pgn", "--db", "one.db"]).exits(0);
    let join = ["index", "a.db", "b.db", "--db", "x.db"];
    for wait in [0, 1, 2, 5, 10, 20, 50] {
        let mut child = place.command(&join).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if place.path("x.db").exists() {
            assert_eq!(collections(&place, &["games"]), ["1200"]);
            fs::remove_file(place.path("x.db")).unwrap();
        }
    }
    let said = place.run(&join).exits(0).stdout.replace("x.db", "one.db");
    assert!(said.contains("added 1200 games"), "{said}");
    for position in ["initial", "e4", "d4", "1.e4 e5", "1.d4 Nf6 2.c4", "1.c4", "Nf3"] {
        let ask = |db| place.run(&["explore", "--db", db, position, "--format", "jsonl"]).stdout;
        assert_eq!(ask("x.db"), ask("one.db"), "{position}");
    }
}

#[test]
fn two_runs_at_once_both_come_through() {
    let place = place();
    let index = |file| {
        let args = ["index", file, "--db", "x.db", "--name", "c"];
        place.command(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
    };
    for child in ["famous.pgn", "club.pgn", "famous.pgn"].map(index) {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(collections(&place, &["games"]), ["50"]);
}

/// Whatever reads games reads those of a database as it reads their export.
#[test]
fn a_database_among_the_inputs_means_its_games() {
    let place = place();
    place.write("many.pgn", many_games(40));
    place.run(&["index", "many.pgn", "famous.pgn", "--db", "x.db"]).exits(0);
    place.run(&["filter", "x.db", "-q", "-o", "x.pgn"]).exits(0);
    let build = ["repertoire", "build", "r", "--color", "white", "--db"];
    place.run(&[&build[..], &["r.db", "x.pgn"]].concat()).exits(0);
    for args in [
        "classify GAMES",
        "classify GAMES --player Morphy,_Paul --explain --format jsonl",
        "classify GAMES --game 300-310,700- --fields game,white,ply,moves,tag:Round",
        "stats GAMES",
        "stats GAMES --by player,year --format csv",
        "stats GAMES --weaknesses",
        "report GAMES --title t --format json",
        "filter GAMES",
        "filter GAMES --result win --player Paul_Morphy",
        "filter GAMES --eco C --unique",
        "fen from-pgn GAMES --ply 7 --format tsv",
        "index GAMES --db new-GAMES.db",
        "repertoire build s --color black --db new-GAMES.db GAMES",
        "repertoire check --db r.db GAMES",
        "filter --db r.db --follows r:6 GAMES",
        "repertoire gaps --db r.db --reference GAMES",
        "novelties GAMES --reference famous.pgn",
        "novelties famous.pgn --reference GAMES",
    ] {
        let outputs = ["x.pgn", "x.db"].map(|input| {
            let args: Vec<String> =
                args.split(' ').map(|arg| arg.replace("GAMES", input).replace('_', " ")).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let run = place.run(&args);
            run.exits(0).stdout.replace("x.db/games", "x.pgn").replace("x.db", "x.pgn")
        });
        assert!(!outputs[0].is_empty(), "{args}");
        assert_eq!(outputs[1], outputs[0], "{args}");
    }
}

#[test]
fn collections_of_a_database_are_chosen_by_name() {
    let place = place();
    place.run(&["index", "famous.pgn", "--db", "x.db", "--name", "a"]).exits(0);
    place.run(&["index", "club.pgn", "--db", "x.db", "--name", "b"]).exits(0);
    place.run(&["ingest", "builtin", "--db", "none.db"]).exits(0);
    for (args, code, output, complaint) in [
        ("filter x.db", 0, "", "50 of 50 games"),
        ("filter x.db", 0, "", "a collection keeps tags, main lines"),
        ("filter x.db famous.pgn --collection b", 0, "", "50 of 50 games"),
        ("filter x.db --collection a --collection b --game 1", 0, "", "2 of 50 games"),
        ("filter x.db --player Nobody", 2, "", "nothing was written"),
        ("classify x.db --collection b --game 1 --fields source", 0, "source\nx.db/b\n", ""),
        ("stats x.db --collection c", 2, "", "x.db: no collection 'c'; there is a, b"),
        ("stats famous.pgn --collection a", 2, "", "--collection goes with a position database"),
        ("stats none.db", 2, "", "none.db: has no collection of games; `eco index GAMES.pgn"),
        ("stats x.db --range 0:9", 2, "", "--range reads a part of one file"),
        ("filter famous.pgn x.db -o x.db", 2, "", "x.db: is a database; nothing was written"),
        ("index x.db --db x.db --name c", 2, "", "x.db is an input too; nothing was written"),
        ("tag x.db -o y.pgn", 1, "", "`eco filter` writes the games"),
    ] {
        let run = place.run(&args.split(' ').collect::<Vec<_>>());
        run.exits(code).complains(complaint);
        assert!(run.stdout.contains(output), "{args}: {}", run.stdout);
    }
    assert_eq!(collections(&place, &["name", "games"]), ["a 30", "b 20"]);
}

#[test]
fn a_run_says_that_it_waits_for_a_file_in_use() {
    let place = place();
    place.run(&["index", "famous.pgn", "--db", "x.db"]).exits(0);
    let held = rusqlite::Connection::open(place.path("x.db")).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    // Readers need not wait.
    assert_eq!(collections(&place, &["games"]), ["30"]);
    let mut waiting = place.command(&["index", "club.pgn", "--db", "x.db"]);
    let mut waiting = waiting.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(waiting.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("x.db: in use by another program; waiting"), "{line}");
    held.execute_batch("ROLLBACK").unwrap();
    assert!(waiting.wait().unwrap().success());
    assert_eq!(collections(&place, &["games"]), ["50"]);
}

#[test]
fn a_foreign_or_newer_database_is_not_touched() {
    let place = place();
    let make = |name: &str, sql: &str| {
        rusqlite::Connection::open(place.path(name)).unwrap().execute_batch(sql).unwrap();
    };
    make("foreign.db", "CREATE TABLE x (y)");
    make("newer.db", "PRAGMA application_id = 1162039152; PRAGMA user_version = 99");
    place.write("text.db", "not a database");
    for (db, complaint) in [
        ("foreign.db", "not a position database of eco"),
        ("text.db", "not a position database of eco"),
        ("newer.db", "schema 99, and this release of eco reads schema "),
        (".", "not a position database of eco"),
    ] {
        let before = fs::read(place.path(db)).ok();
        place.run(&["index", "famous.pgn", "--db", db]).exits(2).complains(complaint);
        place.run(&["db", "list", "--db", db]).exits(2).complains(complaint);
        assert!(fs::read(place.path(db)).ok() == before, "{db}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    let folder = place.path("locked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        // Root may write anywhere.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"SKIPPED: this user may write into folders without permission\n",
        );
        return;
    }
    let run = place.run(&["index", "famous.pgn", "--db", "locked/x.db"]);
    run.exits(2).complains("locked/x.db: cannot be written");
}

#[test]
fn the_same_file_on_any_number_of_threads() {
    let place = place();
    place.write("many.pgn", many_games(5));
    let index = |threads: &str, size: &str| {
        let _ = fs::remove_file(place.path("x.db"));
        let args = ["index", "many.pgn", "famous.pgn", "--db", "x.db", "-j", threads];
        place.run(&[&args[..], &["--block-size", size]].concat()).exits(0);
        fs::read(place.path("x.db")).unwrap()
    };
    let one = index("1", "700");
    assert!(index("2", "700") == one, "another file with 2 threads");
    assert!(index("5", "100000") == one, "another file with 5 threads");
}

#[test]
fn a_damaged_input_is_read_as_far_as_it_goes() {
    let place = place();
    let packed = zstd::encode_all(&famous_games()[..], 3).unwrap();
    place.write("cut.pgn.zst", &packed[..packed.len() - 100]);
    let run = place.run(&["index", "cut.pgn.zst", "club.pgn", "--db", "x.db"]);
    run.exits(1).complains("cut.pgn.zst").prints_part("added");
    let games: usize = collections(&place, &["games"])[0].parse().unwrap();
    assert!(games >= 20, "{games}");
}

#[test]
fn collections_are_renamed_and_removed() {
    let place = place();
    place.run(&["index", "famous.pgn", "--db", "x.db", "--name", "a"]).exits(0);
    place.run(&["index", "club.pgn", "--db", "x.db", "--name", "b", "--depth", "80"]).exits(0);
    place
        .run(&["db", "rename", "a", "famous", "--db", "x.db"])
        .exits(0)
        .prints("x.db: a: renamed to famous\n");
    assert_eq!(collections(&place, &["name", "games", "depth"]), ["b 20 80", "famous 30 50"]);
    place.run(&["db", "remove", "b", "--db", "x.db"]).exits(2).prints("").complains(
        "nothing was removed; to remove b with 20 games: eco db remove --yes b --db x.db",
    );
    assert_eq!(collections(&place, &["name"]), ["b", "famous"]);
    let rename = ["db", "rename", "b", "the club's", "--db", "x.db"];
    place.run(&rename).exits(0);
    let refused = place.run(&["db", "remove", "the club's", "--db", "x.db"]);
    let line = refused.exits(2).stderr.split(": ").last().unwrap();
    place.shell(line).exits(0).prints("x.db: the club's: removed with 20 games\n");
    assert_eq!(collections(&place, &["name"]), ["famous"]);
}
