//! Strengths and weaknesses: `eco stats` and `eco report` have the same.

use serde_json::Value;

use crate::{
    harness::Workplace,
    real_games::{games_folder, unpacked},
};

/// What both say of a finding. Numbers are rounded as `stats` prints them.
#[derive(Debug, PartialEq)]
struct Fact {
    question: String,
    color: String,
    value: String,
    line: String,
    games: Vec<u64>,
    percents: Vec<String>,
}

impl Fact {
    fn of_row(row: &Value) -> Self {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let numbers = ["estimate", "expected", "diff", "diff_low", "diff_high", "score"];
        let numbers = [&numbers[..], &["diff_ratings"]].concat().into_iter();
        Self {
            question: text("question"),
            color: text("color"),
            value: text("value"),
            line: text("line"),
            games: ["line_games", "games"].map(|name| row[name].as_u64().unwrap_or(0)).into(),
            percents: numbers.map(|name| rounded(row[name].as_f64().unwrap())).collect(),
        }
    }

    fn of_finding(found: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let difference = &found["difference"];
        let interval = &difference["interval"];
        let games = [&found["lines"][0]["games"], &difference["games"]];
        let numbers = [
            &found["estimate"],
            &difference["expected"],
            &difference["value"],
            &interval["low"],
            &interval["high"],
            &difference["score"],
            &found["against_ratings"],
        ];
        Self {
            question: text(&found["question"]),
            color: text(&found["side"]),
            value: text(&found["value"]),
            line: text(&found["lines"][0]["moves"]),
            games: games.map(|value| value.as_u64().unwrap_or(0)).into(),
            percents: numbers.map(|value| rounded(100.0 * value.as_f64().unwrap())).into(),
        }
    }
}

fn rounded(percent: f64) -> String {
    format!("{percent:.1}").replace("-0.0", "0.0")
}

/// What `stats` lists.
fn of_stats(place: &Workplace, flag: &str, args: &[&str]) -> Vec<Fact> {
    let by = ["stats", flag, "--format", "jsonl", "--quiet"];
    let out = place.run(&[&by[..], args].concat()).exits(0).stdout.clone();
    out.lines().map(|row| Fact::of_row(&serde_json::from_str(row).unwrap())).collect()
}

/// What is on the page.
fn of_report(report: &Value, list: &str) -> Vec<Fact> {
    report["findings"][list].as_array().unwrap().iter().map(Fact::of_finding).collect()
}

/// Compares both, and returns the number of findings.
fn compare(place: &Workplace, args: &[&str]) -> usize {
    let json = ["report", "--format", "json", "--quiet"];
    let page = place.run(&[&json[..], args].concat()).exits(0).stdout.clone();
    let page: Value = serde_json::from_str(&page).unwrap();
    let mut count = 0;
    for list in ["strengths", "weaknesses"] {
        let listed = of_stats(place, &format!("--{list}"), args);
        assert_eq!(of_report(&page["report"], list), listed, "{list} of {args:?}");
        count += listed.len();
    }
    count
}

#[test]
fn stats_and_report_find_the_same_in_a_season() {
    let place = Workplace::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    place
        .shell(&format!("awk -f {data}/games/season.awk {data}/openings/*.tsv > lind.pgn"))
        .exits(0);
    let vera = ["lind.pgn", "--player", "Vera Lind"];
    let both = compare(&place, &vera);
    assert!(both > 0, "the season is made so that there are some");
    let [white, black] =
        ["white", "black"].map(|color| compare(&place, &[&vera[..], &["--color", color]].concat()));
    assert!(white + black > 0 && white + black <= both, "some are of no colour");
    compare(&place, &["lind.pgn", "--against", "Vera Lind"]);
    compare(&place, &["lind.pgn"]);
}

#[test]
fn stats_and_report_find_the_same_in_real_games() {
    let Some(folder) = games_folder() else { return };
    let (place, path) = (Workplace::new(), "otb.pgn");
    place.write(path, unpacked(&folder.join("otb.pgn.zst")));
    compare(&place, &[path]);
    for player in ["Carlsen,M", "Karpov,Ana", "Gligoric,S", "Kasparov,G"] {
        let both = compare(&place, &[path, "--player", player]);
        let [white, black] = ["white", "black"]
            .map(|color| compare(&place, &[path, "--player", player, "--color", color]));
        assert!(white + black <= both, "{player}");
    }
}

/// Games of a player with known causes: blitz, late hours, Black and 1. e4 cost points. The ratings
/// lag, and White is worth something.
fn made_games() -> String {
    let mut seed = 20_260_u64;
    let mut chance = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut pgn = String::new();
    for number in 0..30_000 {
        let is_white = number % 2 == 0;
        let (control, speed) =
            [("180+0", -0.03), ("600+0", 0.0), ("60+0", 0.0)][(chance() * 2.5) as usize];
        let hour = (chance() * 24.0) as usize;
        let moves = match (is_white, (chance() * 3.0) as usize) {
            (true, 0) => ["1. e4 e5 2. Nf3 Nc6", "1. e4 c5 2. Nf3"][(chance() * 2.0) as usize],
            (true, 1) => "1. d4 d5 2. c4 e6",
            (true, _) => "1. c4 e5",
            (false, 0) => "1. d4 Nf6 2. c4 e6",
            (false, 1) => "1. d4 d5 2. c4 c6",
            (false, _) => "1. Nf3 d5",
        };
        let mut bonus = speed + if is_white { 0.0 } else { -0.16 };
        bonus += if hour == 2 { -0.12 } else { 0.0 };
        bonus += if moves.starts_with("1. e4") { -0.05 } else { 0.0 };
        let opponent = 1900 + (chance() * 200.0) as i32;
        let gap = f64::from(2000 - opponent) + if is_white { 20.0 } else { -20.0 } + 30.0;
        let expected = 1.0 / (1.0 + 10_f64.powf(-gap / 400.0)) + bonus;
        let share = chance();
        let score = if share < expected - 0.1 { 2 } else { i32::from(share < expected + 0.1) };
        let result = match (score, is_white) {
            (1, _) => "1/2-1/2",
            (2, true) | (0, false) => "1-0",
            _ => "0-1",
        };
        let opponent_name = format!("P{}", (chance() * 4000.0) as usize);
        let (white, black) =
            if is_white { ("Me", &*opponent_name) } else { (&*opponent_name, "Me") };
        let (own, other) = if is_white { (2000, opponent) } else { (opponent, 2000) };
        let (day, month) = (number / 100 % 28 + 1, number / 2800 + 1);
        pgn += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"{own}\"]\n\
             [BlackElo \"{other}\"]\n[Date \"2025.{month:02}.{day:02}\"]\n\
             [UTCTime \"{hour:02}:00:00\"]\n[TimeControl \"{control}\"]\n\
             [Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    pgn
}

#[test]
fn speed_hour_colour_and_first_move_are_found_and_named() {
    let place = Workplace::new();
    place.write("me.pgn", made_games());
    let run = |list: &str, threads: &str| {
        let args = ["stats", "me.pgn", "--player", "Me", list, "--format", "jsonl", "-j", threads];
        place.run(&args).exits(0).stdout.clone()
    };
    let text = run("--weaknesses", "1");
    assert_eq!(run("--weaknesses", "2"), text, "on two threads");
    let found: Vec<Value> = text.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let values: Vec<[&str; 2]> = found
        .iter()
        .map(|row| ["question", "value"].map(|name| row[name].as_str().unwrap_or_default()))
        .collect();
    let has = |question: &str, value: &str| values.contains(&[question, value]);
    assert!(has("color", "black") && has("hour", "2") && has("first_moves", "1. e4"), "{text}");
    assert!(has("speed", "blitz") || has("time_control", "180+0"), "{text}");
    // Each is named once, and little else is.
    assert!(values.len() <= 5, "{text}");
}
