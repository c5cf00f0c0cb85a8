//! How many instructions `eco` takes to start, and for each game, for figures that must not creep.
//!
//! ```text
//! cargo bench --bench instructions
//! ```
//!
//! Instruction counts are the same on a busy machine; times are not. `valgrind --tool=callgrind`
//! counts them; without it the benchmark prints that it was skipped. The games are those of
//! `data/games`, repeated: as they are, and with a clock and an evaluation after every move, as
//! lichess writes them.
//!
//! A count beyond its limit is an error. The limits are some 5 % above the counts on an x86-64 with
//! AVX2 when they were set. Whoever makes something cheaper lowers its limit.

mod common;

use std::process::{Command, Stdio};

use eco::pgn::{BlockOptions, Chunks, Game, Token};

use common::{classify, games, one_game};

/// The extra cost of the first games of a run is spread over this number of copies.
const TIMES: usize = 40;

/// The limit for the whole process with one small game.
const START_LIMIT: u64 = 2_550_000;

/// As [`START_LIMIT`], with the openings of a position database.
const DATABASE_LIMIT: u64 = 13_000_000;

/// The limit for `eco lookup e4`.
const LOOKUP_LIMIT: u64 = 2_170_000;

/// The limit for `eco fen key`.
const KEY_LIMIT: u64 = 1_270_000;

/// The limit for one game of `data/games`.
const GAME_LIMIT: u64 = 10_950;

/// The limit for one game with clocks and evaluations.
const CLOCKS_LIMIT: u64 = 12_900;

/// The share of the instructions of a game that AVX2 must save against vectors of 16 bytes, or the
/// kernels need not be compiled for it. Valgrind has no AVX-512; its budget is in `docs/speed.md`.
const AVX2_BUDGET: f64 = 0.05;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (path, database) = (folder.path().join("games.pgn"), folder.path().join("builtin.db"));
    let measured = |pgn: &str| {
        std::fs::write(&path, pgn).expect("a temporary file can be written");
        instructions(classify("1").arg(&path))
    };
    let Some(start) = measured(one_game()) else {
        println!("SKIPPED: valgrind is not installed, no instructions are counted");
        return;
    };
    let counted = |command: &mut Command| instructions(command).expect("valgrind ran just now");
    let made = eco(&["ingest", "--db"]).arg(&database).output().expect("the program was built");
    assert!(made.status.success(), "no database is made: {made:?}");
    let with_database = counted(classify("1").arg(&path).arg("--catalogue").arg(&database));
    let lookup = counted(&mut eco(&["lookup", "e4"]));
    let key = counted(&mut eco(&["fen", "key", FEN]));
    let plain = games(TIMES);
    let clocks = with_clocks(&plain);
    let count = game_count(&plain);
    assert_eq!((count, game_count(&clocks)), (51 * TIMES as u64, count), "games are missing");
    let each = |pgn: &str| {
        let whole = measured(pgn).expect("valgrind ran just now");
        whole.saturating_sub(start) / count
    };
    let figures = [
        ("start with one game", start, START_LIMIT),
        ("with a database", with_database, DATABASE_LIMIT),
        ("eco lookup e4", lookup, LOOKUP_LIMIT),
        ("eco fen key", key, KEY_LIMIT),
        ("a game", each(&plain), GAME_LIMIT),
        ("a game with clocks", each(&clocks), CLOCKS_LIMIT),
    ];
    for (what, figure, limit) in figures {
        let share = 100.0 * figure as f64 / limit as f64;
        println!("{what:>20} {figure:>12} instructions, {share:.0} % of the limit of {limit}");
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        std::fs::write(&path, &plain).expect("a temporary file can be written");
        let of = |vectors| counted(classify("1").arg(&path).env("ECO_VECTORS", vectors));
        let saved = 1.0 - of("avx2") as f64 / of("baseline") as f64;
        println!("AVX2 saves {saved:.3} of the instructions, of which {AVX2_BUDGET} are expected");
        assert!(saved >= AVX2_BUDGET, "AVX2 does not pay for itself");
    }
    for (what, figure, limit) in figures {
        assert!(figure <= limit, "{what} takes {figure} instructions, {limit} are allowed");
    }
}

/// The position after 1. e4.
const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";

fn eco(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    command.args(args).env_remove("ECO_DB");
    command
}

/// The number of instructions that a command takes; `None` without valgrind.
fn instructions(command: &mut Command) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env_remove("ECO_DB")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .ok()?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "the program fails under valgrind: {log}");
    let count = log.lines().find_map(|line| line.split_once("Collected : ")?.1.parse().ok());
    Some(count.unwrap_or_else(|| panic!("valgrind printed no count: {log}")))
}

fn each_game(pgn: &str, mut visit: impl FnMut(&Game<'_>)) {
    for block in Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks() {
        block.expect("memory can be read").games().for_each(|game| visit(&game));
    }
}

fn game_count(pgn: &str) -> u64 {
    let mut count = 0;
    each_game(pgn, |_| count += 1);
    count
}

/// The main lines of the games, with the comment that lichess writes after each move.
fn with_clocks(pgn: &str) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut out = String::new();
    each_game(pgn, |game| {
        for tag in game.tags() {
            out.push_str(&format!("[{} \"{}\"]\n", text(tag.name), text(tag.raw_value)));
        }
        out.push('\n');
        let words = game.tags().into_main_line().filter_map(|token| match token {
            Token::Move(word) => Some(word),
            _ => None,
        });
        for (ply, word) in words.enumerate() {
            let dots = if ply % 2 == 0 { "." } else { "..." };
            let comment = "{ [%eval 0.17] [%clk 0:03:00] }";
            out.push_str(&format!("{}{dots} {} {comment} ", ply / 2 + 1, text(word)));
        }
        out.push_str("*\n\n");
    });
    out
}
