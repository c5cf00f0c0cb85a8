//! Duplicates in the input, of which the first counts.
//!
//! Blocks are read side by side, but which game is the first is decided in the order of the input:
//! a block waits for its turn. The memory is a fingerprint for each game.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use clap::Args;
use eco::select::Fingerprint;

/// Whether duplicates count.
#[derive(Debug, Args)]
pub(super) struct UniqueArgs {
    /// Leave out duplicates. They have the same players, date and time, site, round, result and
    /// moves as an earlier game
    #[arg(long)]
    pub(super) unique: bool,
}

impl UniqueArgs {
    /// What finds duplicates, if it is asked for.
    pub(super) fn repeats(&self) -> Option<Repeats> {
        self.unique.then(Repeats::default)
    }
}

/// The games so far. Workers share it.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    state: Mutex<State>,
    /// A turn is over.
    over: Condvar,
}

#[derive(Debug, Default)]
struct State {
    seen: HashSet<Fingerprint>,
    /// The number of games that came again.
    repeats: u64,
    /// The number of turns that were given.
    given: u64,
    /// The turn that is next.
    next: u64,
    /// Later turns that are over already: their blocks were given up.
    over: BTreeSet<u64>,
}

/// The turn of a block. It is over when it is dropped.
pub(super) struct Turn<'r> {
    repeats: &'r Repeats,
    number: u64,
}

impl Repeats {
    /// The turn of the next block of the input.
    pub(super) fn turn(&self) -> Turn<'_> {
        let mut state = self.state();
        state.given += 1;
        Turn { repeats: self, number: state.given - 1 }
    }

    /// The number of games that came again.
    pub(super) fn count(&self) -> u64 {
        self.state().repeats
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// Whether each of the games of the block is the first of its kind. Waits for the blocks
    /// before.
    pub(super) fn are_first(self, games: &[Fingerprint]) -> Vec<bool> {
        let mut state = self.repeats.state();
        while state.next < self.number {
            state = self.repeats.over.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let are_first: Vec<bool> = games.iter().map(|game| state.seen.insert(*game)).collect();
        state.repeats += are_first.iter().filter(|is_first| !**is_first).count() as u64;
        drop(state);
        are_first
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let state = &mut *self.repeats.state();
        state.over.insert(self.number);
        while state.over.remove(&state.next) {
            state.next += 1;
        }
        self.repeats.over.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn game(number: u8) -> Fingerprint {
        Fingerprint([number; 16])
    }

    #[test]
    fn the_first_of_the_input_counts_whatever_is_read_first() {
        for given_up in [None, Some(1), Some(2)] {
            let repeats = Repeats::default();
            let turns: Vec<Turn<'_>> = (0..4).map(|_| repeats.turn()).collect();
            let are_first = thread::scope(|scope| {
                let begun: Vec<_> = (0..4_u8)
                    .zip(turns)
                    .rev()
                    .map(|(number, turn)| {
                        scope.spawn(move || match given_up {
                            Some(given_up) if number == given_up => Vec::new(),
                            _ => turn.are_first(&[game(7), game(number), game(number)]),
                        })
                    })
                    .collect();
                let mut done: Vec<_> = begun.into_iter().map(|t| t.join().unwrap()).collect();
                done.reverse();
                done
            });
            for (number, are_first) in are_first.into_iter().enumerate() {
                let is_given_up = given_up == Some(number as u8);
                let expected = [number == 0, true, false];
                let expected = if is_given_up { &[][..] } else { &expected };
                assert_eq!(are_first, expected, "block {number}, {given_up:?} given up");
            }
            let blocks = 4 - u64::from(given_up.is_some());
            assert_eq!(repeats.count(), 2 * blocks - 1);
        }
    }
}
