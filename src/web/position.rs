//! A position with what was played in it. Both APIs write it from here, each with its own fields.

use serde::Serialize;

use super::line::{PlayedLine, PlayedMove, key_of};
use crate::{
    catalogue::{Catalogue, Line},
    chess::{Chess, Color},
    collection::{FoundGame, Month, MoveStats, PositionStats, Score},
};

/// The position that a line ends in, and the games that have it.
#[derive(Clone, Copy)]
pub(super) struct CountedPosition<'a> {
    pub(super) line: &'a PlayedLine,
    pub(super) catalogue: &'a Catalogue,
    pub(super) stats: &'a PositionStats,
}

/// A move that was played in a position.
pub(super) struct CountedMove<'a> {
    pub(super) played: PlayedMove,
    pub(super) stats: &'a MoveStats,
    pub(super) opening: Option<OpeningObject<'a>>,
}

impl<'a> CountedPosition<'a> {
    pub(super) fn position(&self) -> &'a Chess {
        self.line.end()
    }

    /// The first moves, of which there shall be no more than `limit`.
    pub(super) fn moves(self, limit: usize) -> impl Iterator<Item = CountedMove<'a>> {
        self.stats.moves.iter().take(limit).filter_map(move |stats| {
            let played = PlayedMove::from_uci(self.position(), stats.uci)?;
            let opening = OpeningObject::of(&played.after, self.catalogue);
            Some(CountedMove { played, stats, opening })
        })
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct ScoreObject {
    pub(super) white: u64,
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

impl<'c> OpeningObject<'c> {
    pub(super) fn of(position: &Chess, catalogue: &'c Catalogue) -> Option<Self> {
        catalogue.get(&key_of(position)).map(Self::from)
    }
}

impl<'c> From<&'c Line> for OpeningObject<'c> {
    fn from(line: &'c Line) -> Self {
        Self { eco: line.opening.code(), name: line.opening.name() }
    }
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct MonthObject {
    pub(super) month: String,
    #[serde(flatten)]
    pub(super) score: ScoreObject,
}

impl MonthObject {
    pub(super) fn new(month: Month, score: impl Into<ScoreObject>) -> Self {
        let month = format!("{:04}-{:02}", month.year, month.month);
        Self { month, score: score.into() }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct PlayerObject<'a> {
    pub(super) name: &'a str,
    pub(super) rating: Option<u16>,
}

impl<'a> PlayerObject<'a> {
    pub(super) fn of(game: &'a FoundGame, color: Color) -> Self {
        let side = usize::from(color.is_black());
        Self { name: &game.names[side], rating: game.ratings[side] }
    }
}
