//! What the benchmarks share: the games of `data/games`, and the time that a command takes.

#![allow(dead_code, reason = "no benchmark needs all of it")]

use std::{
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// Fifty-one games: thirty famous ones, and twenty-one written for the examples.
pub(crate) const GAMES: [&str; 3] = [
    include_str!("../../data/games/famous.pgn"),
    include_str!("../../data/games/club.pgn"),
    include_str!("../../data/games/white-lines.pgn"),
];

/// The games, repeated.
pub(crate) fn games(times: usize) -> String {
    GAMES.map(|file| format!("{file}\n")).concat().repeat(times)
}

/// The first famous game.
pub(crate) fn one_game() -> &'static str {
    let end = GAMES[0].match_indices("[Event ").nth(1).map(|(at, _)| at);
    &GAMES[0][..end.expect("there are thirty")]
}

/// `eco classify` with this number of threads, as other programs call it.
pub(crate) fn classify(threads: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    command.args(["classify", "--quiet", "--no-header", "--format", "tsv", "-j", threads]);
    command
}

/// The time of a command whose output is discarded; `None` if there is no such program, or it
/// fails.
pub(crate) fn time_to_nowhere(command: &mut Command) -> Option<Duration> {
    let begun = Instant::now();
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.ok().filter(ExitStatus::success).map(|_| begun.elapsed())
}

/// The median.
pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2]
}
