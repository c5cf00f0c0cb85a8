//! How far a repertoire is learned.

use std::{cmp::Reverse, collections::HashMap};

use super::{Card, Deck, Moment, Review, Scheduler, Standing};

use crate::{chess::PositionKey, repertoire::NodeId};

/// How far a repertoire is learned.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of positions that are trained.
    pub positions: usize,
    /// Those that were never asked, or whose move is no longer the one that was learned.
    pub new: usize,
    /// Those that are due.
    pub due: usize,
    /// Those where games left the book that were not asked since.
    pub departures: usize,
    /// When the next one is due that is not due now.
    pub next_due: Option<Moment>,
    /// The number of answers.
    pub reviews: usize,
    /// The number of answers a day or more after the one before.
    pub recalls: usize,
    /// Those of them that were right.
    pub right_recalls: usize,
    /// The positions whose answer was asked, the hardest first: by their lapses, and then by their
    /// difficulty.
    pub cards: Vec<CardProgress>,
}

/// How far a position is learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CardProgress {
    /// The position.
    pub id: NodeId,
    /// Its card.
    pub card: Card,
    /// The probability that its answer is remembered now, from 0 to 1.
    pub recall: f32,
    /// The number of answers that were right.
    pub right: u32,
}

impl Progress {
    /// The progress that a deck and the answers show.
    #[must_use]
    pub fn of(deck: &Deck, reviews: &[Review], now: Moment) -> Self {
        let (recalls, right_recalls) = recalls(reviews);
        let mut progress =
            Self { reviews: reviews.len(), recalls, right_recalls, ..Self::default() };
        let right = right_answers(reviews);
        for id in deck.positions() {
            progress.positions += 1;
            progress.departures += usize::from(deck.open_departures(id).is_some());
            match deck.standing(id) {
                Standing::New | Standing::Changed(_) => progress.new += 1,
                Standing::Known(card) => {
                    let right = right.get(&card.key).copied().unwrap_or(0);
                    progress.add(id, card, right, now);
                }
            }
        }
        progress.cards.sort_by(|a, b| {
            let rank = |c: &CardProgress| Reverse(c.card.lapses);
            let difficulty = |c: &CardProgress| c.card.memory.difficulty;
            rank(a).cmp(&rank(b)).then_with(|| difficulty(b).total_cmp(&difficulty(a)))
        });
        progress
    }

    fn add(&mut self, id: NodeId, card: &Card, right: u32, now: Moment) {
        if now.has_come(card.due) {
            self.due += 1;
        } else {
            self.next_due = self.next_due.into_iter().chain([card.due]).min();
        }
        let recall = Scheduler::recall(card, now);
        self.cards.push(CardProgress { id, card: card.clone(), recall, right });
    }

    /// The share of answers a day or more after the one before that were right, from 0 to 1.
    #[must_use]
    pub fn retention(&self) -> Option<f64> {
        (self.recalls > 0).then(|| self.right_recalls as f64 / self.recalls as f64)
    }
}

/// The number of answers a day or more after the one before, and of those that were right.
fn recalls(reviews: &[Review]) -> (usize, usize) {
    let mut last: HashMap<PositionKey, Moment> = HashMap::new();
    let (mut all, mut right) = (0, 0);
    for review in reviews {
        let before = last.insert(review.key, review.at);
        if !review.is_first && before.is_some_and(|before| review.at.days_since(before) > 0) {
            all += 1;
            right += usize::from(review.rating.is_right());
        }
    }
    (all, right)
}

/// The right answers for each position, since its move was new.
fn right_answers(reviews: &[Review]) -> HashMap<PositionKey, u32> {
    let mut right = HashMap::new();
    for review in reviews {
        let count = right.entry(review.key).or_insert(0);
        *count = if review.is_first { 0 } else { *count } + u32::from(review.rating.is_right());
    }
    right
}
