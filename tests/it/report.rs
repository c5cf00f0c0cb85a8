//! `eco report`: one page with pictures.

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

use crate::harness::{Workplace, famous_games};

/// Names that would break a page, or lead it elsewhere.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "</title></style><img src=x onerror=alert(1)>",
    "'><b>&amp;&lt;",
    "a\u{202e}b\u{2066}c\u{200f}d\u{61c}e",
    "\u{1b}[31m\u{7}\u{9b}\u{85}",
    "\u{fffe}\u{ffff}\u{fdd0}",
    "javascript:alert(1)",
    "]]>--><!--",
];

/// The number of games of hostile names.
const GAMES: usize = 960;

/// Games between people of hostile names, rated and dated, as many as a finding needs.
fn hostile_games() -> Vec<u8> {
    let mut pgn = Vec::new();
    for number in 0..GAMES {
        let name = |place: usize| HOSTILE[place % HOSTILE.len()];
        let (white, black) = (name(number), name(number + 1 + number / 8));
        let (moves, result) = match number % 3 {
            0 => ("1. e4 c5 2. Nf3 d6", "1-0"),
            1 => ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0"),
            _ => ("1. d4 d5 2. c4 e6", "0-1"),
        };
        let (year, month) = (2001 + number / 96, 1 + number % 12);
        let tags = [
            ("White", white.to_owned()),
            ("Black", black.to_owned()),
            ("Event", name(number + 2).to_owned()),
            (
                "Site",
                ["javascript:alert(1)", name(number), "https://lichess.org/abcdefgh"][number % 3]
                    .to_owned(),
            ),
            ("Date", format!("{year}.{month:02}.01")),
            ("UTCTime", format!("{:02}:00:00", number % 24)),
            ("TimeControl", ["180+2", "600+0", "60+0"][number % 3].to_owned()),
            ("WhiteElo", "2000".to_owned()),
            ("BlackElo", (1900 + number % 200).to_string()),
            ("Result", result.to_owned()),
        ];
        for (name, value) in tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            pgn.extend(format!("[{name} \"{value}\"]\n").bytes());
        }
        pgn.extend(format!("\n{moves} {result}\n\n").bytes());
    }
    pgn
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    place.write("hostile.pgn", hostile_games());
    place
}

fn report(place: &Workplace, args: &[&str]) -> String {
    let args: Vec<&str> = ["report"].into_iter().chain(args.iter().copied()).collect();
    place.run(&args).exits(0).stdout.clone()
}

/// The page as a tree of elements.
fn parse(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).unwrap_or_else(|error| panic!("{error}"))
}

/// All text of an element.
fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// Elements that HTML allows to have no end, which only they may be without.
const VOID: [&str; 4] = ["meta", "br", "hr", "img"];

/// Elements of SVG, which end as in XML.
const SVG: [&str; 6] = ["rect", "circle", "path", "line", "g", "text"];

#[test]
fn a_page_is_well_formed_whatever_names_it_has() {
    let place = place();
    for inputs in [&["games.pgn"][..], &["hostile.pgn"], &["hostile.pgn", "games.pgn"]] {
        let title = ["--title", HOSTILE[1]];
        let html = report(&place, &[inputs, &title[..]].concat());
        let document = parse(&html);
        assert!(html.len() < 300_000, "{} bytes", html.len());
        for c in html.chars() {
            let is_unsafe = (c.is_control() && c != '\n')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
            assert!(!is_unsafe, "{c:?}");
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for node in document.descendants().filter(Node::is_element) {
            *names.entry(node.tag_name().name()).or_default() += 1;
        }
        assert_eq!(names.get("script"), Some(&1), "{names:?}");
        assert_eq!(names.get("style"), Some(&1));
        for part in html.split('<').filter(|part| part.split('>').next().unwrap().ends_with('/')) {
            let name = part.split([' ', '/', '>']).next().unwrap();
            assert!(VOID.contains(&name) || SVG.contains(&name), "<{part}");
        }
    }
}

#[test]
fn a_page_asks_for_nothing_else() {
    let place = place();
    let mut links = 0;
    for player in [&[][..], &["--player", "javascript:alert(1)"]] {
        let html = report(&place, &[&["hostile.pgn", "games.pgn"], player].concat());
        links += asks_for_nothing(&html);
    }
    assert!(links > 0, "findings about a player have links");
}

/// Checks that a page asks for nothing, and returns the number of its links.
fn asks_for_nothing(html: &str) -> usize {
    let (document, mut links) = (parse(html), 0);
    for node in document.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            match name {
                "href" if value.starts_with('#') => {
                    let is_there = |n: Node| n.attribute("id") == Some(&value[1..]);
                    assert!(document.descendants().any(is_there), "{value}");
                    continue;
                }
                "src" if node.has_tag_name("img") => {
                    assert!(value.starts_with("data:image/svg+xml,"), "{value}");
                }
                "href" => {
                    links += 1;
                    assert_eq!(node.tag_name().name(), "a");
                    assert!(
                        value.starts_with("https://") || value.starts_with("http://"),
                        "{value}"
                    );
                    assert!(node.attribute("rel").unwrap().contains("noopener"), "{value}");
                }
                "src" | "srcset" | "style" | "action" | "data" | "poster" => {
                    panic!("{name}={value}")
                }
                _ => assert!(!name.starts_with("on") && !name.contains(':'), "{name}={value}"),
            }
        }
        assert!(!["link", "iframe", "object", "embed", "base"].contains(&node.tag_name().name()));
    }
    let style = document.descendants().find(|node| node.has_tag_name("style")).unwrap();
    for word in ["url(", "@import", "http", "src"] {
        assert!(!text(style).contains(word), "{word}");
    }
    let script = document.descendants().find(|node| node.has_tag_name("script")).unwrap();
    for word in ["fetch", "XMLHttp", "import", "http", "innerHTML", "eval"] {
        assert!(!text(script).contains(word), "{word}");
    }
    links
}

#[test]
fn every_picture_has_a_title_and_every_figure_a_table() {
    let place = place();
    let html = report(&place, &["hostile.pgn"]);
    let document = parse(&html);
    let pictures: Vec<Node> = document.descendants().filter(|n| n.has_tag_name("svg")).collect();
    assert!(pictures.len() > 12, "{}", pictures.len());
    for picture in pictures {
        assert_eq!(picture.attribute("role"), Some("img"));
        let title = picture.first_element_child().unwrap();
        assert!(title.has_tag_name("title") && !text(title).is_empty());
        // Nothing is drawn outside.
        let view: Vec<f64> = picture
            .attribute("viewBox")
            .unwrap()
            .split(' ')
            .map(|number| number.parse().unwrap())
            .collect();
        for node in picture.descendants().filter(|n| n.has_tag_name("rect")) {
            let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap();
            let (right, bottom) = (number("x") + number("width"), number("y") + number("height"));
            let is_column = node.attribute("class") == Some("none");
            assert!(is_column || (right <= view[2] + 1.0 && number("x") >= -0.1), "{node:?}");
            assert!(bottom <= view[3] + 1.0 && number("y") >= -0.1, "{node:?}");
        }
    }
    for figure in document.descendants().filter(|n| n.has_tag_name("figure")) {
        let next = figure.next_sibling_element().expect("the table of the picture");
        assert!(next.descendants().any(|n| n.has_tag_name("table")), "{}", text(figure));
    }
    for table in document.descendants().filter(|n| n.has_tag_name("table")) {
        let mut rows = table.descendants().filter(|n| n.has_tag_name("tr"));
        let cells = |row: Node| row.children().filter(Node::is_element).count();
        let heads = cells(rows.next().unwrap());
        rows.for_each(|row| assert_eq!(cells(row), heads, "{}", text(row)));
    }
}

#[test]
fn a_page_is_the_same_at_any_number_of_threads() {
    let place = place();
    for format in ["html", "json"] {
        let run = |threads: &str, block_size: &str| {
            let args = ["hostile.pgn", "games.pgn", "--format", format];
            let run = ["-j", threads, "--block-size", block_size];
            report(&place, &[&args[..], &run].concat())
        };
        let one = run("1", "1000000");
        for (threads, block_size) in [("1", "700"), ("2", "700"), ("7", "300")] {
            assert!(run(threads, block_size) == one, "{format}, {threads} threads");
        }
    }
}

#[test]
fn json_has_the_numbers_of_the_page() {
    let place = place();
    let html = report(&place, &["hostile.pgn"]);
    let json: Value =
        serde_json::from_str(&report(&place, &["hostile.pgn", "-f", "json"])).unwrap();
    let report = &json["report"];
    assert_eq!(report["games"], GAMES);
    assert_eq!(json["topic"]["games_read"], GAMES);
    let document = parse(&html);
    let row = |label: &str| -> Vec<String> {
        let mut rows = document.descendants().filter(|n| n.has_tag_name("tr"));
        let cells = |row: &Node| row.children().filter(Node::is_element).count();
        // Of periods there is a table of popularity as well, with fewer columns.
        let is_it = |row: &Node| {
            row.first_element_child().is_some_and(|n| text(n) == label) && cells(row) > 10
        };
        let found = rows.find(is_it);
        let found = found.unwrap_or_else(|| panic!("no row {label}"));
        found.children().filter(Node::is_element).map(text).collect()
    };
    let side = &report["sides"][0];
    let lists = [&side["openings"], &report["speeds"], &report["rating_gaps"], &report["periods"]];
    for opening in lists.into_iter().flat_map(|list| list.as_array().unwrap()) {
        let row = row(opening["label"].as_str().unwrap());
        let figures = &opening["figures"];
        assert_eq!(row[1], figures["games"].to_string());
        assert_eq!(row[2..5], ["won", "drawn", "lost"].map(|name| figures[name].to_string()));
        let percent = |value: &Value| format!("{:.1}", 100.0 * value.as_f64().unwrap());
        assert_eq!(row[5], percent(&figures["score"]));
        let difference = &figures["difference"];
        assert_eq!(difference["advantage"], side["advantage"]);
        assert_eq!(row[9], percent(&difference["expected"]));
        let points = |value: &Value| {
            format!("{:+.1}", 100.0 * value.as_f64().unwrap()).replace('-', "\u{2212}")
        };
        assert_eq!(
            row[10].trim_start_matches('+'),
            points(&difference["value"]).trim_start_matches('+')
        );
        // Pictures show the same to a pointer as tables.
        let tip = format!(
            "expected {}\u{a0}% in {} rated, diff {}",
            row[9], difference["games"], row[10]
        );
        assert!(html.contains(&tip), "{tip}");
    }
    let findings = &report["findings"];
    let found = ["strengths", "weaknesses"].map(|list| findings[list].as_array().unwrap().clone());
    let found = found.concat();
    assert!(!found.is_empty());
    assert_eq!(side["advantage"], side["figures"]["difference"]["value"]);
    assert!(html.contains("What is expected of White below is the prediction and these points."));
    for found in &found {
        let difference = &found["difference"];
        let words = format!(
            "White scored {:.0}\u{a0}% of {} games where {:.0}\u{a0}% was expected",
            100.0 * difference["score"].as_f64().unwrap(),
            difference["games"],
            100.0 * difference["expected"].as_f64().unwrap()
        );
        assert!(html.contains(&words), "{words}");
        let lines = found["lines"].as_array().unwrap();
        for line in lines {
            let moves = line["moves"].as_str().unwrap();
            let shown = format!("{moves} <small>{}\u{a0}games</small>", line["games"]);
            assert!(html.contains(&shown), "{shown}");
        }
    }
}

/// Games in which A wins one opening as White, draws the other, and loses the few as Black. `site`
/// is where they were played.
fn games_of_a(site: &str) -> String {
    let mut pgn = String::new();
    for n in 1..=160 {
        let [white, black] = if n % 5 > 0 { ["A", "B"] } else { ["B", "A"] };
        let (moves, result) = match n % 3 {
            0 if n % 5 > 0 => ("1. e4 c5 2. Nf3 d6", "1/2-1/2"),
            0 => ("1. e4 c5 2. Nf3 d6", "1-0"),
            _ => ("1. e4 c5 2. Nf3 Nc6", "1-0"),
        };
        pgn += &format!(
            "[Site \"{site}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{}.01.01\"]\n\
             [WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n",
            1900 + n
        );
    }
    pgn
}

#[test]
fn a_finding_of_a_player_has_its_lines_and_games() {
    let place = Workplace::new();
    place.write("a.pgn", games_of_a("Paris"));
    place.write("private/b.pgn", games_of_a("https://lichess.org/abcdefgh"));
    let one = report(&place, &["a.pgn", "--player", "A"]);
    let document = parse(&one);
    let findings: Vec<String> = document
        .descendants()
        .filter(|n| n.attribute("class") == Some("findings"))
        .map(text)
        .collect();
    let [above, below] = &findings[..] else { panic!("{findings:?}") };
    let claim =
        "Sicilian Defense: Old Sicilian as White brings 31 points in 100 games, almost certain";
    assert!(above.contains(claim) && above.contains("scored 100"), "{above}");
    assert!(one.contains(&format!("<title>A: {}", &claim[..claim.len() - 16])), "{claim}");
    for part in ["1. e4 c5 2. Nf3 Nc6 85\u{a0}games", "won: A\u{2013}B, 2058 (game 158)"] {
        assert!(above.contains(part), "{part} is not in {above}");
    }
    assert!(below.contains("lost: B\u{2013}A, 2060 (game 160)"), "{below}");
    // Where there are several files, each game has its own; an address stands for both.
    let two = report(&place, &["a.pgn", "private/b.pgn", "--player", "A"]);
    assert!(two.contains("b.pgn") && !two.contains("private"), "folders are not shared");
    let all = text(parse(&two).root_element());
    assert!(all.contains("A\u{2013}B, 2058 (a.pgn, game 158)"), "{all}");
    assert!(two.contains("<a href=\"https://lichess.org/abcdefgh\""), "{two}");
}

#[test]
fn two_players_or_two_times_stand_beside_each_other() {
    let place = Workplace::new();
    place.write("a.pgn", games_of_a("Paris"));
    let html = report(&place, &["a.pgn", "--player", "A", "--compare", "B"]);
    assert!(html.contains("<h2>Beside B</h2>"), "{html}");
    let rows = parse(&html);
    let mut rows = rows.descendants().filter(|n| n.has_tag_name("tr")).map(text);
    let all = rows.find(|row| row.starts_with("all games160")).expect("a row of all games");
    // A scores two thirds of equal games, and B the rest.
    assert!(all.starts_with("all games160+16.6160\u{2212}16.6+33.1"), "{all}");
    let json: Value = serde_json::from_str(&report(
        &place,
        &["a.pgn", "--player", "A", "--compare", "1950", "-f", "json"],
    ))
    .unwrap();
    assert_eq!(json["compared"]["report"]["games"], 1);
    place.run(&["report", "a.pgn", "--compare", "Nobody"]).exits(2);
}

#[test]
fn the_picture_of_the_readme_is_that_of_its_report() {
    let place = Workplace::new();
    let data = games_folder();
    let data = data.parent().unwrap();
    let shown = std::fs::read_to_string(data.join("images/report.svg")).unwrap();
    let data = data.display();
    place
        .shell(&format!("awk -f {data}/games/season.awk {data}/openings/*.tsv > lind.pgn"))
        .exits(0)
        .is_silent();
    place.run(&["report", "lind.pgn", "--player", "Vera Lind", "-o", "lind.html"]).exits(0);
    let drawn = place.shell(&format!("awk -f {data}/images/picture.awk lind.html"));
    drawn.exits(0);
    assert!(drawn.stdout == shown, "data/images/report.svg is out of date; data/images/README.md");
    parse(&shown);
    assert!(shown.len() < 40_000 && asks_for_nothing_as_svg(&shown), "{}", shown.len());
}

/// Whether a picture needs nothing else.
fn asks_for_nothing_as_svg(svg: &str) -> bool {
    !["href", "url(", "@import", "<script", "<image"].iter().any(|word| svg.contains(word))
}

#[test]
fn a_report_without_games_says_why() {
    let place = place();
    place.write("none.pgn", "");
    place.write("atomic.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n");
    for (args, why) in [
        (&["none.pgn"][..], "the input has no games; nothing was written"),
        (&["atomic.pgn"], "1 game of other variants, not counted; nothing was written"),
        (&["games.pgn", "--since", "2100"], "none of 30 games in the input fits the selection"),
    ] {
        let run = place.run(&[&["report"], args].concat());
        run.exits(1).prints("").complains(why);
        place.run(&[&["report", "-o", "page.html"], args].concat()).exits(1).complains(why);
        assert!(!place.path("page.html").exists(), "{args:?}");
    }
}

#[test]
fn a_player_whom_nobody_matches_is_an_error() {
    let place = place();
    let args = ["report", "games.pgn", "--player", "Fisher, Robert James", "-o", "f.html"];
    let run = place.run(&args);
    assert!(run.exits(2).stderr.contains("Fischer, Robert James"), "{}", run.stderr);
    assert!(!place.path("f.html").exists());
}

#[test]
fn a_player_has_both_colours_apart_and_the_repertoire_that_was_left() {
    let place = place();
    place.copy(&games_folder().join("club.pgn"), "club.pgn");
    place.copy(&games_folder().join("white-lines.pgn"), "lines.pgn");
    let db = ["--db", "chess.db"];
    let build =
        ["repertoire", "build", "w", "club.pgn", "--color", "white", "--player", "Novak, Ana"];
    place.run(&[&build[..], &db].concat()).exits(0);
    place.run(&[&["repertoire", "add", "w", "lines.pgn"][..], &db].concat()).exits(0);
    let args = ["club.pgn", "--player", "Novak, Ana", "--repertoire", "w", "--db", "chess.db"];
    let html = report(&place, &args);
    let document = parse(&html);
    let heads: Vec<String> =
        document.descendants().filter(|n| n.has_tag_name("h2")).map(text).collect();
    assert!(
        heads[1].starts_with("As White: 16") && heads[2].starts_with("As Black: 4"),
        "{heads:?}"
    );
    let json: Value =
        serde_json::from_str(&report(&place, &[&args[..], &["-f", "json"]].concat())).unwrap();
    let sides = json["report"]["sides"].as_array().unwrap();
    assert_eq!([&sides[0]["side"], &sides[1]["side"]], ["white", "black"]);
    assert_eq!([&sides[0]["figures"]["games"], &sides[1]["figures"]["games"]], [16, 4]);
    assert_eq!(json["topic"]["selection"][0], "--player 'Novak, Ana'");
    // The same as `repertoire check` has.
    let check = ["repertoire", "check", "w", "club.pgn", "-q", "--format", "jsonl"];
    let check = [&check[..], &["--min-games", "1"]].concat();
    let summary = place.run(&[&check[..], &db].concat()).exits(0).stdout.clone();
    let moves = json["departures"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), summary.lines().count());
    for (left, row) in moves.iter().zip(summary.lines()) {
        let row: Value = serde_json::from_str(row).unwrap();
        assert_eq!(left["line"], row["line"]);
        assert_eq!(left["played"], row["move"]);
        assert_eq!(left["games"], row["games"]);
        assert!(html.contains(left["played"].as_str().unwrap()));
    }
    assert!(html.contains("Moves that left the repertoire"));
}

#[test]
fn a_page_is_not_written_to_a_terminal() {
    let place = place();
    if place.shell("command -v script").code != Some(0) {
        eprintln!("skipped: there is no script(1) to run a command on a terminal");
        return;
    }
    let on_terminal = |command: &str| place.shell(&format!("script -qec '{command}' /dev/null"));
    on_terminal("eco report games.pgn --quiet")
        .exits(2)
        .prints_part("a page is for a browser; name a file with -o report.html");
    // Whoever asks for it by name gets it, and so does a program.
    on_terminal("eco report games.pgn --quiet -o -").exits(0).prints_part("<!DOCTYPE html>");
    on_terminal("eco report games.pgn --quiet --format json").exits(0).prints_part("{\"topic\":");
    on_terminal("eco report games.pgn --quiet -o page.html").exits(0).prints("");
}

#[test]
fn a_report_goes_where_it_is_told() {
    let place = place();
    place.run(&["report", "games.pgn", "-o", "report.html"]).exits(0).prints("");
    let written = std::fs::read_to_string(place.path("report.html")).unwrap();
    assert_eq!(written, report(&place, &["games.pgn"]));
    // By the name of the file.
    place.run(&["report", "games.pgn", "-o", "report.json"]).exits(0);
    let written = std::fs::read_to_string(place.path("report.json")).unwrap();
    assert_eq!(written, report(&place, &["games.pgn", "--format", "json"]));
    // Never over an input.
    place.run(&["report", "games.pgn", "-o", "games.pgn"]).exits(2);
    assert_eq!(std::fs::read(place.path("games.pgn")).unwrap(), famous_games());
    // A page that could not be made leaves the old one.
    place.run(&["report", "missing.pgn", "-o", "report.html"]).exits(1).complains("missing.pgn");
    let still = std::fs::read_to_string(place.path("report.html")).unwrap();
    assert_eq!(still, report(&place, &["games.pgn"]));
    // A missing input is named, and the others are there.
    let run = place.run(&["report", "missing.pgn", "games.pgn"]);
    assert!(
        run.exits(1).stdout
            == report(&place, &["games.pgn"]).replace(
                "From <bdi>games.pgn</bdi>",
                "From <bdi>missing.pgn</bdi>, <bdi>games.pgn</bdi>"
            )
    );
}

/// The folder of the games of the repository.
fn games_folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games")
}
