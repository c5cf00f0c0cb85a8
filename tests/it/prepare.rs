//! `eco prepare`: what an opponent makes likely, in every format.

use std::fs;

use roxmltree::{Document, ParsingOptions};
use serde_json::Value;

use crate::harness::Workplace;

/// What the books have: against 1... c5 nothing, against 1... e5 a line with comments.
const WHITE: &str = "\
1. e4 {My move.} e5 (1... e6 2. d4 {Space. [%cal Gd4d5]}) (1... d6 2. d4? {Too early.}) \
2. Nf3 Nc6 3. Bb5 $1 {The Spanish.} a6 *
";
const BLACK: &str = "1. d4 d5 2. c4 e6 *\n";

/// A game: date, White, Black, result, moves.
fn game([date, white, black, result, moves]: [&str; 5]) -> String {
    let site = if date.ends_with("02") { "https://lichess.org/abcdefgh" } else { "?" };
    format!(
        "[Site \"{site}\"]\n[Date \"{date}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"{result}\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n\n{moves} {result}\n\n"
    )
}

/// Games of X, of the same day, but for one that is five years older.
fn games() -> String {
    [
        ["2024.05.01", "A", "X, Y", "1-0", "1. e4 c5 2. Nf3"],
        ["2024.05.01", "B", "X, Y", "0-1", "1. e4 e5 2. Nf3 Nc6 3. Bc4"],
        ["2024.05.01", "C", "X, Y", "0-1", "1. Nf3 Nc6 2. e4 e5 3. Nc3"],
        ["2024.05.01", "D", "X, Y", "1/2-1/2", "1. e4 e6 2. Nc3"],
        ["2024.05.02", "Me, I", "X, Y", "1-0", "1. e4 c5 2. c3"],
        ["2019.05.01", "E", "X, Y", "1-0", "1. e4 d6 2. d4"],
        ["2023.07.01", "X, Y", "Me, I", "*", "1. d4 d5 2. c4"],
        ["2024.05.01", "Me, I", "Z", "1-0", "1. e4 e5"],
    ]
    .map(game)
    .concat()
}

/// A place with two books in `my.db`, and the games.
fn place() -> Workplace {
    let place = Workplace::new();
    for (color, lines) in [("white", WHITE), ("black", BLACK)] {
        let file = format!("{color}.pgn");
        place.write(&file, lines);
        place.run(&["repertoire", "add", color, "--color", color, "--db", "my.db", &file]).exits(0);
    }
    place.write("games.pgn", games());
    place
}

const PREPARE: [&str; 6] = ["prepare", "games.pgn", "--db", "my.db", "--against", "X, Y"];

fn rows(place: &Workplace, more: &[&str]) -> Vec<Value> {
    let run = place.run(&[&PREPARE[..], &["--format", "jsonl", "--quiet"], more].concat());
    run.exits(0).stdout.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn told(row: &Value) -> String {
    let names = ["kind", "color", "line", "met", "games", "score", "date", "result"];
    names.map(|name| row[name].to_string()).join(" | ").replace('"', "")
}

#[test]
fn rows_are_those_counted_by_hand() {
    let place = place();
    let found = rows(&place, &["--player", "Me, I"]);
    // Six games with Black, of which five answer 1. e4: the old one, 1828 days before the newest,
    // weighs 0.5 ^ (1828 / 1095.75) = 0.3146. So 1... c5 has 2 of 4.3146, a little less as most are
    // a day older than the newest. 1... e5 has one: another game comes to that position later.
    let expected = [
        "gap | white | 1. e4 c5 | 46.36 | 2 | 0.0 | null | null",
        "end | white | 1. e4 e6 2. d4 | 23.17 | 0 | null | null | null",
        "known | white | 1. e4 e5 2. Nf3 Nc6 3. Bb5 | 23.17 | 0 | null | null | null",
        "gap | white | 1. e4 d6 | 7.3 | 1 | 0.0 | null | null",
        "end | black | 1. d4 d5 2. c4 e6 | 100.0 | 0 | null | null | null",
        "game | white | null | null | null | null | 2024-05-02 | 1-0",
        "game | black | null | null | null | null | 2023-07-01 | *",
    ];
    assert_eq!(
        found.iter().map(told).filter(|row| !row.starts_with("new")).collect::<Vec<_>>(),
        expected
    );
    assert_eq!(found[0]["opening"], "Sicilian Defense");
    let game = found.iter().find(|row| row["result"] == "1-0").unwrap();
    assert_eq!(
        (&game["link"], &game["white"]),
        (&"https://lichess.org/abcdefgh".into(), &"Me, I".into())
    );
    // In one year he has begun with 1... c5, where there was 1... d6 before.
    let new: Vec<String> = found.iter().map(told).filter(|row| row.starts_with("new")).collect();
    assert_eq!(new, ["new | white | 1. e4 c5 | 37.64 | 2 | 0.0 | null | null"]);
}

#[test]
fn tables_have_a_section_for_each_part_and_say_what_is_missing() {
    let place = place();
    let run = place.run(&[&PREPARE[..], &["--format", "table", "--width", "80"]].concat());
    let text = &run.exits(0).stdout;
    for part in [
        "Paths through white\n6 games of X, Y as Black, 2019-05-01 to 2024-05-02, score 41.7%; gap ",
        "\n\nline                        kind     met  games  score  opening\n",
        "\nChances in white\nnone: no position that you can reach has 10 rated games",
        "\nNew against white\nX, Y began to play this in the year up to 2024-05-02\n",
        "\nPaths through black\n1 game of X, Y as White, 2023-07-01; gap 0.0%, end 100.0%, known 0.0%\n",
        "\nNew against black\nnone: in the year up to 2024-05-02, X, Y played no other move twice",
        "\nGames between you\nnone: it is not known who you are; `eco me ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let one = place
        .run(&[&PREPARE[..], &["-f", "table", "--limit", "1", "--repertoire", "white"]].concat());
    one.exits(0);
    assert!(
        one.stdout.contains("... and 3 more (--limit)") && !one.stdout.contains("black"),
        "{}",
        one.stdout
    );
    // Rows say on standard error what is missing.
    let run = place.run(&PREPARE);
    run.exits(0).complains("Chances in black: none: no position");
    let stranger = place.run(&[&PREPARE[..], &["--player", "W"]].concat());
    stranger.exits(0).complains("no game of W against X, Y; --player names another spelling");
    place.run(&[&["me", "Me, I"][..]].concat()).exits(0);
    let run = place.run(&[&PREPARE[..], &["--format", "table", "--width", "80"]].concat());
    assert!(run.stdout.contains("2024-05-02  Me, I  X, Y   1-0"), "{}", run.stdout);
}

#[test]
fn the_selection_limits_the_games_of_the_opponent() {
    let place = place();
    let since = rows(&place, &["--since", "2020", "--result", "loss"]);
    assert_eq!(told(&since[0]), "gap | white | 1. e4 c5 | 100.0 | 2 | 0.0 | null | null");
    let none = place.run(&[&PREPARE[..], &["--since", "2030", "-q", "-f", "table"]].concat());
    assert!(
        none.exits(0).stdout.contains("none: there is no game of X, Y as Black; read more games")
    );
    let none = place.run(&[&PREPARE[..], &["--since", "2030", "-o", "x.pgn"]].concat());
    none.exits(2).complains("none: there is no game of X, Y as Black");
    assert!(!place.path("x.pgn").exists());
}

#[test]
fn what_cannot_be_prepared_is_said_before_anything_is_written() {
    let place = place();
    let unknown = place.run(&["prepare", "games.pgn", "--db", "my.db", "--against", "X, Z"]);
    unknown.exits(2).complains("no game has a player 'X, Z': the nearest names are 'X, Y', 'Z'");
    place
        .run(&["prepare", "games.pgn", "--db", "my.db"])
        .exits(2)
        .complains("--against 'Last, First'");
    let missing = place.run(&[&PREPARE[..], &["--repertoire", "blue"]].concat());
    missing.exits(2).complains("blue");
    place.run(&["prepare", "--against", "X, Y", "no.pgn", "--db", "my.db"]).exits(1).prints("");
    let over = place.run(&[&PREPARE[..], &["-f", "pgn", "-o", "games.pgn"]].concat());
    over.exits(2);
    assert_eq!(fs::read(place.path("games.pgn")).unwrap(), games().into_bytes());
    place.run(&[&PREPARE[..], &["-o", "x.docx"]].concat()).exits(2);
    // A collection has the same games.
    place.run(&["index", "games.pgn", "--db", "my.db", "--name", "all"]).exits(0);
    let kept =
        place.run(&["prepare", "my.db", "--db", "my.db", "--against", "X, Y", "-f", "jsonl", "-q"]);
    let read = place.run(&[&PREPARE[..], &["-f", "jsonl", "-q"]].concat());
    kept.exits(0).prints(&read.stdout);
}

#[test]
fn a_file_for_the_board_has_a_game_for_each_path() {
    let place = place();
    let run = place.run(&[&PREPARE[..], &["--player", "Me, I", "-o", "x.pgn"]].concat());
    run.exits(0).is_silent();
    let pgn = fs::read_to_string(place.path("x.pgn")).unwrap();
    for part in [
        "[White \"Me, I\"]\n[Black \"X, Y\"]\n[Result \"*\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n",
        "{gap: 46.4 % of games} 1. e4 {My move.} 1... c5 {46.4 %}\n{1-0 2024-05-02, 1-0 2024-05-01} *",
        "2. d4 {Space. [%cal Gd4d5]} *",
        "3. Bb5 $1 {The Spanish.} *",
        "[White \"X, Y\"]\n[Black \"Me, I\"]",
    ] {
        assert!(pgn.contains(part), "{part}\n{pgn}");
    }
    assert_eq!(pgn.matches("[Event \"Preparation against X, Y\"]").count(), 5);
    // It is PGN like any other.
    let again = place.run(&["classify", "x.pgn", "--fields", "game,eco,error", "--no-header"]);
    assert_eq!(again.exits(0).stdout.lines().count(), 5);
    assert!(!again.stdout.contains("illegal"), "{}", again.stdout);
}

/// Names that would break a page or a terminal.
#[test]
fn hostile_names_stay_text() {
    let place = place();
    let name = "<img src=x onerror=alert(1)>\u{1b}[31m\u{202e}'&";
    let hostile = games().replace("X, Y", name);
    place.write("hostile.pgn", hostile);
    let args = ["prepare", "hostile.pgn", "--db", "my.db", "--against", name, "--player", "Me, I"];
    place.run(&[&args[..], &["-o", "x.html"]].concat()).exits(0);
    let page = fs::read_to_string(place.path("x.html")).unwrap();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).unwrap();
    let images: Vec<_> = document.descendants().filter(|node| node.has_tag_name("img")).collect();
    assert_eq!(images.len(), 2, "one for each gap");
    for image in images {
        let source = image.attribute("src").unwrap();
        assert!(source.starts_with("data:image/svg+xml,<svg"), "{source}");
        assert!(image.attributes().all(|attribute| !attribute.name().starts_with("on")));
    }
    let rows = |page: &str| page.matches("<th scope=\"row\"").count();
    place.run(&[&args[..], &["--limit", "1", "-o", "short.html"]].concat()).exits(0);
    let short = fs::read_to_string(place.path("short.html")).unwrap();
    assert!(rows(&short) == 3 && rows(&page) > 3, "{short}");
    let links: Vec<_> = document.descendants().filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links, ["https://lichess.org/abcdefgh"]);
    for format in ["table", "tsv", "pgn"] {
        let run = place.run(&[&args[..], &["-f", format]].concat());
        // A file of games keeps what is no control character.
        let forbidden = if format == "pgn" { &['\u{1b}'][..] } else { &['\u{1b}', '\u{202e}'] };
        assert!(!run.exits(0).stdout.contains(forbidden), "{format}");
        assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{}", run.stderr);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let place = place();
    for format in ["jsonl", "table", "html", "pgn"] {
        let one = place.run(&[&PREPARE[..], &["-f", format, "-j", "1"]].concat());
        let more = ["-f", format, "-j", "3", "--block-size", "300"];
        place.run(&[&PREPARE[..], &more].concat()).exits(0).prints(&one.stdout);
    }
}
