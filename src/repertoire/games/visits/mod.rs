//! The visits of games to positions, counted in memory: the fast form of
//! [`GameLines::counts`](super::GameLines::counts), for games that nobody has counted before.
//!
//! A visit is a game that has a position after some of its moves. Whoever reads games knows the
//! hashes of their positions, so visits are grouped without a move being played. What is counted
//! in a position then follows from its group alone: which games these are, and the codes of their
//! next moves, since a code means the same move in the same position. At last the games are played
//! up to where they are alone, for the positions themselves. A group with two positions, whose
//! hashes happen to be the same, gives the whole count to the plain form.
//!
//! Groups are found part by part, by the first bits of the hashes: each part fits into the cache
//! of a core, and parts are independent work.

mod counted;
mod games;
mod keys;
mod part;
mod places;

use std::ops::Range;

pub(crate) use counted::{CountedPosition, CountedVisits};
use games::Games;
use keys::Keys;
use part::{CountedPart, Part, Visit};
use places::{MOST_PLACES, Places};

use super::tally::GameFacts;
use crate::{
    chess::{Board, PositionKey},
    executor::Executor,
};

/// The number of parts, by the first eight bits of the hashes.
const PARTS: usize = 256;

/// The number of games that a worker plays at a time.
const GAMES_AT_A_TIME: usize = 1024;

/// What a visit takes in memory, in bytes, while it is counted, with a part of what is counted.
const BYTES_A_VISIT: usize = 22;

/// The visits of games, as they are collected.
#[derive(Debug)]
pub(crate) struct Visits {
    games: Games,
    parts: Vec<Part>,
    /// The most visits that there is room for.
    room: usize,
}

impl Visits {
    /// No visits yet, for which there are about this many bytes.
    pub(crate) fn with_memory(bytes: usize) -> Self {
        let room = (bytes / BYTES_A_VISIT).min(u32::MAX as usize / 2);
        let parts = (0..PARTS).map(|_| Part::default()).collect();
        Self { games: Games::default(), parts, room }
    }

    /// Adds a game by the [codes](Board::play_code) of its moves and the hashes of its positions,
    /// of which there is one more. `start` is where it begins, unless that is the initial
    /// position. Returns whether there was room for it.
    pub(crate) fn push(
        &mut self,
        codes: &[u8],
        hashes: &[u64],
        start: Option<Board>,
        facts: GameFacts,
    ) -> bool {
        let games = &mut self.games;
        let is_short = hashes.len() <= usize::from(u16::MAX);
        if !is_short
            || hashes.len() != codes.len() + 1
            || games.visit_count() + hashes.len() > self.room
        {
            return false;
        }
        let game = games.push(codes, start, facts);
        let codes = codes.iter().copied().map(Some).chain([None]);
        for ((ply, &hash), code) in (0..).zip(hashes).zip(codes) {
            self.parts[(hash >> 56) as usize].push(Visit { hash, game, ply, code });
        }
        true
    }

    /// Counts the positions that several games have, and those that games begin with, in the order
    /// of their ranks, of which the first part is below 256. `None` asks the plain form.
    pub(crate) fn count(
        self,
        rank: fn(&PositionKey) -> (u64, PositionKey),
        executor: &impl Executor,
    ) -> Option<CountedVisits> {
        let Self { games, parts, .. } = self;
        let places = Places::nowhere(games.visit_count());
        let parts = executor.map((0..).zip(parts).collect(), |(number, part): (u32, Part)| {
            part.count(&games, |n, visit| places.set(visit, number << 24 | n as u32))
        });
        let fits = |part: &CountedPart| part.positions.len() < MOST_PLACES;
        let parts: Vec<CountedPart> = parts.into_iter().collect::<Option<_>>()?;
        if !parts.iter().all(fits) {
            return None;
        }
        let keys = Keys::of(&parts);
        let chunks = (0..games.len())
            .step_by(GAMES_AT_A_TIME)
            .map(|first| first..(first + GAMES_AT_A_TIME).min(games.len()));
        let are_played = executor.map(chunks.collect(), |chunk: Range<usize>| {
            chunk.into_iter().all(|game| keys.play(game, &games, &places))
        });
        if !are_played.into_iter().all(|is_played| is_played) {
            return None;
        }
        CountedVisits::new(parts, keys.into_inner()?, places, rank, executor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::CodedBoard, executor::OneThread, pgn::PlayedAt};

    fn facts() -> GameFacts {
        GameFacts {
            number: None,
            date: None,
            played_at: PlayedAt::default(),
            half_points: None,
            opponent: None,
        }
    }

    fn rank(key: &PositionKey) -> (u64, PositionKey) {
        (key.hash64() >> 56, *key)
    }

    /// The codes of moves from the initial position.
    fn codes(moves: &[&str]) -> Vec<u8> {
        let mut board = CodedBoard::default();
        moves.iter().map(|san| board.play_to_code(san.as_bytes()).unwrap().unwrap()).collect()
    }

    #[test]
    fn two_positions_with_one_hash_are_left_to_the_plain_form() {
        for (hashes, positions) in [([1, 2, 3], Some(3)), ([1, 2, 2], None), ([1, 7, 8], Some(1))] {
            let mut visits = Visits::with_memory(1 << 10);
            assert!(visits.push(&codes(&["e4", "e5"]), &[1, 2, 3], None, facts()));
            assert!(visits.push(&codes(&["e4", "e5"]), &hashes, None, facts()));
            let counted = visits.count(rank, &OneThread);
            assert_eq!(counted.map(|counted| counted.len()), positions, "{hashes:?}");
        }
    }

    #[test]
    fn a_game_without_room_is_not_taken() {
        let mut visits = Visits::with_memory(5 * BYTES_A_VISIT);
        assert!(visits.push(&codes(&["e4", "e5"]), &[1, 2, 3], None, facts()));
        assert!(!visits.push(&codes(&["e4", "e5"]), &[1, 2, 3], None, facts()));
        assert!(visits.push(&codes(&["e4"]), &[1, 2], None, facts()));
    }
}
