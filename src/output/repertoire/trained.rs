//! The rows of `train --stats`: positions whose answer was asked.

use crate::output::{ColumnType, RowColumns, Value, Width};
use crate::training::{Card, Deck, Moment, Scheduler, TrainedPosition};

/// The row of a position whose answer was asked.
#[derive(Debug, Clone)]
pub struct TrainedRow<'a> {
    deck: &'a Deck,
    progress: &'a TrainedPosition,
    now: Moment,
}

impl<'a> TrainedRow<'a> {
    /// The rows of positions.
    pub fn all(deck: &'a Deck, cards: &'a [TrainedPosition], now: Moment) -> Vec<Self> {
        cards.iter().map(|progress| Self { deck, progress, now }).collect()
    }

    fn book_moves(&self) -> Vec<String> {
        let node = self.deck.book().node(self.progress.id);
        node.san(self.deck.answers(self.progress.id))
    }

    fn of_card(&self, value: impl Fn(&Card) -> Value<'static>) -> Value<'static> {
        self.progress.card.as_ref().map_or(Value::None, value)
    }

    fn decimal(value: f32, places: usize) -> Value<'static> {
        Value::Decimal { value: value.into(), places }
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with("line", Width::LineShare(3), |row| {
                Value::optional_text(row.deck.movetext(row.progress.id))
            })
            .with_moves("book", Width::Share(1), |row| Value::list(row.book_moves(), ", "))
            .of(ColumnType::List)
            .with("reviews", Width::Number, |row| row.of_card(|card| card.reviews.into()))
            .with("right", Width::Number, |row| row.progress.right.into())
            .with("lapses", Width::Number, |row| row.of_card(|card| card.lapses.into()))
            .with("recall", Width::Percent, |row| {
                row.of_card(|card| Value::share(Some(Scheduler::recall(card, row.now).into())))
            })
            .with("due_in", Width::Number, |row| match row.progress.pause {
                None => row.of_card(|card| card.due.days_since(row.now).into()),
                // It is not due at any time.
                Some(_) => Value::None,
            })
            .for_machines("stability", ColumnType::Float64, |row| {
                row.of_card(|card| Self::decimal(card.memory.stability, 2))
            })
            .for_machines("difficulty", ColumnType::Float64, |row| {
                row.of_card(|card| Self::decimal(card.memory.difficulty, 2))
            })
            .for_machines("key", ColumnType::Text, |row| {
                Value::Display(&row.deck.book().node(row.progress.id).key)
            })
            .for_machines("paused", ColumnType::Text, |row| {
                Value::text(match row.progress.pause {
                    None => "",
                    Some(pause) if pause.until.is_none() => "suspended",
                    Some(_) => "buried",
                })
            })
            .laid_out(Width::AtMost(9))
    }
}
