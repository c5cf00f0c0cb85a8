//! `eco repertoire export`, and programs that read what it writes.

use std::{path::Path, process::Command};

use crate::harness::Workplace;

/// With castling on both sides, a promotion, and en passant that a pin forbids: after 4... d5 the
/// pawn on e5 stands before its king and the queen on e7.
const PREPARED: &str = "[Event \"Lines\"]\n\n\
    1. e4 e5 2. d4 $6 {too \"soon\", they say} (2. Nf3 Nc6 3. Bb5 Nf6 4. O-O (4. d3)) 2... exd4 3. e5 Qe7 \
    4. Nf3 d5 5. Bb5+ c6 6. O-O cxb5 *\n\n\
    [Event \"The other side\"]\n\n\
    1. d4 d5 2. Bf4 e6 3. Nc3 Bd6 4. Qd2 Nf6 5. O-O-O O-O 6. Nb5 *\n\n\
    [Event \"End\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N (1. a8=Q) *\n";

fn prepared() -> Workplace {
    let place = Workplace::new();
    place.write("lines.pgn", PREPARED);
    let add = ["repertoire", "add", "mine", "lines.pgn", "--db", "x.db", "--color", "white", "-q"];
    place.run(&add).exits(0);
    place
}

fn export(args: &[&'static str]) -> Vec<&'static str> {
    [&["repertoire", "export", "mine", "--db", "x.db", "--format"], args].concat()
}

#[test]
fn every_format_has_the_moves() {
    let place = prepared();
    for (args, part) in [
        (&["pgn"][..], "2... exd4 3. e5 Qe7"),
        (&["pgn", "--chapters"], "[ChapterName \""),
        (&["pgn", "--depth", "1"], "1. e4 (1. d4) *"),
        (
            &["epd"],
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm d4 Nf3; \
             id \"King's Pawn Game\"; c0 \"d4?! too \\\"soon\\\", they say\";\n",
        ),
        (&["csv"], "1. e4 e5,d4,d2d4,true,true,0,0,0,0,,,,,,6,\"too \"\"soon\"\", they say\","),
        (&["csv", "--only", "own"], "1. e4 e5,Nf3,g1f3,true,"),
        (&["anki"], "\neco-mine-463b96181691fc9c,\"<svg "),
        (&["anki"], "<div>1. e4 <b>e5</b></div>"),
        (
            &["json"],
            r#"{"ordinal":1,"notes":[{"source":"Lines #1","nags":[6],"comment":"too \"soon\", they say"}]}"#,
        ),
    ] {
        place.run(&export(args)).exits(0).prints_part(part);
    }
}

/// The rows of an SQLite file, as csv has them.
fn rows(path: &Path, sql: &str) -> Vec<String> {
    let database = rusqlite::Connection::open(path).unwrap();
    let mut query = database.prepare(sql).unwrap();
    let columns = query.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        let cells = (0..columns).map(|column| {
            use rusqlite::types::ValueRef;
            Ok(match row.get_ref(column)? {
                ValueRef::Null => String::new(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => format!("{number:.4}"),
                other => other.as_str().unwrap().to_owned(),
            })
        });
        Ok(cells.collect::<rusqlite::Result<Vec<_>>>()?.join("\t"))
    };
    query.query_map([], row).unwrap().map(Result::unwrap).collect()
}

#[test]
fn an_sqlite_file_has_all_moves_and_games() {
    let place = crate::repertoire::club();
    let build = ["repertoire", "build", "mine", "club.pgn", "--db", "x.db", "--color", "white"];
    place.run(&[&build[..], &["--player", "Novak, Ana"]].concat()).exits(0);
    // Of the played moves alone, csv has those of the book.
    let columns = "key, line, move, uci, games, won, drawn, lost, score, opponents, \
        performance, first, last, leads_to, eco, opening";
    let every = ["--mine", "min-games:1", "--theirs", "min-games:1"];
    let csv = place.run(&[&export(&["csv"])[..], &every].concat()).exits(0).stdout.clone();
    place.run(&export(&["sqlite", "-o", "a.db"])).exits(0);
    let moves = rows(&place.path("a.db"), "SELECT key, move, games FROM move");
    let mut missing = 0;
    for (row, cells) in moves.iter().map(|row| (row, row.split('\t').collect::<Vec<_>>())) {
        let [key, san, games] = cells[..] else { panic!("{row}") };
        let is_row = |line: &str| {
            let mut cells = line.split(',');
            cells.next() == Some(key)
                && line.contains(&format!(",{san},"))
                && line.contains(&format!(",{games},"))
        };
        missing += usize::from(!csv.lines().any(is_row));
    }
    assert_eq!((moves.len() > 30, missing), (true, 0));
    let sql = "SELECT sum(games) FROM move WHERE key LIKE 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/%'";
    assert_eq!(rows(&place.path("a.db"), sql), ["16"]);
    let all = rows(&place.path("a.db"), &format!("SELECT {columns} FROM move"));
    assert!(all.iter().all(|row| row.split('\t').count() == 16));
    // Examples are numbers of games, the latest first.
    let examples = "SELECT count(*), count(game.white), max(last = date) FROM move
         LEFT JOIN game ON number = CAST(examples AS INTEGER) WHERE games > 0";
    let found = &rows(&place.path("a.db"), examples)[0];
    let [moves, known, _] = found.split('\t').collect::<Vec<_>>()[..] else { panic!("{found}") };
    assert_eq!(moves, known);
    let latest = "SELECT count(*) FROM move JOIN game ON number = CAST(examples AS INTEGER)
         WHERE last <> date";
    assert_eq!(rows(&place.path("a.db"), latest), ["0"]);
    let games = "SELECT white, result, date FROM game ORDER BY date LIMIT 1";
    assert_eq!(rows(&place.path("a.db"), games), ["Novak, Ana\t1-0\t2026-01-10"]);
    // What is prepared stands beside it, with its notes.
    let add = ["repertoire", "add", "mine", "white-lines.pgn", "--db", "x.db", "-q"];
    place.run(&add).exits(0);
    place.run(&export(&["sqlite", "-o", "b.db"])).exits(0);
    let counts = "SELECT sum(prepared), count(comment) > 0, count(*) > sum(prepared) FROM move";
    assert_eq!(rows(&place.path("b.db"), counts), ["65\t1\t1"]);
    place.run(&export(&["sqlite", "-o", "no/such/folder.db"])).exits(2);
}

#[test]
fn examples_of_one_time_come_in_the_order_of_the_files() {
    let place = Workplace::new();
    let game = |(white, moves): (&str, &str)| {
        format!(
            "[White \"{white}\"]\n[Black \"Me\"]\n[Date \"2026.01.10\"]\n[Result \"1-0\"]\n\n1. e4 {moves} 1-0\n\n"
        )
    };
    // A repertoire keeps its games in the order of their moves.
    place.write("a.pgn", [("A", "g6"), ("B", "a6"), ("C", "e5")].map(game).concat());
    place.write("b.pgn", [("D", "b6"), ("E", "c5")].map(game).concat());
    let build = ["repertoire", "build", "mine", "a.pgn", "b.pgn", "--color", "black"];
    place.run(&[&build[..], &["--player", "Me", "--db", "x.db", "-q"]].concat()).exits(0);
    place.run(&export(&["sqlite", "-o", "a.db"])).exits(0);
    let names =
        "SELECT white FROM move, json_each('[' || replace(examples, ' ', ',') || ']') AS example
         JOIN game ON number = example.value WHERE move = 'e4' ORDER BY example.key";
    assert_eq!(rows(&place.path("a.db"), names), ["A", "B", "C"]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let place = prepared();
    for (args, reason) in [
        (&["json", "--chapters"][..], "--chapters is for pgn"),
        (&["pgn", "--only", "own"], "pgn has the moves of both sides"),
        (&["epd", "--depth", "0"], "mine: has no such moves; nothing was written"),
        (&["csv", "-o", "x.db"], "x.db: is a database; nothing was written"),
    ] {
        place.run(&export(args)).exits(2).prints("").complains(reason);
    }
    let other = ["repertoire", "export", "other", "--db", "x.db", "--format", "epd"];
    place.run(&other).exits(2).complains("other");
    assert_eq!(place.files(), ["lines.pgn", "x.db"]);
}

#[test]
fn a_file_is_the_same_every_time_and_what_standard_output_has() {
    let place = prepared();
    for format in ["pgn", "epd", "csv", "anki", "json"] {
        let printed = place.run(&export(&[format])).exits(0).stdout.clone();
        place.run(&export(&[format, "-o", "out"])).exits(0).prints("");
        assert_eq!(std::fs::read_to_string(place.path("out")).unwrap(), printed, "{format}");
    }
}

#[test]
fn what_is_exported_can_be_added_again() {
    let place = prepared();
    for (args, told, code) in [
        (&["json"][..], "31 moves; it has 31 now", 0),
        (&["epd"], "30 moves; it has 30 now", 0),
        // The end game is no opening.
        (&["polyglot"], "29 moves; it has 29 now", 1),
        (
            &["polyglot", "--only", "own"],
            "28 moves; it has 28 now, in place of the earlier out: 1 move gone, 0 new",
            1,
        ),
    ] {
        place.run(&export(&[args, &["-o", "out"]].concat())).exits(0);
        let format = args[0];
        let add = ["repertoire", "add", format, "out", "--db", "y.db", "--color", "white"];
        let run = place.run(&[&add[..], &["--format", format]].concat());
        run.exits(code).prints(&format!("y.db: {format}: {told}\n"));
        if code > 0 {
            run.complains("2 entries are of positions that the initial position does not lead to");
        }
    }
    let again = ["repertoire", "export", "json", "--db", "y.db", "--format", "json"];
    let mine = place.run(&export(&["json"])).exits(0).stdout.clone();
    place.run(&again).exits(0).prints(&mine);
}

#[test]
fn files_that_are_none_are_refused() {
    let place = prepared();
    place.write("odd", "0123456789abcdefg");
    place.write("black", "{\"color\": \"black\"}");
    place.write("empty", "{\"color\": \"white\"}");
    for (format, file, reason) in [
        ("polyglot", "odd", "odd: 17 bytes, which are no whole number of entries of 16 bytes"),
        ("polyglot", "none", "none: No such file"),
        ("epd", "odd", "odd: no move is prepared in it; nothing was written"),
        ("json", "odd", "odd: "),
        ("json", "black", "black: is for black"),
        ("json", "empty", "empty: no move is prepared in it; nothing was written"),
    ] {
        let add = ["repertoire", "add", "mine", file, "--db", "x.db", "--format", format];
        place.run(&add).exits(2).complains(reason);
    }
}

/// Plays to each position as a game does, since the hash has what the last move was, and compares
/// what the book says with the rows of the repertoire: at positions drawn at random, and at all
/// that arise by castling or with en passant that is not legal.
const READ_BOOK: &str = r#"
import csv, random, sys
import chess, chess.polyglot
moves, arrivals = {}, []
for row in csv.DictReader(open("x.csv", newline="")):
    moves.setdefault(row["key"], set()).add(row["uci"])
    arrivals.append(row)
arrivals = [row for row in arrivals if row["leads_to"] in moves]
random.Random(7).shuffle(arrivals)
book = chess.polyglot.open_reader("x.bin")
counts = {"positions": 0, "castled": 0, "pinned": 0}
for number, row in enumerate(arrivals):
    pushed = row["uci"][1] in "27" and row["uci"][3] in "45"
    if number >= 1000 and not (row["move"].startswith("O-O") or pushed):
        continue
    start = chess.Board()
    for word in row["line"].split():
        if not word[0].isdigit():
            start.push_san(word)
    if not start.fen().startswith(row["key"]):
        continue # from another start
    start.push_uci(row["uci"])
    pinned = start.has_pseudo_legal_en_passant() and not start.has_legal_en_passant()
    castled = row["move"].startswith("O-O")
    if number >= 1000 and not (castled or pinned):
        continue
    found = {entry.move.uci() for entry in book.find_all(start)}
    assert found == moves[row["leads_to"]], (start.fen(), found, moves[row["leads_to"]])
    counts["positions"] += 1
    counts["castled"] += castled
    counts["pinned"] += pinned
root = {entry.move.uci() for entry in book.find_all(chess.Board())}
assert root == moves[chess.Board().epd()], root
print(" ".join(f"{count} {name}" for name, count in counts.items()))
"#;

/// The answer of python-chess about the book, if it is installed.
fn read_book(place: &Workplace) -> Option<String> {
    let python =
        |script| Command::new("python3").current_dir(place.folder()).args(["-c", script]).output();
    if !python("import chess.polyglot").is_ok_and(|output| output.status.success()) {
        println!("SKIPPED: there is no python3 with python-chess");
        return None;
    }
    place.run(&export(&["csv", "-o", "x.csv"])).exits(0);
    place.run(&export(&["polyglot", "-o", "x.bin"])).exits(0);
    let output = python(READ_BOOK).unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn python_chess_finds_the_moves_after_castling_and_pinned_en_passant() {
    let place = prepared();
    if let Some(told) = read_book(&place) {
        assert_eq!(told, "25 positions 3 castled 1 pinned\n");
    }
}

#[test]
#[ignore = "needs python-chess and real games"]
fn python_chess_finds_the_moves_of_real_games() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/otb.pgn.zst");
    if !games.exists() {
        println!("SKIPPED: there is no {}", games.display());
        return;
    }
    let place = Workplace::new();
    let games = games.to_str().unwrap();
    let build = ["repertoire", "build", "mine", games, "--db", "x.db", "--color", "black", "-q"];
    place.run(&[&build[..], &["--depth", "30"]].concat()).exits(0);
    let Some(told) = read_book(&place) else { return };
    println!("{told}");
    let positions: usize = told.split(' ').next().unwrap().parse().unwrap();
    assert!(positions >= 1000, "{told}");
}
