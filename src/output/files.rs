//! Rows about files: the parts that `split` lists, and what `tag` changes in them, by kind with an
//! example, or game by game.

use super::{ColumnSet, RowColumns, Value, Width};
use crate::tag::{ChangeKind, Changes, KindCount, Outcome, Plan};
use crate::{classify::NamedAt, opening::Opening, pgn::Game};

/// The row of a kind of change.
#[derive(Debug, Clone)]
pub struct ChangeRow(KindCount);

impl ChangeRow {
    /// A row for each kind of change, the most frequent first.
    pub fn all(changes: &Changes) -> Vec<Self> {
        changes.kinds().into_iter().map(Self).collect()
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with("change", Width::AtMost(14), |row| match &row.0.kind {
                Some(kind) => Value::Display(kind),
                None => Value::Text("others".into()),
            })
            .with("games", Width::Number, |row| row.0.games.into())
            .with("source", Width::PathShare(2), |row| {
                Value::Bytes(row.0.example.source.as_bytes())
            })
            .with("game", Width::Number, |row| row.0.example.number.into())
            .with("white", Width::Share(2), |row| Value::text(&row.0.example.white))
            .with("black", Width::Share(2), |row| Value::text(&row.0.example.black))
            .with("opening_before", Width::NameShare(3), |row| Value::text(&row.0.example.before))
            .with("opening_after", Width::NameShare(3), |row| Value::text(&row.0.example.after))
    }
}

/// The row of a game that is changed, or that cannot be.
#[derive(Debug, Clone, Copy)]
pub struct GameChangeRow<'a> {
    source: &'a str,
    number: u64,
    plan: &'a Plan<'a, 'a>,
    /// What is changed, if anything can be.
    kind: Option<ChangeKind>,
}

type GameChangeColumns = ColumnSet<for<'r> fn(&'r GameChangeRow<'_>) -> Value<'r>>;

impl<'a> GameChangeRow<'a> {
    /// The row of a game of a source whose name is [sanitized](super::sanitize); `None` if the
    /// game stays as it is.
    pub fn new(source: &'a str, game: &Game<'_>, plan: &'a Plan<'a, 'a>) -> Option<Self> {
        let kind = match plan.outcome {
            Outcome::Changed(_) => Some(ChangeKind::of(plan)?),
            Outcome::NoTags | Outcome::Damaged => None,
            Outcome::Correct | Outcome::NoOpening | Outcome::Excluded => return None,
        };
        Some(Self { source, number: game.number(), plan, kind })
    }

    fn after(&self) -> Option<&'a Opening> {
        self.plan.named().map(NamedAt::opening)
    }

    /// The columns.
    pub fn columns() -> GameChangeColumns {
        GameChangeColumns::new()
            .with("source", Width::PathShare(2), |row| Value::Text(row.source.into()))
            .with("game", Width::Number, |row| row.number.into())
            .with("white", Width::Share(2), |row| row.plan.header.white.as_deref().into())
            .with("black", Width::Share(2), |row| row.plan.header.black.as_deref().into())
            .with("change", Width::AtMost(14), |row| match &row.kind {
                Some(kind) => Value::Display(kind),
                None if row.plan.outcome == Outcome::NoTags => Value::Text("left: no tags".into()),
                None => Value::Text("left: damaged".into()),
            })
            .with("eco_before", Width::AtMost(10), |row| row.plan.eco.as_deref().into())
            .with("eco_after", Width::AtMost(9), |row| {
                row.after()
                    .and_then(Opening::eco)
                    .map_or(Value::None, |eco| Value::text(eco.base()))
            })
            .with("opening_before", Width::NameShare(3), |row| row.plan.opening.as_deref().into())
            .with("opening_after", Width::NameShare(3), |row| {
                row.after().map_or(Value::None, |opening| Value::text(opening.name()))
            })
    }
}

/// A part of a file.
#[cfg(feature = "codecs")]
#[derive(Debug, Clone)]
pub struct PartRow<'a> {
    /// The path of the file, [sanitized](super::sanitize); in JSON lines, which escape them,
    /// characters below U+0020 may be left.
    pub path: &'a str,
    /// The part.
    pub part: crate::pgn::source::Part,
    /// How the file is compressed.
    pub compression: crate::pgn::Compression,
}

#[cfg(feature = "codecs")]
impl PartRow<'_> {
    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with("path", Width::PathShare(1), |row| Value::Text(row.path.into()))
            .with("offset", Width::Number, |row| Value::Number(row.part.offset))
            .with("length", Width::Number, |row| Value::Number(row.part.length))
            .with("compression", Width::AtMost(11), |row| {
                Value::Bytes(row.compression.name().as_bytes())
            })
    }
}
