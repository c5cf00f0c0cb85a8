//! README.md and the pages of docs/ and docs/guides/ show what the program prints: their commands
//! are run.
//!
//! Rules for whoever writes those pages. Nothing is guessed from the text of a command.
//!
//! - A page is a session in a fresh clone. Its commands run in order, in one folder, which begins
//!   with the entries of `CLONE` below and nothing else. What a command writes is there for the
//!   next. Each page has a folder of its own, also those of `docs/`, whose commands run at the top
//!   level.
//! - A fence with the language `console` holds commands and output. A line that begins with `$ ` is
//!   a command. It goes to `sh -c` as it stands, so pipes and redirections work. After a line that
//!   ends in `\` the command goes on; the next line may begin with `> `, as a shell shows it.
//! - `eco` is the program. `cargo run --release -- ` at the start of a command stands for `eco `.
//! - Commands whose first word is in `SKIPPED` are not run, and what is shown below them is not
//!   compared.
//! - The lines below a command are what it prints to standard output, and then what it prints to
//!   standard error, byte for byte. A line `...` stands for any number of lines. No lines: it
//!   prints nothing. The exit code is not compared.
//! - Output goes to a pipe, so rows are tab-separated. In a fence marked `console table` every
//!   command is an `eco` command, nothing but one, and is run with `--format table`: that is what a
//!   terminal of 80 columns shows. A fence of either kind cannot be mixed; write two.
//! - A fence marked `sql FILE` is a query to the position database FILE, which the page has made
//!   before. The next fence of the page holds the rows, in the list mode of the `sqlite3` shell.
//! - Fences of other languages are not looked at here. Those marked `rust` in README.md are
//!   compiled and run as documentation tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::types::ValueRef;

use crate::harness::Workplace;

/// What the folder of a page begins with.
const CLONE: [&str; 4] = ["Cargo.toml", "README.md", "data", "docs"];

/// Where pages are besides README.md.
const FOLDERS: [&str; 2] = ["docs", "docs/guides"];

/// First words of commands that are not run: they build, test, or fetch the clone.
const SKIPPED: [&str; 4] = ["cargo", "cd", "git", "sqlite3"];

/// How a newcomer runs the program before it is installed.
const FROM_SOURCE: &str = "cargo run --release -- ";

/// A fenced block of a page.
struct Fence {
    /// The words after the opening backticks.
    info: Vec<String>,
    /// The line of the page that opens it.
    line: usize,
    lines: Vec<String>,
}

/// A command, and what is shown below it.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    command: String,
    shown: Vec<String>,
}

/// The form in which the program prints rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// As in a pipe.
    Default,
    /// As on a terminal.
    Table,
}

fn fences(page: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(page.lines()) {
        match line.strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(info) => {
                is_open = true;
                let info = info.split_whitespace().map(str::to_owned).collect();
                fences.push(Fence { info, line: number, lines: Vec::new() });
            }
            None if is_open => fences.last_mut().unwrap().lines.push(line.to_owned()),
            None => {}
        }
    }
    assert!(!is_open, "the last fence is not closed");
    fences
}

fn steps(lines: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        if goes_on {
            let command = &mut steps.last_mut().unwrap().command;
            *command += &format!("\n{}", line.strip_prefix("> ").unwrap_or(line));
            goes_on = line.ends_with('\\');
        } else if let Some(command) = line.strip_prefix("$ ") {
            goes_on = command.ends_with('\\');
            steps.push(Step { command: command.to_owned(), shown: Vec::new() });
        } else {
            let step = steps.last_mut().expect("a console fence begins with a command, `$ `");
            step.shown.push(line.clone());
        }
    }
    steps
}

/// What is given to the shell for a command; nothing for one that is not run.
fn to_run(command: &str, rows: Rows) -> Option<String> {
    let command = match command.strip_prefix(FROM_SOURCE) {
        Some(args) => format!("eco {args}"),
        None => command.to_owned(),
    };
    let first = command.split_whitespace().next().unwrap_or_default();
    match rows {
        _ if SKIPPED.contains(&first) => None,
        Rows::Default => Some(command),
        Rows::Table => {
            assert_eq!(first, "eco", "a `console table` fence has eco commands alone: {command}");
            Some(format!("{command} --format table"))
        }
    }
}

/// Whether that was printed. A line `...` stands for any number of lines.
fn is_shown(shown: &[String], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [dots, shown @ ..] if dots == "..." => {
            (0..=printed.len()).any(|at| is_shown(shown, &printed[at..]))
        }
        [line, shown @ ..] => printed
            .split_first()
            .is_some_and(|(first, printed)| first == line && is_shown(shown, printed)),
    }
}

fn check_console(place: &Workplace, name: &str, fence: &Fence, rows: Rows) -> usize {
    let mut commands = 0;
    for Step { command, shown } in steps(&fence.lines) {
        let Some(to_run) = to_run(&command, rows) else { continue };
        let run = place.shell(&to_run);
        let printed = format!("{}{}", run.stdout, run.stderr);
        assert!(
            is_shown(&shown, &printed.lines().collect::<Vec<_>>()),
            "{name}:{}: $ {command}\n--- prints\n{printed}--- but the page shows\n{}",
            fence.line,
            shown.join("\n")
        );
        commands += 1;
    }
    commands
}

fn check_query(place: &Workplace, name: &str, fence: &Fence, answer: &Fence) {
    let line = fence.line;
    let [_, file] = &fence.info[..] else {
        panic!("{name}:{line}: name the database of the query: ```sql openings.db");
    };
    let path = place.path(file);
    assert!(path.is_file(), "{name}:{line}: no command before this makes {file}");
    let database = rusqlite::Connection::open(path).unwrap();
    let mut statement = database.prepare(&fence.lines.join("\n")).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut printed = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let cells = (0..columns).map(|column| match row.get_ref(column).unwrap() {
            ValueRef::Null => String::new(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => format!("{number:?}"),
            ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
            blob @ ValueRef::Blob(_) => panic!("{blob:?} in an answer"),
        });
        printed.push(cells.collect::<Vec<_>>().join("|"));
    }
    assert!(
        is_shown(&answer.lines, &printed.iter().map(String::as_str).collect::<Vec<_>>()),
        "{name}:{line}: the query gives\n{}\n--- but the page shows\n{}",
        printed.join("\n"),
        answer.lines.join("\n")
    );
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md, and the pages of `FOLDERS`, by name.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: &'static str| {
        let entries = fs::read_dir(root().join(folder)).into_iter().flatten();
        entries.map(move |entry| Path::new(folder).join(entry.unwrap().file_name()))
    };
    let mut pages: Vec<_> = FOLDERS
        .into_iter()
        .flat_map(in_folder)
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    pages.insert(0, PathBuf::from("README.md"));
    pages
}

#[test]
fn every_command_and_query_of_the_pages_prints_what_they_show() {
    let (mut commands, mut queries) = (0, 0);
    for page in pages() {
        let name = page.display().to_string();
        let place = Workplace::new();
        CLONE.iter().for_each(|entry| place.copy(&root().join(entry), entry));
        let fences = fences(&fs::read_to_string(root().join(&page)).unwrap());
        for (index, fence) in fences.iter().enumerate() {
            let info: Vec<&str> = fence.info.iter().map(String::as_str).collect();
            match info[..] {
                ["console"] => commands += check_console(&place, &name, fence, Rows::Default),
                ["console", "table"] => {
                    commands += check_console(&place, &name, fence, Rows::Table);
                }
                ["sql", ..] => {
                    check_query(&place, &name, fence, &fences[index + 1]);
                    queries += 1;
                }
                ["console", ..] => panic!("{name}:{}: console what? {info:?}", fence.line),
                _ => {}
            }
        }
    }
    assert!(commands > 5, "only {commands} commands were found");
    assert!(queries > 2, "only {queries} queries were found");
}

#[test]
fn pages_are_read_by_the_rules() {
    let page = "Text\n```console table\n$ eco a \\\n> b\nx\n$ cargo test\n```\n```\n$ no\n```\n";
    let fences = fences(page);
    assert_eq!(fences.iter().map(|fence| fence.line).collect::<Vec<_>>(), [2, 8]);
    assert_eq!(fences[0].info, ["console", "table"]);
    let found = steps(&fences[0].lines);
    assert_eq!(found[0].command, "eco a \\\nb");
    assert_eq!(found[0].shown, ["x"]);
    assert_eq!(found[1], Step { command: "cargo test".to_owned(), shown: Vec::new() });

    let table = to_run("cargo run --release -- classify a.pgn", Rows::Table);
    assert_eq!(table.as_deref(), Some("eco classify a.pgn --format table"));
    assert_eq!(to_run("cargo install --path .", Rows::Default), None);
    assert_eq!(to_run("cat a | eco tag", Rows::Default).as_deref(), Some("cat a | eco tag"));

    for (shown, printed, expected) in [
        (&["a"][..], &["a"][..], true),
        (&["a"], &["a", "b"], false),
        (&["a", "..."], &["a", "b"], true),
        (&["a", "..."], &["a"], true),
        (&["...", "c"], &["a", "b", "c"], true),
        (&["a", "...", "d"], &["a", "b", "c"], false),
        (&[], &["a"], false),
    ] {
        let lines: Vec<String> = shown.iter().map(ToString::to_string).collect();
        assert_eq!(is_shown(&lines, printed), expected, "{shown:?} of {printed:?}");
    }
}
