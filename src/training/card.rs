//! What is known of a position that is trained, the answers it is known from, and when it is due
//! again: the door to `fsrs`.

pub use fsrs::MemoryState as Memory;
use fsrs::{FSRS, FSRS6_DEFAULT_DECAY, ItemState, current_retrievability};

use crate::chess::{PositionKey, UciMove};
use crate::pgn::GameDate;

/// A position that was asked, and how well its answer is remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The position.
    pub key: PositionKey,
    /// The move that was learned: the last one that was given and in the book, or the main one.
    pub answer: UciMove,
    /// How well it is remembered, in the model of FSRS: the days until the probability of recall
    /// has fallen to 90 %, and how much harder it is than others to remember, from 1 to 10.
    pub memory: Memory,
    /// When it was asked last.
    pub reviewed: Moment,
    /// When it should be asked again.
    pub due: Moment,
    /// The number of answers since the move was new.
    pub reviews: u32,
    /// The number of wrong ones, apart from the first.
    pub lapses: u32,
}

/// An answer, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The position.
    pub key: PositionKey,
    /// When it was given.
    pub at: Moment,
    /// Whether the move was new: never asked, or not the one that was learned before.
    pub is_first: bool,
    /// How good it was.
    pub rating: Rating,
    /// The move that was to be learned.
    pub answer: UciMove,
    /// The move that was given; `None` if the learner asked for it.
    pub given: Option<UciMove>,
}

/// A position that is not asked for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// The position.
    pub key: PositionKey,
    /// When it ends, if it is buried: it and what follows from it. `None` if it is suspended: it
    /// alone, until somebody asks for it.
    pub until: Option<Moment>,
}

impl Pause {
    /// A position is asked no more.
    pub fn suspended(key: PositionKey) -> Self {
        Self { key, until: None }
    }

    /// A position and what follows from it are asked no more on the day of this moment.
    pub fn buried(key: PositionKey, now: Moment) -> Self {
        Self { key, until: Some(now.plus_days(1)) }
    }

    /// Whether it has not come to its end.
    pub fn lasts(&self, now: Moment) -> bool {
        self.until.is_none_or(|until| !now.has_come(until))
    }
}

/// How good an answer was, in the words of FSRS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rating {
    /// Wrong.
    Again = 1,
    /// Right, with effort.
    Hard,
    /// Right.
    Good,
    /// Right, without effort.
    Easy,
}

impl Rating {
    /// All of them, from 1 to 4.
    pub const ALL: [Self; 4] = [Self::Again, Self::Hard, Self::Good, Self::Easy];

    /// Its number, as databases of flash cards have it.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The rating of this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rating| rating.number() == number)
    }

    /// Whether the answer was right.
    pub fn is_right(self) -> bool {
        self != Self::Again
    }
}

/// A second of time, counted from the beginning of 1970 in UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

impl Moment {
    /// The moment this many seconds after the beginning of 1970.
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// The seconds since the beginning of 1970.
    pub fn seconds(self) -> i64 {
        self.0
    }

    /// The moment a number of days later.
    #[must_use]
    pub fn plus_days(self, days: u32) -> Self {
        Self(self.0.saturating_add(i64::from(days) * SECONDS_A_DAY))
    }

    /// The days since an earlier moment, rounded: who trains every day, but not at the same hour,
    /// lets a day pass each time. 0 if that moment is later.
    pub fn days_since(self, earlier: Self) -> u32 {
        let seconds = self.0.saturating_sub(earlier.0).max(0);
        u32::try_from(seconds.saturating_add(SECONDS_A_DAY / 2) / SECONDS_A_DAY).unwrap_or(u32::MAX)
    }

    /// The first moment from which no day has passed, as [`days_since`](Self::days_since) counts
    /// days: what was answered since then was answered today.
    #[must_use]
    pub fn start_of_today(self) -> Self {
        Self(self.0.saturating_sub(SECONDS_A_DAY / 2 - 1))
    }

    /// Whether something that is due at a moment is due now: then, or on the same day, as
    /// [`days_since`](Self::days_since) counts days.
    pub fn has_come(self, due: Self) -> bool {
        self.0.saturating_add(SECONDS_A_DAY / 2) >= due.0
    }

    /// The beginning of the first day that a date can be.
    pub fn start_of(date: GameDate) -> Self {
        Self(i64::from(date.days_since_1970()) * SECONDS_A_DAY)
    }

    /// The end of the last day that a date can be.
    pub fn end_of(date: GameDate) -> Self {
        Self((i64::from(date.latest().days_since_1970()) + 1) * SECONDS_A_DAY)
    }
}

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
    pub fn review(&self, card: Option<&Card>, review: &Review) -> Card {
        let known = card.filter(|_| !review.is_first);
        let days = known.map_or(0, |card| review.at.days_since(card.reviewed));
        let next = self.next(known.map(|card| card.memory), days, review.rating);
        let is_lapse = known.is_some() && !review.rating.is_right();
        let days = match review.rating.is_right() {
            true => next.interval.round().clamp(1.0, MAX_DAYS) as u32,
            false => 0,
        };
        Card {
            key: review.key,
            answer: review.answer,
            memory: next.memory,
            reviewed: review.at,
            due: review.at.plus_days(days),
            reviews: known.map_or(0, |card| card.reviews).saturating_add(1),
            lapses: known.map_or(0, |card| card.lapses).saturating_add(is_lapse.into()),
        }
    }

    /// The card that follows from all answers for a position: the slow form of keeping it.
    pub fn replay<'r>(&self, reviews: impl IntoIterator<Item = &'r Review>) -> Option<Card> {
        let review = |card: Option<Card>, review| Some(self.review(card.as_ref(), review));
        reviews.into_iter().fold(None, review)
    }

    /// The probability that the answer is remembered, from 0 to 1.
    pub fn recall(card: &Card, now: Moment) -> f32 {
        let days = now.days_since(card.reviewed) as f32;
        current_retrievability(card.memory, days, FSRS6_DEFAULT_DECAY)
    }

    fn next(&self, memory: Option<Memory>, days: u32, rating: Rating) -> ItemState {
        let next = |memory| self.0.next_states(memory, RETENTION, days);
        // Numbers that no answers lead to begin anew.
        let states = next(memory).or_else(|_| next(None));
        let states = states.expect("a new card has a next state");
        match rating {
            Rating::Again => states.again,
            Rating::Hard => states.hard,
            Rating::Good => states.good,
            Rating::Easy => states.easy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_counted_as_calendars_do() {
        // From `date -u -d DATE +%s`.
        for (date, seconds) in [
            ("1970-01-01", 0),
            ("1970-03-01", 5_097_600),
            ("1956-10-17", -416_793_600),
            ("2000-02-29", 951_782_400),
            ("2000-03-01", 951_868_800),
            ("2026-11-23", 1_795_392_000),
            ("2100-03-01", 4_107_542_400),
        ] {
            let date: GameDate = date.parse().unwrap();
            assert_eq!(Moment::start_of(date), Moment(seconds), "{date}");
            assert_eq!(Moment::end_of(date), Moment(seconds + 86_400), "{date}");
        }
        let [start, end] = [Moment::start_of, Moment::end_of].map(|f| f("2024".parse().unwrap()));
        assert_eq!(end.0 - start.0, 366 * 86_400);
    }

    #[test]
    fn an_hour_earlier_is_still_a_day() {
        let evening = Moment(20 * 3600);
        for (hours, days) in [(0, 0), (11, 0), (12, 1), (23, 1), (25, 1), (36, 2), (-5, 0)] {
            let later = Moment(evening.0 + hours * 3600);
            assert_eq!(later.days_since(evening), days, "{hours} hours");
            assert_eq!(evening >= later.start_of_today(), days == 0, "{hours} hours");
            if days > 0 {
                assert!(later.has_come(evening.plus_days(days)), "{hours} hours");
                assert!(!later.has_come(evening.plus_days(days + 1)), "{hours} hours");
            }
        }
        let end = Moment(i64::MAX);
        assert_eq!(end.plus_days(u32::MAX), end);
        assert_eq!(end.days_since(Moment(i64::MIN)), u32::MAX);
    }
}
