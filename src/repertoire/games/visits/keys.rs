//! The positions of groups of visits.

use std::sync::OnceLock;

use super::{
    games::Games,
    part::CountedPart,
    places::{NOWHERE, Places, divided},
};
use crate::chess::PositionKey;

/// The keys of counted positions, found by playing games.
pub(super) struct Keys {
    /// By part, the index of the first key.
    first: Vec<usize>,
    keys: Vec<OnceLock<PositionKey>>,
}

impl Keys {
    /// No keys yet of the positions of some parts.
    pub(super) fn of(parts: &[CountedPart]) -> Self {
        let mut count = 0;
        let first = parts.iter().map(|part| {
            count += part.positions.len();
            count - part.positions.len()
        });
        let first = first.collect();
        Self { first, keys: (0..count).map(|_| OnceLock::new()).collect() }
    }

    /// Plays a game as far as it visits counted positions. Returns whether that can be done, and
    /// each of them has the key that other games have found.
    pub(super) fn play(&self, game: usize, games: &Games, places: &Places) -> bool {
        let (codes, visits) = (games.codes(game), games.visits(game));
        let is_counted = |visit: &usize| places.of_visit(*visit) != NOWHERE;
        let Some(last) = visits.clone().rfind(is_counted) else { return true };
        let mut board = games.board(game);
        for (visit, ply) in (visits.start..=last).zip(0..) {
            if ply > 0 && board.play_code(codes[ply - 1]).is_none() {
                return false;
            }
            let place = places.of_visit(visit);
            if place == NOWHERE {
                continue;
            }
            let (part, number) = divided(place);
            let key = board.board().key();
            if self.keys[self.first[part] + number].get_or_init(|| key) != &key {
                return false;
            }
        }
        true
    }

    /// The keys in the order of parts and numbers; `None` if one was not found.
    pub(super) fn into_inner(self) -> Option<Vec<PositionKey>> {
        self.keys.into_iter().map(OnceLock::into_inner).collect()
    }
}
