//! `eco repertoire gaps` and `lint`: what a repertoire lacks.

use super::repertoire_check::prepared;

#[test]
fn gaps_of_a_prepared_repertoire_are_those_counted_by_hand() {
    let place = prepared();
    let gaps = ["repertoire", "gaps", "mine", "--db", "my.db"];
    // 1. c4 and 1. d4 are equally likely, and so are the three answers to 1. c4. The position after
    // 1. d4 e6 2. c4 is met by two orders, 1/4 + 1/6; then each of four moves is one of two.
    let run = place.run(&[&gaps[..], &["--format", "jsonl"]].concat());
    run.exits(0).complains("no games: the opponent's moves in the book count as equally frequent;");
    run.complains(
        "coverage to ply 20: 80.7 %, 2 gaps; 80.7 % come to one of 5 ends of lines (--only ends)",
    );
    let rows: Vec<serde_json::Value> =
        run.stdout.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let told = |row: &serde_json::Value| {
        let told = ["line", "move", "met", "games"].map(|n| row[n].to_string());
        told.join(" | ").replace('"', "")
    };
    assert_eq!(
        rows.iter().map(told).collect::<Vec<_>>(),
        [
            "1. c4 c5 | 1... c5 | 16.67 | 0",
            "1. d4 e6 2. c4 d5 3. Nc3 c6 4. e4 Bb4 5. e5 Ne7 | 5... Ne7 | 2.6 | 0",
        ]
    );
    assert_eq!(rows[0]["opening"], "English Opening: Symmetrical Variation");
    for (depth, coverage) in [("9", "83.3"), ("10", "80.7"), ("2", "83.3"), ("1", "100.0")] {
        place
            .run(&[&gaps[..], &["--depth", depth]].concat())
            .complains(&format!("coverage to ply {depth}: {coverage} %, "));
    }
    let one = place.run(&[&gaps[..], &["--limit", "1", "--quiet", "--no-header"]].concat());
    assert_eq!(one.is_silent().stdout.lines().count(), 1);
}

/// Games that meet the prepared repertoire, as `reference.pgn`, and in `ref.db` twice.
const REFERENCE: &str = "\
[White \"A\"]\n\n1. d4 f5 1-0\n\n[White \"B\"]\n\n1. d4 f5 0-1\n\n[White \"C\"]\n\n1. d4 Nf6 2. c4 e6 *\n
[White \"D\"]\n\n1. c4 e6 2. d4 *\n\n[White \"E\"]\n\n1. e4 e5 *\n";

#[test]
fn a_reference_tells_how_often_moves_are_played_whatever_it_is_kept_in() {
    let place = prepared();
    place.write("reference.pgn", REFERENCE);
    for (name, color) in [("a", "white"), ("b", "black")] {
        let build = ["repertoire", "build", name, "--db", "ref.db", "--color", color];
        place.run(&[&build[..], &["reference.pgn"]].concat()).exits(0);
    }
    let gaps = ["repertoire", "gaps", "mine", "--db", "my.db", "--reference"];
    // Two games of three meet 1. d4 (1/2) with 1... f5, and lose 0.75: 1.25 / 3 / 2. Where nobody
    // has played, the moves of the book are equally likely.
    let expected = "1. d4 f5\t1... f5\t20.83\t2\t50.0\tA80\tDutch Defense\t";
    let pgn = place.run(&[&gaps[..], &["reference.pgn"]].concat());
    let first = pgn.exits(0).stdout.lines().nth(1).unwrap();
    assert!(first.starts_with(expected), "{first}");
    for more in [&["ref.db"][..], &["ref.db:a"]] {
        place.run(&[&gaps[..], more].concat()).exits(0).prints(&pgn.stdout);
    }
    place.run(&["repertoire", "build", "mine", "--db", "my.db", "reference.pgn"]).exits(0);
    let own = place.run(&["repertoire", "gaps", "mine", "--db", "my.db"]);
    // Now the player, too, plays as he did: 1. d4 three times of four. 1.25 / 3 * 3 / 4.
    assert!(own.stdout.contains("1. d4 f5\t1... f5\t31.25\t2\t"), "{}", own.stdout);
}

/// One game comes to a position of the book beyond some of the depths, and a database that counts
/// to ply 3 keeps its games whole.
#[test]
fn gaps_do_not_depend_on_what_a_reference_is_kept_in() {
    let place = prepared();
    let slow = "[White \"F\"]\n\n1. Nf3 Nf6 2. c4 e6 3. Ng1 Ng8 4. d4 f5 5. e3 *\n\n";
    place.write("reference.pgn", format!("{slow}{REFERENCE}"));
    for (db, max_ply) in [("three.db", "3"), ("forty.db", "40")] {
        let build = ["repertoire", "build", "a", "reference.pgn", "--db", db, "--color", "white"];
        place.run(&[&build[..], &["--depth", max_ply]].concat()).exits(0);
    }
    place.run(&["index", "reference.pgn", "--db", "index.db", "--name", "otb"]).exits(0);
    place.run(&["index", "reference.pgn", "--db", "my.db", "--name", "otb"]).exits(0);
    for depth in 1..=12 {
        let depth = depth.to_string();
        let gaps = ["repertoire", "gaps", "mine", "--db", "my.db", "--depth", &depth];
        let gaps = |more: &[&str]| place.run(&[&gaps[..], more].concat()).exits(0).stdout.clone();
        for what in [&[][..], &["--only", "ends"]] {
            let expected = gaps(&[&["--reference", "reference.pgn"], what].concat());
            for reference in [
                &["--reference", "three.db"][..],
                &["--reference", "forty.db"],
                &["--reference", "index.db"],
                &["--reference", "index.db", "--collection", "otb"],
                &["--collection", "otb"],
            ] {
                let found = gaps(&[reference, what].concat());
                assert_eq!(found, expected, "depth {depth}, {reference:?}");
            }
        }
    }
}

#[test]
fn a_reference_can_be_limited_to_an_opponent() {
    let place = prepared();
    let tags = "[White \"W\"]\n[Black \"Vera\"]\n[Date \"2020.01.01\"]\n[WhiteElo \"2500\"]\n\
                [BlackElo \"2500\"]\n";
    let others = tags.replace("Vera", "Nona").replace("2500", "2000");
    let reference = format!(
        "{tags}\n1. d4 f5 1-0\n\n{tags}\n1. d4 g6 1-0\n\n{tags}\n1. d4 f5 2. c4 1-0\n\n\
         {others}\n1. d4 b6 1-0\n\n{}\n1. d4 a6 1-0\n\n",
        others.replace("\"W\"", "\"Vera\"")
    );
    place.write("reference.pgn", reference);
    place.run(&["index", "reference.pgn", "--db", "my.db", "--name", "otb"]).exits(0);
    let build = ["repertoire", "build", "otb", "reference.pgn", "--db", "r.db", "--color", "black"];
    place.run(&build).exits(0);
    let gaps = ["repertoire", "gaps", "mine", "--db", "my.db", "--depth", "2", "--no-header"];
    for reference in
        [["--reference", "reference.pgn"], ["--reference", "r.db"], ["--collection", "otb"]]
    {
        let replies = |more: &[&str]| -> Vec<String> {
            let run = place.run(&[&gaps[..], &reference, more].concat());
            let rows = run.exits(0).stdout.lines();
            rows.filter(|row| row.starts_with("1. d4"))
                .map(|row| row.split('\t').nth(1).unwrap().to_owned())
                .collect()
        };
        // As Black, since the repertoire is White's.
        assert_eq!(replies(&["--player", "Vera"]), ["1... f5", "1... g6"]);
        assert_eq!(replies(&["--player", "vera", "--color", "white"]), ["1... a6"]);
        let rated = ["--rating", "..2100", "--until", "2020"];
        assert_eq!(replies(&rated).len(), 2);
        let nobody = [&gaps[..], &reference, &["--player", "Vira"]].concat();
        place.run(&nobody).exits(2);
        if reference[1] != "r.db" {
            place.run(&nobody).complains("Vera");
        }
    }
    // Without a reference it is the games of the repertoire.
    place.run(&["repertoire", "build", "mine", "--db", "my.db", "reference.pgn"]).exits(0);
    let own = place.run(&[&gaps[..], &["--player", "Vera"]].concat());
    assert!(own.exits(0).stdout.contains("1... g6") && !own.stdout.contains("1... b6"));
}

/// A study of 65 moves against 100 games, each listed with its number.
#[test]
fn gaps_of_an_ordinary_study_are_moves_without_an_answer() {
    const GAMES: [(u32, &str); 17] = [
        (12, "1. d4 f5"),
        (8, "1. d4 e6"),
        (16, "1. d4 d5 2. c4 e6 3. Nc3 Nf6"),
        (4, "1. d4 d5 2. c4 e6 3. Nc3 c5"),
        (6, "1. d4 d5 2. c4 c6 3. Nf3 Nf6"),
        (4, "1. d4 d5 2. c4 c6 3. Nf3 Bf5"),
        (4, "1. d4 d5 2. c4 dxc4"),
        (6, "1. d4 d5 2. c4 Nc6"),
        (9, "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4"),
        (3, "1. d4 Nf6 2. c4 e6 3. Nc3 d5"),
        (3, "1. d4 Nf6 2. c4 e6 3. Nc3 c5"),
        (15, "1. d4 Nf6 2. c4 g6"),
        (10, "1. d4 Nf6 2. c4 c5"),
        // Not the way of the study.
        (30, "1. e4 e5"),
        (20, "1. e4 c5"),
        (10, "1. d4 d5 2. Nf3 Nf6 3. Bf4"),
        (5, "1. c4 e5"),
    ];
    let place = crate::harness::Workplace::new();
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games/white-lines.pgn");
    place
        .run(&["repertoire", "add", "white", "--db", "w.db", "--color", "white", study])
        .complains("")
        .prints_part("65 moves of 1 chapter");
    let games = GAMES.iter().flat_map(|(count, line)| {
        (0..*count).map(move |n| format!("[Round \"{n}\"]\n\n{line} *\n\n"))
    });
    place.write("otb.pgn", games.collect::<String>());
    let gaps = ["repertoire", "gaps", "white", "--db", "w.db", "--reference", "otb.pgn"];
    let run = place.run(&[&gaps[..], &["--no-header"]].concat());
    // 110 games have 1. d4: 50 d5, 40 Nf6, 12 f5, 8 e6. Each loses 0.75, of which the two moves of
    // the book get half each, 1.5.
    let (d5, knight) = (50.75 / 110.0, 40.75 / 110.0);
    // After 2. c4, 20 e6, 10 c6, 4 dxc4, 6 Nc6 of 40; the book has three. 15 e6, 15 g6, 10 c5 of
    // 40; the book has two.
    let (qgd, slav) = (d5 * 20.25 / 40.0, d5 * 10.25 / 40.0);
    let nimzo = knight * 15.375 / 40.0;
    let expected = [
        ("1. d4 f5", 11.25 / 110.0),
        ("1. d4 Nf6 2. c4 c5", knight * 9.25 / 40.0),
        ("1. d4 e6", 7.25 / 110.0),
        ("1. d4 d5 2. c4 Nc6", d5 * 5.25 / 40.0),
        // The book has it, without an answer: 4 of 20 with half of what two moves lose.
        ("1. d4 d5 2. c4 e6 3. Nc3 c5", qgd * 4.0 / 20.0),
        ("1. d4 d5 2. c4 c6 3. Nf3 Bf5", slav * 3.25 / 10.0),
        ("1. d4 Nf6 2. c4 e6 3. Nc3 c5", nimzo * 2.25 / 15.0),
    ];
    let rows: Vec<String> = run
        .exits(0)
        .stdout
        .lines()
        .map(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            [cells[0], cells[2]].join(" | ")
        })
        .collect();
    let expected_rows = expected.map(|(line, share)| format!("{line} | {:.2}", 100.0 * share));
    assert_eq!(rows, expected_rows);
    // All lines of the study end before ply 20.
    let covered = 100.0 * (1.0 - expected.iter().map(|(_, share)| share).sum::<f64>());
    assert!(covered > 50.0);
    run.complains(&format!(
        "coverage to ply 20: {covered:.1} %, 7 gaps; {covered:.1} % come to one"
    ));
    let ends = place.run(&[&gaps[..], &["--only", "ends", "--limit", "1", "--no-header"]].concat());
    // 16 of 20 with half of what two moves lose, and one line is as long as it is in the study.
    let first = ends.exits(0).stdout.clone();
    assert!(first.starts_with("1. d4 "), "{first}");
    let deep =
        place.run(&[&gaps[..], &["--depth", "11", "--only", "ends", "--no-header"]].concat());
    let plies = |row: &str| {
        row.split('\t').next().unwrap().split(' ').filter(|w| !w.ends_with('.')).count()
    };
    assert!(deep.stdout.lines().all(|row| plies(row) < 11), "{}", deep.stdout);
}

#[test]
fn the_end_of_a_line_is_covered_where_it_is_marked_or_deep_enough_for_its_opening() {
    let place = crate::harness::Workplace::new();
    place.write(
        "study.pgn",
        "1. e4 e5 2. Nf3 (2. f4) (2. d4 {Enough. [%eco end]}) *\n\n1. e4 d5 2. exd5 *\n",
    );
    place
        .run(&["repertoire", "add", "mine", "--db", "m.db", "--color", "white", "study.pgn"])
        .exits(0);
    let gaps = ["repertoire", "gaps", "mine", "--db", "m.db", "--no-header"];
    let lines = |more: &[&str]| -> Vec<String> {
        let run = place.run(&[&gaps[..], more].concat());
        let rows = run.exits(0).stdout.lines();
        rows.map(|row| row.split('\t').next().unwrap().to_owned()).collect()
    };
    assert_eq!(lines(&[]), [""; 0]);
    let all = ["1. e4 d5 2. exd5", "1. e4 e5 2. Nf3", "1. e4 e5 2. f4"];
    assert_eq!(lines(&["--only", "ends"]), all);
    place
        .run(&gaps)
        .complains("coverage to ply 20: 100.0 %, 0 gaps; 83.3 % come to one of 3 ends of lines");
    assert_eq!(lines(&["--only", "ends", "--depth", "B01=3"]), all[1..]);
    assert_eq!(lines(&["--only", "ends", "--depth", "20,B01=3", "--depth", "C2-C4=2"]), [""; 0]);
    let end = ["edit", "mine", "1. e4 d5 2. exd5", "--comment", "[%eco end]", "--db", "m.db"];
    place.run(&[&["repertoire"], &end[..]].concat()).exits(0);
    assert_eq!(lines(&["--only", "ends"]), all[1..]);
    place.run(&[&gaps[..], &["--depth", "B01"]].concat()).exits(2).complains("number of plies");
}

#[test]
fn lint_tells_what_is_wrong_with_a_prepared_repertoire() {
    let place = prepared();
    let lint = ["repertoire", "lint", "mine", "--db", "my.db"];
    let run = place.run(&lint);
    run.exits(0).complains(
        "6 findings: 1 choice, 2 dead end, 1 transposition, 0 never played, 2 contradiction",
    );
    let told: Vec<String> = run
        .stdout
        .lines()
        .skip(1)
        .map(|row| row.split('\t').take(3).collect::<Vec<_>>().join(" | "))
        .collect();
    assert_eq!(
        told,
        [
            "choice | the initial position | d4, c4",
            "dead end | 1. c4 c5 | ",
            "dead end | 1. d4 e6 2. c4 d5 3. Nc3 c6 4. e4 Bb4 5. e5 Ne7 | ",
            "transposition | 1. c4 Nf6 | d4",
            "contradiction | 1. d4 e6 2. c4 | ",
            "contradiction | 1. d4 e6 2. c4 d5 3. Nc3 c6 | e4",
        ]
    );
    run.prints_part("leads to 1. d4 Nf6 2. c4").prints_part("! (").prints_part("against ?! (");
    let only = place.run(&[&lint[..], &["--only", "dead-end", "--quiet", "--no-header"]].concat());
    assert_eq!(only.is_silent().stdout.lines().count(), 2);
    let games = "[White \"A\"]\n\n1. d4 d5 *\n\n[White \"B\"]\n\n1. d4 f5 *\n";
    place.write("games.pgn", games);
    place.run(&["repertoire", "build", "mine", "--db", "my.db", "games.pgn"]).exits(0);
    place
        .run(&[&lint[..], &["--only", "never-played", "--no-header"]].concat())
        .prints_part("the initial position\tc4\tin none of 2 games\t");
}

#[test]
fn a_repertoire_of_games_alone_has_the_moves_of_single_games() {
    let place = prepared();
    place.write(
        "games.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White \"B\"]\n\n1. e4 c5 *\n",
    );
    let build = ["repertoire", "build", "played", "--db", "p.db", "--color", "white", "games.pgn"];
    place
        .run(&[&build[..], &["--mine", "min-games:1", "--theirs", "min-games:1"]].concat())
        .exits(0);
    let check = ["repertoire", "check", "played", "--db", "p.db", "--games", "--no-header"];
    let run = place.pipe(&check, b"1. e4 e5 2. Nf3 Nf6 *\n");
    assert!(run.exits(0).stdout.contains("theirs\t3\t2... Nf6\tNc6\t"), "{}", run.stdout);
    place.run(&["repertoire", "gaps", "played", "--db", "p.db"]).prints_part("1. e4 c5\t");
}

/// Which moves are the book, for each side, where games alone say it: by default, as it was built,
/// and as it is asked.
#[test]
fn each_side_has_a_breadth_of_its_own() {
    const GAMES: [(u32, &str); 6] = [
        (6, "1. e4 e5 2. Nf3"),
        (3, "1. e4 c5 2. Nf3"),
        (2, "1. e4 c5 2. c3"),
        (1, "1. e4 a6 2. d4"),
        (3, "1. d4 d5"),
        (2, "1. c4 e5"),
    ];
    let place = crate::harness::Workplace::new();
    let games = GAMES.iter().flat_map(|(count, line)| {
        (0..*count).map(move |n| format!("[Round \"{n}\"]\n\n{line} 1-0\n\n"))
    });
    place.write("games.pgn", games.collect::<String>());
    let build = ["repertoire", "build", "r", "games.pgn", "--db", "r.db", "--color", "white"];
    place.run(&build).exits(0);
    let lines = |more: &[&str]| -> Vec<String> {
        let tree = place.run(&[&["repertoire", "tree", "r", "--db", "r.db"], more].concat());
        let line = |line: &str| line.trim().split("  ").next().unwrap().to_owned();
        tree.exits(0).stdout.lines().map(line).collect()
    };
    // Of 17 games 2 with 1. c4 are less than a fifth, and 1... a6 is a single one.
    let usual = ["1. e4", "1... e5 2. Nf3", "1... c5", "2. Nf3", "2. c3"];
    assert_eq!(lines(&[]), usual);
    assert_eq!(lines(&["--mine", "top:1"]), ["1. e4", "1... e5 2. Nf3", "1... c5 2. Nf3"]);
    let wide = ["--mine", "share:10%", "--theirs", "min-games:1"];
    assert!(lines(&wide).contains(&"1... a6 2. d4".to_owned()));
    assert!(
        lines(&["--mine", "min-games:2", "--theirs", "min-games:2"])
            .contains(&"1. c4 e5".to_owned())
    );
    place.run(&["repertoire", "build", "r", "games.pgn", "--db", "r.db", "--mine", "top:1"]);
    let top = ["1. e4", "1... e5 2. Nf3", "1... c5 2. Nf3"];
    assert_eq!(lines(&[]), top);
    let list = place.run(&["db", "list", "--db", "r.db"]);
    list.prints_part("top:1\tshare:5%,min-games:2");
    // Every question has the same book.
    let asked = |args: &[&str]| place.run(&[args, &["--db", "r.db"]].concat());
    asked(&["repertoire", "lint", "r"]).complains("0 choice");
    asked(&["repertoire", "lint", "r", "--mine", "share:20%"]).complains("1 choice");
    asked(&["repertoire", "check", "r", "games.pgn"]).complains("17 games: 7 mine, 1 theirs");
    asked(&["repertoire", "check", "r", "games.pgn", "--mine", "min-games:1"])
        .complains("17 games: 0 mine, 1 theirs");
    // A single game answers 1... a6.
    asked(&["repertoire", "gaps", "r"]).complains("0 gaps");
    asked(&["repertoire", "gaps", "r", "--mine", "top:1,min-games:2"]).complains("1 gap");
    let cards = ["repertoire", "export", "r", "--format", "anki"];
    let count = |more: &[&str]| {
        asked(&[&cards[..], more].concat()).exits(0).stdout.matches("\neco-r-").count()
    };
    assert_eq!((count(&[]), count(&["--limit", "2"]), count(&["--theirs", "top:1"])), (3, 2, 2));
    asked(&["repertoire", "tree", "r", "--mine", "most"]).exits(2).complains("top:1, share:20%");
}

/// A repertoire of random games is no deck that anybody wants to learn.
#[test]
fn more_cards_than_anybody_learns_are_refused() {
    let place = crate::harness::Workplace::new();
    let firsts =
        ["a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4", "e3", "e4", "f3", "f4", "g3", "g4"];
    let replies = ["a6", "a5", "b6", "b5", "c6", "c5", "d6", "d5", "e6", "e5", "f6", "f5", "g6"];
    let seconds = ["Na3", "Nc3", "h3", "h4", "a3", "b3", "c3", "d3", "e3", "g3"];
    let mut games = String::new();
    for first in firsts {
        for reply in replies {
            for second in seconds.iter().filter(|second| second[..1] != first[..1]) {
                for third in ["Nh6", "Nf6", "Na6", "Nc6"] {
                    games += &format!("1. {first} {reply} 2. {second} {third} 3. Nf3 *\n\n");
                }
            }
        }
    }
    place.write("games.pgn", games);
    let build = ["repertoire", "build", "r", "games.pgn", "--db", "r.db", "--color", "white"];
    place
        .run(&[&build[..], &["--mine", "min-games:1", "--theirs", "min-games:1"]].concat())
        .exits(0);
    let cards = ["repertoire", "export", "r", "--format", "anki"];
    let cards = |more: &[&str]| place.run(&[&cards[..], &["--db", "r.db"], more].concat());
    cards(&[]).exits(2).complains("cards; nothing was written: --limit N takes");
    assert_eq!(cards(&["--limit", "5"]).exits(0).stdout.matches("\neco-r-").count(), 5);
    assert!(cards(&["--limit", "0"]).exits(0).stdout.matches("\neco-r-").count() > 1500);
    cards(&["--mine", "top:1"]).exits(0);
    let csv = ["repertoire", "export", "r", "--format", "csv", "--db", "r.db", "--limit", "9"];
    place.run(&csv).exits(2).complains("--limit is for apkg and anki");
}

#[test]
fn without_a_reference_the_collections_of_the_database_are_counted() {
    let place = prepared();
    place.write("reference.pgn", REFERENCE);
    let gaps = ["repertoire", "gaps", "mine", "--db", "my.db"];
    let named = place.run(&[&gaps[..], &["--reference", "reference.pgn"]].concat());
    place.run(&["index", "reference.pgn", "--db", "my.db"]).exits(0);
    let own = place.run(&gaps);
    own.exits(0).prints(&named.stdout);
    own.complains("no --reference: compared with the collections of my.db: games\n");
}
