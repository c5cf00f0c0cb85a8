//! The rows of `repertoire check --summary`: the positions in which games left the book, and what
//! that cost.

use crate::{
    catalogue::Catalogue,
    classify::{Classifier, PlayedMove},
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name},
    },
    repertoire::{Book, BookLine, Cost, ShortestLines},
    stats::Difference,
};

/// The row of a position in which games left a book.
#[derive(Debug, Clone)]
pub struct CostRow<'a> {
    book: &'a Book,
    cost: &'a Cost,
    /// The line to the position.
    line: Option<BookLine>,
    opening: Option<&'a Opening>,
}

type CostColumns = ColumnSet<for<'r> fn(&'r CostRow<'_>) -> Value<'r>>;

impl<'a> CostRow<'a> {
    /// The rows of the positions in which games left a book, with the lines that lead there.
    #[must_use]
    pub fn all(book: &'a Book, catalogue: &'a Catalogue, costs: &'a [Cost]) -> Vec<Self> {
        let (lines, classifier) = (ShortestLines::of(book), Classifier::new(catalogue));
        let row = |cost: &'a Cost| {
            let line = lines.book_line(cost.from);
            let opening = line.as_ref().and_then(|line| line.opening(book, classifier));
            Self { book, cost, line, opening }
        };
        costs.iter().map(row).collect()
    }

    fn played(&self) -> Option<PlayedMove> {
        let mut line = self.line.clone();
        if let Some(line) = &mut line {
            line.moves.push(self.cost.uci);
        }
        line?.last_move(self.book)
    }

    fn book_moves(&self) -> Vec<String> {
        let moves = self.book.moves(self.cost.from);
        self.book.node(self.cost.from).san(moves.iter().map(|edge| edge.uci))
    }
}

impl Row for CostRow<'_> {
    type Columns = CostColumns;

    fn columns() -> CostColumns {
        CostColumns::new()
            .with("line", Width::LineShare(3), |row| {
                Value::optional_text(
                    row.line.as_ref().and_then(|line| line.position_text(row.book)),
                )
            })
            .with("status", Width::AtMost(10), |row| Value::text(row.cost.status.as_str()))
            .of(ColumnType::Name)
            .with("move", Width::AtMost(10), |row| Value::optional(row.played()))
            .with("book", Width::Share(1), |row| Value::list(row.book_moves(), ", "))
            .of(ColumnType::List)
            .with("games", Width::Number, |row| row.cost.tally.games.into())
            .for_machines("wins", |row| row.cost.tally.wins.into())
            .of(ColumnType::UInt64)
            .for_machines("draws", |row| row.cost.tally.draws.into())
            .of(ColumnType::UInt64)
            .for_machines("losses", |row| row.cost.tally.losses.into())
            .of(ColumnType::UInt64)
            .for_machines("score", |row| Value::share(row.cost.tally.score()))
            .of(ColumnType::Float64)
            .with("cost", Width::Number, |row| Value::Decimal { value: row.cost.points, places: 2 })
            .of(ColumnType::Float64)
            .for_machines("expected", |row| share(row, |found| found.expected))
            .of(ColumnType::Float64)
            .for_machines("diff", |row| share(row, |found| found.value))
            .of(ColumnType::Float64)
            .for_machines("diff_low", |row| share(row, |found| found.interval.low))
            .of(ColumnType::Float64)
            .for_machines("diff_high", |row| share(row, |found| found.interval.high))
            .of(ColumnType::Float64)
            .for_machines("eco", |row| code(row.opening))
            .of(ColumnType::Name)
            .for_machines("opening", |row| name(row.opening))
            .of(ColumnType::Name)
            .for_machines("ply", |row| row.line.as_ref().map(|line| line.moves.len()).into())
            .of(ColumnType::UInt16)
            .for_machines("key", |row| Value::Display(&row.book.node(row.cost.from).key))
    }
}

/// A figure of the difference from what ratings predict.
fn share(row: &CostRow<'_>, figure: fn(&Difference) -> f64) -> Value<'static> {
    Value::share(row.cost.difference.as_ref().map(figure))
}
