//! Games counted in a position, move by move.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::segment::{Facts, Sums, add_result};
use super::{MonthStats, PositionQuery, Score};
use crate::pgn::GameDate;

/// A game of one of the segments that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GamePlace {
    /// The index of the segment.
    pub(super) segment: u32,
    /// The number of the game in it.
    pub(super) game: u32,
    /// The index of the first segment of its collection.
    pub(super) collection: u32,
}

/// A game that may be shown: the greatest are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// What counts first above what counts then: the ratings, and when it was played.
    rank: u64,
    /// Of equal games, the first: the collection, and the number of arrival there.
    arrival: Reverse<(u32, u32)>,
    pub(super) place: GamePlace,
    /// The code of the move that was played.
    pub(super) code: u8,
}

/// The best of the games so far.
#[derive(Debug, Default)]
struct Best {
    limit: usize,
    kept: BinaryHeap<Reverse<Candidate>>,
    /// What a game must reach.
    least: u64,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Whether a game of this rank may be among them.
    #[inline(always)]
    fn may_take(&self, rank: u64) -> bool {
        rank >= self.least && self.limit > 0
    }

    #[inline(always)]
    fn offer(&mut self, rank: u64, candidate: impl FnOnce() -> Candidate) {
        if self.may_take(rank) {
            self.add(candidate());
        }
    }

    #[cold]
    fn add(&mut self, candidate: Candidate) {
        self.kept.push(Reverse(candidate));
        if self.kept.len() > self.limit {
            self.kept.pop();
        }
        if self.kept.len() == self.limit
            && let Some(Reverse(least)) = self.kept.peek()
        {
            self.least = least.rank;
        }
    }

    /// The games, the best one first.
    fn into_sorted(self) -> Vec<Candidate> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}

/// What was counted of a move.
#[derive(Debug, Clone, Default)]
pub(super) struct MoveTally {
    /// What the games add up to.
    pub(super) sums: Sums,
    /// One of the games.
    pub(super) game: Option<GamePlace>,
}

/// Months are numbered from January of the year 0, 13 a year: the first is unknown.
const MONTHS: usize = 10_000 * 13;

/// The counts of a position.
pub(super) struct PositionTally {
    pub(super) ended: Score,
    /// By the code of the move.
    pub(super) moves: Vec<MoveTally>,
    recent_games: usize,
    has_history: bool,
    top: Best,
    recent: Best,
    /// By the number of the month; empty if not asked for.
    months: Vec<Score>,
}

impl PositionTally {
    pub(super) fn new(query: &PositionQuery) -> Self {
        let PositionQuery { top_games, recent_games, history, .. } = *query;
        // Top games are not listed again as recent ones, so as many more may be needed.
        let recent = if recent_games > 0 { recent_games + top_games } else { 0 };
        Self {
            ended: Score::default(),
            moves: vec![MoveTally::default(); 256],
            recent_games,
            has_history: history,
            top: Best::new(top_games),
            recent: Best::new(recent),
            months: vec![Score::default(); if history { MONTHS } else { 0 }],
        }
    }

    /// Counts a game that went on with a move.
    pub(super) fn add(&mut self, code: u8, facts: &Facts, at: usize, place: GamePlace) {
        let tally = &mut self.moves[usize::from(code)];
        tally.sums.add(facts, at);
        tally.game = Some(place);

        let candidate = |rank| {
            let arrival = Reverse((place.collection, facts.arrival(at)));
            Candidate { rank, arrival, place, code }
        };
        let [top, recent] = facts.ranks(at);
        self.top.offer(top, || candidate(top));
        self.recent.offer(recent, || candidate(recent));
        if self.has_history {
            let date = facts.date_number(at);
            let month = (date / 10_000 * 13 + date / 100 % 100) as usize;
            if let Some(score) = self.months.get_mut(month) {
                add_result(score, facts.result(at));
            }
        }
    }

    /// Counts a chunk of games that went on with a move, one of them in this place, by its sums;
    /// returns whether that can be done.
    pub(super) fn add_sums(&mut self, code: u8, sums: &Sums, place: GamePlace) -> bool {
        let [top, recent] = sums.ranks;
        if self.has_history || self.top.may_take(top) || self.recent.may_take(recent) {
            return false;
        }
        let tally = &mut self.moves[usize::from(code)];
        tally.sums.add_all(sums);
        tally.game = Some(place);
        true
    }

    /// The games of each month that is known.
    pub(super) fn history(&self) -> Vec<MonthStats> {
        let months = self.months.iter().enumerate();
        let known = months.filter(|(number, score)| number % 13 > 0 && score.games() > 0);
        let stats = known.filter_map(|(number, score)| {
            let date = (number / 13 * 10_000 + number % 13 * 100) as u32;
            Some(MonthStats { month: GameDate::from_number(date)?, score: *score })
        });
        stats.collect()
    }

    /// The top games and the recent ones that are none of these, the best of each first.
    pub(super) fn into_games(self) -> (Vec<Candidate>, Vec<Candidate>) {
        let top = self.top.into_sorted();
        let mut recent = self.recent.into_sorted();
        recent.retain(|game| top.iter().all(|other| other.place != game.place));
        recent.truncate(self.recent_games);
        (top, recent)
    }
}
