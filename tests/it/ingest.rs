//! `eco ingest`, and `classify --catalogue`.

use std::fs;

use crate::harness::{Workplace, famous_games};

const MASTER: &str = "eco\tname\tpgn\nA00\tMy Own: Line\t1. e4 c5\nB90a1\tLong Code\t1. d4 f5\n";

#[test]
fn the_built_in_catalogue_goes_into_a_file_and_classifies_the_same() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place
        .run(&["ingest", "--db", "x.db"])
        .exits(0)
        .prints("x.db: added master lichess: 3810 lines, 3810 positions\n");
    assert_eq!(place.files(), ["g.pgn", "x.db"]);
    let built_in = place.run(&["classify", "g.pgn", "--fields", "all"]).exits(0).stdout.clone();
    place
        .run(&["classify", "g.pgn", "--fields", "all", "--catalogue", "x.db"])
        .exits(0)
        .prints(&built_in);
}

#[test]
fn an_own_master_before_the_built_in_one_decides() {
    let place = Workplace::new();
    place.write("mine.tsv", MASTER);
    place.run(&["ingest", "mine.tsv", "--db", "x.db", "--quiet"]).exits(0).prints("");
    place.run(&["ingest", "--db", "x.db"]).exits(0);
    let args = ["classify", "--catalogue", "x.db", "--no-header", "--fields", "eco,opening"];
    place.pipe(&args, b"1. e4 c5 *").prints("A00\tMy Own: Line\n");
    place.pipe(&args, b"1. d4 f5 *").prints("B90a1\tLong Code\n");
    place.pipe(&args, b"1. d4 f5 2. g3 *").prints("A81\tDutch Defense: Fianchetto Attack\n");
}

#[test]
fn bad_lines_are_named_and_nothing_is_written_unless_lenient() {
    let place = Workplace::new();
    place.write("bad.tsv", format!("{MASTER}X\tNo Code\t1. a3\nA00\tNo Move\t1. e4 e5 2. Ke3\n"));
    let run = place.run(&["ingest", "bad.tsv", "--db", "x.db"]);
    run.exits(2)
        .complains("eco: bad.tsv: line 4: not an ECO code: 'X'")
        .complains("eco: bad.tsv: line 5: move 2. Ke3: illegal")
        .complains("2 bad lines; nothing was written");
    assert_eq!(place.files(), ["bad.tsv"]);
    place.write("one.tsv", format!("{MASTER}X\tNo Code\t1. a3\n"));
    let run = place.run(&["lookup", "e4", "--catalogue", "one.tsv"]);
    run.exits(2).complains("one.tsv: 1 bad line; ");
    let run = place.run(&["ingest", "bad.tsv", "--db", "x.db", "--lenient"]);
    run.exits(1)
        .prints("x.db: added master bad: 2 lines, 2 positions\n")
        .complains("bad.tsv: line 5");
}

#[test]
fn lines_that_lead_to_one_position_are_told() {
    let place = Workplace::new();
    place.write("two.tsv", "A80\tFirst\t1. d4 f5 2. g3\nA81\tSecond\t1. g3 f5 2. d4\n");
    place.run(&["ingest", "two.tsv", "--db", "x.db"]).exits(0).complains(
        "two.tsv: line 2: A81 Second leads to the same position as two.tsv: line 1, A80 First",
    );
    let args = ["classify", "--catalogue", "x.db", "--no-header", "--fields", "eco,transposed"];
    // The line that the game followed names it, or else the first.
    place.pipe(&args, b"1. g3 f5 2. d4 *").prints("A81\tfalse\n");
    place.pipe(&args, b"1. d4 f5 2. g3 *").prints("A80\tfalse\n");
    place.pipe(&args, b"1. g3 f5 2. Nf3 Nf6 3. Ng1 Ng8 4. d4 *").prints("A80\ttrue\n");
}

#[test]
fn several_files_are_several_masters_or_one() {
    let place = Workplace::new();
    place.write("a.tsv", MASTER);
    place.write("b.tsv", "A00\tOther\t1. a3\n");
    place
        .run(&["ingest", "a.tsv", "b.tsv", "--db", "two.db"])
        .prints("two.db: added master a: 2 lines, 2 positions\ntwo.db: added master b: 1 line, 1 position\n");
    place
        .run(&["ingest", "a.tsv", "b.tsv", "--master", "both", "--db", "one.db"])
        .prints("one.db: added master both: 3 lines, 3 positions\n");
    place.write("d/a.tsv", MASTER);
    place
        .run(&["ingest", "a.tsv", "d/a.tsv", "--db", "no.db"])
        .exits(2)
        .complains("two masters would be called 'a'");
    assert!(!place.path("no.db").exists());
}

#[test]
fn a_changed_master_is_replaced_in_its_place_and_its_changes_are_printed() {
    let place = Workplace::new();
    place.write("mine.tsv", MASTER);
    place.run(&["ingest", "mine.tsv", "builtin", "--db", "x.db"]).exits(0);
    let unchanged = "x.db: unchanged master mine: 2 lines, 2 positions\n";
    place.run(&["ingest", "mine.tsv", "--db", "x.db"]).exits(0).prints(unchanged);
    place.write("mine.tsv", "A00\tMy Sicilian\t1. e4 c5\nA00\tMy Spike\t1. g4\n");
    place.run(&["ingest", "mine.tsv", "--db", "x.db"]).exits(0).prints(
        "x.db: replaced master mine: 2 lines, 2 positions\n  \
         A00 My Own: Line is now A00 My Sicilian (1. e4 c5)\n  \
         B90a1 Long Code (1. d4 f5) is removed\n  A00 My Spike (1. g4) is added\n",
    );
    let args = ["classify", "--catalogue", "x.db", "--no-header", "--fields", "eco,opening"];
    place.pipe(&args, b"1. e4 c5 *").prints("A00\tMy Sicilian\n");
    place.pipe(&args, b"1. d4 f5 *").prints("A80\tDutch Defense\n");
    place.write("mine.tsv", "A00\tMy Spike\t1. g4\nA00\tMy Sicilian\t1. e4 c5\n");
    place.run(&["ingest", "mine.tsv", "--db", "x.db"]).exits(0).prints(
        "x.db: replaced master mine: 2 lines, 2 positions\n  every position has the name it had\n",
    );
    // One that has moved, and a version that has changed.
    place.write("mine.tsv", "A00\tMy Spike\t1. h4\nA00\tMy Sicilian\t1. e4 c5\n");
    let with_version = ["ingest", "mine.tsv", "--db", "x.db", "--edition", "2"];
    place.run(&with_version).exits(0).prints(
        "x.db: replaced master mine: 2 lines, 2 positions\n  version none is now 2\n  \
         A00 My Spike (1. g4) is removed\n  A00 My Spike (1. h4) is added\n",
    );
    place
        .run(&["ingest", "mine.tsv", "--db", "x.db"])
        .exits(0)
        .prints("x.db: replaced master mine: 2 lines, 2 positions\n  version 2 is now none\n");
    place.write("mine.tsv", "A00\tBad\t1. g9\n");
    place.run(&["ingest", "mine.tsv", "--db", "x.db"]).exits(2);
    place.pipe(&args, b"1. h4 *").prints("A00\tMy Spike\n");
}

#[test]
fn masters_that_are_none_are_refused() {
    let place = Workplace::new();
    place.write("empty.tsv", "eco\tname\tpgn\n");
    place.write("binary.tsv", [0_u8, 1, 2, 255, 10].repeat(500));
    place.run(&["ingest", "empty.tsv", "--db", "x.db"]).exits(2).complains("no openings in it");
    place
        .run(&["ingest", "binary.tsv", "--db", "x.db"])
        .exits(2)
        .complains("binary.tsv: not an ECO master");
    let run = place.run(&["ingest", "no.tsv", "--db", "x.db"]);
    run.exits(1).complains("no.tsv: No such file").complains("nothing was written");
    // The others are ingested, unless all are to be one master.
    place.write("mine.tsv", MASTER);
    let two = ["ingest", "no.tsv", "mine.tsv", "--db", "x.db"];
    let run = place.run(&[&two[..], &["--master", "both"]].concat());
    run.exits(1).complains("nothing was written");
    assert!(!place.path("x.db").exists());
    place.run(&two).exits(1).prints_part("added master mine").complains("no.tsv: No such file");
}

#[test]
fn databases_that_are_none_are_refused_untouched() {
    let place = Workplace::new();
    for (name, bytes) in [("text.db", &b"some text of mine\n"[..]), ("empty.db", b"")] {
        place.write(name, bytes);
        place.run(&["ingest", "--db", name]).exits(2).complains("not a position database");
        place.pipe(&["classify", "--catalogue", name], b"1. e4").exits(2).complains(name);
        assert_eq!(fs::read(place.path(name)).unwrap(), bytes);
    }
    place.run(&["ingest", "--db", "no/such/folder/x.db"]).exits(2).complains("No such file");
}

#[test]
fn newer_locked_and_damaged_databases_are_named_for_what_they_are() {
    let place = Workplace::new();
    place.run(&["ingest", "--db", "x.db"]).exits(0);
    let database = rusqlite::Connection::open(place.path("x.db")).unwrap();
    let try_all = |part: &str| {
        place.pipe(&["classify", "--catalogue", "x.db"], b"1. e4").exits(2).complains(part);
        place.write("m.tsv", MASTER);
        place.run(&["ingest", "m.tsv", "--db", "x.db"]).exits(2).complains(part);
    };
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    try_all("eco: x.db: in use by another program");
    database.execute_batch("ROLLBACK").unwrap();
    let known: i32 = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let newer = known + 1;
    database.pragma_update(None, "user_version", newer).unwrap();
    try_all(&format!(
        "eco: x.db: schema {newer}, and this release of eco reads schema {known}; make it again"
    ));
    database.pragma_update(None, "user_version", known).unwrap();
    database.execute_batch("UPDATE opening SET line = '1. a3'").unwrap();
    try_all("eco: x.db: damaged (");
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_printed_is_told_or_passed_over() {
    let place = Workplace::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command(&["ingest", "--db", "x.db"]).stdout(full).output().unwrap();
    crate::harness::Run::new(&output).exits(2).complains("standard output: No space left");
}

#[test]
fn names_from_masters_cannot_speak_to_a_terminal() {
    let place = Workplace::new();
    place.write("m.tsv", "A00\tRed \u{1b}[31m Opening\t1. e4\n");
    place.run(&["ingest", "m.tsv", "--db", "x.db"]).exits(0);
    let args = ["classify", "--catalogue", "x.db", "--no-header", "--fields", "opening"];
    place.pipe(&args, b"1. e4").prints("Red  [31m Opening\n");
    let run = place.run(&["classify", "no\u{1b}[31m.pgn"]);
    assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let place = Workplace::new();
    let folder = place.path("locked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        println!("SKIPPED: this user may write everywhere");
        return;
    }
    place.run(&["ingest", "--db", "locked/x.db"]).exits(2).complains("cannot be written");
}
