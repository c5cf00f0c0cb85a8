//! The targets of fuzzing: what must hold for any bytes.
//!
//! `fuzz/`, a workspace of its own, makes a fuzzer of each and compiles this folder as its library.
//! Here they are given again what fuzzing has found: `.ci/fuzz` puts it in `tests/data/fuzz`.

pub mod book;
pub mod classify;
pub mod collection;
pub mod database;
pub mod fen;
pub mod frames;
pub mod image;
pub mod join;
pub mod kept;
pub mod master;
pub mod names;
pub mod pgn;
pub mod study;
pub mod tag;
pub mod train;
pub mod typed;
pub mod web;

use std::{env, fmt::Write, fs, ops::ControlFlow, path::PathBuf, process};

use eco::{
    catalogue::Catalogue,
    chess::{Chess, EnPassantMode, Move, Position, PositionKey, SanPlus},
    classify::{Classifier, Variations, Verdict, replay_all},
    pgn::Game,
};

/// Bytes of the input that choose what happens, one after the other. At their end they choose the
/// first of everything.
#[derive(Debug)]
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// The choices that these bytes make.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next choice; `None` at the end of the bytes.
    pub fn try_next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// The next choice among this number.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.try_next().unwrap_or(0)) % count.max(1)
    }

    /// The next one of these.
    pub fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// The next legal move; `None` at the end of the bytes or of the game.
    pub fn next_move(&mut self, position: &Chess) -> Option<Move> {
        let legal = position.legal_moves();
        let choice = self.try_next()?;
        legal.get(usize::from(choice) % legal.len().max(1)).copied()
    }

    /// The bytes that have chosen nothing yet.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// A folder of this process for files of a target, which cargo has a place for in tests.
#[must_use]
pub fn scratch(target: &str) -> PathBuf {
    let parent = option_env!("CARGO_TARGET_TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
    let folder = parent.join(format!("eco-fuzz-{target}-{}", process::id()));
    fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    folder
}

/// A verdict in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// Code, full name, ply, and whether it was reached by transposition; empty without an opening.
    pub named: String,
    /// The error, or nothing.
    pub error: String,
}

impl Facts {
    /// What a verdict says.
    #[must_use]
    pub fn of(verdict: &Verdict<'_>) -> Self {
        let error = verdict.error.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut named = String::new();
        if let Some(at) = verdict.named {
            let (eco, name) = (at.opening().code(), at.opening().name());
            let _ = write!(named, "{eco} {name} {} {}", at.ply(), at.is_transposed());
        }
        Self { named, error }
    }
}

/// The verdict of a game by default, and when it is played to its end. The names are the same, and
/// at most an error is missed by default.
#[must_use]
pub fn verdicts(catalogue: &Catalogue, game: &Game<'_>) -> [Facts; 2] {
    let classifier = Classifier::new(catalogue);
    let default = Facts::of(&classifier.classify(game).verdict);
    let exhaustive = Facts::of(&classifier.exhaustive().classify(game).verdict);
    assert_eq!(default.named, exhaustive.named);
    assert!(default.error.is_empty() || default.error == exhaustive.error, "{default:?}");
    [default, exhaustive]
}

/// The code, ply and error of a game that is played move by move, with all legal moves at hand and
/// without knowledge of lines.
#[must_use]
pub fn replayed(catalogue: &Catalogue, game: &Game<'_>) -> (String, usize, String) {
    let fen = game.tags().find(|tag| tag.name == b"FEN").map(|tag| tag.value());
    let has_start = fen.is_some_and(|fen| !matches!(fen.trim_ascii(), b"" | b"?"));
    let mut named = (String::new(), 0);
    let replayed = replay_all(game, Variations::Skipped, |step| {
        let (ply, position) = (step.ply, step.position);
        let key = PositionKey::from_position(position, EnPassantMode::Legal);
        if key.piece_count() < catalogue.min_pieces() {
            return ControlFlow::Break(());
        }
        if let Some(found) = catalogue.get(&key).filter(|_| ply > 0 || has_start) {
            named = (found.opening.code().to_owned(), ply);
        }
        if ply == catalogue.max_ply() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (named.0, named.1, replayed.error.map(|error| error.to_string()).unwrap_or_default())
}

/// Plays a legal move and returns it as it is written.
pub fn play(position: &mut Chess, m: Move) -> String {
    SanPlus::from_move_and_play_unchecked(position, m).to_string()
}

#[cfg(test)]
mod tests {
    use std::{fs, panic::catch_unwind, path::Path, time::Instant};

    use super::*;

    type Check = fn(&[u8]);

    const TARGETS: [(&str, Check); 17] = [
        ("book", book::check_bytes),
        ("classify", classify::check_bytes),
        ("collection", collection::check_bytes),
        ("database", database::check_bytes),
        ("fen", fen::check_bytes),
        ("frames", frames::check_bytes),
        ("image", image::check_bytes),
        ("join", join::check_bytes),
        ("kept", kept::check_bytes),
        ("master", master::check_bytes),
        ("names", names::check_bytes),
        ("pgn", pgn::check_bytes),
        ("study", study::check_bytes),
        ("tag", tag::check_bytes),
        ("train", train::check_bytes),
        ("typed", typed::check_bytes),
        ("web", web::check_bytes),
    ];

    /// The time that `.ci/fuzz` gives an input, in seconds.
    const MAX_SECONDS: u64 = 10;

    #[test]
    fn what_fuzzing_found_is_mended() {
        let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz");
        let mut failed = Vec::new();
        for folder in fs::read_dir(&found).unwrap().map(|entry| entry.unwrap()) {
            let name = folder.file_name().into_string().unwrap();
            let target = TARGETS.iter().find(|(target, _)| *target == name);
            let (_, check) = target.unwrap_or_else(|| panic!("no target is called {name}"));
            for input in fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
                let (bytes, start) = (fs::read(&input).unwrap(), Instant::now());
                let holds = catch_unwind(|| check(&bytes)).is_ok();
                if !holds || start.elapsed().as_secs() >= MAX_SECONDS {
                    failed.push(input);
                }
            }
        }
        assert!(failed.is_empty(), "these inputs fail, or take 10 s: {failed:#?}");
    }

    #[test]
    fn every_target_holds_for_no_bytes() {
        TARGETS.iter().for_each(|(_, check)| check(b""));
    }
}
