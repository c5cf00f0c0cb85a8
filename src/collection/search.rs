//! What was played in a position, over several segments: from the intervals of the position to the
//! moves and games.

use std::{cell::RefCell, ops::Range, sync::Arc};

use super::filter::{Chunk, SegmentFilter};
use super::segment::{
    BlobSource, DamagedSegment, DictionaryKind, FACTS_A_CHUNK, Facts, Interval, KnownGame, Labels,
    SegmentReader, Sums,
};
use super::tally::{Candidate, GamePlace, PositionTally, add_result};
use super::{FoundGame, KeptGame, MoveStats, PositionQuery, PositionStats, Score};
use crate::chess::{Board, Color, PositionKey, UciMove};
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
    /// How the games went on that have a position.
    fn continuations(
        &self,
        position: &PositionKey,
        query: &PositionQuery,
    ) -> Result<Vec<Continuation>, S::Error> {
        if self.filter.counts_none() {
            return Ok(Vec::new());
        }
        let intervals = self.reader.intervals(position)?;
        let header = self.reader.header();
        let limit = if query.from_position { header.counted } else { header.initial };
        continuations(&mut FactsByNumber::new(&self.reader, None), &intervals, limit)
    }

    /// Visits the games that count. Chunks of games that all count are not read for which
    /// `add_sums`, given the number of the first game and the code of their move, returns true.
    fn visit(
        &self,
        continuations: &[Continuation],
        mut add_sums: impl FnMut(&Sums, u32, Option<u8>) -> bool,
        mut visit: impl FnMut(&Facts, usize, u32, Option<u8>),
    ) -> Result<(), S::Error> {
        let mut all = FactsByNumber::new(&self.reader, Some(&self.filter));
        for Continuation { games, code } in continuations {
            let is_added = |sums: &Sums, of_chunk: Range<u32>| {
                of_chunk.len() == FACTS_A_CHUNK
                    && self.filter.counts_all()
                    && add_sums(sums, of_chunk.start, *code)
            };
            all.visit(games.clone(), is_added, |chunk, indices, first| {
                for at in indices {
                    let number = first + at as u32;
                    if self.filter.counts(&self.reader, chunk, at, number)? {
                        visit(chunk.0, at, number, *code);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// How the games ended that reached a position.
    fn reached(&self, position: &PositionKey, query: &PositionQuery) -> Result<Score, S::Error> {
        let mut score = Score::default();
        let continuations = self.continuations(position, query)?;
        let mut sum = Score::default();
        let add_sums = |sums: &Sums, _, _| {
            sum = sum + sums.score();
            true
        };
        let add = |facts: &Facts, at, _, _| add_result(&mut score, facts.result(at));
        self.visit(&continuations, add_sums, add)?;
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
    let mut tally = PositionTally::new(position.turn(), query);
    for (index, segment) in (0..).zip(segments) {
        let continuations = segment.continuations(position, query)?;
        let before = segments.iter().take_while(|other| other.collection != segment.collection);
        let collection = before.count() as u32;
        let place = |game| GamePlace { segment: index, game, collection };
        let counted = RefCell::new(&mut tally);
        let add_sums = |sums: &Sums, game, code: Option<u8>| {
            code.is_some_and(|code| counted.borrow_mut().add_sums(code, sums, place(game)))
        };
        segment.visit(&continuations, add_sums, |facts, at, game, code| {
            let mut tally = counted.borrow_mut();
            match code {
                Some(code) => tally.add(code, facts, at, place(game)),
                None => tally.add_ended(facts, at),
            }
        })?;
    }
    answer(segments, &board, query, tally)
}

/// Calls `visit` with every game that has a position and counts, in the order of its segment.
///
/// # Errors
///
/// If a segment cannot be read, or that of `visit`.
pub(crate) fn games<S: BlobSource, E: From<S::Error>>(
    segments: &[SearchedSegment<'_, S>],
    position: &PositionKey,
    query: &PositionQuery,
    mut visit: impl FnMut(KeptGame) -> Result<(), E>,
) -> Result<(), E> {
    for segment in segments {
        let mut numbers = Vec::new();
        let continuations = segment.continuations(position, query)?;
        segment.visit(&continuations, |_, _, _| false, |_, _, number, _| numbers.push(number))?;
        numbers.sort_unstable();
        numbers.into_iter().try_for_each(|number| visit(segment.reader.game(number)?))?;
    }
    Ok(())
}

/// The counts as they are answered.
fn answer<S: BlobSource>(
    segments: &[SearchedSegment<'_, S>],
    board: &Board,
    query: &PositionQuery,
    tally: PositionTally,
) -> Result<PositionStats, S::Error> {
    let mut stats = PositionStats { ended: tally.ended, ..PositionStats::default() };
    let no_move = |segment: &SearchedSegment<'_, S>| {
        segment.reader.damaged(DamagedSegment::new("a move that is none"))
    };
    for (code, counted) in (0..=u8::MAX).zip(&tally.moves) {
        let Some(place) = counted.game else { continue };
        let segment = &segments[place.segment as usize];
        let mut after = *board;
        let uci = after.play_code(code).ok_or_else(|| no_move(segment))?;
        let is_only = counted.score.games() == 1;
        stats.moves.push(MoveStats {
            uci,
            score: counted.score,
            rating: counted.rating,
            opponent_rating: counted.opponent_rating,
            half_points: counted.half_points,
            dates: counted.dates(),
            only_game: is_only.then(|| segment.found_game(place.game, uci)).transpose()?,
            reached: query.reached.then(|| reached(segments, &after.key(), query)).transpose()?,
        });
        stats.score = stats.score + counted.score;
    }
    stats.moves.sort_by_key(|m| (std::cmp::Reverse(m.score.games()), m.uci.to_string()));
    stats.history = tally.history();
    let (top, recent) = tally.into_games();
    let found = |games: Vec<Candidate>| -> Result<Vec<FoundGame>, S::Error> {
        let found = |game: Candidate| {
            let segment = &segments[game.place.segment as usize];
            let uci = board.move_of(game.code).ok_or_else(|| no_move(segment))?;
            segment.found_game(game.place.game, uci)
        };
        games.into_iter().map(found).collect()
    };
    (stats.top_games, stats.recent_games) = (found(top)?, found(recent)?);
    Ok(stats)
}

fn reached<S: BlobSource>(
    segments: &[SearchedSegment<'_, S>],
    position: &PositionKey,
    query: &PositionQuery,
) -> Result<Score, S::Error> {
    segments
        .iter()
        .try_fold(Score::default(), |score, segment| Ok(score + segment.reached(position, query)?))
}

/// Games of neighbouring numbers that went on with the same move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Continuation {
    games: Range<u32>,
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
    /// that `is_done` with, given its sums and the games of it that are visited.
    fn visit(
        &mut self,
        games: Range<u32>,
        mut is_done: impl FnMut(&Sums, Range<u32>) -> bool,
        mut visit: impl FnMut(Chunk<'_>, Range<usize>, u32) -> Result<(), S::Error>,
    ) -> Result<(), S::Error> {
        let size = FACTS_A_CHUNK as u32;
        let mut next = games.start;
        while next < games.end {
            let number = next / size;
            let end = games.end.min((number + 1) * size);
            let sums = self.segment.header().sums.get(number as usize);
            if sums.is_some_and(|sums| is_done(sums, next..end)) {
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
        let has_none = |sums: &Sums, _| sums.shared > u64::from(ply);
        facts.visit(rest, has_none, |(facts, _), indices, chunk| {
            let shared = &facts.shared()[indices.clone()];
            let starts = shared.iter().enumerate().filter(|(_, shared)| **shared == ply);
            for at in starts.map(|(at, _)| at + indices.start) {
                let number = chunk + at as u32;
                if number > first {
                    add(Continuation { games: first..number, code: self.code });
                }
                first = number;
                self.code = facts.next(at);
            }
            Ok(())
        })?;
        if first < end {
            add(Continuation { games: first..end, code: self.code });
        }
        self.next = end.max(start);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
