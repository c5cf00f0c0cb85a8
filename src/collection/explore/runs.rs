//! From the intervals of a position to the moves that were played there.

use std::{ops::Range, sync::Arc};

use crate::collection::segment::{BlobSource, FACTS_A_CHUNK, Facts, Interval, SegmentReader};

/// Games of neighbouring numbers that went on with the same move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) games: Range<u32>,
    /// The code of the move; `None` if the games end.
    pub(super) code: Option<u8>,
}

/// Facts by the numbers of games, chunk by chunk as they are needed.
pub(super) struct FactsByNumber<'s, 'a, S> {
    segment: &'s SegmentReader<'a, S>,
    chunk: Option<(u32, Arc<Facts>)>,
}

impl<'s, 'a, S: BlobSource> FactsByNumber<'s, 'a, S> {
    pub(super) fn new(segment: &'s SegmentReader<'a, S>) -> Self {
        Self { segment, chunk: None }
    }

    /// Visits games with the facts of their chunk and their indices there.
    pub(super) fn visit<E: From<S::Error>>(
        &mut self,
        games: Range<u32>,
        mut visit: impl FnMut(&Facts, Range<usize>, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let size = FACTS_A_CHUNK as u32;
        let mut next = games.start;
        while next < games.end {
            let number = next / size;
            let end = games.end.min((number + 1) * size);
            let facts = match &self.chunk {
                Some((held, facts)) if *held == number => Arc::clone(facts),
                _ => self.segment.facts(number)?,
            };
            let first = number * size;
            let indices = (next - first) as usize..(end - first) as usize;
            visit(&facts, indices, first)?;
            self.chunk = Some((number, facts));
            next = end;
        }
        Ok(())
    }
}

/// The runs of all games below `limit` that are in one of the intervals, each game in one run. A
/// game that lies in several was in the position several times: the longest line decides.
pub(super) fn runs<S: BlobSource>(
    facts: &mut FactsByNumber<'_, '_, S>,
    intervals: &[Interval],
    limit: u32,
) -> Result<Vec<Run>, S::Error> {
    let mut runs = Vec::new();
    let below = intervals.partition_point(|interval| interval.first < limit);
    for (index, interval) in intervals[..below].iter().enumerate() {
        let mut all = Children { interval, next: interval.first, code: interval.code };
        let mut inner = index + 1;
        while let Some(hole) = intervals[..below].get(inner).filter(|i| i.first < interval.end()) {
            all.push_until(facts, hole.first, &mut runs)?;
            all.skip_until(facts, hole.end())?;
            let later = &intervals[inner..below];
            inner += later.partition_point(|other| other.first < hole.end()).max(1);
        }
        all.push_until(facts, interval.end(), &mut runs)?;
    }
    Ok(runs)
}

/// The games of an interval, divided by their next move.
struct Children<'i> {
    interval: &'i Interval,
    /// The first game that is still to come, and its move.
    next: u32,
    code: Option<u8>,
}

impl Children<'_> {
    /// Adds the runs up to a game.
    fn push_until<S: BlobSource>(
        &mut self,
        facts: &mut FactsByNumber<'_, '_, S>,
        end: u32,
        runs: &mut Vec<Run>,
    ) -> Result<(), S::Error> {
        self.advance(facts, end, |run| runs.push(run))
    }

    /// Leaves games out.
    fn skip_until<S: BlobSource>(
        &mut self,
        facts: &mut FactsByNumber<'_, '_, S>,
        end: u32,
    ) -> Result<(), S::Error> {
        self.advance(facts, end.min(self.interval.end()), drop)
    }

    fn advance<S: BlobSource>(
        &mut self,
        facts: &mut FactsByNumber<'_, '_, S>,
        end: u32,
        mut add: impl FnMut(Run),
    ) -> Result<(), S::Error> {
        let (start, ply) = (self.next, self.interval.ply);
        // The game at `end`, too: it may begin a run.
        let seen = (end + 1).min(self.interval.end());
        let mut first = start;
        facts.visit(start.max(self.interval.first + 1)..seen, |facts, indices, chunk| {
            let shared = &facts.shared()[indices.clone()];
            let starts = shared.iter().enumerate().filter(|(_, shared)| **shared == ply);
            for at in starts.map(|(at, _)| at + indices.start) {
                let number = chunk + at as u32;
                if number > first {
                    add(Run { games: first..number, code: self.code });
                }
                first = number;
                self.code = facts.next(at);
            }
            Ok::<(), S::Error>(())
        })?;
        if first < end {
            add(Run { games: first..end, code: self.code });
        }
        self.next = end.max(start);
        Ok(())
    }
}
