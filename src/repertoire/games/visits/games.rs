//! Games as they are visited: their moves, and what a count needs to know of them.

use std::{collections::HashMap, ops::Range};

use crate::{
    chess::{Board, CodedBoard},
    repertoire::games::tally::GameFacts,
};

/// The games of visits.
#[derive(Debug, Default)]
pub(super) struct Games {
    codes: Vec<u8>,
    games: Vec<VisitingGame>,
    /// The boards of games that are set up, by the index of the game.
    starts: HashMap<u32, Board>,
}

#[derive(Debug, Clone, Copy)]
struct VisitingGame {
    /// Where its codes end.
    end: u32,
    facts: GameFacts,
}

impl Games {
    /// Adds a game, and returns its index.
    pub(super) fn push(&mut self, codes: &[u8], start: Option<Board>, facts: GameFacts) -> u32 {
        let game = self.games.len() as u32;
        self.codes.extend_from_slice(codes);
        self.games.push(VisitingGame { end: self.codes.len() as u32, facts });
        self.starts.extend(start.map(|board| (game, board)));
        game
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// The facts of a game.
    pub(super) fn facts(&self, game: usize) -> &GameFacts {
        &self.games[game].facts
    }

    /// Where the codes of a game begin.
    fn start(&self, game: usize) -> usize {
        game.checked_sub(1).map_or(0, |before| self.games[before].end as usize)
    }

    /// The codes of the moves of a game.
    pub(super) fn codes(&self, game: usize) -> &[u8] {
        &self.codes[self.start(game)..self.games[game].end as usize]
    }

    /// The visits of a game: one more than its codes.
    pub(super) fn visits(&self, game: usize) -> Range<usize> {
        self.start(game) + game..self.games[game].end as usize + game + 1
    }

    /// The visit of a game after some of its moves.
    pub(super) fn visit(&self, game: u32, ply: u16) -> usize {
        self.start(game as usize) + game as usize + usize::from(ply)
    }

    /// The number of all visits.
    pub(super) fn visit_count(&self) -> usize {
        self.codes.len() + self.games.len()
    }

    /// Where a game begins.
    pub(super) fn board(&self, game: usize) -> CodedBoard {
        self.starts.get(&(game as u32)).map_or_else(CodedBoard::default, |board| (*board).into())
    }
}
