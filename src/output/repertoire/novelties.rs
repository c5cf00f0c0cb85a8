//! The rows of `repertoire novelties`.

use crate::{
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name},
    },
    repertoire::{Novelty, PlayedGame, ReferenceGame},
};

/// The row of a game that was compared with the reference.
#[derive(Debug, Clone, Copy)]
pub struct NoveltyRow<'a> {
    source: &'a str,
    number: u64,
    game: &'a PlayedGame,
    novelty: Option<&'a Novelty>,
    opening: Option<&'a Opening>,
}

type NoveltyColumns = ColumnSet<for<'r> fn(&'r NoveltyRow<'_>) -> Value<'r>>;

impl<'a> NoveltyRow<'a> {
    /// The row of the game of that number of a source, whose name is
    /// [sanitized](crate::output::sanitize()), and of its novelty, if it has one.
    #[must_use]
    pub fn new(
        source: &'a str,
        number: u64,
        game: &'a PlayedGame,
        novelty: Option<&'a Novelty>,
        opening: Option<&'a Opening>,
    ) -> Self {
        Self { source, number, game, novelty, opening }
    }

    /// The first game of the reference that has the novelty.
    fn first(&self) -> Option<&'a ReferenceGame> {
        self.novelty?.first.as_deref()
    }
}

impl Row for NoveltyRow<'_> {
    type Columns = NoveltyColumns;

    fn columns() -> NoveltyColumns {
        NoveltyColumns::new()
            .for_machines_as("source", Width::PathShare(2), |row| Value::text(row.source))
            .with("game", Width::Number, |row| row.number.into())
            .with("white", Width::Share(2), |row| Value::text(&row.game.white))
            .with("black", Width::Share(2), |row| Value::text(&row.game.black))
            .for_machines("result", |row| Value::text(row.game.result.as_str()))
            .of(ColumnType::Name)
            .with("date", Width::Date, |row| Value::optional(row.game.date))
            .for_machines("ply", |row| row.novelty.map(|novelty| novelty.ply).into())
            .of(ColumnType::UInt16)
            .with("move", Width::AtMost(10), |row| {
                Value::optional(row.novelty.map(|novelty| &novelty.played))
            })
            .for_machines("eco", |row| code(row.opening))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .with("later", Width::Number, |row| row.novelty.map(|novelty| novelty.followers).into())
            .for_machines("first_white", |row| {
                row.first().map_or(Value::None, |game| Value::text(&game.white))
            })
            .for_machines("first_black", |row| {
                row.first().map_or(Value::None, |game| Value::text(&game.black))
            })
            .for_machines("first_date", |row| {
                Value::optional(row.first().and_then(|game| game.date))
            })
            .of(ColumnType::Date)
            .for_machines("key", |row| Value::optional(row.novelty.map(|novelty| &novelty.key)))
    }
}
