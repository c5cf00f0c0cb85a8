//! Positions that were counted, in the order of their ranks.

use super::{
    part::{Counted, CountedMove, CountedPart},
    places::{NOWHERE, Place, Places, divided},
};
use crate::{
    chess::{Board, PositionKey, UciMove},
    executor::Executor,
    repertoire::games::tally::Tally,
};

/// What was counted.
pub(crate) struct CountedVisits {
    parts: Vec<CountedPart>,
    places: Places,
    /// By rank: the position, and its place.
    order: Vec<(PositionKey, Place)>,
    /// By part and number, the rank.
    ranks: Vec<Vec<u32>>,
}

/// What was counted in a position.
pub(crate) struct CountedPosition<'a> {
    /// The position.
    pub(crate) key: &'a PositionKey,
    /// The fewest moves after which a game has it.
    pub(crate) ply: u32,
    /// The games that have it, each counted once.
    pub(crate) tally: &'a Tally,
    counts: &'a CountedVisits,
    moves: &'a [CountedMove],
}

impl CountedVisits {
    pub(super) fn new(
        parts: Vec<CountedPart>,
        keys: Vec<PositionKey>,
        places: Places,
        rank: fn(&PositionKey) -> (u64, PositionKey),
        executor: &impl Executor,
    ) -> Option<Self> {
        let mut ranks: Vec<Vec<u32>> =
            parts.iter().map(|part| vec![0; part.positions.len()]).collect();
        let counted = (0_u32..).zip(&ranks);
        let all =
            counted.flat_map(|(part, ranks)| (0..ranks.len() as u32).map(move |n| part << 24 | n));
        let mut buckets: Vec<Vec<(PositionKey, Place)>> = vec![Vec::new(); 256];
        for (key, place) in keys.into_iter().zip(all) {
            buckets.get_mut(rank(&key).0 as usize)?.push((key, place));
        }
        let sorted = executor.map(buckets, |mut bucket| {
            bucket.sort_unstable_by_key(|(key, _)| *key);
            bucket
        });
        let order = sorted.concat();
        for (rank, (_, place)) in (0..).zip(&order) {
            let (part, number) = divided(*place);
            ranks[part][number] = rank;
        }
        Some(Self { parts, places, order, ranks })
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The position of a rank.
    pub(crate) fn position(&self, rank: usize) -> CountedPosition<'_> {
        let (key, place) = &self.order[rank];
        let (part, number) = divided(*place);
        let part = &self.parts[part];
        let Counted { ply, tally, moves } = &part.positions[number];
        CountedPosition { key, ply: *ply, tally, counts: self, moves: &part.moves[moves.clone()] }
    }

    /// The rank of the position of a visit, if it is counted.
    fn rank_of(&self, visit: usize) -> Option<u32> {
        let place = Some(self.places.of_visit(visit)).filter(|place| *place != NOWHERE);
        place.map(divided).map(|(part, number)| self.ranks[part][number])
    }
}

impl<'a> CountedPosition<'a> {
    /// The moves that were played, the games that played each, and the ranks of the next
    /// positions, as far as those are counted.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (UciMove, &'a Tally, Option<u32>)> {
        let (board, counts) = (Board::from_key(self.key), self.counts);
        self.moves.iter().map(move |CountedMove { code, tally, next }| {
            let uci = board.move_of(*code).expect("it was played");
            (uci, tally, counts.rank_of(*next))
        })
    }
}
