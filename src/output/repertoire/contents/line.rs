//! Contents as rows, for programs.

use super::outline::ContentsRow;
use crate::{
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name},
    },
    repertoire::Book,
    stats::{Difference, Interval, wilson},
};

/// A line of the contents, for programs.
#[derive(Debug, Clone)]
pub struct ContentsLine<'a> {
    book: &'a Book,
    row: &'a ContentsRow<'a>,
}

impl<'a> ContentsLine<'a> {
    /// The lines of the contents of a book.
    #[must_use]
    pub fn all(book: &'a Book, rows: &'a [ContentsRow<'a>]) -> Vec<Self> {
        rows.iter().map(|row| Self { book, row }).collect()
    }

    fn difference(&self) -> Option<&Difference> {
        self.row.score.as_ref().map(|score| &score.difference)
    }

    fn trend_interval(&self) -> Option<Interval> {
        self.row.score.as_ref()?.trend_interval
    }

    fn interval(&self) -> Option<Interval> {
        let played = &self.row.played;
        wilson(played.points(), played.decided().into())
    }
}

type ContentsColumns = ColumnSet<for<'r> fn(&'r ContentsLine<'_>) -> Value<'r>>;

impl Row for ContentsLine<'_> {
    type Columns = ContentsColumns;

    fn columns() -> ContentsColumns {
        ContentsColumns::new()
            .with("line", Width::LineShare(4), |line| {
                Value::optional_text(line.row.line.movetext(line.book))
            })
            .with("level", Width::Number, |line| line.row.indent.into())
            .of(ColumnType::UInt16)
            .with("ply", Width::Number, |line| line.row.line.moves.len().into())
            .of(ColumnType::UInt16)
            .with("games", Width::Number, |line| line.row.played.games.into())
            .with("wins", Width::Number, |line| line.row.played.wins.into())
            .with("draws", Width::Number, |line| line.row.played.draws.into())
            .with("losses", Width::Number, |line| line.row.played.losses.into())
            .with("score", Width::Percent, |line| Value::share(line.row.played.score()))
            .with("low", Width::Percent, |line| Value::share(line.interval().map(|i| i.low)))
            .with("high", Width::Percent, |line| Value::share(line.interval().map(|i| i.high)))
            .with("expected", Width::Percent, |line| {
                Value::share(line.difference().map(|found| found.expected))
            })
            .with("diff", Width::Percent, |line| {
                Value::share(line.difference().map(|found| found.value))
            })
            .with("diff_low", Width::Percent, |line| {
                Value::share(line.difference().map(|found| found.interval.low))
            })
            .with("diff_high", Width::Percent, |line| {
                Value::share(line.difference().map(|found| found.interval.high))
            })
            .with("trend", Width::Percent, |line| {
                Value::share(line.row.score.as_ref().and_then(|score| score.trend))
            })
            .with("trend_low", Width::Percent, |line| {
                Value::share(line.trend_interval().map(|interval| interval.low))
            })
            .with("trend_high", Width::Percent, |line| {
                Value::share(line.trend_interval().map(|interval| interval.high))
            })
            .with("reached", Width::Number, |line| {
                line.book.find(&line.row.key).map(|id| line.book.node(id).tally().games).into()
            })
            .with("eco", Width::AtMost(3), |line| code(line.row.opening))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(3), |line| name(line.row.opening))
            .with("same_as", Width::LineShare(1), |line| {
                Value::optional_text(line.row.same.clone())
            })
            .with("key", Width::Share(1), |line| Value::Display(&line.row.key))
    }
}
