//! How far a repertoire is learned.

use std::{cmp::Reverse, collections::HashMap};

use super::{Card, Deck, Moment, Pause, Review, Standing};

use crate::{chess::PositionKey, repertoire::NodeId};

/// How far a repertoire is learned.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of positions that are trained.
    pub positions: usize,
    /// What is due, and when, and how many are new.
    pub outlook: Outlook,
    /// Those where games left the book that were not asked since.
    pub departures: usize,
    /// The number of answers.
    pub reviews: usize,
    /// The number of answers a day or more after the one before.
    pub recalls: usize,
    /// Those of them that were right.
    pub right_recalls: usize,
    /// The positions whose answer was asked, the hardest first: by their lapses, and then by their
    /// difficulty. Those that are paused come after them.
    pub cards: Vec<TrainedPosition>,
}

/// What is due, and when.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Outlook {
    /// The number of positions that are due now.
    pub due: usize,
    /// Those that are due a day later.
    pub tomorrow: usize,
    /// Those that are due in seven days, with those of tomorrow.
    pub week: usize,
    /// The days until the next one is due that is not due now.
    pub days: Option<u32>,
    /// Those that were never asked, or whose move is no longer the one that was learned.
    pub new: usize,
    /// Those that are not asked until they are resumed.
    pub suspended: usize,
    /// Those that are not asked today.
    pub buried: usize,
}

impl Outlook {
    /// Adds what is due of a deck.
    pub fn add(&mut self, deck: &Deck, now: Moment) {
        for id in deck.positions() {
            match deck.standing(id) {
                Standing::New | Standing::Changed(_) => self.new += 1,
                Standing::Known(card) => self.add_card(card, now),
            }
        }
        for (_, pause) in deck.paused() {
            match pause.until {
                None => self.suspended += 1,
                Some(_) => self.buried += 1,
            }
        }
    }

    fn add_card(&mut self, card: &Card, now: Moment) {
        if now.has_come(card.due) {
            self.due += 1;
            return;
        }
        let days = card.due.days_since(now);
        self.tomorrow += usize::from(days <= 1);
        self.week += usize::from(days <= 7);
        self.days = self.days.into_iter().chain([days]).min();
    }
}

/// How far a position is learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TrainedPosition {
    /// The position.
    pub id: NodeId,
    /// Its card; only a position that is paused may have none.
    pub card: Option<Card>,
    /// The number of answers that were right.
    pub right: u32,
    /// Why it is not asked now.
    pub pause: Option<Pause>,
}

impl Progress {
    /// The progress that a deck and the answers show.
    pub fn of(deck: &Deck, reviews: &[Review], now: Moment) -> Self {
        let (recalls, right_recalls) = recalls(reviews);
        let mut progress =
            Self { reviews: reviews.len(), recalls, right_recalls, ..Self::default() };
        progress.outlook.add(deck, now);
        let right = right_answers(reviews);
        let of = |id, pause| {
            let card = match deck.standing(id) {
                Standing::Known(card) => Some(card.clone()),
                Standing::New | Standing::Changed(_) => None,
            };
            let right = card.as_ref().and_then(|card| right.get(&card.key)).copied();
            TrainedPosition { id, card, right: right.unwrap_or(0), pause }
        };
        for id in deck.positions() {
            progress.positions += 1;
            progress.departures += usize::from(deck.open_departures(id).is_some());
            progress.cards.extend(Some(of(id, None)).filter(|position| position.card.is_some()));
        }
        progress.cards.sort_by(|a, b| {
            let lapses = |p: &TrainedPosition| Reverse(p.card.as_ref().map(|card| card.lapses));
            let difficulty =
                |p: &TrainedPosition| p.card.as_ref().map_or(0.0, |c| c.memory.difficulty);
            lapses(a).cmp(&lapses(b)).then_with(|| difficulty(b).total_cmp(&difficulty(a)))
        });
        progress.positions += deck.paused().len();
        progress.cards.extend(deck.paused().iter().map(|(id, pause)| of(*id, Some(*pause))));
        progress
    }

    /// The share of answers a day or more after the one before that were right, from 0 to 1.
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
