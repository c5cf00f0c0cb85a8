//! All visits of some positions, counted.

use super::{
    tally::{GameFacts, Tally},
    visits::Visit,
};
use crate::chess::{PositionKey, UciMove};

/// All visits of some positions.
pub(crate) struct Bucket(pub(super) Vec<Visit>);

/// The moves played in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositionCount {
    /// The position.
    pub(crate) key: PositionKey,
    /// The games that have the position, each counted once.
    pub(crate) tally: Tally,
    /// The moves that were played there with their games, the most played first. A game that has
    /// the position twice may have played two.
    pub(crate) moves: Vec<(UciMove, Tally)>,
}

impl Bucket {
    /// Counts the positions that `keep` accepts, given the number of games that have them.
    pub(crate) fn count(
        mut self,
        games: &[GameFacts],
        keep: impl Fn(&PositionKey, usize) -> bool,
    ) -> Vec<PositionCount> {
        self.0.sort_unstable();
        self.0.dedup();
        let groups = self.0.chunk_by(Visit::is_at);
        groups.filter_map(|visits| count_position(visits, games, &keep)).collect()
    }
}

/// Counts the visits of one position, which are sorted by move and game.
fn count_position(
    visits: &[Visit],
    games: &[GameFacts],
    keep: impl Fn(&PositionKey, usize) -> bool,
) -> Option<PositionCount> {
    let key = visits[0].key();
    let mut all: Vec<u32> = visits.iter().map(Visit::game).collect();
    all.sort_unstable();
    all.dedup();
    if !keep(&key, all.len()) {
        return None;
    }
    let tally = |of: &mut dyn Iterator<Item = u32>| {
        let mut tally = Tally::default();
        of.for_each(|game| tally.add(&games[game as usize]));
        tally
    };
    let by_move = visits.chunk_by(|a, b| a.move_bits() == b.move_bits());
    let mut moves: Vec<(UciMove, Tally)> = by_move
        .filter_map(|visits| {
            let m = UciMove::from_bits(visits[0].move_bits())?;
            Some((m, tally(&mut visits.iter().map(Visit::game))))
        })
        .collect();
    moves.sort_by_key(|(m, tally)| (std::cmp::Reverse(tally.games), *m));
    Some(PositionCount { key, tally: tally(&mut all.into_iter()), moves })
}
