//! What several targets need.

use std::{fmt::Write, ops::ControlFlow};

use eco::{
    catalogue::Catalogue,
    chess::{Chess, EnPassantMode, Move, Position, PositionKey, SanPlus},
    classify::{Classifier, Verdict, replay},
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

    /// Yes or no.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
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
            let (eco, name) = (at.opening().eco(), at.opening().name());
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
    let replayed = replay(game, |ply, position| {
        let key = PositionKey::from_position(position, EnPassantMode::Legal);
        if key.piece_count() < catalogue.min_pieces() {
            return ControlFlow::Break(());
        }
        if let Some(found) = catalogue.get(&key).filter(|_| ply > 0 || has_start) {
            named = (found.opening.eco().to_string(), ply);
        }
        if ply == catalogue.max_ply() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (named.0, named.1, replayed.error.map(|error| error.to_string()).unwrap_or_default())
}

/// Plays a legal move and returns it as it is written.
pub fn play(position: &mut Chess, m: Move) -> String {
    SanPlus::from_move_and_play_unchecked(position, m).to_string()
}
