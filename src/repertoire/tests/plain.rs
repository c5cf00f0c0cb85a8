//! The obvious count of played moves: a map of maps, and a `shakmaty` position played forward.
//!
//! It is slow, and its memory is not bounded. The counts of databases are tested against it.

use std::collections::BTreeMap;

use crate::chess::{Chess, Position, PositionKey, UciMove, read_move};
use crate::pgn::{Game, Token};
use crate::repertoire::{GameFacts, Tally};

/// The moves played in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainCount {
    /// The games that have it.
    pub(crate) tally: Tally,
    /// The moves with the games that played them.
    pub(crate) moves: BTreeMap<UciMove, Tally>,
}

/// Counts games from the initial position, each up to a ply.
pub(crate) fn count_plainly(
    games: &[(Game<'_>, GameFacts)],
    max_ply: usize,
) -> BTreeMap<PositionKey, PlainCount> {
    let mut counts: BTreeMap<PositionKey, PlainCount> = BTreeMap::new();
    for (game, facts) in games {
        let mut seen = Vec::new();
        let mut position = Chess::default();
        for token in game.tags().into_main_line() {
            let Token::Move(word) = token else { break };
            let Ok(m) = read_move(&position, word) else { break };
            if seen.len() == max_ply {
                break;
            }
            seen.push((PositionKey::from(&position), Some(UciMove::from_move(m))));
            position.play_unchecked(m);
        }
        seen.push((PositionKey::from(&position), None));
        let mut counted: Vec<PositionKey> = Vec::new();
        for (n, (key, played)) in seen.iter().enumerate() {
            let count = counts
                .entry(*key)
                .or_insert_with(|| PlainCount { tally: Tally::default(), moves: BTreeMap::new() });
            if !counted.contains(key) {
                counted.push(*key);
                count.tally.add(facts);
            }
            if let Some(uci) = played
                && !seen[..n].contains(&(*key, *played))
            {
                count.moves.entry(*uci).or_default().add(facts);
            }
        }
    }
    counts
}
