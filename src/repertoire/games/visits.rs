//! The visits of games to positions.

use super::played_game::PlayedGame;
use crate::chess::{PositionKey, UciMove};

/// The number of parts. A few of them are in memory at a time for each thread.
pub(super) const PARTS: usize = 256;

pub(super) const VISIT_BYTES: usize = size_of::<[u64; 5]>();

/// A position of a game, and the move that was played there, as five words: those of the key, the
/// last one shifted to bit 48, with the move from bit 32 (0 for none) and the game in the low half.
/// Sorted, the visits of a position are neighbours, and among them those of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Visit(pub(super) [u64; 5]);

const MOVE_SHIFT: u32 = 32;
const STATE_SHIFT: u32 = 48;

impl Visit {
    fn new(key: &PositionKey, m: Option<UciMove>, game: u32) -> Self {
        let [p0, p1, p2, p3, state] = key.to_words();
        let m = m.map_or(0, UciMove::bits);
        Self([p0, p1, p2, p3, state << STATE_SHIFT | u64::from(m) << MOVE_SHIFT | u64::from(game)])
    }

    pub(super) fn key(&self) -> PositionKey {
        let [p0, p1, p2, p3, last] = self.0;
        PositionKey::from_words([p0, p1, p2, p3, last >> STATE_SHIFT])
    }

    pub(super) fn move_bits(&self) -> u16 {
        (self.0[4] >> MOVE_SHIFT) as u16
    }

    pub(super) fn game(&self) -> u32 {
        self.0[4] as u32
    }

    pub(super) fn with_game(mut self, game: u32) -> Self {
        self.0[4] = self.0[4] >> MOVE_SHIFT << MOVE_SHIFT | u64::from(game);
        self
    }

    pub(super) fn is_at(&self, other: &Self) -> bool {
        self.0[..4] == other.0[..4] && self.0[4] >> STATE_SHIFT == other.0[4] >> STATE_SHIFT
    }
}

fn part_of(key: &PositionKey) -> usize {
    (key.hash64() >> 56) as usize
}

/// The visits of a block of games, sorted by part.
#[derive(Debug, Clone)]
pub(crate) struct Visits {
    visits: Vec<Visit>,
    /// The index at which each part ends.
    ends: Vec<u32>,
}

/// Collects the visits of a block of games.
#[derive(Debug, Clone, Default)]
pub(super) struct VisitsBuilder {
    visits: Vec<Visit>,
    parts: Vec<u8>,
}

impl VisitsBuilder {
    /// Adds a visit: the position, the move played there, and the index of the game in the block.
    pub(super) fn push(&mut self, key: &PositionKey, m: Option<UciMove>, game: u32) {
        self.visits.push(Visit::new(key, m, game));
        self.parts.push(part_of(key) as u8);
    }

    /// The number of visits.
    pub(super) fn len(&self) -> usize {
        self.visits.len()
    }

    /// Drops all but the first visits.
    pub(super) fn truncate(&mut self, len: usize) {
        self.visits.truncate(len);
        self.parts.truncate(len);
    }

    /// Sorts the visits by part.
    pub(super) fn build(self) -> Visits {
        let mut ends = vec![0_u32; PARTS];
        self.parts.iter().for_each(|part| ends[usize::from(*part)] += 1);
        let mut sum = 0;
        // First the start of each part; each visit then advances it, up to the end.
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut visits = vec![Visit([0; 5]); self.visits.len()];
        for (visit, part) in self.visits.into_iter().zip(self.parts) {
            let next = &mut ends[usize::from(part)];
            visits[*next as usize] = visit;
            *next += 1;
        }
        Visits { visits, ends }
    }
}

impl Visits {
    /// The visits of games to certain positions, up to a ply.
    pub(crate) fn of<'g>(
        games: impl IntoIterator<Item = &'g PlayedGame>,
        max_ply: usize,
        is_wanted: impl Fn(&PositionKey) -> bool,
    ) -> Self {
        let mut visiting = VisitsBuilder::default();
        for (index, game) in (0..).zip(games) {
            game.walk(max_ply, |key, uci| {
                if is_wanted(key) {
                    visiting.push(key, uci, index);
                }
            });
        }
        visiting.build()
    }

    pub(super) fn part(&self, part: usize) -> &[Visit] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.visits[start as usize..self.ends[part] as usize]
    }

    /// The number of visits.
    pub(super) fn len(&self) -> usize {
        self.visits.len()
    }

    /// The positions, in no order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = PositionKey> {
        self.visits.iter().map(Visit::key)
    }
}
