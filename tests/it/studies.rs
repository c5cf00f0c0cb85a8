//! Studies made of real games, through a repertoire and back, as python-chess sees them:
//! `tests/python/studies_against_python_chess.py`.

use std::{path::Path, process::Command};

#[test]
#[ignore = "needs python-chess and real games"]
fn python_chess_sees_what_was_prepared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let games = root.join("../shared/games/otb.pgn.zst");
    if !games.exists() {
        println!("SKIPPED: there is no {}", games.display());
        return;
    }
    let has_chess = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        println!("SKIPPED: there is no python3 with python-chess");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("games.pgn");
    let filter = Command::new(env!("CARGO_BIN_EXE_eco"))
        .arg("filter")
        .args([&games, Path::new("-o"), &plain])
        .args(["--game", "1-2000", "-q"])
        .output()
        .unwrap();
    assert!(filter.status.success(), "{}", String::from_utf8_lossy(&filter.stderr));
    let script = root.join("tests/python/studies_against_python_chess.py");
    let output = Command::new("python3")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_eco").as_ref(), plain.as_path()])
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    println!("{}", text(&output.stdout));
}
