//! What several answers have: moves, names and games as JSON.

use serde::Serialize;

use crate::{
    catalogue::Line,
    chess::{Chess, Color, UciMove, play_as_san},
    classify::NamedAt,
    collection::{FoundGame, Score},
    select::Speed,
    web::{
        asked_line::{PlayedMove, fen_of},
        side::index_of,
    },
};

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct ScoreObject {
    white: u64,
    draws: u64,
    black: u64,
}

impl From<Score> for ScoreObject {
    fn from(score: Score) -> Self {
        Self { white: score.white, draws: score.draws, black: score.black }
    }
}

/// The name of a position. `eco` is empty if it has no code.
#[derive(Debug, Serialize)]
pub(super) struct OpeningObject<'c> {
    eco: &'c str,
    name: &'c str,
}

impl<'c> From<&'c Line> for OpeningObject<'c> {
    fn from(line: &'c Line) -> Self {
        Self { eco: line.opening.code(), name: line.opening.name() }
    }
}

/// The name of a position on a line.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct NamedObject<'c> {
    eco: &'c str,
    name: &'c str,
    ply: usize,
}

impl<'c> NamedObject<'c> {
    pub(super) fn all(names: &[NamedAt<'c>]) -> Vec<Self> {
        let object = |named: &NamedAt<'c>| Self {
            eco: named.opening().code(),
            name: named.opening().name(),
            ply: named.ply(),
        };
        names.iter().map(object).collect()
    }
}

/// A move of a line, with the position after it.
#[derive(Debug, Serialize)]
pub(super) struct PlayedObject<'a> {
    uci: String,
    san: &'a str,
    fen: String,
}

impl<'a> PlayedObject<'a> {
    pub(super) fn all(moves: &'a [PlayedMove]) -> Vec<Self> {
        let object = |played: &'a PlayedMove| Self {
            uci: played.uci.to_string(),
            san: &played.san,
            fen: fen_of(&played.after),
        };
        moves.iter().map(object).collect()
    }
}

#[derive(Debug, Serialize)]
pub(super) struct PlayerObject<'a> {
    pub(super) name: &'a str,
    pub(super) rating: Option<u16>,
}

/// A game in a list, with the move that was played in the position.
#[derive(Debug, Serialize)]
pub(super) struct GameObject<'a> {
    id: String,
    collection: &'a str,
    uci: String,
    san: String,
    white: PlayerObject<'a>,
    black: PlayerObject<'a>,
    result: &'static str,
    date: Option<String>,
    speed: Option<&'static str>,
    rated: Option<bool>,
    event: Option<&'a str>,
    link: Option<&'a str>,
}

impl<'a> GameObject<'a> {
    pub(super) fn new(game: &'a FoundGame, position: &Chess) -> Self {
        let player = |color: Color| PlayerObject {
            name: &game.names[index_of(color)],
            rating: game.ratings[index_of(color)],
        };
        Self {
            id: game.id.to_string(),
            collection: &game.collection,
            uci: game.uci.to_string(),
            san: san_of(position, game.uci).map(|(san, _)| san).unwrap_or_default(),
            white: player(Color::White),
            black: player(Color::Black),
            result: game.result.as_str(),
            date: game.date.map(|date| date.to_string()),
            speed: game.speed.map(Speed::name),
            rated: game.rated,
            event: Some(game.event.as_str()).filter(|event| !event.is_empty()),
            link: game.link.as_deref(),
        }
    }

    pub(super) fn all(games: &'a [FoundGame], position: &Chess) -> Vec<Self> {
        games.iter().map(|game| Self::new(game, position)).collect()
    }
}

/// A move as SAN, and the position after it; `None` if the position does not have it.
pub(super) fn san_of(position: &Chess, uci: UciMove) -> Option<(String, Chess)> {
    let m = uci.to_move(position)?;
    let mut after = position.clone();
    let san = play_as_san(&mut after, m).to_string();
    Some((san, after))
}
