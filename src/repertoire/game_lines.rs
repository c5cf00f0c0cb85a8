//! The first moves of games, counted position by position.
//!
//! Games in the order of their moves are a tree: what a game shares with the one before is played
//! and counted once. Each node of the tree gives the count of a part of the games that have its
//! position; the counts of all nodes with one position add up to that of the position, since a
//! game that comes back to a position is counted by its first visit only. The way to a node shows
//! that: it is the same for all games of the node.
//!
//! Any order of games gives the same counts; theirs is the fastest. Most positions are those of one
//! game, after it has left the games before and after it: for them nothing is added up. Where only
//! those of several games are wanted, [`SeveralGames`] finds them first.

use std::sync::atomic::{AtomicU64, Ordering};

use super::tally::{MoveCount, add_move};
use super::{GameFacts, PositionCount, Tally};
use crate::chess::{Board, CodedBoard, PositionKey, UciMove};

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

    /// Adds a game by the [codes](CodedBoard::play_code) of its moves. `start` is where it begins,
    /// unless that is the initial position.
    pub(crate) fn push(&mut self, codes: &[u8], start: Option<Board>, facts: GameFacts) {
        self.codes.extend_from_slice(&codes[..codes.len().min(self.max_ply)]);
        let (end, start) = (self.codes.len(), start.map(Box::new));
        self.games.push(GameLine { end, start, facts });
    }

    /// Calls `visit` with the hash of each position, and the number of games that came there by the
    /// same moves. The numbers of a position add up to at least that of its games.
    pub(crate) fn each_hash(&self, mut visit: impl FnMut(u64, u32)) {
        let unwanted = self.walk(|hash, _, games| {
            visit(hash, games);
            false
        });
        debug_assert!(unwanted.is_empty());
    }

    /// The counts of the positions that are wanted, in parts. All of one position add up.
    pub(crate) fn counts(
        &self,
        is_wanted: impl Fn(u64, &PositionKey) -> bool,
    ) -> Vec<PositionCount> {
        self.walk(|hash, key, _| is_wanted(hash, key))
    }

    /// The counts of the nodes that are wanted, by their hashes, positions and numbers of games.
    fn walk(
        &self,
        mut is_wanted: impl FnMut(u64, &PositionKey, u32) -> bool,
    ) -> Vec<PositionCount> {
        let mut counts = Vec::new();
        let mut path = Path::default();
        let mut shared_before = None;
        let mut from = 0;
        for (n, game) in self.games.iter().enumerate() {
            let codes = &self.codes[from..game.end];
            let next = self.games.get(n + 1).filter(|next| next.start == game.start);
            let shared_after = next.map(|next| shared(codes, &self.codes[game.end..next.end]));
            // Damage may have ended the game before.
            let known = shared_before.map_or(0, |shared: usize| (shared + 1).min(path.steps.len()));
            path.close(known, &mut is_wanted, &mut counts);
            if known == 0 {
                path.begin(game.start.as_deref().copied().unwrap_or_default());
            }
            path.play(&codes[path.steps.len() - 1..]);
            path.share(shared_before.max(shared_after).map_or(0, |shared| shared + 1));
            path.close_game(&game.facts, &mut is_wanted, &mut counts);
            (from, shared_before) = (game.end, shared_after);
        }
        path.close(0, &mut is_wanted, &mut counts);
        counts
    }
}

/// The number of moves that two games begin with.
fn shared(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The positions of a game so far.
#[derive(Debug, Default)]
struct Path {
    steps: Vec<Step>,
    /// Of the first steps, which the game may share with others: what those did that are done.
    counts: Vec<StepCount>,
}

#[derive(Debug)]
struct Step {
    board: CodedBoard,
    hash: u64,
    /// The move that led here.
    via: Option<UciMove>,
}

#[derive(Debug, Default)]
struct StepCount {
    tally: Tally,
    moves: Vec<MoveCount>,
}

impl Step {
    fn new(board: CodedBoard, via: Option<UciMove>) -> Self {
        Self { hash: board.board().key().hash64(), board, via }
    }

    fn key(&self) -> PositionKey {
        self.board.board().key()
    }

    /// The move that led here, and the games that played it.
    fn played(&self, tally: Tally) -> Option<MoveCount> {
        self.via.map(|uci| MoveCount { uci, to: self.key(), tally })
    }
}

impl Path {
    fn begin(&mut self, start: Board) {
        self.steps.push(Step::new(start.into(), None));
    }

    /// Plays on. Moves that cannot be played end the game.
    fn play(&mut self, codes: &[u8]) {
        for code in codes {
            let Some(mut board) = self.steps.last().map(|step| step.board) else { break };
            let Some(uci) = board.play_code(*code) else { break };
            self.steps.push(Step::new(board, Some(uci)));
        }
    }

    /// Adds up what games did in the first `len` positions.
    fn share(&mut self, len: usize) {
        let len = len.min(self.steps.len()).max(self.counts.len());
        self.counts.resize_with(len, StepCount::default);
    }

    /// Ends a game: the positions that it does not share are counted.
    fn close_game(
        &mut self,
        facts: &GameFacts,
        is_wanted: &mut impl FnMut(u64, &PositionKey, u32) -> bool,
        counts: &mut Vec<PositionCount>,
    ) {
        let mut tally = Tally::default();
        tally.add(facts);
        let first = self.counts.len();
        let mut played = None;
        while self.steps.len() > first {
            let Some(step) = self.steps.pop() else { break };
            if is_wanted(step.hash, &step.key(), 1) {
                let moves = played.into_iter().collect();
                counts.push(self.first_visits(&step, StepCount { tally, moves }));
            }
            played = step.played(tally);
        }
        self.add(tally, played);
    }

    /// Goes back to the first `len` positions. Each one that is left is counted.
    fn close(
        &mut self,
        len: usize,
        is_wanted: &mut impl FnMut(u64, &PositionKey, u32) -> bool,
        counts: &mut Vec<PositionCount>,
    ) {
        while self.steps.len() > len {
            let (Some(step), Some(count)) = (self.steps.pop(), self.counts.pop()) else { break };
            let tally = count.tally;
            if is_wanted(step.hash, &step.key(), tally.games) {
                counts.push(self.first_visits(&step, count));
            }
            self.add(tally, step.played(tally));
        }
    }

    /// Counts games in the last position: those of a move, or one that ends there.
    fn add(&mut self, tally: Tally, played: Option<MoveCount>) {
        let Some(last) = self.counts.last_mut() else { return };
        last.tally.merge(&tally);
        if let Some(played) = played {
            add_move(&mut last.moves, played);
        }
    }

    /// The count of the position after the path, without what earlier visits on the way to it have
    /// counted.
    fn first_visits(&self, step: &Step, count: StepCount) -> PositionCount {
        let StepCount { mut tally, mut moves } = count;
        // Nobody comes back in fewer than four moves, or in an odd number.
        let mut earlier = self.steps.len().checked_sub(4);
        while let Some(at) = earlier {
            let visit = &self.steps[at];
            if visit.hash == step.hash && visit.key() == step.key() {
                tally = Tally::default();
                let known = self.steps[at + 1].via;
                moves.retain(|played| Some(played.uci) != known);
            }
            earlier = at.checked_sub(2);
        }
        PositionCount { key: step.key(), tally, moves }
    }
}

/// The bits for each expected position: one in eight is then wrongly taken for another.
const BITS_A_POSITION: usize = 8;

/// The limits of the number of bits, as powers of two: 8 KiB and 32 MiB.
const FEWEST_BITS: usize = 1 << 16;
const MOST_BITS: usize = 1 << 28;

/// Which positions several games may have: two Bloom filters of the hashes of positions that were
/// counted, and of those that were counted twice.
pub(crate) struct SeveralGames {
    once: Box<[AtomicU64]>,
    twice: Box<[AtomicU64]>,
}

impl SeveralGames {
    /// For games with this number of positions.
    pub(crate) fn with_room(positions: usize) -> Self {
        let bits = positions.saturating_mul(BITS_A_POSITION).clamp(FEWEST_BITS, MOST_BITS);
        let words = bits.next_power_of_two() / 64;
        let [once, twice] = [(); 2].map(|()| (0..words).map(|_| AtomicU64::new(0)).collect());
        Self { once, twice }
    }

    /// The index of the word and the bit of a hash.
    fn bit(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & (self.once.len() - 1), 1 << (hash & 63))
    }

    /// Counts in games that have a position.
    pub(crate) fn add(&self, hash: u64, games: u32) {
        let (word, bit) = self.bit(hash);
        // Both, so that the order of additions does not matter.
        if self.once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 || games > 1 {
            self.twice[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Whether several games may have a position: true if they do, and for a few others.
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = self.bit(hash);
        self.twice[word].load(Ordering::Relaxed) & bit != 0
    }
}
