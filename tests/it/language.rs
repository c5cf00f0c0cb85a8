//! `--lang`, `ECO_LANG` and the setting: names and moves in other languages.

use serde_json::Value;

use crate::harness::{Workplace, famous_games};

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    place
}

#[test]
fn names_are_in_the_language_and_english_ones_beside_them() {
    let place = place();
    let fields = ["classify", "games.pgn", "-q", "--fields", "eco,opening,opening_en,family"];
    let english = place.run(&fields).exits(0).stdout.clone();
    let german = place.run(&[&fields[..], &["--lang", "de"]].concat()).exits(0).stdout.clone();
    assert_eq!(english.lines().count(), german.lines().count());
    for (english, german) in english.lines().zip(german.lines()).skip(1) {
        let [english, german] = [english, german].map(|row| row.split('\t').collect::<Vec<_>>());
        assert_eq!((english[0], english[1]), (german[0], german[2]));
        assert_eq!(english[1], english[2]);
        assert!(german[1].starts_with(german[3]), "{german:?}");
    }
    assert!(german.contains("\tPhilidor-Verteidigung\tPhilidor Defense\tPhilidor-Verteidigung\n"));
    let by_family = |lang: &str| {
        let args = ["stats", "games.pgn", "--by", "family", "-q", "--lang", lang];
        place.run(&args).exits(0).stdout.clone()
    };
    let counts = |table: &str| {
        let names = if table.contains("\topening_en\t") { 2 } else { 1 };
        let rows = table.lines().skip(1).filter_map(|row| row.splitn(names + 1, '\t').nth(names));
        let mut counts: Vec<String> = rows.map(str::to_owned).collect();
        counts.sort();
        counts
    };
    assert_eq!(counts(&by_family("ru")), counts(&by_family("en")));
    assert!(by_family("fr").contains("\nDéfense sicilienne\t"));
}

#[test]
fn programs_have_english_names_beside_those_of_every_row() {
    let place = place();
    place.line("index games.pgn --db x.db -q").exits(0);
    place.line("repertoire build w games.pgn --db x.db --color white -q").exits(0);
    for (rows, opening) in [
        ("search philidor", "Philidor Defense"),
        ("search --depth 1 philidor", "Philidor Defense"),
        ("stats games.pgn --by family -q", "Philidor Defense"),
        ("stats games.pgn --by variation -q", "Philidor Defense"),
        ("stats games.pgn --by eco -q", "Philidor Defense"),
        ("stats games.pgn --by eco,opening -q", "Philidor Defense"),
        ("stats games.pgn --by opening,family -q", "Philidor Defense"),
        ("explore x.db e4 e5 Nf3", "Philidor Defense"),
        ("repertoire tree w --db x.db", "Philidor Defense"),
        ("repertoire gaps w --db x.db", "Philidor Defense"),
    ] {
        let [english, german] = ["en", "de"].map(|lang| {
            let rows =
                place.line(&format!("{rows} --lang {lang} -f jsonl")).exits(0).stdout.clone();
            rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()).collect::<Vec<_>>()
        });
        let names = |rows: &[Value], field: &str| {
            // With its code and its games, since several rows may have one name.
            let named = |row: &Value| {
                Some(format!("{} {} {}", row[field].as_str()?, row["eco"], row["games"]))
            };
            let mut names: Vec<String> = rows.iter().filter_map(named).collect();
            names.sort();
            names
        };
        let field = ["opening", "family", "variation"];
        let field = field.into_iter().find(|field| english[0].get(*field).is_some()).unwrap();
        let beside = names(&german, "opening_en");
        assert_eq!(names(&english, field), beside, "{rows}");
        assert!(beside.iter().any(|name| name.starts_with(opening)), "{rows}: {beside:?}");
        assert!(english.iter().all(|row| row.get("opening_en").is_none()), "{rows}");
    }
}

#[test]
fn settings_are_for_people_and_the_option_for_everything() {
    let place = place();
    let run = |setting: &str, rest: &str| {
        place.shell(&format!("{setting} eco classify games.pgn -q {rest}")).exits(0).stdout.clone()
    };
    let (plain, table) = (run("", ""), run("", "-f table"));
    for setting in ["ECO_LANG=de", "eco config lang de &&"] {
        for format in ["", "-f csv", "-f jsonl", "-o - -f tsv"] {
            assert_eq!(run(setting, format), run("ECO_LANG= ", &format!("{format} --lang en")));
        }
        assert!(run(setting, "-f table").contains("Philidor-Verteidigung"), "{setting}");
        assert_eq!(run(setting, "-f table --lang en"), table);
        assert!(run(setting, "-f csv --lang fr").contains("Défense Philidor"), "{setting}");
    }
    assert!(!plain.contains("Verteidigung"));
    place.shell("ECO_LANG=xx eco lookup e4").exits(2).complains("ECO_LANG: no language 'xx'");
    place.run(&["lookup", "e4", "--lang", "germn"]).exits(2).complains("did you mean 'German'?");
}

#[test]
fn moves_have_the_letters_of_people_in_tables_and_english_ones_in_data() {
    let place = place();
    place.run(&["lookup", "--lang", "de", "e4", "e5", "Nf3", "Nc6", "Bb5"]).exits(0).prints_part(
        "C60 Spanische Partie\n  after 3. Lb5, ply 5\n  lichess 2026-09-11: 1. e4 e5 2. Sf3 Sc6 3. Lb5\n",
    );
    let explore = ["explore", "e4", "e5", "games.pgn", "-q", "--lang", "de", "-f"];
    let written = |format| place.run(&[&explore[..], &[format]].concat()).exits(0).stdout.clone();
    assert!(written("table").contains("\nSf3"));
    assert!(written("tsv").contains("\nNf3\tg1f3\t"));
    assert!(!written("jsonl").contains("Sf3"));
    let tagged = ["tag", "games.pgn", "--lang", "de", "-q", "-o", "-"];
    let tagged = place.run(&tagged).exits(0).stdout.clone();
    assert!(tagged.contains("[Opening \"Philidor-Verteidigung\"]"));
    assert!(tagged.contains(" Nf3 ") && !tagged.contains(" Sf3 "));
    let answer =
        place.run(&["lookup", "-f", "jsonl", "--lang", "es", "e4 c5"]).exits(0).stdout.clone();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["opening"], "Defensa siciliana");
    assert_eq!(answer["opening_en"], "Sicilian Defense");
    assert!(answer["next"][0]["opening_en"].is_string());
}

#[test]
fn selections_and_searches_go_by_english_names_in_every_language() {
    let place = place();
    for opening in ["philidor", "kings gambit"] {
        let count = |lang: &str| {
            let args = ["classify", "games.pgn", "-q", "--opening", opening, "--lang", lang];
            place.run(&[&args[..], &["--fields", "game"]].concat()).exits(0).stdout.clone()
        };
        assert_eq!(count("uk"), count("en"), "{opening}");
    }
    let rows = ["search", "najdorf", "--lang", "tr", "--limit", "1", "-f", "jsonl"];
    let rows = place.run(&rows).exits(0).stdout.clone();
    let english = r#""opening_en":"Sicilian Defense: Najdorf Variation""#;
    assert!(rows.contains(english), "{rows}");
    let rows = place.run(&["search", "najdorf", "-f", "jsonl"]).exits(0).stdout.clone();
    assert!(!rows.contains("opening_en"), "{rows}");
    let hits = ["search", "najdorf", "--lang", "tr", "--limit", "1", "--no-header"];
    place
        .run(&hits)
        .exits(0)
        .prints_part("B90\tSicilya Savunması: Najdorf Varyantı\tSicilian Defense: Najdorf");
}

#[test]
fn what_is_kept_is_english_and_shown_in_the_language() {
    let place = place();
    let keep = ["index", "games.pgn", "--db", "x.db", "--lang", "de", "-q"];
    place.run(&keep).exits(0);
    let english = place.run(&["explore", "--db", "x.db", "-q"]).exits(0).stdout.clone();
    assert!(!english.contains("Verteidigung") && english.contains("King's Pawn Game"));
    let shown = ["filter", "x.db", "--opening", "sicilian", "--lang", "fr", "-q"];
    place.run(&shown).exits(0).prints_part("[White ");
    let by_opening = ["stats", "x.db", "--by", "family", "--lang", "it", "-q"];
    place.run(&by_opening).exits(0).prints_part("\nDifesa siciliana\t");
    // A master is written in the language, and is read again as any other.
    let master = ["search", "B90", "-f", "lichess", "--lang", "pl", "-o", "polish.tsv"];
    place.run(&master).exits(0);
    let lookup = ["lookup", "najdorfa", "--catalogue", "polish.tsv"];
    place.run(&lookup).exits(0).prints_part("B90 Obrona sycylijska: Wariant Najdorfa\n");
}
