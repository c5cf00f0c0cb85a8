//! `eco repertoire gaps` and `lint`: what a repertoire lacks.

use super::repertoire_check::prepared;

#[test]
fn gaps_of_a_prepared_repertoire_are_those_counted_by_hand() {
    let place = prepared();
    let gaps = ["repertoire", "gaps", "mine", "--db", "my.db"];
    // 1. c4 and 1. d4 are equally likely, and so are the three answers to 1. c4. The position after
    // 1. d4 e6 2. c4 is met by two orders, 1/4 + 1/6; then each of four moves is one of two.
    let run = place.run(&[&gaps[..], &["--format", "jsonl"]].concat());
    run.exits(0).complains("coverage to ply 20: 80.7 %, 2 gaps");
    let rows: Vec<serde_json::Value> =
        run.stdout.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let told = |row: &serde_json::Value| {
        let told = ["line", "move", "probability", "one_in", "games"].map(|n| row[n].to_string());
        told.join(" | ").replace('"', "")
    };
    assert_eq!(
        rows.iter().map(told).collect::<Vec<_>>(),
        [
            "1. c4 c5 | 1... c5 | 0.166667 | 6 | 0",
            "1. d4 e6 2. c4 d5 3. Nc3 c6 4. e4 Bb4 5. e5 Ne7 | 5... Ne7 | 0.026042 | 38 | 0",
        ]
    );
    assert_eq!(rows[0]["opening"], "English Opening: Symmetrical Variation");
    for (depth, coverage) in [("9", "83.3"), ("10", "80.7"), ("2", "83.3"), ("1", "100.0")] {
        place
            .run(&[&gaps[..], &["--depth", depth, "--coverage"]].concat())
            .prints(&format!("coverage to ply {depth}: {coverage} %\n"));
    }
    place
        .run(&[&gaps[..], &["--coverage", "--format", "jsonl"]].concat())
        .prints("{\"depth\":20,\"coverage\":0.807292,\"gaps\":2}\n");
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
    // Two games of three meet 1. d4 (1/2) with 1... f5. Where nobody has played, the moves of the
    // book are equally likely.
    let expected = "1. d4 f5\t1... f5\t0.333333\t3\t2\t0.5000\tA80\tDutch Defense\t";
    let pgn = place.run(&[&gaps[..], &["reference.pgn"]].concat());
    let first = pgn.exits(0).stdout.lines().nth(1).unwrap();
    assert!(first.starts_with(expected), "{first}");
    for more in [&["ref.db"][..], &["ref.db", "--reference-name", "a"]] {
        place.run(&[&gaps[..], more].concat()).exits(0).prints(&pgn.stdout);
    }
    place.run(&["repertoire", "build", "mine", "--db", "my.db", "reference.pgn"]).exits(0);
    let own = place.run(&["repertoire", "gaps", "mine", "--db", "my.db"]);
    // Now the player, too, plays as he did: 1. d4 three times of four.
    assert!(own.stdout.contains("1. d4 f5\t1... f5\t0.500000\t2\t2\t"), "{}", own.stdout);
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
        place.run(&[&build[..], &["--max-ply", max_ply]].concat()).exits(0);
    }
    for depth in 1..=12 {
        let depth = depth.to_string();
        let gaps =
            ["repertoire", "gaps", "mine", "--db", "my.db", "--depth", &depth, "--reference"];
        let gaps =
            |reference| place.run(&[&gaps[..], &[reference]].concat()).exits(0).stdout.clone();
        let expected = gaps("reference.pgn");
        assert_eq!(gaps("three.db"), expected, "depth {depth}");
        assert_eq!(gaps("forty.db"), expected, "depth {depth}");
    }
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
            "choice |  | d4, c4",
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
        .prints_part("never played\t\tc4\tin none of 2 games\t");
}

#[test]
fn a_repertoire_of_games_alone_has_the_moves_of_single_games() {
    let place = prepared();
    place.write(
        "games.pgn",
        "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White \"B\"]\n\n1. e4 c5 *\n",
    );
    let build = ["repertoire", "build", "played", "--db", "p.db", "--color", "white", "games.pgn"];
    place.run(&build).exits(0);
    let check = ["repertoire", "check", "played", "--db", "p.db", "--no-header"];
    let run = place.pipe(&check, b"1. e4 e5 2. Nf3 Nf6 *\n");
    assert!(run.exits(0).stdout.contains("theirs\t3\t2... Nf6\tNc6\t"), "{}", run.stdout);
    place.run(&["repertoire", "gaps", "played", "--db", "p.db"]).prints_part("1. e4 c5\t");
}
