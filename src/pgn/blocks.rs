//! A stream of PGN, cut into blocks of whole games.

use std::{
    io::{self, Read},
    ops::Range,
};

use super::{
    BYTE_ORDER_MARK, Game, begins_line_behind,
    buffers::Buffer,
    split::{More, Splitter},
    starts::Starts,
};

/// How a stream is cut into blocks.
#[derive(Debug, Clone, Copy)]
pub struct BlockOptions {
    /// A block has about so many bytes. What is said of a game does not depend on it.
    pub block_size: usize,
    /// Of a game longer than this many bytes, only so many are looked at. Memory is bounded by it.
    pub max_game: usize,
}

impl Default for BlockOptions {
    fn default() -> Self {
        // What a worker has in hands, bytes and all, stays in its part of the cache.
        Self { block_size: 256 * 1024, max_game: 8 * 1024 * 1024 }
    }
}

/// A piece of a stream that begins and ends between games.
///
/// All blocks of a stream, one after the other, are the stream, byte for byte. A game longer than
/// [`BlockOptions::max_game`] goes on in blocks that have no game of their own.
#[derive(Debug, Default)]
pub struct Block {
    pub(super) buffer: Buffer,
    /// Where in the buffer the bytes of the block are.
    pub(super) within: Range<usize>,
    /// Where games begin, counted from the start of the block.
    pub(super) starts: Starts,
    /// Where the last game ends: before the end only if bytes of a broken game follow.
    pub(super) games_end: usize,
    pub(super) games_before: u64,
    pub(super) max_game: usize,
    /// Whether the block begins a line, but for blanks.
    pub(super) begins_line: bool,
}

impl Block {
    /// All bytes of the block, those before its first game among them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.within.clone()]
    }

    /// How many games begin in the block.
    #[must_use]
    pub fn game_count(&self) -> usize {
        self.starts.len()
    }

    /// The games that begin in the block, in order.
    pub fn games(&self) -> impl Iterator<Item = Game<'_>> {
        let all = self.bytes();
        let ends = self.starts.all().skip(1).chain([self.games_end]);
        let places = self.starts.with_tags().zip(ends).zip(self.games_before + 1..);
        places.map(move |(((start, known_tags), end), number)| {
            let bytes = &all[start..end];
            Game {
                bytes: &bytes[..bytes.len().min(self.max_game)],
                known_tags,
                number,
                before: &all[..start],
                block_begins_line: self.begins_line,
                is_cut: bytes.len() > self.max_game,
            }
        })
    }
}

/// Neither a blank nor a byte of a byte order mark.
pub(super) fn is_text(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !BYTE_ORDER_MARK.contains(&byte)
}

/// Whether an error in the stream leaves the last game, which began at `start`, without an end. Of
/// one that is too long for the rest to be looked at, it takes nothing.
pub(super) fn is_broken(splitter: &Splitter, start: usize, end: usize, max_game: usize) -> bool {
    !splitter.is_after_result() && end - start <= max_game
}

/// Reads a stream block by block. [`Pieces`](super::Pieces) do the same on several threads.
///
/// The iterator yields an error at most once, as its last item. Before it comes what was read
/// until then, without the game that the error fell into, unless that had its result already.
#[derive(Debug)]
pub struct Blocks<R> {
    reader: R,
    options: BlockOptions,
    splitter: Splitter,
    buffer: Vec<u8>,
    starts: Starts,
    scanned: usize,
    games_before: u64,
    end: Option<io::Result<()>>,
    has_text: bool,
    begins_line: bool,
}

impl<R: Read> Blocks<R> {
    /// Blocks of what `reader` gives. It needs no buffering of its own.
    pub fn new(reader: R, options: BlockOptions) -> Self {
        Self {
            reader,
            options,
            splitter: Splitter::new(),
            buffer: Vec::new(),
            starts: Starts::default(),
            scanned: 0,
            games_before: 0,
            end: None,
            has_text: false,
            begins_line: true,
        }
    }

    /// How many games began in the blocks so far.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.games_before
    }

    /// Whether there was anything but blanks in the blocks so far.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.has_text
    }

    /// Reads until the buffer holds `wanted` bytes or the stream ends.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        self.buffer.reserve(missing);
        let mut piece = (&mut self.reader).take(missing as u64);
        // Bytes before an error stay in the buffer, as `read_to_end` promises.
        self.end = match piece.read_to_end(&mut self.buffer) {
            Ok(_) if self.buffer.len() < wanted => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
    }

    fn next_block(&mut self) -> Block {
        let mut wanted = self.options.block_size.max(1);
        loop {
            if self.buffer.len() < wanted {
                self.fill(wanted);
            }
            let more = if self.end.is_some() { More::No } else { More::Yes };
            self.scanned = self.splitter.scan(&self.buffer, self.scanned, more, &mut self.starts);
            if let Some(end) = &self.end {
                let is_whole = end.is_ok();
                return self.last_block(is_whole);
            }
            if let Some(start) = self.starts.last().filter(|start| *start > 0) {
                return self.cut(start);
            }
            let is_headless = self.starts.last().is_none();
            if is_headless && self.scanned > 0 || self.scanned > self.options.max_game {
                // The middle of a long game, or text before the first game.
                return self.cut(self.scanned);
            }
            wanted = self.buffer.len() + self.options.block_size.max(self.buffer.len());
        }
    }

    /// Takes a block of the first `at` bytes.
    fn cut(&mut self, at: usize) -> Block {
        let rest = self.buffer.split_off(at);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        self.has_text = self.has_text || bytes.iter().any(|b| is_text(*b));
        let starts = self.starts.split_off_before(at);
        self.scanned -= at;
        let games_before = self.games_before;
        self.games_before += starts.len() as u64;
        let max_game = self.options.max_game;
        let begins_line = self.begins_line;
        self.begins_line = begins_line_behind(&bytes, begins_line);
        let buffer = Buffer::from(bytes);
        Block { buffer, within: 0..at, starts, games_end: at, games_before, max_game, begins_line }
    }

    fn last_block(&mut self, is_whole: bool) -> Block {
        let end = self.buffer.len();
        let broken = self.starts.last().filter(|start| {
            !is_whole && is_broken(&self.splitter, *start, end, self.options.max_game)
        });
        if let Some(start) = broken {
            self.starts.pop_from(start);
        }
        self.scanned = end;
        Block { games_end: broken.unwrap_or(end), ..self.cut(end) }
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = io::Result<Block>;

    fn next(&mut self) -> Option<io::Result<Block>> {
        match &mut self.end {
            None => Some(Ok(self.next_block())),
            Some(end) => {
                let error = std::mem::replace(end, Ok(())).err();
                error.map(Err)
            }
        }
    }
}
