//! The rows of `repertoire check`: games, and where they left the book.

use crate::{
    chess::{Color, PositionKey},
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name},
    },
    pgn::decode_text,
    repertoire::{Departure, Followed, Follower, Status},
};

/// The row of a game that was checked.
#[derive(Debug, Clone)]
pub struct CheckRow<'a> {
    source: &'a str,
    number: u64,
    followed: &'a Followed<'a>,
    status: Status,
    departure: Option<Departure>,
    /// The position in which the game left the book.
    left: Option<PositionKey>,
    opening: Option<&'a Opening>,
    /// The side of the book.
    color: Color,
}

type CheckColumns = ColumnSet<for<'r> fn(&'r CheckRow<'_>) -> Value<'r>>;

impl<'a> CheckRow<'a> {
    /// The row of the game of that number of a source, whose name is
    /// [sanitized](crate::output::sanitize()).
    #[must_use]
    pub fn new(
        source: &'a str,
        number: u64,
        follower: &Follower<'_>,
        followed: &'a Followed<'a>,
        opening: Option<&'a Opening>,
    ) -> Self {
        let departure = follower.departure(followed);
        let left = departure.as_ref().map(|left| follower.book().node(left.from).key);
        let (status, color) = (follower.status(followed), follower.book().color());
        Self { source, number, followed, status, departure, left, opening, color }
    }

    fn opponent(&self) -> Option<&[u8]> {
        let header = &self.followed.header;
        if self.color.is_white() { header.black.as_deref() } else { header.white.as_deref() }
    }

    fn rating(&self, side: Color) -> Option<u32> {
        let [white, black] = self.followed.ratings;
        (if side.is_white() { white } else { black }).map(u32::from)
    }
}

impl Row for CheckRow<'_> {
    type Columns = CheckColumns;

    fn columns() -> CheckColumns {
        CheckColumns::new()
            .for_machines_as("source", Width::PathShare(2), |row| Value::text(row.source))
            .with("game", Width::Number, |row| row.number.into())
            .for_machines("white", |row| tag(row.followed.header.white.as_deref()))
            .for_machines("black", |row| tag(row.followed.header.black.as_deref()))
            // Who plays the repertoire knows the own name.
            .for_humans("opponent", Width::Share(3), |row| tag(row.opponent()))
            .for_humans("elo", Width::Number, |row| row.rating(!row.color).into())
            .for_machines("result", |row| Value::text(row.followed.result.as_str()))
            .of(ColumnType::Name)
            .for_machines("date", |row| Value::optional(row.followed.date()))
            .of(ColumnType::Date)
            .with("status", Width::AtMost(10), |row| Value::text(row.status.as_str()))
            .of(ColumnType::Name)
            .for_machines("ply", |row| row.followed.path.as_ref().ok().map(|path| path.ply).into())
            .of(ColumnType::UInt16)
            .with("move", Width::AtMost(10), |row| {
                Value::optional(row.departure.as_ref().map(|left| &left.played))
            })
            .with("book", Width::Share(3), |row| {
                row.departure.as_ref().map_or(Value::None, |left| Value::list(&left.book, ", "))
            })
            .of(ColumnType::List)
            .for_machines("reentry", |row| {
                row.departure.as_ref().and_then(|left| left.reentry).into()
            })
            .of(ColumnType::UInt16)
            .for_machines("eco", |row| code(row.opening))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(4), |row| name(row.opening))
            .for_machines("key", |row| Value::optional(row.left))
            .for_machines("detail", |row| match &row.followed.path {
                Ok(path) => Value::optional(path.error.as_ref()),
                Err(unmatched) => Value::optional(Some(unmatched)),
            })
            .for_machines("opponent", |row| tag(row.opponent()))
            .for_machines("rating", |row| row.rating(row.color).into())
            .of(ColumnType::UInt16)
            .for_machines("opponent_rating", |row| row.rating(!row.color).into())
            .of(ColumnType::UInt16)
            .for_machines("link", |row| Value::optional_text(row.followed.link.clone()))
    }
}

fn tag(value: Option<&[u8]>) -> Value<'_> {
    value.map_or(Value::None, |bytes| Value::text(decode_text(bytes)))
}
