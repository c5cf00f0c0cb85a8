//! How the moves of a book scored, beside what the ratings of the players predict.

use std::collections::BTreeMap;

use crate::{
    chess::UciMove,
    pgn::PlayedAt,
    repertoire::{
        book::{Book, NodeId},
        games::PlayedGame,
    },
    stats::{Difference, Interval, Outcome, Sample, Tally, Z_95},
};

/// The games with each move of a book in which the result and both ratings are known.
#[derive(Debug, Clone, Default)]
pub struct LineScores {
    moves: BTreeMap<(NodeId, UciMove), Vec<RatedGame>>,
    all: Tally,
}

/// A game with what its score is judged by, seen from the side of the book. Earlier ones are less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RatedGame {
    played_at: PlayedAt,
    half_points: u8,
    own: u16,
    other: u16,
}

/// How a move scored.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LineScore {
    /// The score beside what the ratings predict, with its interval.
    pub difference: Difference,
    /// The difference in the later half of the games that have a date less that in the earlier
    /// half; `None` if a half has fewer than five games.
    pub trend: Option<f64>,
    /// The 95 % interval of the trend, from the variances of both differences.
    pub trend_interval: Option<Interval>,
}

/// The games that each half of a trend has at least.
const LEAST_GAMES: usize = 5;

impl LineScores {
    /// Counts a game in.
    pub fn add(&mut self, book: &Book, game: &PlayedGame) {
        let Some(rated) = RatedGame::of(book, game) else { return };
        self.all.add(&rated.sample());
        let mut played = Vec::new();
        game.walk(usize::MAX, |key, uci| played.extend(book.find(key).zip(uci)));
        // A game that comes back to a position counts once.
        played.sort_unstable();
        played.dedup();
        for at in played {
            self.moves.entry(at).or_default().push(rated);
        }
    }

    /// How a move of a position scored; `None` if no game says.
    #[must_use]
    pub fn get(&self, id: NodeId, uci: UciMove) -> Option<LineScore> {
        let mut games = self.moves.get(&(id, uci))?.clone();
        games.sort_unstable();
        let difference = self.difference(&games)?;
        let dated = games.partition_point(|game| game.played_at.date().is_none());
        let dated = &games[dated..];
        let (earlier, later) = dated.split_at(dated.len() / 2);
        let trend = (earlier.len() >= LEAST_GAMES)
            .then(|| self.difference(earlier).zip(self.difference(later)))
            .flatten();
        let trend = trend.map(|(earlier, later)| {
            let value = later.value - earlier.value;
            let radius = Z_95 * (later.variance + earlier.variance).sqrt();
            (value, Interval { low: value - radius, high: value + radius })
        });
        let (trend, trend_interval) = trend.unzip();
        Some(LineScore { difference, trend, trend_interval })
    }

    fn difference(&self, games: &[RatedGame]) -> Option<Difference> {
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.add(&game.sample()));
        Difference::new(&tally, &self.all)
    }
}

impl RatedGame {
    fn of(book: &Book, game: &PlayedGame) -> Option<Self> {
        let side = book.color();
        let [white, black] = [game.white_rating?.get(), game.black_rating?.get()];
        let (own, other) = if side.is_white() { (white, black) } else { (black, white) };
        let half_points = game.result.half_points(side)?;
        Some(Self { played_at: game.played_at, half_points, own, other })
    }

    fn sample(self) -> Sample {
        let outcome = Some(match self.half_points {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        });
        Sample { outcome, ratings: Some((self.own, self.other)), ..Sample::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        pgn::Game,
        repertoire::{BookRule, GameReader},
        select::Selection,
    };

    #[test]
    fn a_move_is_judged_by_ratings_and_by_what_it_scored_later() {
        let mut book = Book::new(Color::Black, BookRule::default());
        book.prepare("1. e4 c5").unwrap();
        let mut reader = GameReader::new(Selection::default(), 40);
        // Five games lost and then five won, among equals; one without a rating, one elsewhere.
        let tags = "[WhiteElo \"2000\"]\n[BlackElo \"2000\"]";
        for n in 0..10 {
            let result = if n < 5 { "1-0" } else { "0-1" };
            let game = format!("{tags}\n[Date \"20{n:02}.01.01\"]\n\n1. e4 c5 {result}");
            reader.read(&Game::from_bytes(game.as_bytes()));
        }
        reader.read(&Game::from_bytes(b"[WhiteElo \"2000\"]\n\n1. e4 c5 1-0"));
        reader.read(&Game::from_bytes(format!("{tags}\n\n1. e4 e5 1-0").as_bytes()));
        let games = reader.into_batch().games;
        let scores = |games: &[PlayedGame]| {
            let mut scores = LineScores::default();
            games.iter().for_each(|game| scores.add(&book, game));
            scores
        };
        let e4 = book.moves(book.roots()[0])[0].to;
        let c5 = book.moves(e4)[0].uci;
        let found = scores(&games).get(e4, c5).unwrap();
        assert_eq!((found.difference.games, found.difference.value), (10, 0.0));
        assert_eq!(found.trend, Some(1.0));
        // Each error is half a point: 1.96 * sqrt(2 * 0.25 / 5).
        let interval = found.trend_interval.unwrap();
        assert!((interval.low - (1.0 - 1.959_964 * 0.1_f64.sqrt())).abs() < 1e-6, "{interval:?}");
        let few = scores(&games[1..]).get(e4, c5).unwrap();
        assert_eq!((few.difference.games, few.trend), (9, None));
        let backwards: Vec<PlayedGame> = games.iter().rev().cloned().collect();
        assert_eq!(scores(&backwards).get(e4, c5), Some(found));
        assert_eq!(scores(&games).get(e4, "e7e6".parse().unwrap()), None);
        let mut reader = GameReader::new(Selection::default(), 40);
        for n in (0..10).rev() {
            let result = if n < 5 { "1-0" } else { "0-1" };
            let time = format!("[UTCDate \"2020.01.01\"]\n[UTCTime \"1{n}:00:00\"]");
            let game = format!("{tags}\n{time}\n\n1. e4 c5 {result}");
            reader.read(&Game::from_bytes(game.as_bytes()));
        }
        let of_a_day = scores(&reader.into_batch().games).get(e4, c5);
        assert_eq!(of_a_day.and_then(|score| score.trend), Some(1.0));
    }
}
