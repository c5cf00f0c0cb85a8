//! How often something was played, and how it went.

use std::num::{NonZeroU16, NonZeroU32};
use std::ops::{Deref, DerefMut};
use std::{cmp::Reverse, sync::LazyLock};

use crate::chess::{Color, PositionKey, UciMove};
use crate::pgn::{GameDate, PlayedAt};
use crate::{collection::KeptGame, stats::Sample};

/// Games counted, seen from the side that a repertoire is for.
///
/// Tallies of different games add up, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The number of games.
    pub games: u32,
    /// Games won by the side of the repertoire.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost. A game without a result counts in `games` only.
    pub losses: u32,
    /// Games whose result and opponent's rating are known.
    pub rated: u32,
    /// Half points scored in those.
    pub rated_half_points: u32,
    /// The sum of the opponents' ratings in those.
    pub rating_sum: u64,
    /// The date of the first of them.
    pub first: Option<GameDate>,
    /// The date of the last of them.
    pub last: Option<GameDate>,
    /// The latest of them, the last one first; of equal ones the first that was taken. See
    /// [`examples`](Self::examples).
    pub(super) latest: [Option<Example>; Self::EXAMPLES],
}

/// A tally that takes memory once something is counted, which in a prepared book nothing is.
#[derive(Debug, Clone, Default)]
pub(crate) struct LazyTally(Option<Box<Tally>>);

impl Deref for LazyTally {
    type Target = Tally;

    fn deref(&self) -> &Tally {
        static NONE: LazyLock<Tally> = LazyLock::new(Tally::default);
        self.0.as_deref().unwrap_or_else(|| &NONE)
    }
}

impl DerefMut for LazyTally {
    fn deref_mut(&mut self) -> &mut Tally {
        self.0.get_or_insert_default()
    }
}

impl From<Tally> for LazyTally {
    fn from(tally: Tally) -> Self {
        Self((tally != Tally::default()).then(|| Box::new(tally)))
    }
}

impl PartialEq for LazyTally {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for LazyTally {}

/// A game that is referred to. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Example {
    played_at: PlayedAt,
    arrival: Reverse<u32>,
    number: NonZeroU32,
}

/// The facts of a game that a count needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameFacts {
    /// The number of the game, in the database or wherever it is known by one. Without a number
    /// it is counted, and not referred to.
    pub(crate) number: Option<NonZeroU32>,
    /// Its number in the order of its source: what decides between games that were played at the
    /// same time.
    pub(crate) arrival: u32,
    /// Its date.
    pub(crate) date: Option<GameDate>,
    /// When it was played.
    pub(crate) played_at: PlayedAt,
    /// What the side of the repertoire has scored: 2 half points for a win.
    pub(crate) half_points: Option<u8>,
    /// The rating of that side.
    pub(crate) own: Option<NonZeroU16>,
    /// The rating of its opponent.
    pub(crate) opponent: Option<NonZeroU16>,
}

impl GameFacts {
    /// Those of a game of that number, from a side.
    pub(crate) fn of(game: &KeptGame, number: Option<NonZeroU32>, side: Color) -> Self {
        let details = game.details();
        let rating = |color: Color| details.ratings[usize::from(color.is_black())];
        Self {
            number,
            arrival: number.map_or(0, NonZeroU32::get),
            date: details.date,
            played_at: details.played_at,
            half_points: details.result.half_points(side),
            own: rating(side).and_then(NonZeroU16::new),
            opponent: rating(!side).and_then(NonZeroU16::new),
        }
    }

    /// What statistics need of it, from the same side.
    pub(super) fn sample(&self) -> Sample {
        let ratings = self.own.zip(self.opponent).map(|(own, other)| (own.get(), other.get()));
        Sample { half_points: self.half_points, ratings, ..Sample::default() }
    }
}

/// The rating difference, in points, that a score of all or nothing counts as.
const MOST_DIFFERENCE: f64 = 800.0;

impl Tally {
    /// The maximum number of games that are referred to.
    const EXAMPLES: usize = 3;

    /// Counts in one game.
    pub(crate) fn add(&mut self, game: &GameFacts) {
        self.games += 1;
        match game.half_points {
            Some(0) => self.losses += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.wins += 1,
            None => {}
        }
        if let (Some(half_points), Some(rating)) = (game.half_points, game.opponent) {
            self.rated += 1;
            self.rated_half_points += u32::from(half_points);
            self.rating_sum += u64::from(rating.get());
        }
        if game.date.is_some() {
            self.first = self.first.into_iter().chain(game.date).min();
            self.last = self.last.max(game.date);
        }
        let (played_at, arrival) = (game.played_at, Reverse(game.arrival));
        self.refer_to(game.number.map(|number| Example { played_at, arrival, number }));
    }

    fn refer_to(&mut self, mut example: Option<Example>) {
        for kept in &mut self.latest {
            if *kept < example {
                std::mem::swap(kept, &mut example);
            }
        }
    }

    /// The numbers of a few of the games, the latest first.
    pub(crate) fn examples(&self) -> impl Iterator<Item = u32> {
        self.latest.iter().flatten().map(|example| example.number.get())
    }

    /// The number of games with a result.
    pub(crate) fn decided(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Whether the numbers are consistent: no game with two results, no ratings or points without a
    /// game.
    pub(crate) fn is_possible(&self) -> bool {
        let [games, wins, draws, losses] =
            [self.games, self.wins, self.draws, self.losses].map(u64::from);
        let rated = u64::from(self.rated);
        wins + draws + losses <= games
            && rated <= wins + draws + losses
            && u64::from(self.rated_half_points) <= 2 * rated
            && self.rating_sum <= rated * u64::from(u16::MAX)
    }

    /// Points scored.
    pub(crate) fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Points a game, from 0 to 1; `None` if no game has a result.
    pub fn score(&self) -> Option<f64> {
        (self.decided() > 0).then(|| self.points() / f64::from(self.decided()))
    }

    /// The average rating of the opponents, in games with a result.
    pub(crate) fn average_rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.rating_sum as f64 / f64::from(self.rated))
    }

    /// The performance: the rating at which this score against these opponents would be expected,
    /// by Elo's logistic curve, at most 800 points from their average and not below 0.
    pub fn performance(&self) -> Option<f64> {
        let average = self.average_rating()?;
        let score = f64::from(self.rated_half_points) / 2.0 / f64::from(self.rated);
        let difference = 400.0 * (score / (1.0 - score)).log10();
        Some((average + difference.clamp(-MOST_DIFFERENCE, MOST_DIFFERENCE)).max(0.0))
    }

    /// Counts in other games.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.rated += other.rated;
        self.rated_half_points += other.rated_half_points;
        self.rating_sum += other.rating_sum;
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.max(other.last);
        other.latest.iter().for_each(|example| self.refer_to(*example));
    }
}

/// The moves played in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositionCount {
    /// The position.
    pub(crate) key: PositionKey,
    /// The games that have the position, each counted once.
    pub(crate) tally: Tally,
    /// The moves that were played there. A game that has the position twice may have played two.
    pub(crate) moves: Vec<MoveCount>,
}

/// A move, and the games that played it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MoveCount {
    /// The move.
    pub(crate) uci: UciMove,
    /// The position after it.
    pub(crate) to: PositionKey,
    /// The games that played it, each counted once.
    pub(crate) tally: Tally,
}

impl PositionCount {
    /// Counts in other games.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        other.moves.iter().for_each(|played| add_move(&mut self.moves, played.clone()));
    }

    /// Sorts the moves, the most played first.
    pub(crate) fn sort_moves(&mut self) {
        self.moves.sort_by_key(|played| (std::cmp::Reverse(played.tally.games), played.uci));
    }
}

/// Counts in games that played a move, among the moves of its position.
pub(super) fn add_move(moves: &mut Vec<MoveCount>, played: MoveCount) {
    match moves.iter_mut().find(|known| known.uci == played.uci) {
        Some(known) => known.tally.merge(&played.tally),
        None => moves.push(played),
    }
}

#[cfg(test)]
impl Tally {
    /// A tally of games won, drawn and lost, of which nothing else is known.
    pub(crate) fn of_results(games: u32, [wins, draws, losses]: [u32; 3]) -> Self {
        Self { games, wins, draws, losses, ..Self::default() }
    }

    /// The tally without the games that it refers to.
    pub(crate) fn without_examples(self) -> Self {
        Self { latest: [None; Self::EXAMPLES], ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Clock;

    fn game(number: u32, date: u32, half_points: u8, opponent: u16) -> GameFacts {
        GameFacts {
            number: NonZeroU32::new(number),
            arrival: number,
            date: GameDate::from_number(date),
            played_at: PlayedAt::new(GameDate::from_number(date), None),
            half_points: (half_points < 3).then_some(half_points),
            own: None,
            opponent: NonZeroU16::new(opponent),
        }
    }

    fn tally(games: &[GameFacts]) -> Tally {
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.add(game));
        tally
    }

    #[test]
    fn performance_is_that_of_elos_curve() {
        for (half_points, rating, performance) in [
            (&[2, 0][..], 2000, Some(2000)),
            (&[2, 2, 2, 0], 2000, Some(2191)),
            (&[1, 1, 0, 0], 2400, Some(2209)),
            (&[2, 2], 2000, Some(2800)),
            (&[0], 2000, Some(1200)),
            (&[0], 700, Some(0)),
            (&[3], 2000, None),
            (&[2], 0, None),
        ] {
            let games: Vec<_> =
                half_points.iter().map(|points| game(1, 0, *points, rating)).collect();
            let found = tally(&games).performance().map(|p| p.round() as i64);
            assert_eq!(found, performance, "{half_points:?} against {rating}");
        }
    }

    #[test]
    fn the_latest_games_of_a_day_are_known_by_time() {
        let at = |number, seconds: Option<u32>| {
            let date = GameDate::from_number(20_210_513);
            let time = seconds.map(|seconds| (Clock::Utc, seconds));
            GameFacts { played_at: PlayedAt::new(date, time), ..game(number, 20_210_513, 2, 0) }
        };
        let games =
            [at(1, Some(30)), at(2, Some(90)), at(3, Some(60)), at(4, Some(60)), at(5, None)];
        assert_eq!(tally(&games).examples().collect::<Vec<_>>(), [2, 3, 4]);
    }

    #[test]
    fn tallies_of_parts_add_up_to_the_whole() {
        let games = [
            game(1, 20_210_513, 2, 2000),
            game(2, 0, 1, 2200),
            game(3, 19_990_000, 0, 0),
            game(4, 20_010_100, 3, 1800),
            game(5, 20_010_100, 1, 2100),
        ];
        let whole = tally(&games);
        assert_eq!((whole.games, whole.wins, whole.draws, whole.losses), (5, 1, 2, 1));
        assert_eq!((whole.score(), whole.average_rating()), (Some(0.5), Some(2100.0)));
        assert_eq!(whole.first, GameDate::from_number(19_990_000));
        assert_eq!(whole.last, GameDate::from_number(20_210_513));
        assert_eq!(whole.examples().collect::<Vec<_>>(), [1, 4, 5]);
        for cut in 0..games.len() {
            let mut sum = tally(&games[cut..]);
            sum.merge(&tally(&games[..cut]));
            assert_eq!(sum, whole, "cut at {cut}");
        }
    }
}
