//! The rows of `train --stats`: positions whose answer was asked.

use crate::output::{ColumnSet, ColumnType, Row, Value, Width};
use crate::training::{CardProgress, Deck, Moment};

/// The row of a position whose answer was asked.
#[derive(Debug, Clone)]
pub struct TrainedRow<'a> {
    deck: &'a Deck,
    progress: &'a CardProgress,
    now: Moment,
}

impl<'a> TrainedRow<'a> {
    /// The rows of positions.
    #[must_use]
    pub fn all(deck: &'a Deck, cards: &'a [CardProgress], now: Moment) -> Vec<Self> {
        cards.iter().map(|progress| Self { deck, progress, now }).collect()
    }

    fn book_moves(&self) -> Vec<String> {
        let node = self.deck.book().node(self.progress.id);
        node.san(self.deck.answers(self.progress.id))
    }

    fn decimal(value: f32, places: usize) -> Value<'static> {
        Value::Decimal { value: value.into(), places }
    }
}

impl Row for TrainedRow<'_> {
    type Columns = ColumnSet<for<'r, 'a> fn(&'r TrainedRow<'a>) -> Value<'r>>;

    fn columns() -> Self::Columns {
        Self::Columns::new()
            .with("line", Width::LineShare(3), |row| {
                Value::optional_text(row.deck.movetext(row.progress.id))
            })
            .with("book", Width::Share(1), |row| Value::list(row.book_moves(), ", "))
            .of(ColumnType::List)
            .with("reviews", Width::Number, |row| row.progress.card.reviews.into())
            .with("right", Width::Number, |row| row.progress.right.into())
            .with("lapses", Width::Number, |row| row.progress.card.lapses.into())
            .with("recall", Width::Percent, |row| Value::share(Some(row.progress.recall.into())))
            .with("due_in", Width::Number, |row| row.progress.card.due.days_since(row.now).into())
            .for_machines("stability", ColumnType::Float64, |row| {
                Self::decimal(row.progress.card.memory.stability, 2)
            })
            .for_machines("difficulty", ColumnType::Float64, |row| {
                Self::decimal(row.progress.card.memory.difficulty, 2)
            })
            .for_machines("key", ColumnType::Text, |row| {
                Value::Display(row.deck.book().node(row.progress.id).key())
            })
    }
}
