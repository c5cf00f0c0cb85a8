//! A block: whole games of a stream, with the bytes around them.

use std::ops::Range;

use super::{
    buffers::Buffer,
    game::Game,
    split::{Splitter, Starts},
};

/// How a stream is cut into blocks.
#[derive(Debug, Clone, Copy)]
pub struct BlockOptions {
    /// The approximate size of a block in bytes. No result for any game depends on it.
    pub block_size: usize,
    /// The most bytes of a game that are looked at. It bounds the memory, but for a line with
    /// comments, of which up to 64 KiB more are held until its end has come.
    pub max_game: usize,
}

impl Default for BlockOptions {
    fn default() -> Self {
        // What the threads have in hand stays in their caches. Larger blocks are less work where
        // games are long; with two threads, 256 KiB took 1 % longer (on an Intel Xeon with 2 MiB of
        // cache for each core, 2026-11).
        Self { block_size: 192 * 1024, max_game: 8 * 1024 * 1024 }
    }
}

/// A part of a stream that begins and ends between games.
///
/// All blocks of a stream, one after the other, are the stream, byte for byte. A game longer than
/// [`BlockOptions::max_game`] continues in blocks without a game of their own.
#[derive(Debug, Default)]
pub struct Block {
    pub(super) buffer: Buffer,
    /// The range of the block in the buffer.
    pub(super) within: Range<usize>,
    /// The offsets of the games in the block.
    pub(super) starts: Starts,
    /// The end of the last game. It differs from the end of the block if bytes of a broken game
    /// follow.
    pub(super) games_end: usize,
    pub(super) games_before: u64,
    /// The offset of the block in its stream.
    pub(super) offset: u64,
    pub(super) max_game: usize,
    /// Whether the block begins at the start of a line, except for blanks.
    pub(super) begins_line: bool,
}

impl Block {
    /// All bytes of the block, including those before its first game.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.within.clone()]
    }

    /// The number of bytes of the stream before the block. A game of the block begins at this
    /// offset plus [`Game::start`].
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// All bytes but those of a game at the end in which the stream broke off.
    #[must_use]
    pub fn whole_bytes(&self) -> &[u8] {
        &self.bytes()[..self.games_end]
    }

    /// The number of games that begin in the block.
    #[must_use]
    pub fn game_count(&self) -> usize {
        self.starts.len()
    }

    /// The block further on in a stream, after this number of games.
    #[must_use]
    pub fn after_games(self, games: u64) -> Self {
        Self { games_before: self.games_before + games, ..self }
    }

    /// The games that begin in the block, in order.
    pub fn games(&self) -> impl Iterator<Item = Game<'_>> {
        let all = self.bytes();
        let ends = self.starts.all().skip(1).chain([self.games_end]);
        let games = self.starts.with_tags().zip(ends).zip(self.games_before + 1..);
        games.map(move |(((start, noted_tags), end), number)| {
            let bytes = &all[start..end];
            Game {
                bytes: &bytes[..bytes.len().min(self.max_game)],
                noted_tags,
                number,
                before: &all[..start],
                block_begins_line: self.begins_line,
                is_cut: bytes.len() > self.max_game,
            }
        })
    }
}

/// Whether an error in the stream at `end` leaves the last game, which begins at `start`,
/// incomplete. A game of which no more bytes would be looked at is complete.
pub(super) fn is_broken(splitter: &Splitter, start: usize, end: usize, max_game: usize) -> bool {
    !splitter.is_after_result() && end - start <= max_game
}
