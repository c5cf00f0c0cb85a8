//! What was played in a position, over several segments: from the intervals of the position to the
//! moves and games.

use std::{cell::RefCell, ops::ControlFlow, ops::Range, sync::Arc};

use super::filter::{Chunk, SegmentFilter};
use super::segment::{
    BlobSource, DamagedSegment, DictionaryKind, FACTS_A_CHUNK, Facts, Interval, KnownGame, Labels,
    SegmentReader, Sums, add_result,
};
use super::tally::{Candidate, GamePlace, PositionTally};
use super::{FoundGame, KeptGame, MoveStats, PositionQuery, PositionStats, Score};
use crate::chess::{Board, CodedBoard, Color, PositionKey, UciMove};
use crate::{pgn::decode_text, select::GameInfo};

/// A segment that is asked.
pub(crate) struct SearchedSegment<'a, S> {
    /// The segment.
    pub(crate) reader: SegmentReader<'a, S>,
    /// The collection that it is of.
    pub(crate) collection: &'a str,
    /// Which of its games count.
    pub(crate) filter: std::sync::Arc<SegmentFilter>,
}

impl<S: BlobSource> SearchedSegment<'_, S> {
    /// The number of the game from which on games do not count in any position.
    fn limit(&self, query: &PositionQuery) -> u32 {
        let header = self.reader.header();
        match query.from_position {
            _ if self.filter.counts_none() => 0,
            true => header.counted,
            false => header.initial,
        }
    }

    /// How the games went on that have a position.
    fn continuations(
        &self,
        position: &PositionKey,
        query: &PositionQuery,
    ) -> Result<Vec<Continuation>, S::Error> {
        let limit = self.limit(query);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let intervals = self.reader.intervals(position, None)?;
        continuations(&mut FactsByNumber::new(&self.reader, None), &intervals, limit)
    }

    /// Visits the games that count among some, which went on with a move. Chunks of games are not
    /// read for which `add_sums`, given the sums of those of their games that count, the number of
    /// the first game and the code of the move, returns true.
    fn visit(
        &self,
        games: impl Iterator<Item = (Range<u32>, Option<u8>)>,
        mut add_sums: impl FnMut(&Sums, u32, Option<u8>) -> bool,
        mut visit: impl FnMut(&Facts, usize, u32, Option<u8>),
    ) -> Result<(), S::Error> {
        let mut all = FactsByNumber::new(&self.reader, Some(&self.filter));
        for (games, code) in games {
            let is_added = |number, of_chunk: Range<u32>| {
                if of_chunk.len() < FACTS_A_CHUNK {
                    return Ok(false);
                }
                let sums = self.filter.sums(&self.reader, number)?;
                Ok(match sums.score.games() {
                    0 => true,
                    // Which one it is, the sums do not say.
                    1 => false,
                    _ => add_sums(&sums, of_chunk.start, code),
                })
            };
            self.visit_counted(&mut all, games, is_added, |facts, at, number| {
                visit(facts, at, number, code);
            })?;
        }
        Ok(())
    }

    /// Visits the games that count among some, except those of chunks that `is_done` with.
    fn visit_counted(
        &self,
        all: &mut FactsByNumber<'_, '_, S>,
        games: Range<u32>,
        is_done: impl FnMut(u32, Range<u32>) -> Result<bool, S::Error>,
        mut visit: impl FnMut(&Facts, usize, u32),
    ) -> Result<(), S::Error> {
        all.visit(games, is_done, |chunk, indices, first| {
            for at in indices {
                let number = first + at as u32;
                if self.filter.counts(&self.reader, chunk, at, number)? {
                    visit(chunk.0, at, number);
                }
            }
            Ok(())
        })
    }

    /// The numbers of the games that count among some.
    pub(crate) fn counted(
        &self,
        games: impl Iterator<Item = Range<u32>>,
    ) -> Result<Vec<u32>, S::Error> {
        let mut all = FactsByNumber::new(&self.reader, Some(&self.filter));
        let mut numbers = Vec::new();
        for games in games {
            let counted = |_: &Facts, _, number| numbers.push(number);
            self.visit_counted(&mut all, games, |_, _| Ok(false), counted)?;
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Calls `visit` with every game that has a position and counts, in the order of the segment,
    /// until it breaks.
    ///
    /// # Errors
    ///
    /// If the segment cannot be read.
    pub(crate) fn games(
        &self,
        position: &PositionKey,
        query: &PositionQuery,
        mut visit: impl FnMut(KeptGame) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, S::Error> {
        let continuations = self.continuations(position, query)?;
        for number in self.counted(continuations.into_iter().map(|c| c.games))? {
            if visit(self.reader.game(number)?).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// How the games ended that reached a position, given how games went on from the one before it
    /// with the move that leads to it.
    fn reached(
        &self,
        position: &PositionKey,
        query: &PositionQuery,
        before: Option<&Continuation>,
    ) -> Result<Score, S::Error> {
        let limit = self.limit(query);
        let known = before.map(|Continuation { games, ply, .. }| Interval {
            first: games.start,
            ply: ply + 1,
            games: 1,
            code: None,
        });
        // Positions are found up to here.
        let known = known.filter(|known| known.ply <= self.reader.header().max_ply);
        let mut score = Score::default();
        let mut sum = Score::default();
        let add_sums = |sums: &Sums, _, _| {
            sum = sum + sums.score;
            true
        };
        let add = |facts: &Facts, at, _, _| add_result(&mut score, facts.result(at));
        if limit > 0 {
            let intervals = self.reader.intervals(position, known)?;
            let games = games_of(&intervals, limit).map(|games| (games, None));
            self.visit(games, add_sums, add)?;
        }
        Ok(score + sum)
    }

    /// A game as it is shown.
    fn found_game(&self, number: u32, uci: UciMove) -> Result<FoundGame, S::Error> {
        let KnownGame { facts, labels, at } = self.reader.known(number)?;
        let players = self.reader.dictionary(DictionaryKind::Players)?;
        let events = self.reader.dictionary(DictionaryKind::Events)?;
        let sides = [Color::White, Color::Black];
        let tags = self.reader.tags(number)?;
        let info = GameInfo::of_tags(tags.tags(), (0, facts.result(at)), &[]);
        let name = |color| decode_text(players.text(labels.name(at, color))).into_owned();
        Ok(FoundGame {
            id: labels.fingerprint(at).into(),
            collection: self.collection.to_owned(),
            uci,
            names: sides.map(name),
            ratings: sides.map(|color| facts.rating(at, color)),
            result: facts.result(at),
            date: facts.date(at),
            played_at: facts.played_at(at),
            speed: facts.speed(at),
            rated: facts.is_rated(at),
            event: decode_text(events.text(labels.event(at))).into_owned(),
            link: info.link().map(std::borrow::Cow::into_owned),
            arrival: facts.arrival(at),
        })
    }
}

/// What was played in a position.
///
/// # Errors
///
/// If a segment cannot be read.
pub(crate) fn search<S: BlobSource>(
    segments: &[SearchedSegment<'_, S>],
    position: &PositionKey,
    query: &PositionQuery,
) -> Result<PositionStats, S::Error> {
    // A key that is no position of chess has no games.
    let Ok(board) = position.to_position().map(|position| Board::from_position(&position)) else {
        return Ok(PositionStats::default());
    };
    let mut tally = PositionTally::new(query);
    let mut all_continuations = Vec::new();
    for (index, segment) in (0..).zip(segments) {
        let continuations = segment.continuations(position, query)?;
        let before = segments.iter().take_while(|other| other.collection != segment.collection);
        let collection = before.count() as u32;
        let place = |game| GamePlace { segment: index, game, collection };
        let counted = RefCell::new(&mut tally);
        let add_sums = |sums: &Sums, game, code: Option<u8>| {
            code.is_some_and(|code| counted.borrow_mut().add_sums(code, sums, place(game)))
        };
        let games = continuations.iter().map(|c| (c.games.clone(), c.code));
        segment.visit(games, add_sums, |facts, at, game, code| {
            let mut tally = counted.borrow_mut();
            match code {
                Some(code) => tally.add(code, facts, at, place(game)),
                None => add_result(&mut tally.ended, facts.result(at)),
            }
        })?;
        all_continuations.push(continuations);
    }
    answer(segments, board.into(), query, tally, &all_continuations)
}

/// The counts as they are answered; `continuations` are those of each segment.
fn answer<S: BlobSource>(
    segments: &[SearchedSegment<'_, S>],
    board: CodedBoard,
    query: &PositionQuery,
    tally: PositionTally,
    continuations: &[Vec<Continuation>],
) -> Result<PositionStats, S::Error> {
    let mut stats = PositionStats { ended: tally.ended, ..PositionStats::default() };
    let own = usize::from(board.board().key().turn().is_black());
    let play = |code, segment: &SearchedSegment<'_, S>| {
        let mut after = board;
        let no_move = || segment.reader.damaged(DamagedSegment::new("a move that is none"));
        let uci = after.play_code(code).ok_or_else(no_move)?;
        Ok((uci, after.board().key()))
    };
    for (code, counted) in (0..=u8::MAX).zip(&tally.moves) {
        let Some(place) = counted.game else { continue };
        let segment = &segments[place.segment as usize];
        let (uci, after) = play(code, segment)?;
        let sums = &counted.sums;
        let reached = || {
            segments.iter().zip(continuations).try_fold(
                Score::default(),
                |score, (segment, all)| {
                    let before = all.iter().find(|continuation| continuation.code == Some(code));
                    Ok(score + segment.reached(&after, query, before)?)
                },
            )
        };
        stats.moves.push(MoveStats {
            uci,
            score: sums.score,
            rating: sums.ratings[own],
            opponent_rating: sums.ratings[1 - own],
            half_points: sums.half_points[own],
            dates: sums.dates(),
            only_game: (sums.score.games() == 1)
                .then(|| segment.found_game(place.game, uci))
                .transpose()?,
            reached: query.reached.then(reached).transpose()?,
        });
        stats.score = stats.score + sums.score;
    }
    stats.moves.sort_by_key(|m| (std::cmp::Reverse(m.score.games()), m.uci.to_string()));
    stats.history = tally.history();
    let (top, recent) = tally.into_games();
    let found = |games: Vec<Candidate>| -> Result<Vec<FoundGame>, S::Error> {
        let found = |game: Candidate| {
            let segment = &segments[game.place.segment as usize];
            let (uci, _) = play(game.code, segment)?;
            segment.found_game(game.place.game, uci)
        };
        games.into_iter().map(found).collect()
    };
    (stats.top_games, stats.recent_games) = (found(top)?, found(recent)?);
    Ok(stats)
}

/// Games of neighbouring numbers that went on with the same move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Continuation {
    games: Range<u32>,
    /// The number of moves before that move.
    ply: u16,
    /// The code of the move; `None` if the games end.
    code: Option<u8>,
}

/// The facts of a chunk of games, with its number, and their labels if they are read.
type HeldChunk = (u32, Arc<Facts>, Option<Arc<Labels>>);

/// Facts by the numbers of games, chunk by chunk as they are needed.
struct FactsByNumber<'s, 'a, S> {
    segment: &'s SegmentReader<'a, S>,
    reads_labels: bool,
    chunk: Option<HeldChunk>,
}

impl<'s, 'a, S: BlobSource> FactsByNumber<'s, 'a, S> {
    /// The facts of a segment, with the labels if the filter reads them.
    fn new(segment: &'s SegmentReader<'a, S>, filter: Option<&SegmentFilter>) -> Self {
        let reads_labels = filter.is_some_and(SegmentFilter::reads_labels);
        Self { segment, reads_labels, chunk: None }
    }

    fn read(&self, number: u32) -> Result<HeldChunk, S::Error> {
        let labels = self.reads_labels.then(|| self.segment.labels(number)).transpose()?;
        Ok((number, self.segment.facts(number)?, labels))
    }

    /// Visits games with the facts of their chunk and their indices there, except those of chunks
    /// that `is_done` with, given the number of the chunk and the games of it that are visited.
    fn visit(
        &mut self,
        games: Range<u32>,
        mut is_done: impl FnMut(u32, Range<u32>) -> Result<bool, S::Error>,
        mut visit: impl FnMut(Chunk<'_>, Range<usize>, u32) -> Result<(), S::Error>,
    ) -> Result<(), S::Error> {
        let size = FACTS_A_CHUNK as u32;
        let mut next = games.start;
        while next < games.end {
            let number = next / size;
            let end = games.end.min((number + 1) * size);
            if is_done(number, next..end)? {
                next = end;
                continue;
            }
            let held = self.chunk.take().filter(|(held, ..)| *held == number);
            let chunk = held.map_or_else(|| self.read(number), Ok)?;
            let first = number * size;
            let indices = (next - first) as usize..(end - first) as usize;
            visit((&chunk.1, chunk.2.as_deref()), indices, first)?;
            self.chunk = Some(chunk);
            next = end;
        }
        Ok(())
    }
}

/// All games below `limit` that are in one of the intervals, each once.
fn games_of(intervals: &[Interval], limit: u32) -> impl Iterator<Item = Range<u32>> {
    let mut next = 0;
    let below = intervals.iter().take_while(move |interval| interval.first < limit);
    below.filter_map(move |interval| {
        let games = next.max(interval.first)..interval.end();
        next = next.max(interval.end());
        (!games.is_empty()).then_some(games)
    })
}

/// How all games below `limit` went on that are in one of the intervals, each game once. A game
/// that lies in several was in the position several times: the longest line decides.
fn continuations<S: BlobSource>(
    facts: &mut FactsByNumber<'_, '_, S>,
    intervals: &[Interval],
    limit: u32,
) -> Result<Vec<Continuation>, S::Error> {
    let mut continuations = Vec::new();
    let mut push = |continuation| continuations.push(continuation);
    let below = intervals.partition_point(|interval| interval.first < limit);
    for (index, interval) in intervals[..below].iter().enumerate() {
        let mut all = Children { interval, next: interval.first, code: interval.code };
        let mut inner = index + 1;
        while let Some(hole) = intervals[..below].get(inner).filter(|i| i.first < interval.end()) {
            all.advance(facts, hole.first, &mut push)?;
            all.advance(facts, hole.end().min(interval.end()), drop)?;
            let later = &intervals[inner..below];
            inner += later.partition_point(|other| other.first < hole.end()).max(1);
        }
        all.advance(facts, interval.end(), &mut push)?;
    }
    Ok(continuations)
}

/// The games of an interval, divided by their next move.
struct Children<'i> {
    interval: &'i Interval,
    /// The first game that is still to come, and its move.
    next: u32,
    code: Option<u8>,
}

impl Children<'_> {
    /// Passes what games did to `add`, up to one of them.
    fn advance<S: BlobSource>(
        &mut self,
        facts: &mut FactsByNumber<'_, '_, S>,
        end: u32,
        mut add: impl FnMut(Continuation),
    ) -> Result<(), S::Error> {
        let (start, ply) = (self.next, self.interval.ply);
        // The game at `end`, too: it may begin a continuation.
        let seen = (end + 1).min(self.interval.end());
        let mut first = start;
        let rest = start.max(self.interval.first + 1)..seen;
        let sums = &facts.segment.header().sums;
        let has_none = |number, _| {
            Ok(sums.get(number as usize).is_some_and(|sums| sums.shared > u64::from(ply)))
        };
        facts.visit(rest, has_none, |(facts, _), indices, chunk| {
            let shared = &facts.shared()[indices.clone()];
            let starts = shared.iter().enumerate().filter(|(_, shared)| **shared == ply);
            for at in starts.map(|(at, _)| at + indices.start) {
                let number = chunk + at as u32;
                if number > first {
                    add(Continuation { games: first..number, ply, code: self.code });
                }
                first = number;
                self.code = facts.next(at);
            }
            Ok(())
        })?;
        if first < end {
            add(Continuation { games: first..end, ply, code: self.code });
        }
        self.next = end.max(start);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
