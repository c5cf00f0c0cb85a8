//! Evaluations and clocks of openings, from PGN and from a position database, and on a report.

use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::Workplace;

const LINES: [&str; 3] = [
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 \
     Nc6 Nb3 a5 Be3 a4 Nbd2 Bd7",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 O-O Nc6 a3 Bxc3 bxc3 dxc4 Bxc4 Qc7 Bd3 e5 Qc2 Re8 \
     Nxe5 Nxe5 dxe5 Qxe5 f3 Be6",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6 O-O Be7 d3 O-O a3 Be6 b4 f6",
];

/// Games of which most have evaluations, clocks or times, some all of them, and some none.
fn games(count: usize) -> String {
    let mut pgn = String::new();
    for n in 0..count {
        let _ = write!(pgn, "[White \"W{n}\"]\n[Black \"B\"]\n[TimeControl \"900+{}\"]\n\n", n % 3);
        let plies = 1 + n * 13 % 40;
        for (ply, san) in (1..=plies).zip(LINES[n % 3].split_whitespace()) {
            let (eval, clock, time) = (n * ply % 700, 900 - (n + 7) * ply % 900, n * ply % 50);
            let _ = match n % 5 {
                0 => write!(pgn, "{san} "),
                1 => write!(pgn, "{san} {{ [%eval -{}.{}] }} ", eval / 100, eval % 100),
                2 => write!(pgn, "{san} {{ [%eval {eval}.5] [%clk 0:00:{clock}] }} "),
                3 => write!(pgn, "{san} {{[%emt {time}]}} "),
                _ => write!(pgn, "{san} {{[%clk {clock}] [%emt {time}]}} {{ a word }} "),
            };
        }
        pgn += "1-0\n\n";
    }
    pgn
}

/// The databases of g.pgn: made in one run, made in several, and joined from parts.
fn databases(place: &Workplace, pgn: &str) -> [&'static str; 3] {
    place.line("index g.pgn --db one.db -q").exits(0);
    let games: Vec<&str> = pgn.split_inclusive("1-0\n\n").collect();
    let mut join = vec!["index"];
    for (number, some) in games.chunks(games.len() / 4).enumerate() {
        place.write("some.pgn", some.concat());
        place.line("index some.pgn --db several.db -q").exits(0);
        let part = ["a.db", "b.db", "c.db", "d.db", "e.db"][number];
        place.run(&["index", "some.pgn", "--db", part, "-q"]).exits(0);
        join.push(part);
    }
    place.run(&[&join[..], &["--db", "joined.db", "-q"]].concat()).exits(0);
    ["one.db", "several.db", "joined.db"]
}

const FIELDS: &str = "white,ply,eval_book,eval_15,clock_book_white,clock_book_black,\
                      clock_15_white,clock_15_black,time_book_white,time_book_black";

#[test]
fn a_database_has_what_the_comments_say() {
    let place = Workplace::new();
    let pgn = games(402);
    place.write("g.pgn", &pgn);
    let rows = |input: &str, more: &[&str]| {
        let args = ["classify", input, "--no-header", "--fields", FIELDS];
        let run = place.run(&[&args[..], more].concat());
        let mut rows: Vec<String> = run.exits(0).stdout.lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let from_pgn = rows("g.pgn", &[]);
    let is_told = |column: usize| {
        from_pgn.iter().filter(|row| !row.split('\t').nth(column).unwrap().is_empty()).count()
    };
    (2..10).for_each(|column| assert!(is_told(column) > 15, "{column}"));
    let stats = |input: &str| {
        let run = place.run(&["stats", input, "--by", "opening,result", "--format", "tsv"]);
        run.exits(0).stdout.clone()
    };
    for db in databases(&place, &pgn) {
        assert_eq!(rows(db, &[]), from_pgn, "{db}");
        assert_eq!(stats(db), stats("g.pgn"), "{db}");
        place.run(&["filter", db, "-q", "-o", "out.pgn"]).exits(0);
        assert_eq!(rows("out.pgn", &[]), from_pgn, "{db}");
        place.run(&["db", "verify", "--db", db]).exits(0);
    }
    // By another catalogue, the opening ends elsewhere: nothing is said that is not known.
    place.write("m.tsv", "eco\tname\tpgn\nA00\tMine\t1. e4 e5 2. Nf3\nA01\tOther\t1. d4\n");
    let other = ["--catalogue", "m.tsv"];
    let mut known = 0;
    for (kept, said) in rows("one.db", &other).iter().zip(rows("g.pgn", &other)) {
        for (column, (kept, said)) in kept.split('\t').zip(said.split('\t')).enumerate() {
            let is_missing = kept.is_empty() && ![0, 1, 3, 6, 7].contains(&column);
            assert!(kept == said || is_missing, "{kept} {said}");
            known += usize::from(!kept.is_empty());
        }
    }
    assert!(known > 2 * 402 + 100, "{known}");
}

/// The means of the openings of a report.
#[test]
fn a_report_has_the_means_of_the_statistics() {
    let place = Workplace::new();
    place.write("g.pgn", games(402));
    place.line("index g.pgn --db one.db -q").exits(0);
    let read = |args: &str| -> Vec<Value> {
        let run = place.line(args);
        run.exits(0).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for player in ["", " --player B"] {
        let sides = |input: &str| {
            read(&format!("report {input} -f json{player}"))[0]["report"]["sides"].clone()
        };
        assert_eq!(sides("one.db"), sides("g.pgn"), "{player}");
        let sides = sides("g.pgn");
        let side = sides.as_array().unwrap().last().unwrap();
        let stats = read(&format!("stats g.pgn --by variation -f jsonl{player}"));
        let (mut told, page) = (0, place.line(&format!("report g.pgn{player}")).stdout.clone());
        for opening in side["openings"].as_array().unwrap() {
            let row = stats.iter().find(|row| row["variation"] == opening["label"]).unwrap();
            let figures = &opening["figures"];
            for name in ["evaluated", "timed"] {
                assert_eq!(figures[name].as_u64().unwrap_or(0), row[name], "{row}");
            }
            for name in ["eval", "time"] {
                let (mean, row) = (figures[name].as_f64(), row[name].as_f64());
                let is_equal =
                    mean.zip(row).is_none_or(|(one, other)| (one - other).abs() <= 0.051);
                assert!(mean.is_some() == row.is_some() && is_equal, "{mean:?} {row:?}");
                let shown = mean.map(|mean| format!("<td>{mean:.1}</td>").replace('-', "\u{2212}"));
                assert!(shown.is_none_or(|shown| page.contains(&shown)), "{mean:?}");
                told += usize::from(mean.is_some());
            }
        }
        assert!(told > 8, "{told}");
    }
    place.write("plain.pgn", "1. e4 e5 1-0\n");
    let page = place.line("report plain.pgn").stdout.clone();
    assert!(!page.contains("When the opening ends"));
}
