//! README.md tells the truth: its commands are run, and their output is what it shows.

use std::{fs, path::Path, process::Command};

use rusqlite::types::ValueRef;

use crate::harness::{Run, Workplace};

struct Fence {
    language: String,
    line: usize,
    text: String,
}

fn fences(readme: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut is_open = false;
    for (number, line) in readme.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(language) => {
                is_open = true;
                fences.push(Fence {
                    language: language.to_owned(),
                    line: number + 1,
                    text: String::new(),
                });
            }
            None if is_open => fences.last_mut().unwrap().text += &format!("{line}\n"),
            None => {}
        }
    }
    fences
}

/// A folder as a newcomer has it: the data, and files that the README speaks of.
fn newcomers_folder() -> Workplace {
    let place = Workplace::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games/famous.pgn");
    let games = fs::read(data).unwrap();
    place.write("data/games/famous.pgn", &games);
    for name in ["club.pgn", "white-lines.pgn"] {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games").join(name);
        place.write(name, fs::read(data).unwrap());
    }
    place.write("games.pgn", &games);
    place.write("archive/games.pgn.zst", zstd::encode_all(&games[..], 3).unwrap());
    place.write("mine.tsv", "eco\tname\tpgn\nA15\tMy Anti-Grünfeld\t1. Nf3 Nf6 2. c4 g6\n");
    place
}

/// What a person would see who typed the command at a terminal.
fn type_in(place: &Workplace, command: &str) -> Run {
    let eco = Path::new(env!("CARGO_BIN_EXE_eco"));
    let mut command = command.replace("cargo run --release -- ", "eco ");
    let goes_elsewhere = command.contains(['|', '>']) || command.contains("--format");
    // What is shown is what a terminal shows, cut by `head` or not.
    let (eco_part, rest) = match command.split_once(" | head") {
        Some((eco_part, lines)) if command.starts_with("eco repertoire") => {
            (eco_part.to_owned(), format!(" 2> told | head{lines}"))
        }
        _ => (command.clone(), String::new()),
    };
    let is_table = (command.starts_with("eco classify") && !goes_elsewhere)
        || ["show", "check", "gaps", "lint"]
            .iter()
            .any(|name| eco_part.starts_with(&format!("eco repertoire {name} ")))
            && !eco_part.contains("--format")
            && !eco_part.contains("--help");
    if is_table {
        command = format!("{eco_part} --format table{rest}");
    }
    let path = std::env::join_paths(
        [eco.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.folder())
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    Run::new(&output)
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let place = newcomers_folder();
    let mut commands = 0;
    for fence in fences(&readme).iter().filter(|fence| fence.language == "console") {
        for step in fence.text.split("$ ").filter(|step| !step.is_empty()) {
            let (command, expected) = step.split_once('\n').unwrap();
            if command == "cargo test" {
                continue;
            }
            commands += 1;
            let run = type_in(&place, command);
            let (shown, is_cut) = match expected.strip_suffix("...\n") {
                Some(shown) => (shown, true),
                None => (expected, false),
            };
            let printed = format!("{}{}", run.stdout, run.stderr);
            let is_right = if is_cut { printed.starts_with(shown) } else { printed == shown };
            assert!(
                is_right,
                "README.md:{}: {command}\n--- prints\n{printed}--- README shows\n{expected}",
                fence.line
            );
        }
    }
    assert!(commands > 5, "only {commands} commands were found");
}

#[test]
fn every_query_gives_what_the_readme_shows() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let place = newcomers_folder();
    place.run(&["ingest", "--db", "openings.db"]).exits(0);
    for command in
        ["build white club.pgn --color white --player Novak,Ana", "add white white-lines.pgn"]
    {
        let args: Vec<&str> = ["repertoire"].into_iter().chain(command.split(' ')).collect();
        place.run(&[&args[..], &["--db", "openings.db"]].concat()).exits(0);
    }
    let database = rusqlite::Connection::open(place.path("openings.db")).unwrap();
    let fences = fences(&readme);
    let mut queries = 0;
    for pair in fences.windows(2).filter(|pair| pair[0].language == "sql") {
        queries += 1;
        let mut statement = database.prepare(&pair[0].text).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        let mut printed = String::new();
        while let Some(row) = rows.next().unwrap() {
            let cells = (0..columns).map(|column| match row.get_ref(column).unwrap() {
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                other => panic!("{other:?} in an answer"),
            });
            printed += &format!("{}\n", cells.collect::<Vec<_>>().join("|"));
        }
        assert_eq!(printed, pair[1].text, "README.md:{}", pair[0].line);
    }
    assert_eq!(queries, 4);
}

#[test]
fn every_example_in_the_help_runs() {
    let place = newcomers_folder();
    for volume in ["a", "b", "c", "d", "e"] {
        place.write(&format!("{volume}.tsv"), "A00\tX\t1. a3\n");
    }
    place.write("scid.eco", "A00f \"Anderssen Opening\"  1.a3 *\n");
    place.write("eco.pgn", "[ECO \"A00\"]\n[Opening \"Anderssen's opening\"]\n\n1. a3 *\n");
    place.write("positions.epd", "4k3/8/8/8/8/8/8/4K3 w - - id \"bare kings\";\n");
    place.write("lichess_db.pgn.zst", zstd::encode_all(&b"1. e4 *"[..], 1).unwrap());
    for name in ["my-white-lines.pgn", "study.pgn"] {
        place.write(name, "1. e4 c5 (1... e5 2. Nf3 Nc6) 2. Nf3 d6 3. d4 *\n");
    }
    place.write("this-week.pgn", "1. e4 c5 2. Nf3 1-0\n");
    let lichess = fs::read(place.path("lichess_db.pgn.zst")).unwrap();
    place.write("otb.pgn.zst", lichess);
    // The initial position with 1. e4.
    place.write("book.bin", b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\x01\0\0\0\0");
    let others = |place: &Workplace| {
        for (name, db) in [("club", "chess.db"), ("otb", "masters.db")] {
            let build = ["repertoire", "build", name, "games.pgn", "--color", "white", "--db", db];
            place.run(&build).exits(0);
        }
        fs::copy(place.path("chess.db"), place.path("last-year.db")).unwrap();
    };
    let mut examples = 0;
    place.write("positions.txt", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    for subcommand in [
        "classify",
        "tag",
        "lookup",
        "search",
        "ingest",
        "catalogue",
        "fen",
        "fen check",
        "fen key",
        "fen move",
        "fen from-pgn",
        "fen parse",
        "fen show",
        "fen image",
        "completions",
        "man",
        "repertoire build",
        "repertoire add",
        "repertoire show",
        "repertoire tree",
        "repertoire",
        "repertoire list",
        "repertoire diff",
        "repertoire merge",
        "repertoire check",
        "repertoire gaps",
        "repertoire lint",
        "repertoire novelties",
        "repertoire filter",
        "repertoire export",
        "repertoire rename",
        "repertoire remove",
    ] {
        if subcommand == "repertoire diff" {
            others(&place);
        }
        let args: Vec<&str> = subcommand.split(' ').chain(["--help"]).collect();
        let help = place.run(&args).exits(0).stdout.clone();
        for line in help.lines().filter_map(|line| line.strip_prefix("  eco ")) {
            examples += 1;
            let line = line.replace("~/chess", "archive").replace("<TAB>", "");
            let run = type_in(&place, &format!("eco {line}"));
            // `fen check` tells by its exit code what it found.
            let code = if line.contains("KQkq e4") { 4 } else { 0 };
            assert_eq!(run.code, Some(code), "eco {line}\n{}{}", run.stdout, run.stderr);
        }
    }
    assert_eq!(examples, 93);
}
