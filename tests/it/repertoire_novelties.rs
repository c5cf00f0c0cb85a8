//! `eco novelties`: what was new in games.

use crate::harness::{Workplace, famous_games};

fn game(white: &str, date: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Date \"{date}\"]\n\n{moves} *\n\n")
}

fn place() -> Workplace {
    let place = Workplace::new();
    let reference = [
        game("A", "1950.01.01", "1. d4 Nf6 2. c4 e6 3. Nf3"),
        game("B", "1960.01.01", "1. d4 Nf6 2. c4 g6 3. Nc3"),
        game("C", "1970.01.01", "1. c4 Nf6 2. d4 g6 3. g3"),
        game("D", "????.??.??", "1. e4 c5"),
    ];
    place.write("reference.pgn", reference.concat());
    let asked = [
        game("Z", "1955.01.01", "1. d4 Nf6 2. c4 g6 3. Nc3"),
        game("Y", "1980.01.01", "1. c4 Nf6 2. d4 g6 3. Nc3 d5"),
        game("X", "1980.01.01", "1. e4 c5"),
        "[Variant \"Atomic\"]\n\n1. e4 *\n\n".to_owned(),
        game("B", "1960.01.01", "1. d4 Nf6 2. c4 g6 3. Nc3"),
    ];
    place.write("games.pgn", asked.concat());
    place
}

const EXPECTED: &str = "\
1\tZ\t4\t2... g6\t2\tB\t1960-01-01
2\tY\t6\t3... d5\t0\t\t
3\tX\t\t\t\t\t
5\tB\t4\t2... g6\t1\tC\t1970-01-01
";

/// Number, White, ply, move, how many later games, who first, and when.
fn told(rows: &str) -> String {
    let pick = |row: &str| {
        let cells: Vec<&str> = row.split('\t').collect();
        [1, 2, 6, 7, 10, 11, 13].map(|n| cells[n]).join("\t") + "\n"
    };
    rows.lines().map(pick).collect()
}

#[test]
fn of_one_day_the_time_decides_what_was_earlier() {
    let place = Workplace::new();
    let game = |white: &str, time: &str| {
        format!(
            "[White \"{white}\"]\n[UTCDate \"2026.03.01\"]\n[UTCTime \"{time}\"]\n\n1. d4 Nf6 2. c4 *\n\n"
        )
    };
    place.write("reference.pgn", game("R", "12:00:00"));
    place.write("games.pgn", [game("before", "11:59:59"), game("after", "12:00:01")].concat());
    let run = place.run(&["novelties", "games.pgn", "--no-header", "--reference", "reference.pgn"]);
    assert_eq!(
        told(&run.exits(0).stdout),
        "1\tbefore\t1\t1. d4\t1\tR\t2026-03-01\n2\tafter\t\t\t\t\t\n"
    );
}

#[test]
fn the_first_position_without_an_earlier_game_is_told() {
    let place = place();
    let novelties = ["novelties", "games.pgn", "--no-header", "--reference"];
    let run = place.run(&[&novelties[..], &["reference.pgn"]].concat());
    run.exits(0).complains("4 games, 3 with something new to 4 games of the reference");
    assert_eq!(told(&run.stdout), EXPECTED);
    let new = place.run(&[&novelties[..], &["reference.pgn", "--only", "new", "-q"]].concat());
    assert_eq!(new.is_silent().stdout.lines().count(), 3);
    // The same games out of a database, and on any number of threads.
    let build = ["repertoire", "build", "all", "--db", "ref.db", "--color", "black"];
    place.run(&[&build[..], &["reference.pgn"]].concat()).exits(0);
    for how in [
        &["ref.db"][..],
        &["ref.db:all"],
        &["reference.pgn", "--threads", "3", "--block-size", "100"],
    ] {
        place.run(&[&novelties[..], how].concat()).exits(0).prints(&run.stdout);
    }
    // Where no games are named, those that the database keeps are.
    let without = ["novelties", "games.pgn", "--no-header"];
    place.run(&without).exits(2).complains("no games to compare with: --reference FILE");
    place.run(&["index", "reference.pgn"]).exits(0);
    let run = place.run(&without);
    run.exits(0)
        .complains("no --reference: compared with the collections of ")
        .complains(": games\n");
    assert_eq!(run.stdout, place.run(&[&novelties[..], &["reference.pgn"]].concat()).stdout);
    let shallow = place.run(&[&novelties[..], &["reference.pgn", "--depth", "5"]].concat());
    assert!(told(&shallow.stdout).contains("2\tY\t\t\t\t\t\n"), "{}", shallow.stdout);
}

#[test]
fn no_famous_game_is_its_own_precedent() {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    let novelties = ["novelties", "games.pgn", "--reference", "games.pgn"];
    let run = place.run(&[&novelties[..], &["--format", "jsonl"]].concat());
    run.exits(0).complains("30 games, 30 with something new to 30 games of the reference");
    let rows: Vec<serde_json::Value> =
        run.stdout.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    // Greco's, the earliest, is the first with 1. e4; that of 1999 has nobody after it.
    assert_eq!((&rows[0]["ply"], &rows[0]["move"]), (&1.into(), &"1. e4".into()));
    assert_eq!(rows[0]["first_date"], "1750");
}
