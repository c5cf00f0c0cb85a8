//! `eco stats`, from outside: what its rows, their order and its notes are.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::harness::{Workplace, famous_games};

pub fn rows(place: &Workplace, args: &[&str]) -> Vec<Value> {
    let args = [&["stats", "--format", "jsonl", "--quiet", "--totals"], args].concat();
    let out = place.run(&args).exits(0).stdout.clone();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The groups and the others are all.
pub fn assert_adds_up(rows: &[Value], columns: &[&str]) {
    for column in columns {
        let sum: u64 = rows[1..].iter().map(|row| row[column].as_u64().unwrap()).sum();
        assert_eq!(rows[0][column].as_u64(), Some(sum), "{column}");
    }
}

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games").join(name)
}

#[test]
fn rows_are_the_same_bytes_with_any_number_of_threads() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games().repeat(20));
    for by in ["eco", "player,eco", "first-moves:3", "tag:Site", "year,family"] {
        for more in [&[][..], &["--limit", "4"], &["--min-games", "21"], &["--sort", "plies"]] {
            let run = |threads: &str, block: &str| {
                let threads = ["--threads", threads, "--block-size", block];
                let args = [&["stats", "g.pgn", "--totals", "--by", by], more, &threads].concat();
                place.run(&args).exits(0).stdout.clone()
            };
            let one = run("1", "262144");
            assert!(one.lines().count() > 2, "{one}");
            for (threads, block) in [("2", "5000"), ("7", "700")] {
                assert_eq!(run(threads, block), one, "{by} {more:?}, {threads} threads");
            }
        }
    }
}

/// Words are read whole where nothing separates them from what follows; they must not stand for the
/// moves of another game.
#[test]
fn first_moves_are_those_of_each_game_however_they_are_glued() {
    let rest = "2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0";
    for glue in ["\t(d4 d5)", "(d4 d5)", " (d4 d5)", "{a b4}", "\t{a b4}"] {
        let place = Workplace::new();
        let game = |reply: &str| format!("1. e4{glue} {reply} {rest}\n\n");
        place.write("g.pgn", [game("e5"), game("c5")].concat());
        let args = ["stats", "g.pgn", "--by", "first-moves:2", "--format", "csv"];
        let rows = place.run(&args).exits(0).stdout.clone();
        for moves in ["1. e4 e5,1,", "1. e4 c5,1,"] {
            assert!(rows.contains(moves), "{glue:?}: {rows}");
        }
    }
}

#[test]
fn nested_rows_add_up_to_their_totals() {
    let place = Workplace::new();
    let games = data("club.pgn");
    let games = games.to_str().unwrap();
    let rows = rows(&place, &[games, "--by", "volume,eco", "--min-games", "2"]);
    let kinds: Vec<String> = rows.iter().map(|row| text(&row["row"])).collect();
    assert_eq!(kinds[0], "all");
    let mut open: Option<(String, u64)> = None;
    let mut totals = 0;
    for (row, kind) in rows[1..].iter().zip(&kinds[1..]) {
        let games = row["games"].as_u64().unwrap();
        let is_inner = kind == "group" || kind == "others" && !row["volume"].is_null();
        if !is_inner {
            assert!(open.as_ref().is_none_or(|(_, left)| *left == 0), "{open:?}");
            totals += games;
            open = (kind == "total").then(|| (text(&row["volume"]), games));
        } else {
            let (volume, left) = open.as_mut().unwrap();
            assert_eq!(text(&row["volume"]), *volume);
            assert_eq!(row["opening"].is_string(), kind == "group", "{row}");
            *left -= games;
        }
    }
    assert_eq!(Some(totals), rows[0]["games"].as_u64());
}

#[test]
fn what_is_left_out_is_said() {
    let place = Workplace::new();
    place.write(
        "g.pgn",
        "[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"*\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
         [Result \"*\"]\n\n*\n",
    );
    let run = place.run(&["stats", "g.pgn"]);
    run.exits(0).complains(
        "2 games counted; 1 game of other variants, not counted; 1 game without a result, in no \
         score; 1 game without both ratings, in no expectation; 1 game without an opening",
    );
    assert!(run.stdout.starts_with("variation\tgames\twhite\tdraws\tblack\tscore\tlow\thigh\t"));
    let by_player = place.run(&["stats", "g.pgn", "--by", "player"]);
    by_player.exits(0).complains("2 games without the name of a player");
    place.run(&["stats", "g.pgn", "--quiet"]).exits(0).is_silent();
    place.write("empty.pgn", "");
    place.run(&["stats", "none.pgn"]).exits(1).prints("").complains("none.pgn");
    let empty = place.run(&["stats", "empty.pgn", "--format", "jsonl", "--totals"]);
    empty.exits(0).prints_part("\"variation\":null,\"games\":0,");
    empty.complains("the input has no games");
    let none = place.run(&["stats", "g.pgn", "--since", "1900"]);
    none.exits(0).complains("none of 3 games in the input fits the selection");
}

#[test]
fn usage_errors_say_what_there_is() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 *\n");
    for (args, part) in [
        (
            &["--by", "colour"][..],
            "cannot group by 'colour' (did you mean 'color'?); fields are eco, volume",
        ),
        (&["--by", "eco,eco"], "eco is named twice"),
        (&["--by", "eco,year,month"], "at most two fields"),
        (&["--by", "first-moves:0"], "first-moves:N"),
        (&["--sort", "elo"], "cannot sort by 'elo'; columns are games, white, won"),
        (
            &["--strengths", "--by", "color"],
            "color is no strength or weakness of an archive; name a",
        ),
    ] {
        place.run(&[&["stats", "g.pgn"], args].concat()).exits(2).complains(part);
    }
    for (args, part) in [
        (&["--by", "famly"][..], "cannot group by 'famly' (did you mean 'family'?); fields are"),
        (&["--sort", "scor"], "cannot sort by 'scor' (did you mean 'score'?); columns are"),
        (&["--speed", "blits"], "not a speed: 'blits' (did you mean 'blitz'?); there are"),
        (&["--not", "playr=x"], "no such condition (did you mean 'player'?); there is"),
    ] {
        place.run(&[&["stats", "g.pgn"], args].concat()).exits(2).complains(part);
    }
    // A table shows what it is sorted by, and other formats have their order.
    let sorted = ["stats", "g.pgn", "--sort", "diff", "--width", "60", "--format"];
    let table = place.run(&[&sorted[..], &["table"]].concat()).exits(0).stdout.clone();
    let heads: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heads, ["opening", "games", "white", "draws", "black", "score", "diff"], "{table}");
    place.run(&[&sorted[..], &["tsv"]].concat()).prints_part(
        "games\twhite\tdraws\tblack\tscore\tlow\thigh\trated\texpected\tdiff\tdiff_low\t",
    );
    for sort in ["variation", "white", "won", "score", "diff_low", "first", "last", "per_1000"] {
        place.run(&["stats", "g.pgn", "--sort", sort]).exits(0);
    }
}

#[test]
fn hostile_text_can_break_no_row() {
    let place = Workplace::new();
    let evil = "a\tb\u{1b}[31m\u{9b}x\u{202e}<script>=1+1\\\"";
    let tags = format!("[Event \"{evil}\"]\n[White \"{evil}\"]\n[Result \"1-0\"]\n");
    place.write("g.pgn", tags + "\n1. e4 1-0\n");
    for by in ["event", "player", "opponent", "tag:Event", "player,event"] {
        for format in ["tsv", "csv", "jsonl", "table"] {
            let args = ["stats", "g.pgn", "--by", by, "--format", format, "-q", "--width", "400"];
            let out = place.run(&args).exits(0).stdout.clone();
            let is_control = |c: char| !"\n\t".contains(c) && (c.is_control() || c == '\u{202e}');
            assert!(!out.contains(is_control), "{by} {format}: {out:?}");
            if format == "tsv" {
                let columns: Vec<usize> = out.lines().map(|l| l.split('\t').count()).collect();
                assert!(columns.iter().all(|count| *count == columns[0]), "{out}");
            }
        }
    }
}

#[test]
fn weaknesses_are_openings_away_from_expectation() {
    let place = Workplace::new();
    // White loses nearly all games of one opening, and half of all others.
    let mut pgn = String::new();
    for n in 0..120 {
        let (moves, is_lost) = match n % 4 {
            0 => ("1. e4 c5", n % 40 != 0),
            1 => ("1. d4 d5", n % 8 == 1),
            2 => ("1. c4 e5", n % 8 == 2),
            _ => ("1. e4 e5 2. Nf3 Nc6", n % 8 == 3),
        };
        let result = if is_lost { "0-1" } else { "1-0" };
        pgn += &format!(
            "[White \"A\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n[Result \"{result}\"]\n\n\
             {moves} {result}\n\n"
        );
    }
    place.write("g.pgn", pgn);
    let by = ["--by", "variation", "--format", "jsonl"];
    let weak = place.run(&[&["stats", "g.pgn", "--weaknesses"], &by[..]].concat());
    weak.exits(0).complains("1 of 4 values with at least 20 rated games");
    let row: Value = serde_json::from_str(weak.stdout.lines().next().unwrap()).unwrap();
    let found = (text(&row["question"]), text(&row["value"]), row["games"].as_u64());
    let sicilian = ("variation".to_owned(), "Sicilian Defense".to_owned(), Some(30));
    assert_eq!(found, sicilian, "{row}");
    let (estimate, diff) = (row["estimate"].as_f64().unwrap(), row["diff"].as_f64().unwrap());
    assert!(diff < -22.0 && estimate >= diff && estimate < 0.0, "{row}");
    assert_eq!((text(&row["line"]), row["line_games"].as_u64()), ("1. e4 c5".to_owned(), Some(30)));
    let strong = place.run(&[&["stats", "g.pgn", "--strengths"], &by[..]].concat());
    strong.exits(0).prints("").complains(
        "none of 4 values with 20 rated games or more scores above the level of all games; with \
         100 games ",
    );
}

#[test]
fn no_finding_leads_to_what_there_is() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 *\n");
    for option in ["--weaknesses", "--strengths"] {
        let all = format!("drop conditions, or leave out {option} to see all openings");
        place.run(&["stats", "g.pgn", option]).exits(0).complains(&all);
    }
}

#[test]
fn rows_are_sorted_in_both_directions() {
    let place = Workplace::new();
    let game = |year: u32, moves: &str, result: &str| {
        format!("[Date \"{year}.01.01\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let games = [
        game(1990, "1. e4 e5", "1-0"),
        game(1991, "1. e4 e5", "1-0"),
        game(1992, "1. e4 c5", "0-1"),
        game(1993, "1. d4 d5", "1/2-1/2"),
    ];
    place.write("g.pgn", games.concat());
    for (by, sort, first) in [
        ("family", "score", "King's Pawn Game"),
        ("family", "score:desc", "King's Pawn Game"),
        ("family", "score:asc", "Sicilian Defense"),
        ("family", "games:asc", "Queen's Pawn Game"),
        ("family", "first", "King's Pawn Game"),
        ("family", "first:desc", "Queen's Pawn Game"),
        ("family", "family", "King's Pawn Game"),
        ("family", "family:desc", "Sicilian Defense"),
        ("year", "year", "1990"),
        ("year", "year:desc", "1993"),
        // What has no value comes last.
        ("family", "performance:asc", "King's Pawn Game"),
    ] {
        let args = ["stats", "g.pgn", "--by", by, "--sort", sort, "--no-header", "-f", "tsv"];
        let run = place.run(&args);
        let row = run.exits(0).stdout.lines().next().unwrap_or_default();
        assert_eq!(row.split('\t').next(), Some(first), "{by} {sort}");
    }
}

/// Games between equals in three openings. White scores 70 % of each; as many have other moves.
fn games_that_white_wins() -> String {
    let mut pgn = String::new();
    for n in 0..600 {
        let moves = ["1. e4 c5 2. Nf3", "1. d4 d5", "1. c4 e5"][n % 3];
        let result = if n / 3 % 10 < 7 { "1-0" } else { "0-1" };
        let moves = if n % 12 == 0 { "1. Nf3 c5 2. e4" } else { moves };
        let [white, black] = if n / 3 % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
        pgn += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"2000\"]\n\
             [BlackElo \"2000\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    pgn
}

#[test]
fn what_white_scores_in_all_openings_is_expected_of_an_archive() {
    let place = Workplace::new();
    place.write("g.pgn", games_that_white_wins());
    for flag in ["--strengths", "--weaknesses"] {
        let run = place.run(&["stats", "g.pgn", flag, "--by", "family", "--format", "jsonl"]);
        run.exits(0).prints("").complains("none of 3 values with 20 rated games or more scores");
    }
    // Of a player, White is worth 40 rating points at most. More is the player's.
    for (flag, color, score, diff_ratings) in
        [("--strengths", "white", 80.0, 30.0), ("--weaknesses", "black", 40.0, -10.0)]
    {
        let run = place.run(&["stats", "g.pgn", "--player", "A", "--format", "jsonl", flag]);
        run.exits(0)
            .complains("the level of these games is +71 rating points, and White is worth 40");
        let row: Value = serde_json::from_str(run.stdout.trim()).unwrap();
        assert_eq!((&row["question"], &row["value"]), (&"color".into(), &color.into()), "{row}");
        assert_eq!(
            (row["score"].as_f64(), row["diff"].as_f64()),
            (Some(score), Some(14.5_f64.copysign(diff_ratings)))
        );
        assert_eq!(row["diff_ratings"], diff_ratings, "{row}");
    }
}

#[test]
fn the_line_of_a_finding_is_that_of_most_of_its_games_of_that_colour() {
    let place = Workplace::new();
    // A wins the Open Sicilian as White, and loses the Closed as Black, too seldom for the colours
    // to be compared.
    let mut pgn = String::new();
    for n in 0..150 {
        let (moves, white, black) = match n % 5 {
            0 => ("1. Nf3 c5 2. e4", "A", "B"),
            1..4 => ("1. e4 c5 2. Nf3 d6", "A", "B"),
            _ => ("1. e4 c5 2. Nc3", "B", "A"),
        };
        pgn += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"2000\"]\n\
             [BlackElo \"2000\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
        );
    }
    place.write("g.pgn", pgn);
    for (flag, by, color, line, games) in [
        ("--strengths", "family", "white", "1. e4 c5 2. Nf3 d6", 90),
        ("--weaknesses", "family", "black", "1. e4 c5 2. Nc3", 30),
        ("--weaknesses", "eco", "black", "1. e4 c5 2. Nc3", 30),
    ] {
        let args = ["stats", "g.pgn", "--player", "A", flag, "--by", by, "--format", "jsonl", "-q"];
        let out = place.run(&args).exits(0).stdout.clone();
        let rows: Vec<Value> = out.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        let found = rows.iter().find(|row| row["line"] == line).unwrap_or_else(|| panic!("{out}"));
        assert_eq!(
            (text(&found["color"]), found["line_games"].as_u64()),
            (color.to_owned(), Some(games))
        );
    }
}

#[test]
fn players_are_seen_from_their_side() {
    let place = Workplace::new();
    let games = data("club.pgn");
    let games = games.to_str().unwrap();
    let rows = rows(&place, &[games, "--player", "ana novak", "--by", "color"]);
    let facts: Vec<_> = rows
        .iter()
        .map(|row| {
            (text(&row["color"]) + &text(&row["row"]), row["games"].as_u64(), row["won"].as_u64())
        })
        .collect();
    // A recount by eye: White won 7 of her 16 games, Black 2 of 4.
    let expected = [("all", 20, 9), ("whitegroup", 16, 7), ("blackgroup", 4, 2)];
    assert_eq!(facts, expected.map(|(side, g, won)| (side.to_owned(), Some(g), Some(won))));
    // A selection counts what the obvious program counts of the selected games.
    let some = self::rows(&place, &[games, "--eco", "D", "--since", "2026", "--by", "volume"]);
    assert_eq!(some.iter().map(|row| text(&row["volume"])).collect::<Vec<_>>(), ["", "D"]);
    let run = place.run(&["stats", games, "--player", "Nobody Known"]);
    run.exits(2).prints("").complains("no game has a player");
    let weak = place.run(&["stats", games, "--player", "Novak, Ana", "--weaknesses"]);
    weak.exits(0).prints_part("question\tcolor\tvalue\tline\tline_games\tgames\t");
}

#[test]
fn other_spellings_of_a_player_are_told() {
    let place = Workplace::new();
    let game = |white: &str| {
        format!("[White \"{white}\"]\n[Black \"Anand, V\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n")
    };
    let names =
        ["Carlsen, Magnus", "Carlsen,M", "Carlsen, Henrik", "Carlsen,M", "Carlsen", "Kasparov"];
    place.write("g.pgn", names.map(game).concat());
    let note = "not counted: 'Carlsen,M' (2 games), 'Carlsen' (1 game), perhaps other \
                spellings of 'magnus carlsen'; name them as well to count them";
    for command in
        [&["stats"][..], &["report", "-o", "r.html"], &["filter"], &["classify"], &["tag"]]
    {
        for threads in ["1", "3"] {
            let args = ["g.pgn", "--player", "magnus carlsen", "--threads", threads];
            let args = [command, &args].concat();
            place.run(&args).exits(0).complains(note);
            let quiet = place.run(&[&args[..], &["--quiet"]].concat());
            assert_eq!(quiet.exits(0).stderr, "");
            let both = place.run(&[&args[..], &["--player", "Carlsen,M"]].concat());
            assert!(!both.exits(0).stderr.contains("'Carlsen,M' ("), "{}", both.stderr);
        }
    }
    // The opponent is one of the people too.
    let run = place.run(&["stats", "g.pgn", "--player", "Kasparov", "--against", "Anand, V"]);
    assert!(!run.exits(0).stderr.contains("perhaps"), "{}", run.stderr);
}

#[test]
fn narrow_tables_keep_the_difference() {
    let place = Workplace::new();
    let games = data("club.pgn");
    let columns = |args: &[&str]| {
        let run =
            place.run(&[&["stats", games.to_str().unwrap(), "--format", "table"], args].concat());
        run.exits(0);
        let shown = run.stdout.lines().next().unwrap_or_default().split_whitespace();
        (shown.collect::<Vec<_>>().join(" "), run.stderr.clone())
    };
    let (shown, notes) = columns(&["--width", "80"]);
    assert_eq!(shown, "opening games white draws black score diff");
    assert!(!notes.contains("no room"), "{notes}");
    let (shown, _) = columns(&["--width", "80", "--sort", "plies"]);
    assert_eq!(shown, "opening games plies score diff");
    for (width, rest) in [("113", ""), ("300", "first last ")] {
        let (shown, _) = columns(&["--width", width, "--by", "year", "--detail"]);
        assert!(shown.starts_with("year games white draws black score "), "{shown}");
        assert!(shown.ends_with(&format!("{rest}diff")), "{shown}");
    }
}

#[test]
fn a_game_of_two_chosen_players_counts_for_both() {
    let place = Workplace::new();
    place.write(
        "g.pgn",
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
         [White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n\
         [White \"C\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n\n\
         [White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n",
    );
    let both = ["g.pgn", "--player", "A", "--player", "B", "--by"];
    // The value, its games, those won, drawn and lost, and whether they have an interval.
    for (field, expected) in [
        (
            "player",
            &[("", 5, 1, 2, 2, false), ("B", 3, 0, 1, 2, true), ("A", 2, 1, 1, 0, true)][..],
        ),
        (
            "color",
            &[("", 5, 1, 2, 2, false), ("black", 3, 0, 1, 2, true), ("white", 2, 1, 1, 0, true)],
        ),
        ("volume", &[("", 5, 1, 2, 2, false), ("C", 4, 1, 2, 1, false), ("D", 1, 0, 0, 1, true)]),
    ] {
        let found: Vec<_> = rows(&place, &[&both[..], &[field]].concat())
            .iter()
            .map(|row| {
                let [games, won, drawn, lost] =
                    ["games", "won", "drawn", "lost"].map(|name| row[name].as_u64().unwrap());
                (text(&row[field]), games, won, drawn, lost, row["low"].is_number())
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(v, g, w, d, l, i)| ((*v).to_owned(), *g, *w, *d, *l, *i))
            .collect();
        assert_eq!(found, expected, "by {field}");
    }
    // Each game is one game all the same.
    let run = place.run(&[&["stats"], &both[..], &["color"]].concat());
    run.exits(0).complains("3 games counted; 3 games without both ratings");
}

/// Two games with all commands, one with some, and one without any.
const COMMENTED: &str = "\
[White \"A\"]
[Black \"B\"]
[TimeControl \"60+0\"]

1. e4 {[%clk 0:01:00]} c5 {[%clk 0:00:59] [%eval 0.4]} 1-0

[White \"B\"]
[Black \"A\"]
[TimeControl \"60+0\"]

1. e4 {[%emt 4]} c5 {[%emt 3] [%eval #-2]} 1-0

[White \"A\"]
[Black \"B\"]

1. e4 c5 {[%eval 0.41]} 1-0

[White \"A\"]
[Black \"B\"]

1. e4 c5 1-0
";

#[test]
fn evaluation_and_time_are_means_of_the_games_that_have_them() {
    let place = Workplace::new();
    place.write("g.pgn", COMMENTED);
    let found = |args: &[&str]| {
        let args = [&["g.pgn"], args].concat();
        let names = ["games", "evaluated", "eval", "timed", "time"];
        let row = &rows(&place, &args)[1];
        names.map(|name| row[name].as_f64())
    };
    let archive = [Some(4.0), Some(3.0), Some(-306.3), Some(2.0), Some(2.0)];
    assert_eq!(found(&["--by", "eco"]), archive);
    let player = [Some(4.0), Some(3.0), Some(360.3), Some(2.0), Some(1.5)];
    assert_eq!(found(&["--by", "eco", "--player", "A"]), player);
    // A table reads comments only for columns of them.
    let table = |more: &[&str]| {
        let args = ["stats", "g.pgn", "--by", "eco", "--format", "table", "--width", "300"];
        place.run(&[&args[..], more].concat()).exits(0).stdout.clone()
    };
    assert!(!table(&[]).contains("eval"));
    for more in [&["--sort", "eval"][..], &["--detail"]] {
        assert!(table(more).contains(" -306.3"), "{}", table(more));
    }
}

#[test]
fn games_that_come_again_count_once_if_that_is_asked_for() {
    let place = Workplace::new();
    let club = fs::read_to_string(data("club.pgn")).unwrap();
    let games = club.matches("[Event ").count();
    // Tags that say nothing of which game it is.
    let other = club.replace("[WhiteElo \"", "[WhiteElo \"1").replace("[Event \"", "[Event \"x");
    place.write("club.pgn", &club);
    place.write("again.pgn", format!("{other}\n{club}"));
    let table = ["--by", "eco,player", "--format", "tsv"];
    let once = place.run(&[&["stats", "club.pgn"], &table[..]].concat()).exits(0).stdout.clone();
    let all = ["club.pgn", "again.pgn"];
    for threads in ["1", "2", "7"] {
        let options = ["--unique", "--block-size", "900", "-j", threads];
        let unique = place.run(&[&["stats"], &all[..], &table, &options].concat());
        assert_eq!(unique.exits(0).stdout, once, "{threads} threads");
        unique.complains(&format!("{} games that came before, not counted again", 2 * games));
        let report = ["report", "-f", "json", "-o", "-"];
        let report = place.run(&[&report, &all[..], &options].concat()).exits(0).stdout.clone();
        let report: Value = serde_json::from_str(&report).unwrap();
        let numbers = report.get("report").unwrap_or(&report);
        assert_eq!(numbers["games"], games, "{threads} threads");
        assert_eq!(numbers["left_out"]["repeats"], 2 * games, "{threads} threads");
        let filter = place.run(&[&["filter"], &all[..], &options].concat());
        assert_eq!(filter.exits(0).stdout, club, "{threads} threads");
    }
    let twice = place.run(&[&["stats"], &all[..], &table].concat());
    assert_ne!(twice.exits(0).stdout, once);
    // The first of the input counts.
    let reversed = ["stats", "again.pgn", "club.pgn", "--unique", "--by", "rating", "-f", "tsv"];
    let other = place.run(&reversed).exits(0).stdout.clone();
    assert_ne!(other, place.run(&["stats", "club.pgn", "--by", "rating", "-f", "tsv"]).stdout);
}
