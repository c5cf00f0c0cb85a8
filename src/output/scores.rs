//! The columns of what games scored, which are the same in every table: `games`, `white`, `draws`
//! and `black` (of a side `won`, `drawn` and `lost`), `score` in percent; `rating`, `opponents`,
//! `performance`, `first` and `last`. Those of `eco stats` are [numbers](crate::stats::Number) of
//! the same names and units.

use crate::chess::Color;
use crate::{collection::MoveStats, pgn::GameDate, repertoire::Tally, stats::performance};

/// What games scored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scores {
    pub(crate) games: u64,
    /// Games that were won, drawn and lost, by White or by a side.
    pub(crate) results: [u64; 3],
    /// From 0 to 1.
    pub(crate) score: Option<f64>,
    /// The mean rating of the side, and of its opponents.
    pub(crate) rating: Option<u64>,
    pub(crate) opponents: Option<u64>,
    pub(crate) performance: Option<u64>,
    pub(crate) first: Option<GameDate>,
    pub(crate) last: Option<GameDate>,
}

/// A score or a share from 0 to 1 in percent, as rows have it: with one decimal.
pub(crate) fn in_percent(score: f64) -> f64 {
    (1000.0 * score).round() / 10.0
}

/// Of those who played a move, but for the results, which are White's and Black's.
impl From<(&MoveStats, Color)> for Scores {
    fn from((played, side): (&MoveStats, Color)) -> Self {
        let MoveStats { score, rating, opponent_rating, half_points, dates, .. } = played;
        let won = if side.is_white() { score.white } else { score.black };
        let points = won as f64 + score.draws as f64 / 2.0;
        Self {
            games: score.games(),
            results: [score.white, score.draws, score.black],
            score: (score.games() > 0).then(|| points / score.games() as f64),
            rating: rating.mean(),
            opponents: opponent_rating.mean(),
            performance: performance(*half_points, opponent_rating.games, opponent_rating.sum),
            first: dates.map(|(first, _)| first),
            last: dates.map(|(_, last)| last),
        }
    }
}

/// Of the side of a repertoire.
impl From<&Tally> for Scores {
    fn from(tally: &Tally) -> Self {
        let rounded = |rating: Option<f64>| rating.map(|rating| rating.round() as u64);
        Self {
            games: tally.games.into(),
            results: [tally.wins, tally.draws, tally.losses].map(u64::from),
            score: tally.score(),
            rating: None,
            opponents: rounded(tally.average_rating()),
            performance: rounded(tally.performance()),
            first: tally.first,
            last: tally.last,
        }
    }
}

/// Adds the number of games, how many ended how, and the score, of a row's [`Scores`]. `$results`
/// is for whom the results are, `with` for all: a table may have a bar instead.
macro_rules! with_results {
    ($columns:expr, $subject:ident, |$row:ident| $scores:expr) => {{
        use $crate::output::{ColumnType::UInt64, Width};
        let [won, drawn, lost] = $crate::stats::Subject::$subject.results();
        $columns
            .with("games", Width::Number, |$row| {
                Option::<Scores>::from($scores).map(|scores| scores.games).into()
            })
            .for_machines(won, UInt64, |$row| {
                Option::<Scores>::from($scores).map(|scores| scores.results[0]).into()
            })
            .for_machines(drawn, UInt64, |$row| {
                Option::<Scores>::from($scores).map(|scores| scores.results[1]).into()
            })
            .for_machines(lost, UInt64, |$row| {
                Option::<Scores>::from($scores).map(|scores| scores.results[2]).into()
            })
            .with("score", Width::Score, |$row| {
                Value::score(Option::<Scores>::from($scores).and_then(|scores| scores.score))
            })
    }};
}

/// Adds the ratings and dates of a row's [`Scores`].
macro_rules! with_ratings {
    ($columns:expr, |$row:ident| $scores:expr) => {{
        use $crate::output::ColumnType::{Date, UInt16};
        $columns
            .for_machines("opponents", UInt16, |$row| $scores.opponents.into())
            .for_machines("performance", UInt16, |$row| $scores.performance.into())
            .for_humans("perf", $crate::output::Width::Number, |$row| $scores.performance.into())
            .for_machines("first", Date, |$row| Value::optional($scores.first))
            .for_machines("last", Date, |$row| Value::optional($scores.last))
    }};
}

/// Adds by how much a row's score differs from what ratings predict, with its interval, if that is
/// known.
macro_rules! with_difference {
    ($columns:expr, |$row:ident| $difference:expr) => {{
        use $crate::output::{ColumnType::Float64, Width};
        $columns
            .for_machines("expected", Float64, |$row| {
                Value::score($difference.map(|found| found.expected))
            })
            .for_machines("diff", Float64, |$row| {
                Value::score($difference.map(|found| found.value))
            })
            .laid_out(Width::Score)
            .for_machines("diff_low", Float64, |$row| {
                Value::score($difference.map(|found| found.interval.low))
            })
            .for_machines("diff_high", Float64, |$row| {
                Value::score($difference.map(|found| found.interval.high))
            })
    }};
}

pub(super) use {with_difference, with_ratings, with_results};
