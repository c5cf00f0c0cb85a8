//! What was played in a position.

#[cfg(feature = "web")]
use std::cmp::Reverse;

use super::game_id::GameId;
use crate::{
    chess::UciMove,
    pgn::{GameDate, PlayedAt},
    select::{GameResult, Speed},
};

/// How games ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Those that White won.
    pub white: u64,
    /// Those that were drawn.
    pub draws: u64,
    /// Those that Black won.
    pub black: u64,
}

impl Score {
    /// The number of games.
    #[must_use]
    pub fn games(self) -> u64 {
        self.white + self.draws + self.black
    }
}

/// A sum of ratings, for a mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RatingSum {
    /// The number of games that say the rating.
    pub games: u64,
    /// The sum of the ratings.
    pub sum: u64,
}

impl RatingSum {
    /// The mean, rounded to the nearest whole number; `None` if no game says a rating.
    #[must_use]
    pub fn mean(self) -> Option<u64> {
        (self.games > 0).then(|| (self.sum + self.games / 2) / self.games)
    }
}

/// What was played in a position, and how it scored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PositionStats {
    /// The games that went on from here: the sum of the moves.
    pub score: Score,
    /// The games that ended here. They are in nothing else.
    pub ended: Score,
    /// The moves: those of most games first, those of equally many in the order of their UCI text.
    pub moves: Vec<MoveStats>,
    /// The games with the highest mean rating, of those that went on from here; of equal ones the
    /// latest.
    pub top_games: Vec<FoundGame>,
    /// The latest games that are not top games, of those that went on from here: by
    /// [`PlayedAt`], of equal ones those with the highest mean rating.
    pub recent_games: Vec<FoundGame>,
    /// The games by month, in order; months without a game are left out.
    pub history: Vec<MonthStats>,
}

/// A move that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveStats {
    /// The move.
    pub uci: UciMove,
    /// The games in which it was played.
    pub score: Score,
    /// The ratings of those who played it.
    pub rating: RatingSum,
    /// The ratings of their opponents.
    pub opponent_rating: RatingSum,
    /// What those who played it scored in the games of which the opponent's rating is known, in
    /// half points.
    pub half_points: u64,
    /// The earliest and the latest date of these games.
    pub dates: Option<(GameDate, GameDate)>,
    /// The game, if there is only one.
    pub only_game: Option<FoundGame>,
    /// The games that reached the position after the move, by any order of moves; `None` if it was
    /// not asked for.
    pub reached: Option<Score>,
}

/// A game that was found in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundGame {
    /// Its identity.
    pub id: GameId,
    /// The collection that it is from.
    pub collection: String,
    /// The move that was played in the position.
    pub uci: UciMove,
    /// The names of White and Black; empty if unknown.
    pub names: [String; 2],
    /// Their ratings.
    pub ratings: [Option<u16>; 2],
    /// How it ended.
    pub result: GameResult,
    /// Its date.
    pub date: Option<GameDate>,
    /// When it was played, which decides what is latest.
    pub played_at: PlayedAt,
    /// How fast it was.
    pub speed: Option<Speed>,
    /// Whether it counted for ratings.
    pub rated: Option<bool>,
    /// The value of `Event`; empty if there is none.
    pub event: String,
    /// The address of the game on the web.
    pub link: Option<String>,
}

impl FoundGame {
    /// What the latest games are ordered by, the greatest first: when they were played; then the
    /// ratings; then the identity, of which the smallest is first.
    #[cfg(feature = "web")]
    pub(crate) fn recency(&self) -> (PlayedAt, u32, Reverse<GameId>) {
        let [white, black] = self.ratings.map(|rating| rating.map(u32::from));
        let ratings = white.zip(black).map_or(0, |(white, black)| white + black);
        (self.played_at, ratings, Reverse(self.id))
    }
}

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
}

/// The games of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthStats {
    /// The month.
    pub month: Month,
    /// How its games ended. Games of which the month is not known are in none.
    pub score: Score,
}
