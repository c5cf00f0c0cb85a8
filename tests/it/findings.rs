//! Strengths and weaknesses: `eco stats` and `eco report` have the same.

use serde_json::Value;

use crate::{
    harness::Workplace,
    real_games::{games_folder, unpacked},
};

/// What both say of a finding. Numbers are rounded as `stats` prints them.
#[derive(Debug, PartialEq)]
struct Fact {
    color: String,
    variation: String,
    line: String,
    games: Vec<u64>,
    percents: Vec<String>,
}

impl Fact {
    fn of_row(row: &Value) -> Self {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let numbers = ["estimate", "expected", "diff", "diff_low", "diff_high", "score"];
        Self {
            color: text("color"),
            variation: text("variation"),
            line: text("line"),
            games: ["line_games", "rated", "games"].map(|name| row[name].as_u64().unwrap()).into(),
            percents: numbers.map(|name| rounded(row[name].as_f64().unwrap())).into(),
        }
    }

    fn of_finding(found: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (difference, figures) = (&found["difference"], &found["figures"]);
        let interval = &difference["interval"];
        let games = [&found["lines"][0]["games"], &difference["games"], &figures["games"]];
        let numbers = [
            &found["estimate"],
            &difference["expected"],
            &difference["value"],
            &interval["low"],
            &interval["high"],
            &figures["score"],
        ];
        Self {
            color: text(&found["side"]),
            variation: text(&found["opening"]),
            line: text(&found["lines"][0]["moves"]),
            games: games.map(|value| value.as_u64().unwrap()).into(),
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

/// What is on the page, of all sides together.
fn of_report(report: &Value, list: &str) -> Vec<Fact> {
    let sides = report["sides"].as_array().unwrap();
    let found = sides.iter().flat_map(|side| side["findings"][list].as_array().unwrap());
    let mut found: Vec<&Value> = found.collect();
    let size = |found: &Value| found["estimate"].as_f64().unwrap().abs();
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found.into_iter().map(Fact::of_finding).collect()
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
    assert_eq!(white + black, both);
    compare(&place, &["lind.pgn", "--against", "Vera Lind"]);
    compare(&place, &["lind.pgn"]);
}

#[test]
fn stats_and_report_find_the_same_in_real_games() {
    let Some(folder) = games_folder() else { return };
    let (place, path) = (Workplace::new(), "otb.pgn");
    place.write(path, unpacked(&folder.join("otb.pgn.zst")));
    compare(&place, &[path]);
    let mut count = 0;
    for player in ["Carlsen,M", "Karpov,Ana", "Gligoric,S", "Kasparov,G"] {
        let both = compare(&place, &[path, "--player", player]);
        count += both;
        let [white, black] = ["white", "black"]
            .map(|color| compare(&place, &[path, "--player", player, "--color", color]));
        assert_eq!(white + black, both, "{player}");
    }
    assert!(count > 0, "some of them have findings");
}
