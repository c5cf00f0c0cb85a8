//! `eco repertoire build`, `add`, `edit`, `tree`, and `eco db` of repertoires.

use std::{fs, path::Path, process::Stdio, time::Duration};

use crate::harness::Workplace;

/// The season of a club player, and what she has prepared with White.
pub fn club() -> Workplace {
    let place = Workplace::new();
    for name in ["club.pgn", "white-lines.pgn"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games");
        place.write(name, fs::read(folder.join(name)).unwrap());
    }
    place
}

const BUILD: [&str; 9] =
    ["repertoire", "build", "white", "club.pgn", "--db", "c.db", "--color", "white", "--player"];

fn built() -> Workplace {
    let place = club();
    place.run(&[&BUILD[..], &["Novak, Ana"]].concat()).exits(0);
    place
}

/// Columns of tsv, row by row.
fn cells(tsv: &str, names: &[&str]) -> Vec<String> {
    let mut rows = tsv.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let places: Vec<usize> =
        names.iter().map(|name| header.iter().position(|h| h == name).unwrap()).collect();
    rows.map(|row| places.iter().map(|n| row[*n]).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn games_are_counted_once_and_by_the_side_of_the_repertoire() {
    let place = club();
    let build = [&BUILD[..], &["ana novak"]].concat();
    place.run(&build).exits(0).prints("c.db: white: added 16 games, 4 not selected\n");
    // The colour, the depth and the player are known by now.
    let again = ["repertoire", "build", "white", "club.pgn", "--db", "c.db"];
    place
        .run(&again)
        .exits(0)
        .prints("c.db: white: added 0 games, 16 known already, 4 not selected\n");
    let shown =
        place.run(&["repertoire", "tree", "--depth", "1", "--db", "c.db", "d4", "Nf6", "c4"]);
    let names = ["move", "book", "games", "won", "drawn", "lost", "score", "opponents"];
    assert_eq!(
        cells(&shown.exits(0).stdout, &names),
        ["g6 true 4 1 0 3 25.0 1866", "c5 true 3 0 0 3 0.0 1885", "e6 true 2 2 0 0 100.0 1773"]
    );
}

#[test]
fn a_single_games_position_is_found_by_fen_and_by_moves() {
    let place = built();
    let moves = "d4 Nf6 c4 c5 d5 b5 cxb5 a6";
    let by_moves = place.run(
        &[
            &["repertoire", "tree", "--depth", "1", "--db", "c.db"][..],
            &moves.split(' ').collect::<Vec<_>>(),
        ]
        .concat(),
    );
    let row = cells(&by_moves.exits(0).stdout, &["move", "games", "lost", "last", "examples"]);
    assert_eq!(row, ["bxa6 1 1 2026-04-18 9"]);
    let fen = "rnbqkb1r/3ppppp/p4n2/1PpP4/8/8/PP2PPPP/RNBQKBNR w KQkq - 0 5";
    place
        .run(&["repertoire", "tree", "--depth", "1", "--db", "c.db", fen])
        .exits(0)
        .prints(&by_moves.stdout);
    place
        .run(&["repertoire", "tree", "--depth", "1", "--db", "c.db", "e4", "e5"])
        .exits(2)
        .complains("white does not have this position: rnbqkbnr/pppp1ppp");
}

#[test]
fn prepared_moves_are_the_book_and_games_tell_how_they_went() {
    let place = built();
    let add = ["repertoire", "add", "white", "white-lines.pgn", "--db", "c.db"];
    place.run(&add).exits(0).prints("c.db: white: 65 moves of 1 chapter; it has 65 now\n");
    let tree = place.run(&["repertoire", "tree", "white", "--db", "c.db", "--depth", "12"]);
    for line in [
        "1. d4  A40 Queen's Pawn Game ",
        "    2... dxc4 3. e4  D20 Queen's Gambit Accepted: Saduleto Variation ",
        "      3... d5 = 1. d4 d5 2. c4 e6 3. Nc3 Nf6  D35 Queen's Gambit Declined: Normal Defense ",
    ] {
        tree.exits(0).prints_part(line);
    }
    place.run(&add).exits(0);
    let again = place.run(&["repertoire", "tree", "white", "--db", "c.db", "--depth", "12"]);
    assert_eq!(again.stdout, tree.stdout);
    let show =
        ["repertoire", "tree", "--depth", "1", "white", "--db", "c.db", "d4", "d5", "c4", "dxc4"];
    let shown = place.run(&show);
    let row = cells(&shown.stdout, &["move", "book", "prepared", "games", "notes"]);
    assert_eq!(row, ["e4 true true 1 !"]);
    place
        .run(&[&show[..], &["--format", "table"]].concat())
        .exits(0)
        .prints_part("1 game, 1 won, 0 drawn, 0 lost, score 100.0%")
        .prints_part("██████████")
        .prints_part("e4: ! (White with 1. d4 #1)");
}

#[test]
fn repertoires_are_listed_renamed_merged_compared_and_removed() {
    let place = built();
    let repertoire =
        |args: &[&str]| place.run(&[&["repertoire"][..], args, &["--db", "c.db"]].concat());
    repertoire(&["add", "prep", "white-lines.pgn", "--color", "white"]).exits(0);
    let db = |args: &[&str]| place.run(&[&["db"][..], args, &["--db", "c.db"]].concat());
    db(&["rename", "white", "games"]).exits(0).prints("c.db: white: renamed to games\n");
    let list = db(&["list"]);
    assert_eq!(
        cells(&list.exits(0).stdout, &["name", "color", "games", "prepared", "players"]),
        ["games white 16 0 Novak, Ana", "prep white 0 65 "]
    );
    // One without chapters has its row.
    assert_eq!(cells(&db(&["list", "games"]).stdout, &["name", "games"]), ["games 16"]);
    let differences = db(&["diff", "games", "prep"]);
    differences.exits(0).complains("moves only in the first, ");
    let first = cells(&differences.stdout, &["only_in", "own", "move", "games", "the_other"]);
    assert_eq!(first[0], "first false c5 3 other moves");
    repertoire(&["add", "prep", "--repertoire", "games"])
        .exits(0)
        .prints("c.db: prep: it has 16 games and 65 prepared moves now\n");
    let counted = repertoire(&["tree", "prep", "d4", "Nf6", "--depth", "1"]);
    assert_eq!(cells(&counted.stdout, &["move", "games", "book"]), ["c4 9 true"]);
    db(&["remove", "games", "--yes"])
        .exits(0)
        .prints("c.db: games: removed with 16 games, 0 prepared moves\n");
    assert_eq!(cells(&db(&["list"]).stdout, &["name", "games"]), ["prep 16"]);
    let unknown = "c.db: has nothing of the name 'games'; it has repertoire prep";
    db(&["remove", "games"]).exits(2).complains(unknown);
    // Words that are no moves may have been meant as the name of the only repertoire.
    repertoire(&["tree", "perp", "--depth", "1"])
        .exits(2)
        .complains("no repertoire 'perp'; there is prep");
    repertoire(&["tree", "perp", "d4"]).exits(2).complains("no repertoire 'perp'; there is prep");
    db(&["list", "perp"]).exits(2).complains("nothing of the name 'perp'");
    repertoire(&["add", "black", "white-lines.pgn", "--color", "black", "--yes"]).exits(0);
    repertoire(&["gaps", "perp"]).exits(2).complains("there is prep, black");
    assert_eq!(cells(&db(&["list", "prep", "black"]).stdout, &["name"]), ["prep", "black"]);
    place.run(&["index", "club.pgn", "--db", "c.db", "--name", "prep"]).exits(0);
    let which = "'prep' is the name of several: choose 'collection:prep' or 'repertoire:prep'";
    db(&["rename", "prep", "other"]).exits(2).complains(which);
    db(&["rename", "collection:prep", "other"]).exits(0).prints("c.db: prep: renamed to other\n");
    db(&["rename", "other", "black"]).exits(0);
    db(&["diff", "repertoire:black", "collection:black"]).exits(2).complains("nothing to compare");
}

#[test]
fn settings_that_do_not_fit_are_refused_before_anything_is_read() {
    let place = built();
    let before = fs::read(place.path("c.db")).unwrap();
    for (args, part) in [
        (&["build", "new", "club.pgn"][..], "'new' is new, and needs a color"),
        (&["build", "white", "club.pgn", "--color", "black"], "'white' is for white"),
        (&["build", "white", "club.pgn", "--depth", "60"], "counts games up to ply 40"),
        (&["build", " ", "club.pgn", "--color", "white"], "expected a name"),
        (&["build", "white", "club.pgn", "--mine", "share:2"], "expected top:1, share:20%"),
        (&["build", "white", "club.pgn", "--since", "soon"], "not a date such as"),
        (&["add", "new", "white-lines.pgn"], "'new' is new, and needs a color"),
        (&["add", "white", "white-lines.pgn", "--color", "black"], "'white' is for white"),
        (&["tree", "e2e5"], "move 1. e2e5: the white pawn on e2 cannot go to e5"),
        (&["tree", "white", "Nf6"], "move"),
    ] {
        let args = [&["repertoire"][..], args, &["--db", "c.db"]].concat();
        place.run(&args).exits(2).complains(part);
    }
    assert_eq!(fs::read(place.path("c.db")).unwrap(), before);
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_done() {
    let place = club();
    place.write("bad.pgn", "[Event \"X\"]\n\n1. e4 e5 (1... e4 2. d4) 2. Ke3 (2. Nf3 {unclosed\n");
    place.write("empty.pgn", "");
    place.write("binary.pgn", [0_u8, 159, 146, 150, 255, 10].repeat(1000));
    let run = |args: &[&str]| {
        place.run(&[&["repertoire"][..], args, &["--db", "x.db", "--color", "white"]].concat())
    };
    run(&["build", "a", "missing.pgn", "bad.pgn"])
        .exits(1)
        .complains("missing.pgn")
        .prints_part("added 1 game, 1 cut short at an error");
    run(&["build", "a", "empty.pgn"]).exits(0).prints_part("added 0 games");
    run(&["build", "c", "binary.pgn"]).exits(1).complains("nothing was written");
    run(&["build", "c", "missing.pgn"]).exits(1).complains("nothing was written");
    place.write("good.pgn", "1. d4 d5 *\n");
    run(&["add", "b", "bad.pgn"]).exits(2).complains("nothing was written (--lenient");
    run(&["add", "b", "bad.pgn", "good.pgn"])
        .exits(1)
        .complains("bad.pgn: has faults, and nothing of it is added (--lenient")
        .prints_part("2 moves of 1 chapter; it has 2 now");
    run(&["add", "b", "bad.pgn", "--lenient"])
        .exits(1)
        .complains("bad.pgn: game 1: move 1... e4: illegal")
        .complains("bad.pgn: game 1: move 2. Ke3: illegal")
        .prints_part("3 moves of 1 chapter");
    run(&["add", "c", "missing.pgn"]).exits(1).complains("nothing was written");
    run(&["add", "c", "binary.pgn"]).exits(1).complains("nothing was written");
    run(&["build", "bad.pgn"]).exits(2).complains("this is a file; name a repertoire before it");
    let names = cells(&place.run(&["db", "list", "--db", "x.db"]).stdout, &["name"]);
    assert_eq!(names, ["a", "b"]);
    place.run(&["repertoire", "build", "new", "bad.pgn", "--db", "y.db"]).exits(2);
    place
        .run(&["repertoire", "build", "new", "no.pgn", "--db", "y.db", "--color", "black"])
        .exits(1);
    let player = ["--color", "white", "--player", ""];
    place
        .run(&[&["repertoire", "build", "n", "bad.pgn", "--db", "y.db"][..], &player].concat())
        .exits(2)
        .complains("expected a value");
    assert!(!place.path("y.db").exists(), "a file was made for nothing");
}

#[test]
fn nesting_has_no_depth_that_kills() {
    let place = Workplace::new();
    let deep = format!("1. e4 {} {} *\n", "(1. d4 ".repeat(100_000), ")".repeat(100_000));
    place.write("deep.pgn", deep);
    let run = ["repertoire", "add", "a", "deep.pgn", "--db", "x.db", "--color", "white"];
    place.run(&run).exits(1).complains("passed over").prints_part("2 moves of 1 chapter");
}

#[test]
fn a_dry_run_lists_what_is_said_and_preferred_otherwise() {
    let place = Workplace::new();
    place.write(
        "a.pgn",
        "[ChapterName \"A\"]\n\n{about} 1. e4 {old\nlines} (1. d4) e5 (1... c5) *\n",
    );
    place.write(
        "b/a.pgn",
        "[ChapterName \"B\"]\n\n{about} 1. e4! {new} (1. d4 {so}) c5 (1... e5) *\n",
    );
    let add = ["repertoire", "add", "r", "--db", "x.db", "--color", "white"];
    place.run(&[&add[..], &["a.pgn"]].concat()).exits(0);
    let run = place.run(&[&add[..], &["b/a.pgn", "--dry-run"]].concat());
    let columns = ["only_in", "line", "move", "the_other", "notes"];
    assert_eq!(
        cells(&run.exits(0).stdout, &columns),
        [
            "first  e4 says other old lines",
            "first 1. e4 e5 prefers other ",
            "second  e4 says other ! new",
            "second  d4 says nothing so",
            "second 1. e4 c5 prefers other ",
        ]
    );
    run.complains(
        "0 moves only in the first, 0 only in the second, 1 other first choices, \
         2 other comments or glyphs; nothing was written",
    );
    place.run(&[&add[..], &["b/a.pgn"]].concat()).exits(0);
    let again = place.run(&[&add[..], &["b/a.pgn", "--dry-run"]].concat());
    assert_eq!(cells(&again.exits(0).stdout, &columns), [""; 0]);
    // A copy that differs in what it says alone.
    place.run(&["repertoire", "add", "s", "a.pgn", "--db", "x.db", "--color", "white"]).exits(0);
    let diff = ["db", "diff", "r", "s", "--db", "x.db"];
    assert_eq!(cells(&place.run(&diff).exits(0).stdout, &columns).len(), 5);
    assert_eq!(
        cells(&place.run(&[&diff[..], &["--only", "only_a,only_b"]].concat()).stdout, &columns),
        [""; 0]
    );
}

#[test]
fn a_build_is_the_same_on_any_number_of_threads() {
    let place = club();
    let dump = |options: &[&str]| {
        let _ = fs::remove_file(place.path("c.db"));
        let build = [&BUILD[..], &["Novak, Ana", "--block-size", "700"], options].concat();
        place.run(&build).exits(0);
        // The journal has the second in which it was built.
        let database = rusqlite::Connection::open(place.path("c.db")).unwrap();
        database.execute("UPDATE repertoire_change SET made_at = 0", []).unwrap();
        drop(database);
        fs::read(place.path("c.db")).unwrap()
    };
    let one = dump(&["-j1"]);
    assert!(dump(&["-j2"]) == one, "another file with 2 threads");
    assert!(dump(&["-j7"]) == one, "another file with 7 threads");
}

#[test]
fn a_file_without_masters_names_nothing() {
    let place = built();
    for args in [&["classify", "club.pgn"][..], &["lookup", "d4", "d5"], &["search", "benoni"]] {
        let with = place.run(&[args, &["--catalogue", "c.db"]].concat());
        with.exits(2).complains("c.db: has no masters to name openings by; `eco ingest FILE --db");
        place.run(&[args, &["--catalogue", "builtin"]].concat()).exits(0);
    }
}

/// Many games that differ, enough for a build to be killed in the middle.
fn many_games(count: usize) -> Vec<u8> {
    let club =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games/club.pgn"));
    let club = club.unwrap();
    let copies = (0..count).map(|n| club.replace("[Round \"", &format!("[Round \"{n}.")));
    copies.collect::<Vec<_>>().join("\n").into_bytes()
}

#[test]
fn a_build_that_is_killed_leaves_all_or_nothing() {
    let place = built();
    place.write("many.pgn", many_games(300));
    let args = ["repertoire", "build", "white", "many.pgn", "--db", "c.db", "--quiet"];
    let games = || {
        let list = place.run(&["db", "list", "--db", "c.db"]);
        cells(&list.exits(0).stdout, &["games"])[0].clone()
    };
    let before = fs::read(place.path("c.db")).unwrap();
    let mut seen = Vec::new();
    for wait in [5, 20, 40, 60, 90, 120, 160, 200, 250, 300] {
        let _ = fs::remove_file(place.path("c.db-journal"));
        fs::write(place.path("c.db"), &before).unwrap();
        let mut child = place.command(&args).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let database = eco::store::Database::open(&place.path("c.db")).unwrap();
        assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
        seen.push(games());
    }
    assert!(seen.iter().all(|games| games == "16" || games == "4816"), "{seen:?}");
    assert!(seen.contains(&"16".to_owned()), "every kill came too late");
    place.run(&args).exits(0);
    assert_eq!(games(), "4816");
}

#[test]
fn a_first_build_that_is_killed_leaves_no_database() {
    let place = club();
    place.write("many.pgn", many_games(300));
    let first = ["repertoire", "build", "white", "many.pgn", "--db", "c.db", "--quiet"];
    let args = [&first[..], &["--color", "white"]].concat();
    let mut killed = 0;
    for wait in [5, 20, 40, 60, 90, 120, 160, 200, 250, 300] {
        let mut child = place.command(&args).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if place.path("c.db").exists() {
            let list = place.run(&["db", "list", "--db", "c.db"]);
            assert_eq!(cells(&list.exits(0).stdout, &["name", "games"]), ["white 6000"]);
            fs::remove_file(place.path("c.db")).unwrap();
        } else {
            killed += 1;
        }
    }
    assert!(killed > 0, "every kill came too late");
    place.run(&args).exits(0);
    let files = fs::read_dir(place.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    let litter: Vec<_> = files.filter(|name| name.to_string_lossy().starts_with(".eco")).collect();
    assert!(litter.is_empty(), "{litter:?}");
}

#[test]
fn two_first_builds_of_one_file_both_come_through() {
    for _ in 0..3 {
        let place = club();
        let build = |name| {
            let args =
                ["repertoire", "build", name, "club.pgn", "--db", "c.db", "--color", "white"];
            place.command(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
        };
        let both = ["a", "b"].map(build);
        for child in both {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let list = place.run(&["db", "list", "--db", "c.db"]);
        assert_eq!(cells(&list.exits(0).stdout, &["name", "games"]), ["a 20", "b 20"]);
    }
}

#[test]
fn games_never_leave_the_repertoire_they_were_built_into() {
    let place = Workplace::new();
    // Back to a position that only this game has, by way of the initial one.
    let games = "1. Nh3 Nh6 2. Ng1 Ng8 3. Nh3 e5 4. d3 d5 *\n\n[Round \"2\"]\n\n1. e4 *\n";
    place.write("games.pgn", format!("[Round \"1\"]\n\n{games}"));
    let build = ["repertoire", "build", "r", "games.pgn", "--color", "white", "--db", "r.db"];
    place
        .run(&[&build[..], &["--mine", "min-games:1", "--theirs", "min-games:1"]].concat())
        .exits(0);
    place
        .run(&["repertoire", "check", "r", "games.pgn", "--db", "r.db"])
        .exits(0)
        .complains("2 games: 0 mine, 0 theirs, 0 book ended, 2 completed, 0 unmatched");
    let tree = place.run(&["repertoire", "tree", "r", "--db", "r.db"]);
    tree.exits(0).prints_part("1... e5 2. d3 d5");
}

#[test]
fn a_comment_alone_is_no_book() {
    let place = built();
    place.write("intro.pgn", "[Event \"Welcome\"]\n\n{Read this first.} *\n");
    place.run(&["repertoire", "add", "white", "intro.pgn", "--db", "c.db"]).exits(0);
    let check = ["repertoire", "check", "white", "club.pgn", "--db", "c.db"];
    place
        .run(&[&check[..], &["--mine", "min-games:1", "--theirs", "min-games:1"]].concat())
        .complains("0 mine, 0 theirs, 0 book ended, 16 completed");
    let shown = place.run(&["repertoire", "tree", "--db", "c.db", "--depth", "1", "-f", "table"]);
    shown.exits(0).prints_part("Read this first.");
}

#[test]
fn games_do_not_make_a_start_of_what_is_prepared_elsewhere() {
    let place = built();
    let fen = "rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3";
    place.write("kid.pgn", format!("[FEN \"{fen}\"]\n\n3. Nc3 Bg7 4. e4 *\n"));
    place.run(&["repertoire", "add", "white", "kid.pgn", "--db", "c.db"]).exits(0);
    place
        .run(&["repertoire", "check", "white", "club.pgn", "--db", "c.db"])
        .complains("0 mine, 0 theirs, 0 book ended, 0 completed, 20 unmatched");
    // Four games reach the position, three of them with another answer: 2.25 of four.
    place.run(&["repertoire", "gaps", "white", "--db", "c.db", "--depth", "2"]).complains("43.8 %");
}

#[test]
fn a_second_writer_waits_or_says_that_the_file_is_in_use() {
    let place = built();
    let held = rusqlite::Connection::open(place.path("c.db")).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    // Readers need not wait.
    place.run(&["db", "list", "--db", "c.db"]).exits(0);
    let build = ["repertoire", "build", "white", "club.pgn", "--db", "c.db"];
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| place.run(&build));
        std::thread::sleep(Duration::from_millis(500));
        held.execute_batch("COMMIT").unwrap();
        waits.join().unwrap().exits(0);
    });
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    place.run(&build).exits(2).complains("c.db: in use by another program; try again");
}

/// The player has only the other side: nothing is left behind that looks like a repertoire.
#[test]
fn a_build_that_selects_no_game_writes_nothing() {
    let place = club();
    let build = ["repertoire", "build", "w", "club.pgn", "--db", "n.db", "--color", "white"];
    place
        .run(&[&build[..], &["--player", "Nowak, Ana"]].concat())
        .exits(2)
        .complains("'Novak, Ana'");
    let rated = ["--player", "Novak, Ana", "--rating", "3900.."];
    place.run(&[&build[..], &rated].concat()).exits(2).complains("nothing was written");
    assert!(!place.path("n.db").exists());
    let place = built();
    place
        .run(&[
            "repertoire",
            "build",
            "b",
            "club.pgn",
            "--db",
            "c.db",
            "--color",
            "black",
            "--player",
            "Novak, Ana",
            "--rating",
            "3900..",
        ])
        .exits(2);
    let list = place.run(&["db", "list", "--db", "c.db"]);
    assert_eq!(cells(&list.exits(0).stdout, &["name"]), ["white"]);
}

/// One game from a position in an archive, and a chapter from one: lines keep their beginning, and
/// chapters their numbers.
#[test]
fn what_begins_elsewhere_changes_no_other_line() {
    let place = Workplace::new();
    let start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    place.write(
        "games.pgn",
        format!(
            "[SetUp \"1\"]\n[FEN \"{start}\"]\n\n2. Nf3 Nc6 1-0\n\n\
         [White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[White \"B\"]\n\n1. e4 e5 2. Nf3 Nf6 1-0\n"
        ),
    );
    let db = ["--db", "g.db"];
    let build = ["repertoire", "build", "g", "games.pgn", "--color", "white"];
    let first = place.run(&[&build[..], &db].concat());
    first.exits(0).prints_part(": added 2 games, 1 from another position (--from-position adds");
    let one = ["--mine", "min-games:1", "--theirs", "min-games:1"];
    let all = [&["repertoire", "build", "g", "games.pgn", "--from-position"], &one[..]].concat();
    let second = place.run(&[&all[..], &db].concat());
    second.exits(0).prints_part(": added 1 game, 2 known already");
    let csv = place.run(&[&["repertoire", "export", "g", "--format", "csv"][..], &db].concat());
    let lines = cells(&csv.exits(0).stdout.replace(',', "\t"), &["line"]);
    assert_eq!(lines, ["", "1. e4", "1. e4 e5", "1. e4 e5 2. Nf3", "1. e4 e5 2. Nf3"]);
    let chapter = "rnbqkbnr/pp2pppp/8/2pp4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4";
    place.write("chapter.pgn", format!("[FEN \"{chapter}\"]\n\n4. cxd5 Nf6 5. e4 *\n"));
    place
        .run(&[&["repertoire", "add", "p", "chapter.pgn", "--color", "white"][..], &db].concat())
        .exits(0);
    let tree = place.run(&[&["repertoire", "tree", "p"][..], &db].concat());
    assert!(tree.exits(0).stdout.starts_with(chapter), "{}", tree.stdout);
    assert!(tree.stdout.contains("\n4. cxd5 Nf6 5. e4"), "{}", tree.stdout);
    let anki = ["repertoire", "export", "p", "--format", "anki"];
    let anki = place.run(&[&anki[..], &db].concat());
    assert!(anki.stdout.contains("<b>4. cxd5</b>"), "{}", anki.stdout);
    let gaps = place.run(&[&["repertoire", "gaps", "p"][..], &db].concat());
    assert_eq!(gaps.exits(0).stdout.lines().count(), 1, "{}", gaps.stdout);
}

/// A study is edited, its chapters change places, and one is taken out.
#[test]
fn a_source_that_is_added_again_replaces_what_came_from_it() {
    let place = Workplace::new();
    let chapter = |name: &str, moves: &str| {
        format!(
            "[Event \"S\"]\n[StudyName \"S\"]\n[ChapterName \"{name}\"]\n\
             [ChapterURL \"https://lichess.org/study/abcdefgh/{name}\"]\n\n{moves} *\n\n"
        )
    };
    let (a, b) = ("1. d4! {one} d5 2. c4", "1. d4! {two} Nf6 (1... f5) 2. Nf3");
    place.write("old.pgn", chapter("A", a) + &chapter("B", b));
    place.write("new.pgn", chapter("C", "1. d4 g6") + &chapter("A", &a.replace("c4", "Bf4")));
    place.write("other.pgn", "1. d4 e6 *\n");
    let repertoire =
        |args: &[&str]| place.run(&[&["repertoire"], args, &["--db", "s.db"]].concat());
    repertoire(&["add", "r", "old.pgn", "--color", "white"])
        .exits(0)
        .prints("s.db: r: 6 moves of 2 chapters; it has 6 now\n");
    repertoire(&["add", "r", "other.pgn"]).exits(0);
    let anki = repertoire(&["export", "r", "--format", "anki"]);
    assert!(anki.stdout.contains("<b>1. d4!</b>"), "{}", anki.stdout);
    let study = "https://lichess.org/study/abcdefgh";
    let before = std::fs::read(place.path("s.db")).unwrap();
    let dry = repertoire(&["add", "r", "new.pgn", "--dry-run"]);
    dry.exits(0).complains(
        "3 moves only in the first, 2 only in the second, 1 other comments or glyphs; \
         nothing was written",
    );
    let only = cells(&dry.stdout, &["only_in", "move"]);
    assert_eq!(only.len(), 7, "{}", dry.stdout);
    assert!(std::fs::read(place.path("s.db")).unwrap() == before);
    repertoire(&["add", "r", "new.pgn"]).exits(0).prints(&format!(
        "s.db: r: 4 moves of 2 chapters; it has 5 now, in place of the earlier {study}: 4 moves gone, \
         2 new; gone chapter: S: B; new chapter: S: C\n"
    ));
    let chapters = place.run(&["db", "list", "r", "--db", "s.db"]);
    assert_eq!(
        cells(&chapters.exits(0).stdout, &["source", "number", "chapter", "moves"]),
        [
            format!("{study} 1 S: C 2"),
            format!("{study} 2 S: A 3"),
            "other.pgn 1 game 1 2".to_owned()
        ]
    );
    let json = |args: &[&str]| repertoire(args).exits(0).stdout.clone();
    let found = json(&["export", "r", "--format", "json"]);
    repertoire(&["add", "alone", "new.pgn", "--color", "white"]).exits(0);
    repertoire(&["add", "alone", "other.pgn"]).exits(0);
    assert_eq!(found, json(&["export", "alone", "--format", "json"]));
    // PGN has the chapters as they are, and comes back as they were.
    let pgn = json(&["export", "r", "--format", "pgn"]);
    place.write("out.pgn", &pgn);
    repertoire(&["add", "back", "out.pgn", "--color", "white"]).exits(0);
    assert_eq!(json(&["export", "back", "--format", "pgn"]).replace("\"back\"", "\"r\""), pgn);
    assert_eq!(json(&["export", "back", "--format", "json"]), found);
    // The old way.
    repertoire(&["add", "r", "old.pgn", "--existing", "merge"])
        .exits(0)
        .prints_part("it has 9 now, beside the earlier https");
    let edit = ["edit", "r", "1. d4", "Nf6", "--main", "--comment", "solid", "--glyph", "!?"];
    repertoire(&edit).exits(0);
    repertoire(&["edit", "r", "1. d4 d5", "--cut"])
        .exits(0)
        .complains("s.db: r: 1. d4 d5: 3 moves removed, in 'S: A'; it has 6 moves now");
    let show = repertoire(&["tree", "r", "d4", "--depth", "1"]);
    assert_eq!(cells(&show.exits(0).stdout, &["move", "notes"])[0], "Nf6 !? solid");
    repertoire(&["edit", "r", "1. d4 d5", "--cut"]).exits(2).complains("is not prepared");
    repertoire(&["edit", "r", "--cut", "--source", "x"]).exits(2).complains("other.pgn");
    repertoire(&["edit", "r", "--cut", "--source", study]).exits(0).complains("it has 2 moves now");
}

#[test]
fn json_with_counts_is_refused_with_what_to_use() {
    let place = built();
    let repertoire =
        |args: &[&str]| place.run(&[&["repertoire"], args, &["--db", "c.db"]].concat());
    place.write("w.json", &repertoire(&["export", "white", "--format", "json"]).exits(0).stdout);
    let add = ["add", "n", "w.json", "--format", "json", "--color", "white"];
    repertoire(&add).exits(2).complains("--only prepared");
    repertoire(&[&add[..], &["--only", "prepared"]].concat()).exits(0);
}

/// A line is judged as `eco stats` judges games: by what both ratings predict.
#[test]
fn lines_are_judged_by_what_ratings_predict() {
    let place = Workplace::new();
    // Expected 0.0909 against the stronger players, 0.5 against the equal ones.
    let games = [("2400", "1. d4 Nf6", "0-1", 8), ("2000", "1. d4 d5", "1-0", 4)];
    let mut text = String::new();
    for (black, moves, result, count) in games {
        for n in 0..count {
            let result = if n % 2 == 0 { result } else { "1/2-1/2" };
            text += &format!(
                "[WhiteElo \"2000\"]\n[BlackElo \"{black}\"]\n[Round \"{n}\"]\n\
                 [Date \"20{n:02}.01.01\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
            );
        }
    }
    place.write("games.pgn", text);
    let build = ["repertoire", "build", "w", "games.pgn", "--db", "w.db", "--color", "white"];
    place.run(&build).exits(0);
    let tree = ["repertoire", "tree", "w", "--db", "w.db"];
    let rows = place.run(&[&tree[..], &["--format", "tsv"]].concat());
    // 2 of 8 points with 0.7273 expected, 3 of 4 with 2.
    assert_eq!(
        cells(&rows.exits(0).stdout, &["line", "games", "score", "expected", "diff", "trend"]),
        [
            "1. d4 12 41.7 22.7 18.9 -3.0",
            "1. d4 Nf6 8 25.0 9.1 15.9 ",
            "1. d4 d5 4 75.0 50.0 25.0 ",
        ]
    );
    let sorted = place.run(&[&tree[..], &["--sort", "diff"]].concat());
    let lines: Vec<Vec<&str>> =
        sorted.exits(0).stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let ends: Vec<&str> = lines.iter().map(|line| *line.last().unwrap()).collect();
    assert_eq!(ends, ["+18.9", "+25.0", "+15.9"]);
}

/// Games that begin elsewhere are printed below their position, with their own numbers, and change
/// nothing in how ordinary games are printed.
#[test]
fn games_from_a_position_keep_their_numbers() {
    let place = Workplace::new();
    let game = |round: u32, fen: &str, moves: &str| {
        let fen = if fen.is_empty() { String::new() } else { format!("[FEN \"{fen}\"]\n") };
        format!("[Round \"{round}\"]\n{fen}\n{moves} 1-0\n\n")
    };
    let ending = "4k3/8/8/8/8/8/4P3/4K3 w - - 0";
    let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 12";
    let games = [
        game(1, "", "1. e4 e5 2. Nf3 Nc6"),
        game(2, "", "1. e4 e5 2. Nf3 d6"),
        game(3, open, "12. Nf3 Nc6"),
        game(4, &format!("{ending} 41"), "41. e4 Ke7"),
        game(5, &format!("{ending} 40"), "40. e4 Ke7"),
    ];
    place.write("games.pgn", games.concat());
    let build = ["repertoire", "build", "r", "games.pgn", "--color", "white", "--db", "r.db"];
    place.run(&[&build[..], &["--from-position"]].concat()).exits(0);
    let run = |args: &[&str]| place.run(&[&["repertoire"], args, &["--db", "r.db"]].concat());
    let tree = run(&["tree", "r", "--width", "60"]).stdout;
    let lines: Vec<&str> = tree.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(
        lines,
        ["1. e4 e5 2. Nf3 Nc6", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40", "40. e4 Ke7"],
        "{tree}"
    );
    for (args, line) in [
        (&["lint", "r", "--no-header"][..], "dead end\t8/4k3/8/8/4P3/8/8/4K3 w - - 1 41\t"),
        (&["export", "r", "--format", "csv", "-q"], ",40. e4,Ke7,"),
        (&["export", "r", "--format", "anki", "-q"], "<b>40. e4</b>"),
        (&["export", "r", "--format", "json", "-q"], "4P3/4K3 w - - 0 40\""),
        (&["export", "r", "--format", "pgn", "-q"], "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"]"),
    ] {
        let run = run(args);
        run.exits(0).prints_part(line);
        assert!(!run.stdout.contains("12. Nf3"), "{}", run.stdout);
    }
}
