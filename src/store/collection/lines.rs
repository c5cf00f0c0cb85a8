//! The games of a segment as lines of moves, of which repertoires are counted.

use std::ops::Range;

use super::games::{CACHE_BYTES, SegmentRow};
use crate::{
    chess::{Board, Chess},
    collection::{
        KeptGame,
        segment::{Cache, FACTS_A_CHUNK, Facts},
    },
    store::{database::Database, error::StoreError},
};

/// The first moves of a game of a segment, and what is known of it.
pub(in crate::store) struct StoredLine<'a> {
    /// The codes of its moves.
    pub(in crate::store) codes: &'a [u8],
    /// Where it begins, unless that is the initial position.
    pub(in crate::store) start: Option<Board>,
    /// The facts of some games, and its index among them.
    pub(in crate::store) facts: (&'a Facts, usize),
}

impl Database {
    /// Calls `visit` with the start position of each game of a segment: once for all games of
    /// which it is clear that they begin in the initial position.
    pub(in crate::store) fn each_start(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(Chess),
    ) -> Result<(), StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        let initial = reader.header().initial;
        if initial > 0 {
            visit(Chess::default());
        }
        for game in initial..segment.games {
            reader.game(game)?.start_position().map(&mut visit);
        }
        Ok(())
    }

    /// Some of the games of a segment, by their numbers.
    pub(in crate::store) fn kept_games_of(
        &self,
        segment: SegmentRow,
        games: Range<u32>,
    ) -> Result<Vec<KeptGame>, StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        games.map(|number| reader.game(number)).collect()
    }

    /// Calls `visit` with the moves of the games of a segment, in their order. Games that begin in
    /// no known position are left out.
    pub(in crate::store) fn each_line(
        &self,
        segment: SegmentRow,
        mut visit: impl FnMut(StoredLine<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let reader = self.segment_reader(segment, &cache)?;
        for chunk in 0..segment.games.div_ceil(FACTS_A_CHUNK as u32) {
            let first = chunk * FACTS_A_CHUNK as u32;
            let facts = reader.facts(chunk)?;
            let games = first..first + facts.len() as u32;
            reader.each_line(games, |game, codes, start| {
                visit(StoredLine { codes, start, facts: (&facts, (game - first) as usize) })
            })?;
        }
        Ok(())
    }
}
