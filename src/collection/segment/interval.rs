//! Games of neighbouring numbers that came to a position by the same moves.

/// The highest number of games in a segment.
pub(crate) const MAX_GAMES: usize = 1 << 18;

/// Positions after more plies are not found.
pub(crate) const MAX_PLY: usize = (1 << 12) - 1;

/// All games of a segment that began with the same moves. Games are numbered in the order of their
/// moves, so they are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Interval {
    /// The number of the first of them.
    pub(crate) first: u32,
    /// The number of these moves.
    pub(crate) ply: u16,
    /// The number of games.
    pub(crate) games: u32,
    /// The code of the move that the first game goes on with; `None` if it ends.
    pub(crate) code: Option<u8>,
}

impl Interval {
    /// The number after that of the last game.
    pub(crate) fn end(&self) -> u32 {
        self.first + self.games
    }
}

/// An interval of a position with this hash, as small as it can be. They sort by hash, then by game
/// and ply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) hash: u64,
    /// From the highest: 18 bits for the first game, 12 for the ply, 19 for the number of games,
    /// 9 for the code plus one.
    packed: u64,
}

impl Node {
    pub(super) fn new(hash: u64, interval: Interval) -> Self {
        let Interval { first, ply, games, code } = interval;
        let code = code.map_or(0, |code| u64::from(code) + 1);
        let packed = u64::from(first) << 40 | u64::from(ply) << 28 | u64::from(games) << 9 | code;
        Self { hash, packed }
    }

    pub(super) fn interval(&self) -> Interval {
        let bits = |shift: u32, width: u32| (self.packed >> shift & ((1 << width) - 1)) as u32;
        Interval {
            first: bits(40, 18),
            ply: bits(28, 12) as u16,
            games: bits(9, 19),
            code: bits(0, 9).checked_sub(1).map(|code| code as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_node_holds_its_interval(
            first in 0..MAX_GAMES as u32,
            ply in 0..=MAX_PLY as u16,
            games in 0..=MAX_GAMES as u32,
            code in any::<Option<u8>>(),
        ) {
            let interval = Interval { first, ply, games, code };
            prop_assert_eq!(Node::new(7, interval).interval(), interval);
        }
    }
}
