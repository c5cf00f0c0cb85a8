//! Games in the order of their moves, in which each begins like the one before, and their moves.

use std::{cmp::Ordering, collections::HashMap, ops::Range};

use super::bytes::{ByteReader, DamagedSegment, push_number, push_packed};
use crate::chess::{Board, PositionKey};
use crate::collection::{GameStart, KeptGame};
use crate::select::{Fingerprint, GameResult};
use crate::{executor::Executor, lists::Lists};

/// The number of games whose moves are packed together.
pub(super) const MOVES_A_FRAME: usize = 128;

/// The number of frames in a blob.
pub(super) const FRAMES_A_BLOB: usize = 4;

/// The games of a frame have no more moves: a segment is full before.
const MAX_CODES: usize = 128 << 20;

pub(super) const NO_MOVES: DamagedSegment = DamagedSegment::new("a game has no moves");

/// The moves of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameMoves<'a> {
    /// The codes of those that can be played.
    pub(super) codes: &'a [u8],
    /// The words of the others, with a line end after each.
    pub(super) rest: &'a [u8],
}

/// The moves of games: codes, and other words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MovesOfGames {
    codes: Lists<u8>,
    rests: Lists<u8>,
}

impl MovesOfGames {
    /// Adds those of a game.
    pub(super) fn push(&mut self, moves: GameMoves<'_>) {
        self.codes.push(moves.codes);
        self.rests.push(moves.rest);
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// A frame of these games.
    pub(super) fn pack(&self, games: Range<usize>) -> Vec<u8> {
        let (mut heads, mut codes, mut rests) = (Vec::new(), Vec::new(), Vec::new());
        let mut before: &[u8] = &[];
        for game in games.map(|game| self.at(game)) {
            let shared = before.iter().zip(game.codes).take_while(|(a, b)| a == b).count();
            push_number(&mut heads, shared as u64);
            push_number(&mut heads, (game.codes.len() - shared) as u64);
            push_number(&mut heads, game.rest.len() as u64);
            codes.extend_from_slice(&game.codes[shared..]);
            rests.extend_from_slice(game.rest);
            before = game.codes;
        }
        let mut frame = Vec::new();
        [heads, codes, rests].iter().for_each(|part| push_packed(&mut frame, part));
        frame
    }

    /// Unpacks a frame.
    pub(super) fn unpack(frame: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(frame);
        let (heads, codes, rests) = (reader.unpacked()?, reader.unpacked()?, reader.unpacked()?);
        let [mut heads, mut codes, mut rests] =
            [&heads, &codes, &rests].map(|p| ByteReader::new(p));
        let (mut unpacked, mut before, mut all) = (Self::default(), 0, 0);
        unpacked.codes.reset(MOVES_A_FRAME, 2 * codes.rest().len());
        while !heads.is_empty() && unpacked.codes.len() < MOVES_A_FRAME {
            let shared = heads.number_to(before)?;
            let own = codes.take(heads.number_to(codes.rest().len())?)?;
            let rest = rests.take(heads.number_to(rests.rest().len())?)?;
            all += shared + own.len();
            if all > MAX_CODES {
                return Err(DamagedSegment::new("games have too many moves"));
            }
            unpacked.codes.push_with(|codes| {
                let start = codes.len() - before;
                codes.extend_from_within(start..start + shared);
                codes.extend_from_slice(own);
            });
            unpacked.rests.push(rest);
            before = shared + own.len();
        }
        unpacked.codes.shrink_to_fit();
        unpacked.rests.shrink_to_fit();
        Ok(unpacked)
    }

    /// The moves of a game by its index in the frame.
    pub(super) fn get(&self, index: usize) -> Result<GameMoves<'_>, DamagedSegment> {
        if index < self.len() { Ok(self.at(index)) } else { Err(NO_MOVES) }
    }

    /// The moves of a game by its index; none if there is no such game.
    pub(super) fn at(&self, index: usize) -> GameMoves<'_> {
        GameMoves { codes: self.codes.get(index), rest: self.rests.get(index) }
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> usize {
        self.codes.memory() + self.rests.memory()
    }
}

/// Which positions a game counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GameClass {
    /// All of its positions, from the initial one on.
    Initial,
    /// Those after another start position, if these are asked for.
    SetUp,
    /// None.
    Uncounted,
}

impl GameClass {
    fn of(game: &KeptGame) -> Self {
        match (game.result(), game.start()) {
            (GameResult::Unknown, _) | (_, GameStart::Unknown) => Self::Uncounted,
            (_, GameStart::Initial) => Self::Initial,
            (_, GameStart::SetUp) => Self::SetUp,
        }
    }
}

/// The moves of games that are being collected.
#[derive(Debug, Default)]
pub(super) struct CollectedMoves {
    moves: MovesOfGames,
    games: Vec<Collected>,
    /// The boards of games that are set up, by the index of the game.
    starts: HashMap<u32, Board>,
}

#[derive(Debug, Clone, Copy)]
struct Collected {
    class: GameClass,
    fingerprint: Fingerprint,
}

/// A game with what nearly always decides its place.
#[derive(Debug, Clone, Copy)]
struct SortKey {
    class: GameClass,
    /// The first 32 moves, as numbers that sort as they do.
    head: [u128; 2],
    game: u32,
}

/// The number of parts that games are sorted in before these are merged.
const SORTED_RUNS: usize = 16;

impl CollectedMoves {
    /// Adds the moves of a game.
    pub(super) fn push(&mut self, game: &KeptGame) {
        let mut class = GameClass::of(game);
        if class == GameClass::SetUp {
            match game.start_board() {
                Some(board) => {
                    self.starts.insert(self.games.len() as u32, board);
                }
                None => class = GameClass::Uncounted,
            }
        }
        self.moves.push(GameMoves { codes: game.codes(), rest: game.rest() });
        self.games.push(Collected { class, fingerprint: game.fingerprint() });
    }

    fn codes(&self, game: u32) -> &[u8] {
        self.moves.at(game as usize).codes
    }

    fn start_key(&self, game: u32) -> Option<PositionKey> {
        self.starts.get(&game).map(Board::key)
    }

    /// The indices of the games in the order in which a segment numbers them.
    pub(super) fn sorted(&self, executor: &impl Executor) -> Vec<u32> {
        let games: Vec<u32> = (0..self.games.len() as u32).collect();
        let runs = games.chunks(games.len().div_ceil(SORTED_RUNS).max(1)).collect();
        let runs = executor.map(runs, |games: &[u32]| {
            let mut run: Vec<SortKey> = games.iter().map(|game| self.place(*game)).collect();
            run.sort_unstable_by(|a, b| self.compare(a, b));
            run
        });
        let mut places = runs.concat();
        // A stable sort finds the runs, and merges them.
        places.sort_by(|a, b| self.compare(a, b));
        places.into_iter().map(|place| place.game).collect()
    }

    /// The moves of a game; where it begins, if it is set up and counts; and its class: 0 for games
    /// from the initial position, 1 for others that count, 2 for the rest.
    pub(super) fn get(&self, game: u32) -> (GameMoves<'_>, Option<Board>, u8) {
        let class = self.games[game as usize].class as u8;
        (self.moves.at(game as usize), self.starts.get(&game).copied(), class)
    }

    fn place(&self, game: u32) -> SortKey {
        let codes = self.codes(game);
        let mut head = [0; 32];
        let len = codes.len().min(head.len());
        head[..len].copy_from_slice(&codes[..len]);
        let (first, second) = head.split_at(16);
        let number = |bytes: &[u8]| u128::from_be_bytes(bytes.try_into().expect("16 bytes"));
        let head = [number(first), number(second)];
        SortKey { class: self.games[game as usize].class, head, game }
    }

    fn compare(&self, a: &SortKey, b: &SortKey) -> Ordering {
        let by_start = || match a.class {
            GameClass::SetUp => self.start_key(a.game).cmp(&self.start_key(b.game)),
            GameClass::Initial | GameClass::Uncounted => Ordering::Equal,
        };
        let print = |game: u32| self.games[game as usize].fingerprint;
        a.class
            .cmp(&b.class)
            .then_with(by_start)
            .then_with(|| a.head.cmp(&b.head))
            .then_with(|| self.codes(a.game).cmp(self.codes(b.game)))
            .then_with(|| print(a.game).cmp(&print(b.game)))
    }
}

/// The number of moves that two games begin with alike.
pub(super) fn shared_moves(a: &[u8], b: &[u8]) -> u16 {
    let shared = a.iter().zip(b).take_while(|(a, b)| a == b);
    shared.count().min(usize::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn moves_are_read_as_they_were_written(
            games in prop::collection::vec(
                (prop::collection::vec(0..3_u8, 0..20), prop::collection::vec(0..3_u8, 0..3)),
                0..20,
            ),
        ) {
            let mut moves = MovesOfGames::default();
            games.iter().for_each(|(codes, rest)| moves.push(GameMoves { codes, rest }));
            let unpacked = MovesOfGames::unpack(&moves.pack(0..games.len())).unwrap();
            for (index, (codes, rest)) in games.iter().enumerate() {
                prop_assert_eq!(unpacked.get(index), Ok(GameMoves { codes, rest }));
            }
            prop_assert!(unpacked.get(games.len()).is_err());
        }

        #[test]
        fn any_frame_is_read_or_refused(
            frame in prop::collection::vec(any::<u8>(), 0..60),
            index in 0..9_usize,
        ) {
            let _ = MovesOfGames::unpack(&frame).and_then(|frame| frame.get(index).map(drop));
        }
    }
}
