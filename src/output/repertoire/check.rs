//! The rows of `repertoire check`: the positions in which games left the book, and what that cost;
//! and of `--games`: where each left it.

use super::moves::{ReachedPosition, notes_text};
use crate::chess::{Color, UciMove};
use crate::output::scores::{Scores, with_difference, with_results};
use crate::output::value::{code, english_name, name};
use crate::output::{ColumnSet, ColumnType, RowColumns, Value, Width};
use crate::repertoire::{Book, Cost, Departure, Followed, Follower, NodeId, Status};
use crate::{catalogue::Catalogue, classify::PlayedMove, opening::Opening, pgn::decode_text};

/// The row of a game that was checked.
#[derive(Debug, Clone)]
pub struct CheckRow<'a> {
    source: &'a str,
    number: u64,
    book: &'a Book,
    followed: &'a Followed<'a>,
    status: Status,
    departure: Option<Departure>,
    opening: Option<&'a Opening>,
}

type CheckColumns = ColumnSet<for<'r> fn(&'r CheckRow<'_>) -> Value<'r>>;

impl<'a> CheckRow<'a> {
    /// The row of the game of that number of a source, whose name is
    /// [sanitized](crate::output::sanitize()).
    pub fn new(
        source: &'a str,
        number: u64,
        follower: &Follower<'a>,
        followed: &'a Followed<'a>,
        opening: Option<&'a Opening>,
    ) -> Self {
        let (status, departure) = (follower.status(followed), follower.departure(followed));
        Self { source, number, book: follower.book, followed, status, departure, opening }
    }

    fn opponent(&self) -> Option<&[u8]> {
        let header = &self.followed.header;
        if self.book.color().is_white() { header.black.as_deref() } else { header.white.as_deref() }
    }

    fn rating(&self, side: Color) -> Option<u32> {
        let [white, black] = self.followed.ratings;
        (if side.is_white() { white } else { black }).map(u32::from)
    }

    /// The columns.
    pub fn columns() -> CheckColumns {
        CheckColumns::new()
            .for_machines("source", ColumnType::Name, |row| Value::text(row.source))
            .laid_out(Width::PathShare(2))
            .with("game", Width::Number, |row| row.number.into())
            .for_machines("white", ColumnType::Text, |row| {
                tag(row.followed.header.white.as_deref())
            })
            .for_machines("black", ColumnType::Text, |row| {
                tag(row.followed.header.black.as_deref())
            })
            // Who plays the repertoire knows the own name.
            .for_humans("opponent", Width::Share(3), |row| tag(row.opponent()))
            .for_humans("elo", Width::Number, |row| row.rating(!row.book.color()).into())
            .for_machines("result", ColumnType::Name, |row| {
                Value::text(row.followed.result.as_str())
            })
            .for_machines("date", ColumnType::Date, |row| Value::optional(row.followed.facts.date))
            .with_name("status", 13, |row| Value::Display(&row.status))
            .for_machines("ply", ColumnType::UInt16, |row| {
                row.followed.path.as_ref().ok().map(|path| path.ply).into()
            })
            .with_moves("move", Width::AtMost(10), |row| {
                Value::optional(row.departure.as_ref().map(|left| &left.played))
            })
            .with_moves("book", Width::Share(3), |row| {
                row.departure.as_ref().map_or(Value::None, |left| Value::list(&left.book, ", "))
            })
            .of(ColumnType::List)
            .for_machines("reentry", ColumnType::UInt16, |row| {
                row.departure.as_ref().and_then(|left| left.reentry).into()
            })
            .for_machines("eco", ColumnType::Name, |row| code(row.opening))
            .with("opening", Width::NameShare(4), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .for_machines("key", ColumnType::Text, |row| {
                Value::optional(row.departure.as_ref().map(|left| row.book.node(left.from).key))
            })
            .for_machines("detail", ColumnType::Text, |row| match &row.followed.path {
                Ok(path) => Value::optional(path.error.as_ref()),
                Err(unmatched) => Value::optional(Some(unmatched)),
            })
            .for_machines("opponent", ColumnType::Text, |row| tag(row.opponent()))
            .for_machines("rating", ColumnType::UInt16, |row| row.rating(row.book.color()).into())
            .for_machines("opponent_rating", ColumnType::UInt16, |row| {
                row.rating(!row.book.color()).into()
            })
            .for_machines("link", ColumnType::Text, |row| {
                Value::optional_text(row.followed.link.clone())
            })
            .for_machines("mistake", ColumnType::Text, |row| {
                let left = row.departure.as_ref();
                left.map_or(Value::None, |left| mistake(row.book, left.from, left.uci))
            })
            .laid_out(Width::Share(2))
    }
}

/// The glyphs and comments of a move that a book knows as a mistake.
fn mistake(book: &Book, from: NodeId, uci: UciMove) -> Value<'static> {
    Value::optional_text(book.mistake(from, uci).map(|edge| notes_text(edge.notes())))
}

fn tag(value: Option<&[u8]>) -> Value<'_> {
    value.map_or(Value::None, |bytes| Value::text(decode_text(bytes)))
}

/// The row of a position in which games left a book.
#[derive(Debug, Clone)]
pub struct CostRow<'a> {
    cost: &'a Cost,
    from: ReachedPosition<'a>,
}

impl<'a> CostRow<'a> {
    /// The rows of the positions in which games left a book, with the lines that lead there.
    pub fn all(book: &'a Book, catalogue: &'a Catalogue, costs: &'a [Cost]) -> Vec<Self> {
        let reached = ReachedPosition::finder(book, catalogue);
        costs.iter().map(|cost| Self { cost, from: reached(cost.from) }).collect()
    }

    /// What it cost, in points.
    pub fn points(&self) -> f64 {
        self.cost.points
    }

    fn played(&self) -> Option<PlayedMove> {
        self.from.line.clone()?.followed_by(self.cost.uci).last_move(self.from.book)
    }

    fn book_moves(&self) -> Vec<String> {
        let moves = self.from.book.moves(self.cost.from);
        self.from.book.node(self.cost.from).san(moves.iter().map(|edge| edge.uci))
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        let columns = RowColumns::<Self>::new()
            .with("line", Width::LineShare(3), |row| row.from.line())
            .with_name("status", 13, |row| Value::Display(&row.cost.status))
            .with_moves("move", Width::AtMost(10), |row| Value::optional(row.played()))
            .with_moves("book", Width::Share(1), |row| Value::list(row.book_moves(), ", "))
            .of(ColumnType::List);
        let columns = with_results!(columns, Players, |row| Scores::from(&row.cost.tally))
            .with("cost", Width::Number, |row| Value::Decimal { value: row.cost.points, places: 2 })
            .of(ColumnType::Float64);
        with_difference!(columns, |row| row.cost.difference.as_ref())
            .for_machines("eco", ColumnType::Name, |row| code(row.from.opening))
            .for_machines("opening", ColumnType::Name, |row| name(row.from.opening))
            .opening_en(|row| english_name(row.from.opening))
            .for_machines("ply", ColumnType::UInt16, |row| {
                row.from.line.as_ref().map(|line| line.moves.len()).into()
            })
            .for_machines("key", ColumnType::Text, |row| row.from.key())
            .for_machines("mistake", ColumnType::Text, |row| {
                mistake(row.from.book, row.cost.from, row.cost.uci)
            })
            .laid_out(Width::Share(2))
    }
}
