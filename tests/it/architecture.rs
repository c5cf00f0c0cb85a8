//! The order of the rooms, and one door for each outside crate.

use std::{fs, path::Path};

/// A module may use those before it.
const ORDER: [&str; 16] = [
    "swar",
    "chess",
    "diagram",
    "opening",
    "pgn",
    "master",
    "catalogue",
    "classify",
    "stats",
    "repertoire",
    "tag",
    "pipeline",
    "store",
    "output",
    "cli",
    "main",
];

/// Crates, and the only files that may name them. A path ends where a folder may be meant.
const DOORS: &[(&str, &str)] = &[
    ("shakmaty", "chess/"),
    ("pgn_reader", "pgn/plain.rs"),
    ("rusqlite", "store/"),
    ("rayon", "pipeline/"),
    ("wide", "swar.rs"),
    ("zstd", "pgn/codecs.rs"),
    ("flate2", "pgn/codecs.rs"),
    ("bzip2", "pgn/codecs.rs"),
    ("liblzma", "pgn/codecs.rs"),
    ("zip", "pgn/source/archive.rs"),
    ("walkdir", "pgn/source/find.rs"),
    ("clap", "cli/"),
    ("indicatif", "cli/progress.rs"),
    ("csv", "output/csv_rows.rs"),
    ("sha2", "master/file.rs"),
    ("sha2", "repertoire/games/"),
    // Its derive reads JSON; what JSON is read is each room's own.
    ("serde", "master/eco_json.rs"),
    ("serde", "chess/fen/table.rs"),
    ("serde", "repertoire/formats/json/"),
    ("serde", "chess/serde_text.rs"),
    ("serde", "opening.rs"),
    ("clap_complete", "cli/"),
    ("clap_mangen", "cli/manual.rs"),
    ("xattr", "cli/replace.rs"),
    ("humantime", "cli/masters.rs"),
    ("resvg", "diagram/png.rs"),
];

/// Every source file, as its path below `src` and its text.
fn sources(folder: &Path, root: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, root, found);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn all_sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &root, &mut found);
    assert!(found.len() > 20, "the sources were not found");
    found
}

/// The code of a file: without comments, and without its tests, which may use anything.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn rank(module: &str) -> usize {
    ORDER.iter().position(|m| *m == module).unwrap_or_else(|| panic!("{module} is in no order"))
}

/// The modules of this crate that a text names, in `use crate::{...}` and in paths.
fn modules_used(code: &str) -> Vec<&'static str> {
    let mut used = Vec::new();
    for (at, prefix) in code.match_indices("crate::").chain(code.match_indices("eco::")) {
        let is_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &code[at + prefix.len()..];
        let (names, depth_one) = match rest.strip_prefix('{') {
            Some(group) => (group, true),
            None => (rest, false),
        };
        let mut depth = 0;
        let mut word = String::new();
        for c in names.chars() {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if depth == 0 && is_word {
                used.extend(ORDER.iter().copied().filter(|module| *module == word));
            }
            word.clear();
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                _ if !depth_one => break,
                _ => {}
            }
        }
    }
    used
}

#[test]
fn modules_use_only_modules_before_them() {
    for (name, text) in all_sources() {
        let module = name.split(['/', '.']).next().unwrap();
        if module == "lib" || name.ends_with("/tests.rs") {
            continue;
        }
        for used in modules_used(&code(&text)) {
            assert!(
                rank(used) <= rank(module),
                "src/{name} uses {used}, which comes after {module}"
            );
        }
    }
}

#[test]
fn each_outside_crate_has_one_door() {
    for (name, text) in all_sources() {
        let code = code(&text);
        for &(outside, door) in DOORS {
            let is_named = code.match_indices(&format!("{outside}::")).any(|(at, _)| {
                !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
            });
            let doors = DOORS.iter().filter(|(other, _)| *other == outside).map(|(_, door)| *door);
            let is_door = doors.into_iter().any(|door| {
                if door.ends_with('/') { name.starts_with(door) } else { name == door }
            });
            assert!(!is_named || is_door, "src/{name} names {outside}, whose door is src/{door}");
        }
    }
}

#[test]
fn the_check_sees_what_it_should() {
    let used = modules_used(
        "use crate::{\n chess::{Move, pgn},\n store::Database,\n};\nlet x = crate::pgn::f();",
    );
    assert_eq!(used, ["chess", "store", "pgn"]);
}
