//! What is counted of the games of a group.
//!
//! All sums are sums of whole numbers, so tallies of parts add up to the tally of the whole in any
//! order, to the last bit.

use std::ops::Add;

use super::expectation::{POINT, expected_units};
use super::histogram::Histogram;

/// What a tally takes of a game, seen from one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sample {
    /// What this side scored: 2 for a win, 1 for a draw, 0 for a loss; `None` without a result.
    pub half_points: Option<u8>,
    /// The rating of this side and that of the opponent, if both are known.
    pub ratings: Option<(u16, u16)>,
    /// The date as a number, 20210513, where unknown parts are 0; `None` without a year.
    pub date: Option<u32>,
    /// The number of plies.
    pub plies: Option<usize>,
    /// The ply of the last named position.
    pub exit: Option<usize>,
    /// The evaluation of that position in centipawns, from this side.
    pub eval: Option<i32>,
    /// The seconds that this side spent up to there.
    pub time: Option<u32>,
}

/// Sums over games, of which the counts are of type `N`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums<N = u64> {
    games: N,
    pub(super) won: N,
    pub(super) drawn: N,
    pub(super) lost: N,
    /// The games with a result and both ratings.
    rated: N,
    pub(super) rated_half_points: N,
    /// The sum of expectations, in billionths of a point.
    pub(super) expected: u64,
    /// The sum of the squares of result minus expectation, in billionths.
    pub(super) squared_errors: u64,
    /// The sum of the opponents' ratings in rated games.
    pub(super) opponents: u64,
    /// The earliest and the latest date, as in [`Sample::date`]; 0 if there is none.
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Sums {
    /// Those of one game.
    fn of(game: &Sample) -> Self {
        let date = game.date.unwrap_or(0);
        let mut sums = Self { games: 1, first: date, last: date, ..Self::default() };
        let Some(half_points) = game.half_points else { return sums };
        match half_points {
            0 => sums.lost = 1,
            1 => sums.drawn = 1,
            _ => sums.won = 1,
        }
        if let Some((own, opponent)) = game.ratings {
            let expected = expected_units(i32::from(own) - i32::from(opponent));
            sums.rated = 1;
            sums.rated_half_points = half_points.into();
            let error = (sums.rated_half_points * POINT / 2).abs_diff(expected);
            sums.expected = expected;
            sums.squared_errors = error * error / POINT;
            sums.opponents = u64::from(opponent);
        }
        sums
    }
}

impl<N: Copy> Sums<N> {
    /// These and others, of which the counts are added in this way.
    fn plus<M: Copy, S>(&self, other: &Sums<M>, add: impl Fn(N, M) -> S) -> Sums<S> {
        Sums {
            games: add(self.games, other.games),
            won: add(self.won, other.won),
            drawn: add(self.drawn, other.drawn),
            lost: add(self.lost, other.lost),
            rated: add(self.rated, other.rated),
            rated_half_points: add(self.rated_half_points, other.rated_half_points),
            expected: self.expected + other.expected,
            squared_errors: self.squared_errors + other.squared_errors,
            opponents: self.opponents + other.opponents,
            first: earlier(self.first, other.first),
            last: self.last.max(other.last),
        }
    }
}

/// A greater evaluation counts as this one, in centipawns: who is a rook up wins, and a mean should
/// not be that of a few mates.
const MAX_EVAL: i32 = 1000;

/// A number of things, and the sum of a number that each has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mean {
    pub(super) count: u64,
    sum: i64,
}

impl Mean {
    pub(super) fn add(&mut self, number: Option<i64>) {
        self.count += u64::from(number.is_some());
        self.sum += number.unwrap_or(0);
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
    }

    /// The mean; `None` of nothing.
    pub(super) fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// A game that is counted in several groups: what it adds to each is found once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addend {
    pub(super) sample: Sample,
    sums: Sums,
}

impl Addend {
    pub(super) fn new(sample: Sample) -> Self {
        Self { sums: Sums::of(&sample), sample }
    }
}

/// The earlier of two dates, of which 0 is none.
fn earlier(one: u32, other: u32) -> u32 {
    if one == 0 || other == 0 { one.max(other) } else { one.min(other) }
}

/// Games counted from one side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub(super) sums: Sums,
    /// The lengths of games, and the plies of their last named positions.
    plies: Histogram,
    exits: Histogram,
    /// The evaluations in centipawns, and the times in seconds.
    pub(super) evals: Mean,
    pub(super) times: Mean,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &Sample) {
        let game = Addend::new(*game);
        self.add_score(&game);
        self.add_lengths(&game);
    }

    /// Counts a game without its lengths, and without what comments say.
    pub(super) fn add_score(&mut self, game: &Addend) {
        self.sums = self.sums.plus(&game.sums, u64::add);
    }

    pub(super) fn add_lengths(&mut self, game: &Addend) {
        if let Some(plies) = game.sample.plies {
            self.plies.add(plies);
        }
        if let Some(exit) = game.sample.exit {
            self.exits.add(exit);
        }
        self.evals.add(game.sample.eval.map(|eval| eval.clamp(-MAX_EVAL, MAX_EVAL).into()));
        self.times.add(game.sample.time.map(i64::from));
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.sums = self.sums.plus(&other.sums, u64::add);
        self.plies.merge(&other.plies);
        self.exits.merge(&other.exits);
        self.evals.merge(other.evals);
        self.times.merge(other.times);
    }

    /// The number of games, those without a result included.
    pub fn games(&self) -> u64 {
        self.sums.games
    }

    /// The games with a result.
    pub fn decided(&self) -> u64 {
        self.sums.won + self.sums.drawn + self.sums.lost
    }

    /// The score in the games with a result, from 0 to 1.
    pub fn score(&self) -> Option<f64> {
        let decided = self.decided();
        (decided > 0).then(|| self.points() / decided as f64)
    }

    /// Wins, and half of the draws.
    pub fn points(&self) -> f64 {
        (2 * self.sums.won + self.sums.drawn) as f64 / 2.0
    }

    /// The games with a result and both ratings.
    pub fn rated(&self) -> u64 {
        self.sums.rated
    }

    /// The points in the rated games.
    pub fn rated_points(&self) -> f64 {
        self.sums.rated_half_points as f64 / 2.0
    }

    /// The difference of these points and of what the ratings predict. It is taken of whole
    /// numbers, so no digits are lost.
    pub(super) fn points_above_expectation(&self) -> f64 {
        let points = i128::from(self.sums.rated_half_points) * i128::from(POINT / 2);
        (points - i128::from(self.sums.expected)) as f64 / POINT as f64
    }

    /// The lengths of the games.
    pub fn plies(&self) -> &Histogram {
        &self.plies
    }

    /// The plies of the last named positions.
    pub fn exits(&self) -> &Histogram {
        &self.exits
    }
}

/// The scores of games, in one line of the cache.
///
/// Each game of an archive counts for two of many thousands of players, mostly others than the last
/// one did: it is reaching their tallies that takes time. The counts of a group
/// wrap around beyond 4 billion games, which no player reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct CompactTally(Sums<u32>);

impl CompactTally {
    /// Counts a game without its lengths.
    pub(super) fn add(&mut self, game: &Addend) {
        // One game adds 2 at most.
        self.0 = self.0.plus(&game.sums, |own, more| own.wrapping_add(more as u32));
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.0 = self.0.plus(&other.0, u32::wrapping_add);
    }

    pub(super) fn games(&self) -> u32 {
        self.0.games
    }

    pub(super) fn to_tally(self) -> Tally {
        let sums = Sums::default().plus(&self.0, |none: u64, count| none + u64::from(count));
        Tally { sums, ..Tally::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn samples() -> impl Strategy<Value = Vec<Sample>> {
        let game = (
            prop::option::of(0_u8..=2),
            prop::option::of((0_u16..4000, 0_u16..4000)),
            prop::option::of(10_000_u32..99_999_999),
            prop::option::of(0_usize..300),
            prop::option::of(0_usize..40),
            prop::option::of(-10_000..=10_000),
            prop::option::of(any::<u32>()),
        );
        let sample = game.prop_map(|(half_points, ratings, date, plies, exit, eval, time)| {
            Sample { half_points, ratings, date, plies, exit, eval, time }
        });
        prop::collection::vec(sample, 0..80)
    }

    fn tally(games: &[Sample]) -> Tally {
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.add(game));
        tally
    }

    proptest! {
        #[test]
        fn parts_add_up_to_the_whole_in_any_order(
            games in samples(), cuts in prop::array::uniform2(0_usize..80), order in 0_usize..6,
        ) {
            let mut cuts = cuts.map(|cut| cut.min(games.len()));
            cuts.sort_unstable();
            let parts = [&games[..cuts[0]], &games[cuts[0]..cuts[1]], &games[cuts[1]..]];
            const ORDERS: [[usize; 3]; 6] =
                [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let mut merged = Tally::default();
            ORDERS[order].iter().for_each(|part| merged.merge(&tally(parts[*part])));
            prop_assert_eq!(merged, tally(&games));
        }
    }

    #[test]
    fn means_are_those_of_the_games_with_comments() {
        let game = |eval, time| Sample { eval, time, ..Sample::default() };
        let tally = tally(&[game(Some(10), None), game(Some(-35), Some(7)), game(None, Some(8))]);
        let (evals, times) = (tally.evals, tally.times);
        assert_eq!((evals.count, evals.mean()), (2, Some(-12.5)));
        assert_eq!((times.count, times.mean()), (2, Some(7.5)));
        assert_eq!((tally.games(), Mean::default().mean()), (3, None));
        let mates = self::tally(&[game(Some(10_000), None), game(Some(-10_000), None)]);
        assert_eq!(mates.evals.mean(), Some(0.0));
        assert_eq!(self::tally(&[game(Some(-3000), None)]).evals.mean(), Some(-1000.0));
    }

    #[test]
    fn games_without_a_result_count_as_games_alone() {
        let rated = Sample { ratings: Some((2000, 2000)), ..Sample::default() };
        let tally = tally(&[rated, Sample { half_points: Some(1), ..rated }]);
        assert_eq!((tally.games(), tally.decided(), tally.rated()), (2, 1, 1));
        assert_eq!((tally.score(), tally.sums.first), (Some(0.5), 0));
    }

    #[test]
    fn it_counts_what_a_tally_counts() {
        assert_eq!(size_of::<CompactTally>(), 64);
        let (mut compact, mut tally) = (CompactTally::default(), Tally::default());
        for number in 0..200_u16 {
            let sample = Sample {
                half_points: (number % 4).checked_sub(1).map(|points| points as u8),
                ratings: (number % 3 > 0).then_some((1500 + 7 * number, 2500 - 5 * number)),
                date: (number % 5 > 1).then_some(20_200_000 + u32::from(number * 37 % 200)),
                ..Sample::default()
            };
            let addend = Addend::new(sample);
            compact.add(&addend);
            tally.add_score(&addend);
            assert_eq!(compact.to_tally(), tally, "after {number}");
        }
        let mut twice = compact;
        twice.merge(&compact);
        tally.merge(&tally.clone());
        assert_eq!((twice.to_tally(), twice.games()), (tally, 400));
    }
}
