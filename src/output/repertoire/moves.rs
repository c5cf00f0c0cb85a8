//! The rows of `repertoire show`: the moves of a position.

use super::{
    notes::notes_text,
    position_moves::{PositionMove, position_moves},
};
use crate::{
    catalogue::Catalogue,
    chess::PositionKey,
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name, opening_at},
        score_bar::{BAR_WIDTH, score_bar},
    },
    repertoire::{Book, NodeId, Tally},
};

/// The row of a move of a position.
#[derive(Debug, Clone)]
pub struct MoveRow<'a> {
    played: PositionMove<'a>,
    leads_to: PositionKey,
    opening: Option<&'a Opening>,
}

type MoveColumns = ColumnSet<for<'r> fn(&'r MoveRow<'_>) -> Value<'r>>;

impl<'a> MoveRow<'a> {
    /// The rows of the moves of a position: those of the book first, then the others by the number
    /// of their games.
    #[must_use]
    pub fn all(book: &'a Book, catalogue: &'a Catalogue, id: NodeId) -> Vec<Self> {
        let row = |played: PositionMove<'a>| {
            let leads_to = book.node(played.edge.to).key;
            let opening = opening_at(catalogue, &leads_to);
            Self { played, leads_to, opening }
        };
        position_moves(book, id).into_iter().map(row).collect()
    }

    fn tally(&self) -> &'a Tally {
        &self.played.edge.played
    }

    /// Games won, drawn and lost by the side of the repertoire.
    fn results(&self) -> [u64; 3] {
        let Tally { wins, draws, losses, .. } = *self.tally();
        [wins, draws, losses].map(u64::from)
    }

    fn notes(&self) -> Option<String> {
        let prepared = self.played.edge.prepared.as_ref()?;
        Some(notes_text(&prepared.notes))
    }
}

/// The numbers of the latest games.
pub(super) fn examples(tally: &Tally) -> String {
    let numbers: Vec<String> = tally.examples().map(|number| number.to_string()).collect();
    numbers.join(" ")
}

// Humans get rounded figures and a bar for the score.
impl Row for MoveRow<'_> {
    type Columns = MoveColumns;

    fn columns() -> MoveColumns {
        MoveColumns::new()
            .for_humans("", Width::AtMost(1), |row| {
                Value::text(if row.played.is_book { "*" } else { "" })
            })
            .with("move", Width::AtMost(7), |row| Value::text(&row.played.san))
            .for_machines("uci", |row| Value::Display(&row.played.edge.uci))
            .for_machines("book", |row| row.played.is_book.into())
            .of(ColumnType::Bool)
            .for_machines("prepared", |row| row.played.edge.prepared.is_some().into())
            .of(ColumnType::Bool)
            .with("games", Width::Number, |row| row.tally().games.into())
            .for_machines("share", |row| Value::share(row.played.share))
            .of(ColumnType::Float64)
            .for_humans("share", Width::Number, |row| {
                Value::optional(row.played.share.map(|share| format!("{:.0}%", 100.0 * share)))
            })
            .for_machines("wins", |row| row.tally().wins.into())
            .of(ColumnType::UInt64)
            .for_machines("draws", |row| row.tally().draws.into())
            .of(ColumnType::UInt64)
            .for_machines("losses", |row| row.tally().losses.into())
            .of(ColumnType::UInt64)
            .with("score", Width::Percent, |row| Value::share(row.tally().score()))
            .for_humans("", Width::AtMost(BAR_WIDTH), |row| Value::text(score_bar(row.results())))
            .for_machines("average_rating", |row| Value::rounded(row.tally().average_rating()))
            .of(ColumnType::UInt16)
            .for_machines("performance", |row| Value::rounded(row.tally().performance()))
            .of(ColumnType::UInt16)
            .for_humans("perf", Width::Number, |row| {
                Value::optional(row.tally().performance().map(|rating| format!("{rating:.0}")))
            })
            .for_machines("first_date", |row| Value::optional(row.tally().first))
            .of(ColumnType::Date)
            .for_machines("last_date", |row| Value::optional(row.tally().last))
            .of(ColumnType::Date)
            .for_machines("examples", |row| Value::text(examples(row.tally())))
            .for_machines("notes", |row| Value::optional(row.notes()))
            .with("eco", Width::AtMost(3), |row| code(row.opening))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(1), |row| name(row.opening))
            .for_machines("leads_to", |row| Value::Display(&row.leads_to))
    }
}
