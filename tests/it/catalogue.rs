//! `eco db` of masters, `eco search` in formats of masters, and every format that `ingest` reads.

use std::fs;

use crate::harness::Workplace;

const MINE: &str = "A80\tMy Dutch\t1. d4 f5\nA00\tMy Own\t1. h4 h5 2. a4\n";

fn with_two_masters() -> Workplace {
    let place = Workplace::new();
    place.write("mine.tsv", MINE);
    place.run(&["ingest", "mine.tsv", "builtin", "--db", "x.db"]).exits(0);
    place
}

fn dutch(place: &Workplace) -> String {
    let args = ["classify", "--catalogue", "x.db", "--no-header", "--fields", "opening,master"];
    place.pipe(&args, b"1. d4 f5 *").exits(0).stdout.clone()
}

#[test]
fn masters_are_listed_preferred_and_removed() {
    let place = with_two_masters();
    let fields = |text: &str| -> Vec<String> {
        let rows = text.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
        rows.map(|row| format!("{} {} {} {} {}", row[11], row[1], row[5], row[9], row[10]))
            .collect()
    };
    let list =
        |place: &Workplace| fields(&place.run(&["db", "list", "--db", "x.db"]).exits(0).stdout);
    assert_eq!(list(&place), ["1 mine 2 2 2", "2 lichess 3810 3810 3809"]);
    assert_eq!(dutch(&place), "My Dutch\tmine\n");
    place.run(&["db", "prefer", "lichess", "--db", "x.db"]).exits(0).prints("");
    assert_eq!(list(&place), ["1 lichess 3810 3810 3810", "2 mine 2 2 1"]);
    assert_eq!(dutch(&place), "Dutch Defense\tlichess\n");
    let remove = ["db", "remove", "master:lichess", "--yes", "--db", "x.db"];
    place.run(&remove).exits(0).prints("x.db: lichess: removed with 3810 lines\n");
    assert_eq!(list(&place), ["1 mine 2 2 2"]);
    let before = fs::read(place.path("x.db")).unwrap();
    for (command, complaint) in [
        ("prefer", "eco: x.db: no master 'nobody'; there is mine"),
        ("remove", "eco: x.db: has nothing of the name 'nobody'; it has master mine"),
    ] {
        place.run(&["db", command, "nobody", "--db", "x.db"]).exits(2).complains(complaint);
    }
    assert_eq!(fs::read(place.path("x.db")).unwrap(), before);
    let builtin = place.run(&["db", "list", "builtin"]);
    assert_eq!(fields(&builtin.exits(0).stdout), ["1 lichess 3810 3810 3810"]);
}

#[test]
fn two_catalogues_are_compared() {
    let place = with_two_masters();
    place
        .run(&["db", "diff", "--db", "x.db", "mine", "lichess", "--only", "only_a,code,name"])
        .exits(0)
        .complains("1 position only in A, 3809 only in B, 0 with another code, 1 with another name, 0 the same")
        .prints(
            "kind\teco_a\teco_b\topening_a\topening_b\tmoves\tkey\n\
             name\tA80\tA80\tMy Dutch\tDutch Defense\t1. d4 f5\t\
             rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n\
             only_a\tA00\t\tMy Own\t\t1. h4 h5 2. a4\t\
             rnbqkbnr/ppppppp1/8/7p/P6P/8/1PPPPPP1/RNBQKBNR b KQkq -\n",
        );
    let same = place.run(&["db", "diff", "builtin", "builtin"]);
    same.exits(0)
        .prints("kind\teco_a\teco_b\topening_a\topening_b\tmoves\tkey\n")
        .complains("0 positions only in A, 0 only in B, 0 with another code, 0 with another name, 3810 the same");
    place.run(&["db", "diff", "mine.tsv", "no.tsv"]).exits(2).complains("'no.tsv': no such file");
}

#[test]
fn what_is_exported_comes_back_the_same() {
    let place = with_two_masters();
    for format in ["lichess", "pgn", "scid", "epd", "eco-json", "sqlite"] {
        let (out, back) = (format!("out.{format}"), format!("{format}.db"));
        place
            .run(&["search", "--catalogue", "x.db", "--format", format, "-o", &out])
            .exits(0)
            .prints("");
        place.run(&["ingest", &out, "--db", &back]).exits(0);
        let diff = place.run(&["db", "diff", "x.db", &back]);
        diff.exits(0).complains("0 positions only in A, 0 only in B, 0 with another code, 0 with another name, 3811 the same");
        place
            .run(&["db", "verify", "--db", &back])
            .exits(0)
            .is_silent()
            .prints_part(" 0 are never found\n");
    }
    for (format, masters) in [("eco-json", 2), ("sqlite", 2), ("lichess", 1)] {
        let back = format!("{format}.db");
        let list = place.run(&["db", "list", &back]);
        assert_eq!(list.stdout.lines().count(), masters + 1, "{format}\n{}", list.stdout);
    }
    let to_stdout =
        place.run(&["search", "--master", "mine", "--catalogue", "x.db", "--format", "scid"]);
    to_stdout.exits(0).prints("A80 \"My Dutch\"  1.d4 f5 *\nA00 \"My Own\"  1.h4 h5 2.a4 *\n");
}

#[test]
fn an_export_does_not_write_over_a_database_or_leave_half_a_file() {
    let place = with_two_masters();
    let before = fs::read(place.path("x.db")).unwrap();
    place
        .run(&["search", "--format", "sqlite", "-o", "x.db"])
        .exits(2)
        .complains("x.db: exists already; nothing was written");
    assert_eq!(fs::read(place.path("x.db")).unwrap(), before);
    place.run(&["search", "--format", "sqlite"]).exits(2).complains("--output");
    place
        .run(&["search", "--format", "lichess", "-o", "no/such/folder.tsv"])
        .exits(2)
        .complains("no/such/folder.tsv: cannot be written: No such file");
    place
        .run(&["search", "--format", "lichess", "--master", "nobody"])
        .exits(2)
        .complains("no master 'nobody'; there is lichess");
    assert_eq!(place.files(), ["mine.tsv", "x.db"]);
}

#[test]
#[cfg(unix)]
fn an_export_respects_what_is_there() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let place = with_two_masters();
    let before = fs::read(place.path("x.db")).unwrap();
    let export = |to: &str| {
        place.run(&[
            "search",
            "--catalogue",
            "x.db",
            "--master",
            "mine",
            "--format",
            "scid",
            "-o",
            to,
        ])
    };
    export("x.db").exits(2).complains("x.db: is a database; nothing was written");
    assert_eq!(fs::read(place.path("x.db")).unwrap(), before);
    // A link is followed, and an old file keeps its mode.
    place.write("real.eco", "old");
    fs::set_permissions(place.path("real.eco"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.eco", place.path("link.eco")).unwrap();
    export("link.eco").exits(0);
    assert!(place.path("link.eco").is_symlink());
    assert!(fs::read_to_string(place.path("real.eco")).unwrap().starts_with("A80 \"My Dutch\""));
    let mode = fs::metadata(place.path("real.eco")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // Anything but a regular file stays what it is.
    symlink("/dev/null", place.path("null")).unwrap();
    export("null").exits(0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    export(".").exits(2).complains("cannot be written");
}

#[test]
fn names_elsewhere_are_told_to_be_left_out() {
    let place = Workplace::new();
    let json = "{\"eco\":\"B20\",\"name\":\"S\",\"moves\":\"1. e4 c5\",\"scid\":\"B20a\"}\n";
    place.write("m.json", json);
    for (format, told) in [
        ("lichess", "1 alias of an opening is left out; eco-json and sqlite keep them\n"),
        ("eco-json", ""),
    ] {
        let run = place.run(&["search", "--catalogue", "m.json", "--format", format]);
        assert_eq!(run.exits(0).stderr, told, "{format}");
    }
}

#[test]
fn what_scid_s_format_has_no_words_for_is_told() {
    let place = Workplace::new();
    place.write("m.tsv", "A00\tThe \"easy\" one\t1. a3\nA00\tOther\t1. b3\n");
    place
        .run(&["search", "--catalogue", "m.tsv", "--format", "scid"])
        .exits(1)
        .prints("A00 \"Other\"  1.b3 *\n")
        .complains("m.tsv: line 1: A00 The \"easy\" one: left out");
}

#[test]
fn a_catalogue_is_verified() {
    let place = with_two_masters();
    place.run(&["db", "verify", "builtin"]).exits(0).prints(
        "3810 lines replayed to 3810 positions: 3810 name what they say, 0 are decided by a master \
         before theirs, 0 are never found\n",
    );
    place.run(&["db", "verify", "--db", "x.db"]).exits(0).prints(
        "3812 lines replayed to 3811 positions: 3811 name what they say, 1 are decided by a master \
         before theirs, 0 are never found\n",
    );
    place.write("twice.tsv", "A00\tFirst\t1. a3\nA00\tHidden\t1. a3\nA00\tBad\t1. a5\n");
    place
        .run(&["db", "verify", "twice.tsv"])
        .exits(1)
        .complains("twice.tsv: line 3: move 1. a5: illegal")
        .complains("twice.tsv: line 2: A00 Hidden: never found, it is A00 First");
    // Damage that SQLite itself finds.
    let database = rusqlite::Connection::open(place.path("x.db")).unwrap();
    database
        .execute_batch(
            "PRAGMA foreign_keys = off; INSERT INTO alias VALUES (99999, 's', NULL, 'n')",
        )
        .unwrap();
    place
        .run(&["db", "verify", "--db", "x.db"])
        .exits(1)
        .complains("a row of table alias refers to nothing");
}

#[test]
fn a_catalogue_that_is_kept_ready_is_compared_with_its_masters() {
    let place = with_two_masters();
    let changed = "UPDATE opening SET name = 'Changed' WHERE name = 'My Dutch'";
    let named = |name: &str| {
        place.run(&["lookup", "1. d4 f5", "--catalogue", "x.db"]).exits(0).prints_part(name);
        place
            .pipe(&["classify", "--catalogue", "x.db", "--fields", "opening"], b"1. d4 f5")
            .exits(0)
            .prints(&format!("opening\n{name}\n"));
    };
    named("My Dutch");
    let database = rusqlite::Connection::open(place.path("x.db")).unwrap();
    database.execute(changed, []).unwrap();
    named("Changed");
    // Whatever eco adds to the file, the catalogue is kept again.
    place.write("m.tsv", "A00\tThird\t1. a3 a6\n");
    place.run(&["ingest", "m.tsv", "--master", "third", "--db", "x.db"]).exits(0);
    named("Changed");
    // A program that runs no triggers.
    let no_triggers = rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER;
    database.set_db_config(no_triggers, false).unwrap();
    place.run(&["db", "verify", "--db", "x.db"]).exits(0);
    database.execute("UPDATE opening SET name = 'Hidden' WHERE name = 'Changed'", []).unwrap();
    place
        .run(&["db", "verify", "--db", "x.db"])
        .exits(1)
        .complains("table catalogue_image is not what the masters make");
    database.execute("DELETE FROM catalogue_image", []).unwrap();
    named("Hidden");
}

#[test]
fn every_format_is_told_by_its_content() {
    let place = Workplace::new();
    let fen = "rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -";
    for (name, text) in [
        ("m.tsv", "eco\tname\tpgn\nA80\tDutch: X\t1. d4 f5\n".to_owned()),
        (
            "m.pgn",
            "{ x }\n\n[ECO \"A80\"]\n[Opening \"Dutch\"]\n[Variation \"X\"]\n\n1. d4 f5 *\n"
                .to_owned(),
        ),
        ("m.eco", "# x\nA80 \"Dutch: X\"  1.d4 f5 *\n".to_owned()),
        ("m.txt", "A80    Dutch: X\r\n1.d4 f5 1/2\r\n\r\n".to_owned()),
        ("m.json", format!("{{\"{fen} 0 2\": {{\"eco\":\"A80\",\"name\":\"Dutch: X\"}}}}")),
        ("m.jsonl", "{\"eco\":\"A80\",\"name\":\"Dutch: X\",\"moves\":\"1. d4 f5\"}\n".to_owned()),
        ("m.epd", format!("{fen} eco A80; v0 \"Dutch\"; v1 \"X\";\n")),
        ("m.fen", format!("{fen} 0 2 eco A80; id \"Dutch: X\";\n")),
    ] {
        place.write(name, &text);
        let db = format!("{name}.db");
        place
            .run(&["ingest", name, "--db", &db])
            .exits(0)
            .prints(&format!("{db}: added master m: 1 line, 1 position\n"));
        let args = ["classify", "--catalogue", &db, "--no-header", "--fields", "eco,variation,ply"];
        place.pipe(&args, b"1. f4 *").exits(0).prints("\t\t0\n");
        place.pipe(&args, b"1. Nf3 f5 2. Ng1 e6 3. d4 *").exits(0).prints("\t\t0\n");
        place.pipe(&args, b"1. d3 f5 2. d4 *").exits(0).prints("\t\t0\n");
        place.pipe(&args, b"1. d4 f5 2. Nf3 *").exits(0).prints("A80\tX\t2\n");
    }
}

/// Positions of a club's own, of which one has a code.
const CLUB: &str = "\
r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - id \"Fried Liver trap\";
rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - v0 \"Dragon\"; v1 \"our tabiya\";
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - eco \"B20\"; v0 \"Sicilian\";
";

const CLUB_GAMES: &str = "\
[White \"A\"]\n[ECO \"C57\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 *\n\n\
[White \"B\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 1-0\n\n\
[White \"C\"]\n\n1. e4 c5 *\n\n[White \"D\"]\n\n1. d4 *\n";

fn club() -> Workplace {
    let place = Workplace::new();
    place.write("club.epd", CLUB);
    place.write("g.pgn", CLUB_GAMES);
    place
        .run(&["ingest", "club.epd", "--db", "x.db"])
        .exits(0)
        .prints("x.db: added master club: 3 lines, 3 positions\n");
    place
}

#[test]
fn positions_without_codes_name_games_as_others_do() {
    let place = club();
    for (args, printed) in [
        (
            "classify g.pgn --catalogue x.db --no-header --fields white,eco,opening,ply",
            "A\t\tFried Liver trap\t7\nB\t\tDragon: our tabiya\t10\nC\tB20\tSicilian\t2\nD\t\t\t0\n",
        ),
        (
            "classify g.pgn --catalogue x.db --format jsonl --fields eco,opening --opening liver",
            "{\"eco\":null,\"opening\":\"Fried Liver trap\"}\n",
        ),
        (
            "tag g.pgn --catalogue x.db",
            "[White \"A\"]\n[Result \"*\"]\n[Opening \"Fried Liver trap\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 *\n\n\
             [White \"B\"]\n[Result \"1-0\"]\n[Opening \"Dragon: our tabiya\"]\n\n\
             1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 1-0\n\n\
             [White \"C\"]\n[ECO \"B20\"]\n[Opening \"Sicilian\"]\n\n1. e4 c5 *\n\n\
             [White \"D\"]\n\n1. d4 *\n",
        ),
        (
            "tag g.pgn --catalogue x.db --dry-run --quiet",
            "change\tgames\tsource\tgame\twhite\tblack\topening_before\topening_after\n\
             none: name\t1\tg.pgn\t2\tB\t\t\tDragon: our tabiya\n\
             none -> B20\t1\tg.pgn\t3\tC\t\t\tSicilian\n\
             C57 -> none\t1\tg.pgn\t1\tA\t\t\tFried Liver trap\n",
        ),
        ("classify g.pgn --catalogue x.db --no-header --fields white --eco A,B,C", "C\n"),
        ("classify g.pgn --catalogue x.db --no-header --fields white --opening liver", "A\n"),
        (
            "search liver --catalogue x.db --format jsonl",
            "{\"eco\":null,\"opening\":\"Fried Liver trap\",\"moves\":null,\"master\":\"club\",\
             \"key\":\"r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq -\",\"aliases\":[],\
             \"found_by\":null}\n",
        ),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        place.run(&args).exits(0).prints(printed);
    }
    let moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6";
    place.run(&["lookup", moves, "--catalogue", "x.db"]).exits(0).prints_part(
        "named on the way:\n  1... c5      B20 Sicilian\n  5... g6      Dragon: our tabiya\n",
    );
    for (by, groups) in [("eco", 2), ("volume", 2), ("opening", 4)] {
        let rows = place.run(&["stats", "g.pgn", "--catalogue", "x.db", "--by", by, "--no-header"]);
        // Those without a code are with those without an opening.
        assert_eq!(rows.exits(0).stdout.lines().count(), groups, "{by}\n{}", rows.stdout);
    }
    let named = ["--db", "x.db", "--catalogue", "x.db"];
    place.run(&[&["index", "g.pgn"], &named[..]].concat()).exits(0);
    let explore = ["explore", "1. e4 c5", "--opening", "tabiya", "--no-header"];
    let args = [&explore[..], &named].concat();
    place.run(&args).exits(0).prints_part("Nf3\tg1f3\t1\t");
}

#[test]
fn positions_without_codes_go_through_every_format_but_scid_s() {
    let place = club();
    for format in ["lichess", "pgn", "epd", "eco-json", "sqlite"] {
        let (out, back) = (format!("out.{format}"), format!("{format}.db"));
        place
            .run(&["search", "--catalogue", "x.db", "--format", format, "-o", &out])
            .exits(0)
            .is_silent();
        place.run(&["ingest", &out, "--db", &back]).exits(0);
        place.run(&["db", "diff", "x.db", &back]).exits(0).complains(
            "0 positions only in A, 0 only in B, 0 with another code, 0 with another name, 3 the same",
        );
    }
    place.write("m.tsv", "name\tpgn\nOur line\t1. a3 a6\n");
    place
        .run(&["search", "--catalogue", "m.tsv", "--format", "scid"])
        .exits(1)
        .complains("eco: m.tsv: line 2: Our line: left out: the format cannot express it");
    place.run(&["db", "diff", "club.epd", "builtin", "--only", "code"]).exits(0).prints_part(
        "code\t\tC57\tFried Liver trap\tItalian Game: Two Knights Defense, Knight Attack\t",
    );
}

#[test]
fn lines_listed_twice_are_counted_with_their_codes() {
    let place = Workplace::new();
    place.write(
        "m.tsv",
        "A80\tOne\t1. d4 f5 2. g3\nA81\tTwo\t1. g3 f5 2. d4\nA00\tThree\t1. a3 a6 2. b3\n\
         A00\tFour\t1. b3 a6 2. a3\n",
    );
    place.run(&["ingest", "m.tsv", "--db", "x.db"]).exits(0).prints(
        "x.db: added master m: 4 lines, 2 positions; 2 listed twice, 1 of them with different codes\n",
    );
    place.write("n.tsv", "A82\tElsewhere\t1. d4 f5 2. g3\nA00\tNew\t1. a4\n");
    place.run(&["ingest", "n.tsv", "--db", "x.db"]).exits(0).prints(
        "x.db: added master n: 2 lines, 2 positions; 1 named before, 1 of them with another code\n",
    );
}

#[test]
fn versions_and_days_are_kept() {
    let place = Workplace::new();
    place.write("m.tsv", MINE);
    let args = ["ingest", "m.tsv", "--db", "x.db", "--edition", "7", "--date", "2020-02-29"];
    place.run(&args).exits(0);
    let list = place.run(&["db", "list", "--db", "x.db"]);
    assert!(list.stdout.contains("\t7\t2020-02-29\t"), "{}", list.stdout);
    // Without a date it is the day the file was changed; before 1970 there are no words for it.
    for (seconds, day) in [(86_400 * 365, "1971-01-01"), (-1, "")] {
        let time = std::time::UNIX_EPOCH;
        let step = std::time::Duration::from_secs(i64::unsigned_abs(seconds));
        let time = if seconds < 0 { time - step } else { time + step };
        fs::File::options()
            .append(true)
            .open(place.path("m.tsv"))
            .unwrap()
            .set_modified(time)
            .unwrap();
        let list = place.run(&["db", "list", "m.tsv"]);
        assert!(list.exits(0).stdout.contains(&format!("\t1\t\t{day}\t")), "{}", list.stdout);
    }
    for (args, told) in [
        (["m.tsv", "--date", "29.2.2020"], "expected a day such as 2026-09-11"),
        (["m.tsv", "--master", "a\tb"], "expected a name without control characters"),
        (["builtin", "--edition", "9"], "builtin: has its own edition and date"),
    ] {
        place.run(&[&["ingest", "--db", "y.db"][..], &args].concat()).exits(2).complains(told);
    }
    // As one master, files and the built-in one take all of it.
    let args =
        ["ingest", "m.tsv", "builtin", "--master", "one", "--edition", "9", "--db", "one.db"];
    place.run(&args).exits(0);
    let list = place.run(&["db", "list", "--db", "one.db"]);
    assert!(list.stdout.contains("\t3811\t3811\t1\t9\t2026-09-11\t"), "{}", list.stdout);
}

#[test]
fn the_whole_built_in_master_has_one_fingerprint_however_it_is_put_together() {
    let place = Workplace::new();
    let fingerprint = |db: &str| {
        let list = place.run(&["db", "list", "--db", db]).exits(0).stdout.clone();
        list.trim_end().rsplit('\t').next().unwrap().to_owned()
    };
    place.run(&["ingest", "builtin", "--db", "a.db"]).exits(0);
    place.run(&["ingest", "builtin", "--master", "other", "--db", "b.db"]).exits(0);
    assert_eq!(fingerprint("a.db"), fingerprint("b.db"));
    assert_eq!(fingerprint("a.db").len(), 64);
}
