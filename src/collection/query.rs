//! What is asked of a position, and what was played there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{cmp::Reverse, fmt, ops::RangeInclusive, str::FromStr, sync::Arc};

use crate::pgn::{GameDate, PlayedAt};
use crate::select::{GameResult, Selection, Speed};
use crate::{chess::UciMove, quoted::Quoted};

/// Which games count in a position, and which of them are shown.
///
/// The default counts all games that begin in the initial position, and shows none.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PositionQuery {
    /// The games that count. Games without a result and of other variants never do.
    pub selection: Selection,
    /// Ranges of the mean of both ratings, rounded down, of which a game must fit one; none if any
    /// rating will do. A game in which a rating is missing fits no range.
    pub mean_ratings: Vec<RangeInclusive<u16>>,
    /// Whether games that begin in another position count as well.
    pub from_position: bool,
    /// How many of the games with the highest ratings are shown.
    pub top_games: usize,
    /// How many of the latest games are shown.
    pub recent_games: usize,
    /// Whether the games are counted by month as well.
    pub history: bool,
    /// Whether it is counted for each move how often the position after it was reached at all.
    pub reached: bool,
}

/// Ends questions that nobody waits for any more. Clones end the same ones.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Ends the questions that are asked with it, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether they are to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How games ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
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
    pub fn games(self) -> u64 {
        self.white + self.draws + self.black
    }
}

impl std::ops::Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            white: self.white + other.white,
            draws: self.draws + other.draws,
            black: self.black + other.black,
        }
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
    /// latest, and of those the ones that their collection took first.
    pub top_games: Vec<FoundGame>,
    /// The latest games that are not top games, of those that went on from here: by
    /// [`PlayedAt`], of equal ones those with the highest mean rating, and of those the ones that
    /// their collection took first. The collections come by name.
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
    /// Its number in the order in which the collection took its games.
    pub(crate) arrival: u32,
}

impl FoundGame {
    /// What the latest games are ordered by, the greatest first: when they were played; then the
    /// ratings; then the collection and the arrival there, of which the first is the greatest.
    pub(crate) fn recency(&self) -> impl Ord {
        let [white, black] = self.ratings.map(|rating| rating.map(u32::from));
        let ratings = white.zip(black).map_or(0, |(white, black)| white + black);
        (self.played_at, ratings, Reverse((&self.collection, self.arrival)))
    }
}

/// The games of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthStats {
    /// The month: a date without a day.
    pub month: GameDate,
    /// How its games ended. Games of which the month is not known are in none.
    pub score: Score,
}

/// The identity of a game in a collection: the first 8 bytes of its fingerprint.
///
/// Prints and parses as 11 letters and digits, in base 62 with the digits before the capitals
/// before the small letters.
///
/// ```
/// use eco::collection::GameId;
///
/// let id = GameId::from_number(12_345);
/// assert_eq!(id.to_string(), "000000003D7");
/// assert_eq!("000000003D7".parse(), Ok(id));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(u64);

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 62^11 is more than 2^64, 62^10 is less.
const LENGTH: usize = 11;

impl GameId {
    /// The identity with this number.
    pub fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b'0'; LENGTH];
        let mut rest = self.0;
        for digit in text.iter_mut().rev() {
            *digit = DIGITS[(rest % 62) as usize];
            rest /= 62;
        }
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// The text is not the identity of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the identity of a game ({LENGTH} letters and digits): {}", Quoted(.0))]
pub struct ParseGameIdError(String);

impl FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<Self, ParseGameIdError> {
        let fault = || ParseGameIdError(text.to_owned());
        if text.len() != LENGTH {
            return Err(fault());
        }
        let number = text.bytes().try_fold(0_u64, |number, byte| {
            let digit = DIGITS.iter().position(|digit| *digit == byte)?;
            number.checked_mul(62)?.checked_add(digit as u64)
        });
        number.map(Self).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_text() {
        for number in [0, 1, 61, 62, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let id = GameId::from_number(number);
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().len(), LENGTH);
        }
        for text in
            ["", "0", "0000000000", "000000000000", "zzzzzzzzzzz", "0000000000-", "ä00000000"]
        {
            assert!(text.parse::<GameId>().is_err(), "for {text:?}");
        }
    }
}
