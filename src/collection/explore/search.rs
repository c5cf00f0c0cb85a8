//! What was played in a position, over several segments.

use super::{
    filter::{Fits, SegmentFilter},
    runs::{FactsByNumber, Run, runs},
    tally::{Candidate, GamePlace, PositionTally, Wanted, add_result},
};
use crate::{
    chess::{Board, Color, PositionKey, UciMove},
    collection::{
        FoundGame, MoveStats, PositionQuery, PositionStats, Score,
        segment::{BlobSource, DamagedSegment, DictionaryKind, Facts, SegmentReader},
    },
    pgn::decode_text,
    select::GameInfo,
};

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
    /// The runs of the games that have a position.
    fn runs(&self, position: &PositionKey, query: &PositionQuery) -> Result<Vec<Run>, S::Error> {
        let intervals = self.reader.intervals(position)?;
        let header = self.reader.header();
        let limit = if query.from_position { header.counted } else { header.initial };
        runs(&mut FactsByNumber::new(&self.reader), &intervals, limit)
    }

    /// Visits the games of runs that count.
    fn visit(
        &self,
        runs: &[Run],
        mut visit: impl FnMut(&Facts, usize, u32, Option<u8>),
    ) -> Result<(), S::Error> {
        let mut all = FactsByNumber::new(&self.reader);
        for run in runs {
            all.visit(run.games.clone(), |facts, indices, first| {
                for at in indices {
                    let number = first + at as u32;
                    if self.filter.is_everything() || self.counts(facts, at, number)? {
                        visit(facts, at, number, run.code);
                    }
                }
                Ok::<(), S::Error>(())
            })?;
        }
        Ok(())
    }

    fn counts(&self, facts: &Facts, at: usize, number: u32) -> Result<bool, S::Error> {
        match self.filter.fits(facts, at) {
            Fits::Yes => Ok(true),
            Fits::No => Ok(false),
            Fits::Ask => self.filter.fits_by_tags(&self.reader, number),
        }
    }

    /// How the games ended that reached a position.
    fn reached(&self, position: &PositionKey, query: &PositionQuery) -> Result<Score, S::Error> {
        let mut score = Score::default();
        let runs = self.runs(position, query)?;
        self.visit(&runs, |facts, at, _, _| add_result(&mut score, facts.result(at)))?;
        Ok(score)
    }

    /// A game as it is shown.
    fn found_game(&self, number: u32, uci: UciMove) -> Result<FoundGame, S::Error> {
        let (facts, at) = self.reader.facts_of(number)?;
        let players = self.reader.dictionary(DictionaryKind::Players)?;
        let events = self.reader.dictionary(DictionaryKind::Events)?;
        let sides = [Color::White, Color::Black];
        let tags = self.reader.tags(number)?;
        let info = GameInfo::of_tags(tags.tags(), 0, facts.result(at));
        let name = |color| decode_text(players.text(facts.name(at, color))).into_owned();
        Ok(FoundGame {
            id: facts.fingerprint(at).into(),
            collection: self.collection.to_owned(),
            uci,
            names: sides.map(name),
            ratings: sides.map(|color| facts.rating(at, color)),
            result: facts.result(at),
            date: facts.date(at),
            played_at: facts.played_at(at),
            speed: facts.speed(at),
            rated: facts.is_rated(at),
            event: decode_text(events.text(facts.event(at))).into_owned(),
            link: info.link().map(std::borrow::Cow::into_owned),
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
    let wanted = Wanted {
        top_games: query.top_games,
        recent_games: query.recent_games,
        history: query.history,
    };
    let mut tally = PositionTally::new(position.turn(), wanted);
    for (index, segment) in (0..).zip(segments) {
        let runs = segment.runs(position, query)?;
        segment.visit(&runs, |facts, at, game, code| match code {
            Some(code) => tally.add(code, facts, at, GamePlace { segment: index, game }),
            None => tally.add_ended(facts, at),
        })?;
    }
    answer(segments, &board, query, tally)
}

/// The counts as they are answered.
fn answer<S: BlobSource>(
    segments: &[SearchedSegment<'_, S>],
    board: &Board,
    query: &PositionQuery,
    tally: PositionTally,
) -> Result<PositionStats, S::Error> {
    let mut stats = PositionStats { ended: tally.ended, ..PositionStats::default() };
    for (code, counted) in (0..=u8::MAX).zip(&tally.moves) {
        let Some(place) = counted.game else { continue };
        let segment = &segments[place.segment as usize];
        let mut after = *board;
        let Some(uci) = after.play_code(code) else {
            return Err(segment.reader.damaged(DamagedSegment::new("a move that is none")));
        };
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
        stats.score = add_scores(stats.score, counted.score);
    }
    stats.moves.sort_by_key(|m| (std::cmp::Reverse(m.score.games()), m.uci.to_string()));
    stats.history = tally.history();
    let (top, recent) = tally.into_games();
    let found = |games: Vec<Candidate>| -> Result<Vec<FoundGame>, S::Error> {
        let found = |game: Candidate| {
            let segment = &segments[game.place.segment as usize];
            let uci = board.move_of(game.code);
            let damaged = || segment.reader.damaged(DamagedSegment::new("a move that is none"));
            segment.found_game(game.place.game, uci.ok_or_else(damaged)?)
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
    segments.iter().try_fold(Score::default(), |score, segment| {
        Ok(add_scores(score, segment.reached(position, query)?))
    })
}

fn add_scores(a: Score, b: Score) -> Score {
    Score { white: a.white + b.white, draws: a.draws + b.draws, black: a.black + b.black }
}
