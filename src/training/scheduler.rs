//! When a card is due again: the door to `fsrs`.

use fsrs::{FSRS, FSRS6_DEFAULT_DECAY, ItemState, MemoryState, current_retrievability};

use super::{
    card::{Card, Memory, Rating, Review},
    moment::Moment,
};

/// The share of answers that are right when every card is asked on the day it is due.
const RETENTION: f32 = 0.9;

/// Nothing is due later than after a hundred years, as in Anki.
const MAX_DAYS: f32 = 36_500.0;

/// FSRS 6 with its default parameters, which fit the learner of average memory.
///
/// After a right answer a card is due in whole days, at least one. After a wrong one it is due at
/// once, until the answer is right. Intervals are not scattered, so the same answers at the same
/// times always make the same card.
#[derive(Debug, Clone, Default)]
pub struct Scheduler(FSRS);

impl Scheduler {
    /// The card after another answer. It begins anew with an answer that was new.
    #[must_use]
    pub fn review(&self, card: Option<&Card>, review: &Review) -> Card {
        let known = card.filter(|_| !review.is_first);
        let days = known.map_or(0, |card| review.at.days_since(card.reviewed));
        let next = self.next(known.map(|card| card.memory), days, review.rating);
        let is_lapse = known.is_some() && !review.rating.is_right();
        let MemoryState { stability, difficulty } = next.memory;
        let days = match review.rating.is_right() {
            true => next.interval.round().clamp(1.0, MAX_DAYS) as u32,
            false => 0,
        };
        Card {
            key: review.key,
            answer: review.answer,
            memory: Memory { stability, difficulty },
            reviewed: review.at,
            due: review.at.plus_days(days),
            reviews: known.map_or(0, |card| card.reviews).saturating_add(1),
            lapses: known.map_or(0, |card| card.lapses).saturating_add(is_lapse.into()),
        }
    }

    /// The card that follows from all answers for a position: the slow form of keeping it.
    #[must_use]
    pub fn replay<'r>(&self, reviews: impl IntoIterator<Item = &'r Review>) -> Option<Card> {
        let review = |card: Option<Card>, review| Some(self.review(card.as_ref(), review));
        reviews.into_iter().fold(None, review)
    }

    /// The probability that the answer is remembered, from 0 to 1.
    #[must_use]
    pub fn recall(card: &Card, now: Moment) -> f32 {
        let days = now.days_since(card.reviewed) as f32;
        current_retrievability(state(card.memory), days, FSRS6_DEFAULT_DECAY)
    }

    fn next(&self, memory: Option<Memory>, days: u32, rating: Rating) -> ItemState {
        let next = |memory| self.0.next_states(memory, RETENTION, days);
        // Numbers that no answers lead to begin anew.
        let states = next(memory.map(state)).or_else(|_| next(None));
        let states = states.expect("a new card has a next state");
        match rating {
            Rating::Again => states.again,
            Rating::Hard => states.hard,
            Rating::Good => states.good,
            Rating::Easy => states.easy,
        }
    }
}

fn state(Memory { stability, difficulty }: Memory) -> MemoryState {
    MemoryState { stability, difficulty }
}
