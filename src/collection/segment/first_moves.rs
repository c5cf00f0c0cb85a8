//! The first moves of games in the order of their moves, in little memory, and played.

use std::collections::HashMap;

use crate::chess::{Board, CodedBoard};
use crate::lists::Lists;

/// The first of this number of games has all of its moves, the others what is new.
const GAMES_A_GROUP: u32 = 64;

/// The number of games whose moves are in one list.
const GAMES_A_LIST: u32 = 1 << 14;

/// In place of a number of shared moves: the game before begins in another position.
const OTHER_START: u16 = u16::MAX;

/// The moves of sorted games up to a ply: what the index of positions is made from.
#[derive(Debug)]
pub(super) struct FirstMoves {
    max_ply: usize,
    /// The moves after those that a game shares with the one before; for the first of a group all.
    /// Each list has [`GAMES_A_LIST`] games: one for all would be copied as it grows.
    codes: Vec<Lists<u8>>,
    shared: Vec<u16>,
    /// The boards of games that are set up.
    starts: HashMap<u32, Board>,
}

impl FirstMoves {
    pub(super) fn new(max_ply: usize) -> Self {
        Self { max_ply, codes: Vec::new(), shared: Vec::new(), starts: HashMap::new() }
    }

    pub(super) fn max_ply(&self) -> usize {
        self.max_ply
    }

    /// Adds a game: its moves, how many of them it shares with the one before, and where it begins
    /// if it is set up.
    pub(super) fn push(&mut self, codes: &[u8], shared: Option<u16>, start: Option<Board>) {
        let number = self.len();
        let shared = shared.map(|shared| usize::from(shared).min(self.max_ply));
        let known = shared.filter(|_| !number.is_multiple_of(GAMES_A_GROUP)).unwrap_or(0);
        if number.is_multiple_of(GAMES_A_LIST) {
            self.codes.push(Lists::default());
        }
        let list = self.codes.last_mut().expect("the first game begins a list");
        // The move after the last position is known as well.
        list.push(&codes[known..codes.len().min(self.max_ply + 1)]);
        self.shared.push(shared.map_or(OTHER_START, |shared| shared as u16));
        self.starts.extend(start.map(|start| (number, start)));
    }

    /// The number of games.
    pub(super) fn len(&self) -> u32 {
        self.shared.len() as u32
    }

    /// The moves, of those that are here, that a game shares with the one before; `None` if that
    /// begins in another position.
    pub(super) fn shared(&self, number: u32) -> Option<u16> {
        let shared = self.shared.get(number as usize).copied();
        shared.filter(|shared| *shared != OTHER_START)
    }

    /// The moves of a game that are kept.
    fn codes(&self, number: u32) -> &[u8] {
        let list = &self.codes[(number / GAMES_A_LIST) as usize];
        list.get((number % GAMES_A_LIST) as usize)
    }

    /// Plays games, none yet.
    pub(super) fn walk(&self) -> Walk<'_> {
        Walk { games: self, next: 0, codes: Vec::new(), boards: Vec::new() }
    }
}

/// Plays games one after another; of each only what is new.
pub(super) struct Walk<'g> {
    games: &'g FirstMoves,
    next: u32,
    /// The moves of the game before the next one.
    pub(super) codes: Vec<u8>,
    /// Its boards by ply, as far as it was played.
    pub(super) boards: Vec<CodedBoard>,
}

impl Walk<'_> {
    /// Goes on to a game, none of those before, and plays it up to a ply.
    pub(super) fn play(&mut self, number: u32, ply: usize) {
        let group = number - number % GAMES_A_GROUP;
        if self.next < group {
            self.next = group;
            self.boards.clear();
        }
        for at in self.next..=number {
            let shared = self.games.shared(at);
            self.boards.truncate(shared.map_or(0, |shared| usize::from(shared) + 1));
            let is_first = at.is_multiple_of(GAMES_A_GROUP);
            self.codes.truncate(shared.filter(|_| !is_first).map_or(0, usize::from));
            self.codes.extend_from_slice(self.games.codes(at));
        }
        self.next = number + 1;
        if self.boards.is_empty() {
            let start = self.games.starts.get(&number).copied().unwrap_or_default();
            self.boards.push(CodedBoard::from(start));
        }
        for ply in self.boards.len()..=self.codes.len().min(ply) {
            self.boards.extend_from_within(ply - 1..);
            // All were played when the game was read.
            if self.boards[ply].play_code(self.codes[ply - 1]).is_none() {
                self.boards.truncate(ply);
                break;
            }
        }
    }
}
