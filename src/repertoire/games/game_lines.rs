//! The first moves of games, counted position by position.
//!
//! Games in the order of their moves are a tree: what a game shares with the one before is played
//! and counted once. Each node of the tree gives the count of a part of the games that have its
//! position; the counts of all nodes with one position add up to that of the position, since a
//! game that comes back to a position is counted by its first visit only. The way to a node shows
//! that: it is the same for all games of the node.
//!
//! Any order of games gives the same counts; theirs is the fastest.

use super::{
    position_count::{MoveCount, PositionCount},
    tally::{GameFacts, Tally},
};
use crate::chess::{Board, PositionKey, UciMove};

/// The first moves of some games.
#[derive(Debug, Clone, Default)]
pub(crate) struct GameLines {
    max_ply: usize,
    codes: Vec<u8>,
    games: Vec<GameLine>,
}

#[derive(Debug, Clone)]
struct GameLine {
    /// Where its codes end.
    end: usize,
    /// Where it begins, if that is not the initial position.
    start: Option<Box<Board>>,
    facts: GameFacts,
}

impl GameLines {
    /// No games yet; they are counted up to a ply.
    pub(crate) fn new(max_ply: usize) -> Self {
        Self { max_ply, ..Self::default() }
    }

    /// The number of games.
    pub(crate) fn len(&self) -> usize {
        self.games.len()
    }

    /// Adds a game by the [codes](Board::play_code) of its moves. `start` is where it begins,
    /// unless that is the initial position.
    pub(crate) fn push(&mut self, codes: &[u8], start: Option<Board>, facts: GameFacts) {
        self.codes.extend_from_slice(&codes[..codes.len().min(self.max_ply)]);
        let (end, start) = (self.codes.len(), start.map(Box::new));
        self.games.push(GameLine { end, start, facts });
    }

    /// Calls `visit` with counts and the hashes of their positions. All counts of a position add
    /// up to what the games played there.
    pub(crate) fn visit(&self, mut visit: impl FnMut(u64, &PositionCount)) {
        let mut path = Path::default();
        let mut before: &[u8] = &[];
        let mut from = 0;
        for (n, game) in self.games.iter().enumerate() {
            let codes = &self.codes[from..game.end];
            from = game.end;
            let is_same_start = n > 0 && self.games[n - 1].start == game.start;
            let shared = is_same_start.then(|| {
                let same = before.iter().zip(codes).take_while(|(a, b)| a == b);
                // Damage may have ended the game before.
                same.count().min(path.len - 1)
            });
            path.close(shared.map_or(0, |shared| shared + 1), &mut visit);
            if shared.is_none() {
                path.open(game.start.as_deref().copied().unwrap_or_default(), None);
            }
            path.play(&codes[shared.unwrap_or(0)..]);
            path.add(&game.facts);
            before = codes;
        }
        path.close(0, &mut visit);
    }

    /// The counts of the positions that are wanted, in parts. All of one position add up.
    pub(crate) fn counts(
        &self,
        is_wanted: impl Fn(u64, &PositionKey) -> bool,
    ) -> Vec<PositionCount> {
        let mut counts = Vec::new();
        self.visit(|hash, count| {
            if is_wanted(hash, &count.key) {
                counts.push(count.clone());
            }
        });
        counts
    }
}

/// The positions of a game so far; each one's counts are those of the games that are done.
#[derive(Debug, Default)]
struct Path {
    /// Nodes after the first `len` wait to be used again.
    nodes: Vec<PathNode>,
    len: usize,
}

#[derive(Debug)]
struct PathNode {
    board: Board,
    hash: u64,
    /// The move that led here.
    via: Option<UciMove>,
    count: PositionCount,
}

impl Path {
    /// Adds a position.
    fn open(&mut self, board: Board, via: Option<UciMove>) {
        let (key, hash) = (*board.key(), board.key().hash64());
        match self.nodes.get_mut(self.len) {
            Some(node) => {
                (node.board, node.hash, node.via) = (board, hash, via);
                (node.count.key, node.count.tally) = (key, Tally::default());
                node.count.moves.clear();
            }
            None => {
                let count = PositionCount::new(key);
                self.nodes.push(PathNode { board, hash, via, count });
            }
        }
        self.len += 1;
    }

    /// Plays on. Moves that cannot be played end the game.
    fn play(&mut self, codes: &[u8]) {
        for code in codes {
            let mut board = self.nodes[self.len - 1].board;
            let Some(uci) = board.play_code(*code) else { break };
            self.open(board, Some(uci));
        }
    }

    /// Counts in a game that ends here.
    fn add(&mut self, facts: &GameFacts) {
        self.nodes[self.len - 1].count.tally.add(facts);
    }

    /// Goes back to the first `len` positions. Each one that is left is counted.
    fn close(&mut self, len: usize, visit: &mut impl FnMut(u64, &PositionCount)) {
        while self.len > len {
            self.len -= 1;
            let (before, rest) = self.nodes.split_at_mut(self.len);
            let node = &mut rest[0];
            if let (Some(parent), Some(uci)) = (before.last_mut(), node.via) {
                let (to, tally) = (node.count.key, node.count.tally);
                parent.count.tally.merge(&tally);
                parent.count.add_move(&MoveCount { uci, to, tally });
            }
            Self::forget_known(before, node);
            visit(node.hash, &node.count);
        }
    }

    /// Drops from the counts of a position what earlier visits on the way to it have counted.
    fn forget_known(before: &[PathNode], node: &mut PathNode) {
        // Nobody comes back in fewer than four moves, or in an odd number.
        let mut earlier = before.len().checked_sub(4);
        while let Some(at) = earlier {
            if before[at].hash == node.hash && before[at].count.key == node.count.key {
                node.count.tally = Tally::default();
                let known = before[at + 1].via;
                node.count.moves.retain(|played| Some(played.uci) != known);
            }
            earlier = at.checked_sub(2);
        }
    }
}
