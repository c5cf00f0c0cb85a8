//! The numbers that a tally gives, and the list of all: names, columns, order.

use std::str::FromStr;

use super::difference::{Difference, Interval, wilson};
use super::{expectation::performance, grouping::Subject, tally::Tally};
use crate::quoted::{Quoted, meant};
use crate::{pgn::GameDate, select::Selection};

/// The numbers of a group of games.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
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
    /// The games of which the last named position is evaluated in a comment.
    #[serde(skip_serializing_if = "is_zero")]
    pub evaluated: u64,
    /// The mean of these evaluations in centipawns, from White's side or the player's. Those beyond
    /// 1,000, and mates, count as 1,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
    /// The games of which comments say what time White, or the player, spent up to the last named
    /// position.
    #[serde(skip_serializing_if = "is_zero")]
    pub timed: u64,
    /// The mean of these times in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The games per 1,000 of those that a row is part of; `None` outside of rows.
    #[serde(skip)]
    pub per_1000: Option<f64>,
    /// The earliest date, as far as it is known.
    pub first: Option<GameDate>,
    /// The latest date.
    pub last: Option<GameDate>,
}

pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}

// A report in JSON has dates as text.
crate::chess::serde_as_text!(GameDate);

/// What the score of games is measured against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Baseline<'t> {
    /// All games, which those at hand are some of.
    pub(super) all: &'t Tally,
    /// What is expected besides what the ratings predict, from -1 to 1.
    pub(super) advantage: f64,
}

impl Baseline<'_> {
    pub(super) fn figures(self, tally: &Tally) -> Figures {
        let sums = &tally.sums;
        Figures {
            games: tally.games(),
            won: sums.won,
            drawn: sums.drawn,
            lost: sums.lost,
            score: tally.score(),
            interval: wilson(tally.points(), tally.decided()),
            difference: Difference::beyond(self.advantage, tally, self.all),
            performance: performance(sums.rated_half_points, tally.rated(), sums.opponents),
            plies: tally.plies().median(),
            exit: tally.exits().median(),
            evaluated: tally.evals.count,
            eval: tally.evals.mean(),
            timed: tally.times.count,
            time: tally.times.mean(),
            per_1000: None,
            first: GameDate::from_number(sums.first),
            last: GameDate::from_number(sums.last),
        }
    }
}

impl Figures {
    /// The numbers of a tally, which is part of `all`.
    pub fn new(tally: &Tally, all: &Tally) -> Self {
        Baseline { all, advantage: 0.0 }.figures(tally)
    }

    /// The number of games with a result and both ratings.
    pub fn rated(&self) -> u64 {
        self.difference.as_ref().map_or(0, |difference| difference.games)
    }
}

/// What a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Count,
    /// A count up to 65,535.
    Rating,
    /// A share, or a difference of shares, which people read in percent.
    Share,
    /// The limit of an interval of shares, which means nothing where games count from both sides.
    Limit,
    Decimal,
    /// A date as a number, 20210513. The earliest of those named first is the first in order.
    FirstDate,
    LastDate,
}

/// A number of a row: its column, and what rows can be sorted by.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// What it is called of an archive, and of players.
    names: [&'static str; 2],
    pub(crate) unit: Unit,
    /// Where a table has not room for all columns, those of the greatest rank are left out first,
    /// and those of rank 0 last.
    pub(crate) rank: usize,
    value: Value,
}

type Value = fn(&Figures) -> Option<f64>;

const fn number(names: [&'static str; 2], unit: Unit, rank: usize, value: Value) -> Number {
    Number { names, unit, rank, value }
}

/// All numbers, in the order of columns. A number needs no more than its entry, if [`Figures`] have
/// what it is made of.
const NUMBERS: &[Number] = &[
    number(["games"; 2], Unit::Count, 0, |f| Some(f.games as f64)),
    number(RESULTS[0], Unit::Count, 4, |f| Some(f.won as f64)),
    number(RESULTS[1], Unit::Count, 4, |f| Some(f.drawn as f64)),
    number(RESULTS[2], Unit::Count, 4, |f| Some(f.lost as f64)),
    number(["score"; 2], Unit::Share, 0, |f| f.score),
    number(["low"; 2], Unit::Limit, 3, |f| Some(f.interval?.low)),
    number(["high"; 2], Unit::Limit, 3, |f| Some(f.interval?.high)),
    number(["rated"; 2], Unit::Count, 5, |f| Some(f.rated() as f64)),
    number(["expected"; 2], Unit::Share, 5, |f| Some(f.difference?.expected)),
    number(["diff"; 2], Unit::Share, 1, |f| Some(f.difference?.value)),
    number(["diff_low"; 2], Unit::Limit, 2, |f| Some(f.difference?.interval.low)),
    number(["diff_high"; 2], Unit::Limit, 2, |f| Some(f.difference?.interval.high)),
    number(["performance"; 2], Unit::Rating, 6, |f| Some(f.performance? as f64)),
    number(["per_1000"; 2], Unit::Decimal, 7, |f| f.per_1000),
    number(["plies"; 2], Unit::Decimal, 8, |f| f.plies),
    number(["exit"; 2], Unit::Decimal, 8, |f| f.exit),
    number(["evaluated"; 2], Unit::Count, 9, |f| Some(f.evaluated as f64)),
    number(["eval"; 2], Unit::Decimal, 9, |f| f.eval),
    number(["timed"; 2], Unit::Count, 9, |f| Some(f.timed as f64)),
    number(["time"; 2], Unit::Decimal, 9, |f| f.time),
    number(["first"; 2], Unit::FirstDate, 9, |f| Some(f.first?.number().into())),
    number(["last"; 2], Unit::LastDate, 9, |f| Some(f.last?.number().into())),
];

/// What games won, drawn and lost are called of an archive, and of players.
const RESULTS: [[&str; 2]; 3] = [["white", "won"], ["draws", "drawn"], ["black", "lost"]];

impl Subject {
    /// What the games of a selection are about: players, if they or their opponents are asked for.
    pub fn of(selection: &Selection) -> Self {
        if selection.asks_for_players() { Self::Players } else { Self::Archive }
    }

    /// What games won, drawn and lost are called.
    pub fn results(self) -> [&'static str; 3] {
        RESULTS.map(|names| names[self as usize])
    }
}

pub(super) const GAMES: Number = NUMBERS[0];

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Number {}

/// The text is not the name of a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot sort by {}{}; columns are {}", Quoted(.0), meant(.0, Number::names()), number_names())]
pub struct ParseNumberError(String);

fn number_names() -> String {
    Number::names().collect::<Vec<_>>().join(", ")
}

impl Number {
    /// All numbers, in the order of their columns.
    pub fn all() -> impl Iterator<Item = Self> {
        NUMBERS.iter().copied()
    }

    /// The names of all numbers. Some have two, without and with a player.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::all().flat_map(|number| {
            let [one, other] = number.names;
            [Some(one), Some(other).filter(|other| *other != one)].into_iter().flatten()
        })
    }

    /// Its name in rows of players, or of an archive.
    pub fn name(self, subject: Subject) -> &'static str {
        self.names[subject as usize]
    }

    /// Whether it is a difference from expectation, or the limit of one.
    pub(crate) fn is_difference(self) -> bool {
        self.names[0].starts_with("diff")
    }

    /// The number; dates count as numbers, 20210513.
    pub fn of(self, figures: &Figures) -> Option<f64> {
        (self.value)(figures)
    }
}

impl FromStr for Number {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Self, ParseNumberError> {
        let is_named = |number: &Self| number.names.iter().any(|n| n.eq_ignore_ascii_case(text));
        let fail = || ParseNumberError(text.chars().take(40).collect());
        Self::all().find(is_named).ok_or_else(fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_numbers() {
        let page = include_str!("../../docs/stats.md");
        let is_missing = |name: &&str| !page.contains(&format!("`{name}`"));
        assert_eq!(Number::names().filter(is_missing).collect::<Vec<_>>(), [""; 0]);
    }
}
