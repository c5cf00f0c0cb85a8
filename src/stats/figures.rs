//! The numbers that a tally gives.

use super::{
    difference::{Difference, Interval, wilson},
    tally::Tally,
};

/// The numbers of a group of games.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Figures {
    /// The number of games, those without a result included.
    pub games: u64,
    /// The games that White, or the player, won.
    pub won: u64,
    /// The drawn games.
    pub drawn: u64,
    /// The games that White, or the player, lost.
    pub lost: u64,
    /// The score in the games with a result, from 0 to 1.
    pub score: Option<f64>,
    /// Its 95 % interval, by [Wilson](wilson).
    pub interval: Option<Interval>,
    /// Score against expectation in the games with a result and both ratings; `None` without such
    /// games.
    pub difference: Option<Difference>,
    /// The [performance](super::performance) rating.
    pub performance: Option<u64>,
    /// The median length in plies.
    pub plies: Option<f64>,
    /// The median ply of the last named position.
    pub exit: Option<f64>,
    /// The earliest date, as far as it is known: `1956-10-17`, `1956-10` or `1956`.
    pub first: Option<String>,
    /// The latest date.
    pub last: Option<String>,
}

/// What the score of games is measured against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Baseline<'t> {
    /// All games, which those at hand are some of.
    pub(super) all: &'t Tally,
    /// What is expected besides what the ratings predict, from -1 to 1.
    pub(super) advantage: f64,
}

impl Baseline<'_> {
    /// The numbers of a tally.
    pub(super) fn figures(self, tally: &Tally) -> Figures {
        let difference = Difference::beyond(self.advantage, tally, self.all);
        Figures { difference, ..Figures::without_difference(tally) }
    }
}

impl Figures {
    /// The numbers of a tally, which is part of `all`.
    #[must_use]
    pub fn new(tally: &Tally, all: &Tally) -> Self {
        Baseline { all, advantage: 0.0 }.figures(tally)
    }

    fn without_difference(tally: &Tally) -> Self {
        Self {
            games: tally.games(),
            won: tally.won(),
            drawn: tally.drawn(),
            lost: tally.lost(),
            score: tally.score(),
            interval: wilson(tally.points(), tally.decided()),
            difference: None,
            performance: tally.performance(),
            plies: tally.plies().median(),
            exit: tally.exits().median(),
            first: tally.first().map(date_text),
            last: tally.last().map(date_text),
        }
    }

    /// The number of games with a result and both ratings.
    #[must_use]
    pub fn rated(&self) -> u64 {
        self.difference.as_ref().map_or(0, |difference| difference.games)
    }
}

/// A date that is a number, as text.
// Without the machinery of `format!`: a report has thousands of dates.
fn date_text(date: u32) -> String {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    let mut text = String::with_capacity(10);
    push_two_digits(year / 100, &mut text);
    push_two_digits(year % 100, &mut text);
    for part in [month, day].into_iter().take_while(|part| *part > 0) {
        text.push('-');
        push_two_digits(part, &mut text);
    }
    text
}

fn push_two_digits(number: u32, text: &mut String) {
    let digit = |digit: u32| char::from(b'0' + (digit % 10) as u8);
    text.extend([digit(number / 10), digit(number)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_far_as_they_are_known() {
        for (date, text) in
            [(19_561_017, "1956-10-17"), (19_561_000, "1956-10"), (8_490_000, "0849")]
        {
            assert_eq!(date_text(date), text);
        }
    }
}
