//! The examples in the help texts run, in an order in which later ones find what earlier ones made.

use std::{fs, path::Path};

use crate::harness::{Run, Workplace, famous_games};

/// All commands that have examples, in the order in which these are run.
const COMMANDS: [&str; 44] = [
    "classify",
    "tag",
    "split",
    "lookup",
    "search",
    "stats",
    "report",
    "ingest",
    "fen",
    "fen check",
    "fen key",
    "fen move",
    "fen from-pgn",
    "fen set",
    "fen show",
    "completions",
    "man",
    "index",
    "explore",
    "repertoire build",
    "repertoire add",
    "filter",
    "repertoire tree",
    "repertoire",
    "repertoire edit",
    "repertoire check",
    "repertoire gaps",
    "repertoire history",
    "repertoire undo",
    "repertoire lint",
    "prepare",
    "novelties",
    "repertoire export",
    "week",
    "train",
    "db list",
    "db",
    "db prefer",
    "db diff",
    "db verify",
    "db rename",
    "db remove",
    "me",
    "config",
];

/// The lines of a help text below a heading.
fn section<'h>(help: &'h str, heading: &'h str) -> impl Iterator<Item = &'h str> {
    let lines = help.lines().skip_while(move |line| *line != heading).skip(1);
    lines.take_while(|line| !line.is_empty())
}

fn help(place: &Workplace, command: &str) -> String {
    let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    printed(place, &args, MAX_WIDTH)
}

/// What a command prints where lines have this width.
fn printed(place: &Workplace, args: &[&str], width: usize) -> String {
    let output = place.command(args).env("COLUMNS", width.to_string()).output().unwrap();
    Run::new(&output).exits(0).stdout.clone()
}

fn examples(help: &str) -> Vec<String> {
    section(help, "Examples:").map(|line| line.trim_start().to_owned()).collect()
}

/// Commands that run until they are stopped. Their examples are not run.
const ENDLESS: [&str; 1] = ["serve"];

/// A folder with all files that the examples name.
fn place_for_examples() -> Workplace {
    let place = Workplace::new();
    let games = famous_games();
    place.write("games.pgn", &games);
    place.write("chess/games.pgn.zst", zstd::encode_all(&games[..], 3).unwrap());
    place.write("mine.tsv", "eco\tname\tpgn\nA15\tMy Anti-Grünfeld\t1. Nf3 Nf6 2. c4 g6\n");
    for volume in ["a", "b", "c", "d", "e"] {
        place.write(&format!("{volume}.tsv"), "A00\tX\t1. a3\n");
    }
    place.write("scid.eco", "A00f \"Anderssen Opening\"  1.a3 *\n");
    place.write("eco.pgn", "[ECO \"A00\"]\n[Opening \"Anderssen's opening\"]\n\n1. a3 *\n");
    place.write("positions.epd", "4k3/8/8/8/8/8/8/4K3 w - - id \"bare kings\";\n");
    place.write("lines.txt", "startpos e4 e5\n");
    place.write("positions.txt", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    for name in ["lichess_db.pgn.zst", "otb.pgn.zst"] {
        place.write(name, zstd::encode_all(&b"1. e4 *"[..], 1).unwrap());
    }
    for name in ["my-white-lines.pgn", "study.pgn"] {
        place.write(name, "1. e4 c5 (1... e5 2. Nf3 Nc6) 2. Nf3 d6 3. d4 *\n");
    }
    place.write("this-week.pgn", "1. e4 c5 2. Nf3 1-0\n");
    for part in ["part1.db", "part2.db"] {
        place.run(&["index", "this-week.pgn", "--db", part]).exits(0);
    }
    // The initial position with 1. e4.
    place.write("book.bin", b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\x01\0\0\0\0");
    place
}

/// Makes the repertoires that some examples compare with those of others.
fn make_other_repertoires(place: &Workplace) {
    for (name, db) in [("club", "chess.db"), ("otb", "masters.db")] {
        let build = ["repertoire", "build", name, "games.pgn", "--color", "white", "--db", db];
        place.run(&build).exits(0);
    }
    fs::copy(place.path("chess.db"), place.path("last-year.db")).unwrap();
}

#[test]
fn every_example_in_the_help_runs() {
    let place = place_for_examples();
    for command in COMMANDS {
        if command == "repertoire add" {
            make_other_repertoires(&place);
        }
        let examples = examples(&help(&place, command));
        assert!(!examples.is_empty(), "eco {command} has no example");
        for example in examples {
            let run = place.shell(&example);
            // `fen check` reports what it found by its exit code; here it is an impossible
            // position.
            let code = if example.contains("KQkq e4") { 4 } else { 0 };
            assert_eq!(run.code, Some(code), "{example}\n{}{}", run.stdout, run.stderr);
        }
    }
}

/// The help of every command, by its name; that of the program has none.
fn all_help(place: &Workplace) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut commands = vec![String::new()];
    while let Some(command) = commands.pop() {
        let help = help(place, &command);
        // A command begins at the third column; other lines go on with a description.
        let names = section(&help, "Commands:").filter_map(|line| {
            let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
            line.split_whitespace().next()
        });
        let below = names.filter(|name| *name != "help");
        commands.extend(below.map(|name| format!("{command} {name}").trim_start().to_owned()));
        all.push((command, help));
    }
    all
}

#[test]
fn every_command_with_examples_is_on_the_list() {
    for (command, help) in all_help(&Workplace::new()) {
        let is_listed = [&COMMANDS[..], &ENDLESS].concat().contains(&command.as_str());
        assert!(examples(&help).is_empty() || is_listed, "the examples of {command} are not run");
    }
}

/// The most columns of a line of help.
const MAX_WIDTH: usize = 100;

#[test]
fn no_line_of_help_is_wider_than_100_columns() {
    for (command, help) in all_help(&Workplace::new()) {
        for line in help.lines() {
            assert!(line.chars().count() <= MAX_WIDTH, "{command}: {line}");
        }
    }
    // A line that is wider in the source is broken once more, which leaves a word alone.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
    let files = walkdir::WalkDir::new(source).into_iter().map(Result::unwrap);
    let mut texts = 0;
    for file in files.filter(|file| file.path().extension() == Some("rs".as_ref())) {
        let source = fs::read_to_string(file.path()).unwrap();
        for text in source.split("const HELP: &str = \"\\\n").skip(1) {
            let text = text.split("\";\n").next().unwrap_or_default();
            texts += 1;
            for line in text.lines() {
                let line = line.replace("\\\"", "\"").replace("\\\\", "\\");
                assert!(line.chars().count() <= MAX_WIDTH, "{}: {line}", file.path().display());
            }
        }
    }
    assert!(texts > 20, "only {texts} texts were found");
}

#[test]
fn the_overview_and_short_help_fit_on_a_screen() {
    let place = Workplace::new();
    for width in [60, 80, 120] {
        let page = printed(&place, &["help", "selection"], width);
        assert!(page.contains("--player") && page.contains("--since"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= width), "{page}");
    }
    let alone = printed(&place, &[], 80);
    assert!(alone.lines().count() <= 24, "{alone}");
    for (command, _) in all_help(&place) {
        let args: Vec<&str> = command.split_whitespace().chain(["-h"]).collect();
        let short = printed(&place, &args, 80);
        assert!(short.lines().count() <= 45, "{command}: {short}");
        assert!(short.lines().all(|line| line.chars().count() <= 80), "{command}: {short}");
    }
    let short = printed(&place, &["stats", "-h"], 80);
    assert!(short.contains("eco help selection") && !short.contains("--since <"), "{short}");
}

#[test]
fn what_people_try_leads_where_they_meant() {
    let place = Workplace::new();
    for (tried, line) in [
        ("import", "eco index games.pgn"),
        ("find", "eco search"),
        ("open", "eco serve"),
        ("delete", "remove"),
        ("merge", "--unique -o all.pgn"),
        ("count", "eco stats games.pgn"),
        ("dedupe", "--unique"),
        ("convert", "eco classify games.pgn -o games.parquet"),
        ("search-player", "--player"),
    ] {
        place.run(&[tried]).exits(2).complains(line);
    }
    for (tried, option) in [
        ("--group-by", "--by"),
        ("--columns", "--fields"),
        ("--count", "eco stats"),
        ("--where", "--player"),
    ] {
        place.run(&["stats", "g.pgn", tried, "x"]).exits(2).complains(option);
    }
}
