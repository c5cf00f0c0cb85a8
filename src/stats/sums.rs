//! Sums of whole numbers over games.

use super::{
    expectation::{POINT, expected_units},
    sample::{Outcome, Sample},
};

/// Sums over games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) games: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    /// The games with a result and both ratings.
    pub(super) rated: u64,
    pub(super) rated_half_points: u64,
    /// The sum of expectations, in billionths of a point.
    pub(super) expected: u64,
    /// The sum of the squares of result minus expectation, in billionths.
    pub(super) squared_errors: u64,
    /// The sum of the opponents' ratings in rated games.
    pub(super) opponents: u64,
}

impl Sums {
    /// Those of one game.
    #[inline]
    fn of(game: &Sample) -> Self {
        let mut sums = Self { games: 1, ..Self::default() };
        let Some(outcome) = game.outcome else { return sums };
        match outcome {
            Outcome::Win => sums.won = 1,
            Outcome::Draw => sums.drawn = 1,
            Outcome::Loss => sums.lost = 1,
        }
        if let Some((own, opponent)) = game.ratings {
            let expected = expected_units(i32::from(own) - i32::from(opponent));
            let error = (outcome.half_points() * POINT / 2).abs_diff(expected);
            sums.rated = 1;
            sums.rated_half_points = outcome.half_points();
            sums.expected = expected;
            sums.squared_errors = error * error / POINT;
            sums.opponents = u64::from(opponent);
        }
        sums
    }

    /// Those of the same game for the other side, of which the opponent has this rating.
    fn reversed(&self, opponent: u16) -> Self {
        Self {
            won: self.lost,
            lost: self.won,
            rated_half_points: 2 * self.rated - self.rated_half_points,
            expected: POINT * self.rated - self.expected,
            opponents: u64::from(opponent) * self.rated,
            ..*self
        }
    }

    #[inline]
    pub(super) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.rated += other.rated;
        self.rated_half_points += other.rated_half_points;
        self.expected += other.expected;
        self.squared_errors += other.squared_errors;
        self.opponents += other.opponents;
    }
}

/// A game that is counted in several groups: what it adds to each is found once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addend {
    pub(super) sample: Sample,
    pub(super) sums: Sums,
}

impl Addend {
    #[inline]
    pub(super) fn new(sample: Sample) -> Self {
        Self { sums: Sums::of(&sample), sample }
    }

    /// The same game, seen from the other side. This takes less than finding it again.
    #[inline]
    pub(super) fn reversed(&self) -> Self {
        let own = self.sample.ratings.map_or(0, |(own, _)| own);
        Self { sums: self.sums.reversed(own), sample: self.sample.reversed() }
    }
}

/// The earlier of two dates, of which 0 is none.
pub(super) fn earlier(one: u32, other: u32) -> u32 {
    if one == 0 || other == 0 { one.max(other) } else { one.min(other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_adds_to_the_other_side_what_it_would_if_it_were_seen_from_there() {
        let outcomes = [None, Some(Outcome::Win), Some(Outcome::Draw), Some(Outcome::Loss)];
        let ratings = [None, Some((2000, 2150)), Some((0, 4000)), Some((1801, 1800))];
        for (outcome, ratings) in outcomes.into_iter().flat_map(|o| ratings.map(|r| (o, r))) {
            let white = Sample { outcome, ratings, date: Some(20_210_513), ..Sample::default() };
            let black = Sample {
                outcome: outcome.map(Outcome::reversed),
                ratings: ratings.map(|(white, black)| (black, white)),
                ..white
            };
            let (reversed, black) = (Addend::new(white).reversed(), Addend::new(black));
            assert_eq!((reversed.sample, reversed.sums), (black.sample, black.sums), "{white:?}");
        }
    }
}
