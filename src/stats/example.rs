//! Games that show what a number means.

use std::borrow::Cow;

use super::{game::ScoredGame, sample::Outcome};
use crate::{
    chess::Color,
    pgn::{PlayedAt, decode_text},
    select::GameInfo,
};

/// This many games are kept of each group, won and lost.
const MAX: usize = 3;

/// A game that is one of those behind a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Example {
    /// When it was played, which decides what is latest.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) played_at: PlayedAt,
    /// The date as a number, 20210513, with 0 for what is not known.
    pub date: u32,
    /// The name of the source.
    pub source: String,
    /// The number of the game in its source, from 1.
    pub number: u64,
    /// The name of White.
    pub white: String,
    /// The name of Black.
    pub black: String,
    /// The result, as PGN writes it.
    pub result: String,
    /// The address of the game on the web.
    pub link: Option<String>,
}

/// The latest games of a group, by [`PlayedAt`]; of equal ones those of the last source, and there
/// the last ones.
///
/// Those of parts together are those of the whole, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Examples {
    /// Games that the side won, the latest first.
    pub won: Vec<Example>,
    /// Games that it lost, the latest first.
    pub lost: Vec<Example>,
}

impl Examples {
    // Few tables keep examples.
    #[inline(never)]
    pub(super) fn add(&mut self, game: &ScoredGame<'_, '_>, side: Color, source: &str) {
        let list = match game.outcome(side) {
            Some(Outcome::Win) => &mut self.won,
            Some(Outcome::Loss) => &mut self.lost,
            Some(Outcome::Draw) | None => return,
        };
        let key = (game.played_at(), game.date.unwrap_or(0), source, game.game.number());
        let is_later =
            |last: &Example| key > (last.played_at, last.date, last.source.as_str(), last.number);
        if list.len() < MAX || list.last().is_some_and(is_later) {
            insert(list, example(game, source));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        other.won.into_iter().for_each(|example| insert(&mut self.won, example));
        other.lost.into_iter().for_each(|example| insert(&mut self.lost, example));
    }
}

/// Inserts a game into a list, the latest first, and drops the earliest of too many.
fn insert(list: &mut Vec<Example>, example: Example) {
    let at = list.partition_point(|other| *other > example);
    list.insert(at, example);
    list.truncate(MAX);
}

fn example(game: &ScoredGame<'_, '_>, source: &str) -> Example {
    let name = |side| decode_text(game.name(side).unwrap_or(b"?")).into_owned();
    Example {
        played_at: game.played_at(),
        date: game.date.unwrap_or(0),
        source: source.to_owned(),
        number: game.game.number(),
        white: name(Color::White),
        black: name(Color::Black),
        result: game.result.as_str().to_owned(),
        link: GameInfo::read(&game.game).link().map(Cow::into_owned),
    }
}
