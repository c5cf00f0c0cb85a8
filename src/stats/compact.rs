//! Tallies of groups of which there are very many.

use super::{
    sums::{Addend, Sums, earlier},
    tally::Tally,
};

/// The scores of games, in one line of the cache.
///
/// Each game of an archive counts for two of many thousands of players, mostly others than the last
/// one did: it is reaching their tallies that takes time. The counts of a
/// group wrap around beyond 4 billion games, which no player reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct CompactTally {
    expected: u64,
    squared_errors: u64,
    opponents: u64,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    rated: u32,
    rated_half_points: u32,
    /// The earliest and the latest date; 0 if there is none.
    first: u32,
    last: u32,
}

impl CompactTally {
    /// Counts a game without its lengths.
    #[inline]
    pub(super) fn add(&mut self, game: &Addend) {
        let sums = &game.sums;
        let date = game.sample.date.unwrap_or(0);
        self.merge(&Self {
            expected: sums.expected,
            squared_errors: sums.squared_errors,
            opponents: sums.opponents,
            // One game adds 2 at most.
            games: sums.games as u32,
            won: sums.won as u32,
            drawn: sums.drawn as u32,
            lost: sums.lost as u32,
            rated: sums.rated as u32,
            rated_half_points: sums.rated_half_points as u32,
            first: date,
            last: date,
        });
    }

    /// Adds the games of another tally.
    #[inline]
    pub(super) fn merge(&mut self, other: &Self) {
        self.expected += other.expected;
        self.squared_errors += other.squared_errors;
        self.opponents += other.opponents;
        self.games = self.games.wrapping_add(other.games);
        self.won = self.won.wrapping_add(other.won);
        self.drawn = self.drawn.wrapping_add(other.drawn);
        self.lost = self.lost.wrapping_add(other.lost);
        self.rated = self.rated.wrapping_add(other.rated);
        self.rated_half_points = self.rated_half_points.wrapping_add(other.rated_half_points);
        self.first = earlier(self.first, other.first);
        self.last = self.last.max(other.last);
    }

    /// The number of games.
    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// The same as a tally.
    pub(super) fn to_tally(self) -> Tally {
        let sums = Sums {
            games: self.games.into(),
            won: self.won.into(),
            drawn: self.drawn.into(),
            lost: self.lost.into(),
            rated: self.rated.into(),
            rated_half_points: self.rated_half_points.into(),
            expected: self.expected,
            squared_errors: self.squared_errors,
            opponents: self.opponents,
        };
        Tally::without_lengths(sums, [self.first, self.last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::sample::{Outcome, Sample};

    #[test]
    fn it_counts_what_a_tally_counts() {
        assert_eq!(size_of::<CompactTally>(), 64);
        let (mut compact, mut tally) = (CompactTally::default(), Tally::default());
        let outcomes = [None, Some(Outcome::Win), Some(Outcome::Draw), Some(Outcome::Loss)];
        for number in 0..200_u16 {
            let sample = Sample {
                outcome: outcomes[usize::from(number % 4)],
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
