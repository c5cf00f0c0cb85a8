//! `eco week`: games are added to both books, and what they show is said once, in every form.

use crate::harness::Workplace;

/// A player's games, each with an opponent of the same rating.
fn games(of: &str, month: u8, lines: &[(&str, &str, &str)]) -> String {
    let game = |(at, (side, line, result)): (usize, &(&str, &str, &str))| {
        let (white, black) = if *side == "white" { (of, "Rival, Ed") } else { ("Rival, Ed", of) };
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"2026.{month:02}.{:02}\"]\n[Result \"{result}\"]\n\
             [WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n\n{line} {result}\n\n",
            at + 1
        )
    };
    lines.iter().enumerate().map(game).collect()
}

const ME: &str = "Lind, <b>Vera</b>";

/// A book of each colour, and a season of games.
fn place() -> Workplace {
    let place = Workplace::new();
    place.write("w.pgn", "1. e4 e5 (1... c5 2. c3) 2. Nf3 Nc6 3. Bb5 *\n");
    place.write("b.pgn", "1. e4 c6 2. d4 d5 *\n");
    place.line("repertoire add w w.pgn --color white --db my.db").exits(0);
    place.line("repertoire add b b.pgn --color black --db my.db").exits(0);
    let mut old = vec![("white", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1-0"); 6];
    old.push(("black", "1. e4 c6 2. d4 d5", "1/2-1/2"));
    place.write("old.pgn", games(ME, 4, &old));
    for name in ["w", "b"] {
        place
            .run(&["repertoire", "build", name, "old.pgn", "--player", ME, "--db", "my.db"])
            .exits(0);
    }
    let week = [
        ("white", "1. e4 e5 2. Nf3 d6 3. d4", "0-1"),
        ("white", "1. e4 c5 2. Nf3 d6", "0-1"),
        ("white", "1. e4 c5 2. Nf3 e6", "0-1"),
        ("white", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1-0"),
        ("white", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4", "1-0"),
        ("black", "1. e4 c6 2. Nf3 d5", "1-0"),
    ];
    place.write("week.pgn", games(ME, 5, &week));
    place
}

#[test]
fn the_week_is_said_on_one_screen_and_asked_in_training() {
    let place = place();
    let week = place.line("week week.pgn --db my.db --format table --width 80");
    week.exits(0).complains("my.db: w: added 5 games").complains("my.db: b: added 1 game");
    assert!(week.stdout.lines().count() <= 24, "{}", week.stdout);
    assert!(week.stdout.lines().all(|line| line.chars().count() <= 80), "{}", week.stdout);
    for part in [
        "6 games in your books",
        "1. e4 c5 2. Nf3 (book: c3): 2 games, cost ",
        "c3 after 1. e4 c5, not Nf3: 2 games cost ",
        "an answer to 1. e4 e5 2. Nf3 d6: 1 game cost ",
        "1. e4 c5: 40.0% of 5 games, 0.0% before",
        "1 where games left the book",
    ] {
        week.prints_part(part);
    }
    // Once more, it says the same, and adds nothing.
    let again = place.line("week week.pgn --db my.db --format table --width 80");
    again.exits(0).prints(&week.stdout).complains("w: added 0 games, 5 known already");
    // Without input, those of the last seven days.
    let latest = place.line("week --db my.db --format table --width 80");
    latest.exits(0).prints_part("6 games in your books");
    let asked = place.pipe(&["train", "w", "--db", "my.db", "--new", "5"], b"\nc3\nq\n");
    asked.exits(0).prints_part("2 games left the book here").prints_part("Right: 2. c3");
    place.line("repertoire undo w --db my.db").exits(0).prints_part("w: undone: 5 games added");
}

#[test]
fn every_form_has_the_same_rows_and_no_markup_of_names() {
    let place = place();
    let rows = place.line("week week.pgn --db my.db --format jsonl --quiet");
    let kinds: Vec<String> = rows
        .exits(0)
        .stdout
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()["kind"].to_string())
        .collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "\"learn\"").count(), 3, "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| *kind == "\"due\"").count(), 2, "{kinds:?}");
    place.line("week week.pgn --db my.db -o week.html --quiet").exits(0).prints("");
    let page = std::fs::read_to_string(place.path("week.html")).unwrap();
    assert_eq!(page.matches("<figure>").count(), 3);
    assert!(page.contains("c3 after 1. e4 c5, not Nf3") && !page.contains("<b>Vera"));
}

#[test]
fn a_week_without_books_or_names_says_what_to_do() {
    let place = Workplace::new();
    place.write("w.pgn", "1. e4 *\n");
    place.write("week.pgn", games(ME, 5, &[("white", "1. d4", "1-0")]));
    place.line("repertoire add w w.pgn --color white --db my.db").exits(0);
    place.line("week week.pgn --db my.db").exits(2).complains("`eco me ");
    place.line("week --db my.db --format table").exits(0).prints_part("0 games in your books");
    place.line("week week.pgn --db other.db").exits(2).complains("other.db");
    assert!(!place.path("other.db").exists());
    place.run(&["repertoire", "build", "w", "week.pgn", "--player", ME, "--db", "my.db"]).exits(0);
    let before = std::fs::read(place.path("my.db")).unwrap();
    place.line("week missing.pgn --db my.db").exits(1).complains("missing.pgn");
    place.line("week my.db -o my.db --db my.db").exits(2);
    assert!(std::fs::read(place.path("my.db")).unwrap() == before);
}
