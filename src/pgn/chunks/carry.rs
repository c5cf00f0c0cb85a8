//! What one chunk hands over to the next.

use std::{io, mem, ops::Range};

use crate::pgn::{
    block::{Block, is_broken},
    buffers::{ALIGNMENT, Buffer},
    split::{More, SpeculativeSplit, Splitter, Starts},
    text::ends_at_line_start,
};

/// The room in front of a chunk for the game that began before it. A longer game is put together in
/// other memory.
pub(super) const HEADROOM: usize = 16 * 1024;

const _: () = assert!(HEADROOM.is_multiple_of(ALIGNMENT), "what is read is aligned, too");

/// What follows a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Chunk,
    Nothing,
    Error,
}

impl Follows {
    /// What follows the last bytes that were read, if the stream ended there in this way.
    pub(super) fn at(end: Option<&io::Result<()>>) -> Self {
        match end {
            None => Self::Chunk,
            Some(Ok(())) => Self::Nothing,
            Some(Err(_)) => Self::Error,
        }
    }
}

/// The bytes of a chunk as they were read.
#[derive(Debug)]
pub(super) struct Raw {
    /// The bytes begin after the [`HEADROOM`].
    pub(super) buffer: Buffer,
    /// Where they end.
    pub(super) end: usize,
    pub(super) follows: Follows,
    pub(super) max_game: usize,
}

impl Raw {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[HEADROOM..self.end]
    }

    pub(super) fn more(&self) -> More {
        if self.follows == Follows::Chunk { More::Yes } else { More::No }
    }

    /// Puts other bytes before these. Returns a buffer and the range of all bytes in it.
    fn prepend(mut self, mut before: Vec<u8>) -> (Buffer, Range<usize>) {
        if before.len() <= HEADROOM {
            let start = HEADROOM - before.len();
            self.buffer[start..HEADROOM].copy_from_slice(&before);
            return (self.buffer, start..self.end);
        }
        // It grows like any vector, so a game over many chunks is not copied anew for each.
        let home = self.buffer.home();
        home.extend(&mut before, self.bytes());
        let all = 0..before.len();
        (home.own(before), all)
    }
}

/// What is known of a stream up to the end of a chunk.
#[derive(Debug)]
pub(super) struct Carry {
    splitter: Splitter,
    /// The bytes that are in no block yet.
    bytes: Vec<u8>,
    /// Whether a game begins at the first of them.
    pub(super) begins_game: bool,
    /// Whether the stream has ended. What still comes is not of it.
    has_ended: bool,
    /// Whether the stream broke off in a game, which is in no block.
    is_broken_off: bool,
    /// The number of them that the splitter has finished.
    scanned: usize,
    /// The number of games that have begun in blocks.
    games: u64,
    /// The offset in the stream of the first of the bytes.
    offset: u64,
    /// Whether the bytes begin at the start of a line, except for blanks.
    begins_line: bool,
}

impl Carry {
    /// At the start of a stream, whose first byte has this offset.
    pub(super) fn new(offset: u64) -> Self {
        Self {
            splitter: Splitter::new(),
            bytes: Vec::new(),
            begins_game: false,
            has_ended: false,
            is_broken_off: false,
            scanned: 0,
            games: 0,
            offset,
            begins_line: true,
        }
    }

    pub(super) fn has_met_games(&self) -> bool {
        self.games > 0 || self.begins_game || self.is_broken_off
    }

    /// Makes a block of a chunk and the bytes before it, up to the start of its last game.
    pub(super) fn take(mut self, raw: Raw, split: Option<SpeculativeSplit>) -> (Block, Self) {
        if self.has_ended {
            return (Block::default(), self);
        }
        self.has_ended = raw.follows != Follows::Chunk;
        let (more, follows, max_game) = (raw.more(), raw.follows, raw.max_game);
        let before = self.bytes.len();
        let (buffer, within) = raw.prepend(mem::take(&mut self.bytes));
        let bytes = &buffer[within.clone()];
        let mut starts = self.split(bytes, before, more, split);

        let end = bytes.len();
        let at = if follows == Follows::Chunk { self.block_end(&starts, max_game) } else { end };
        let broken = starts.last().filter(|start| {
            follows == Follows::Error && is_broken(&self.splitter, *start, end, max_game)
        });
        if let Some(start) = broken {
            starts.pop_from(start);
        }
        self.begins_game = starts.pop_from(at).is_some();
        self.is_broken_off = broken.is_some();
        self.scanned = self.scanned.max(at) - at;
        let games_before = self.games;
        self.games += starts.len() as u64;
        if at == 0 {
            self.bytes = buffer.into_vec(within);
            return (Block::default(), self);
        }
        let offset = self.offset;
        self.offset += at as u64;
        let begins_line = self.begins_line;
        self.begins_line = ends_at_line_start(&bytes[..at], begins_line);
        self.bytes = bytes[at..].to_vec();
        let within = within.start..within.start + at;
        let games_end = broken.unwrap_or(at);
        let block = Block {
            buffer,
            within,
            starts,
            games_end,
            games_before,
            offset,
            max_game,
            begins_line,
        };
        (block, self)
    }

    /// Returns where the block ends, if more bytes follow.
    fn block_end(&self, starts: &Starts, max_game: usize) -> usize {
        match starts.last() {
            Some(start) if start > 0 => start,
            Some(_) if self.scanned <= max_game => 0,
            // The middle of a long game, or text before the first one.
            Some(_) | None => self.scanned,
        }
    }

    /// Finds where games begin in `bytes`, of which the first `before` were known before the chunk.
    pub(super) fn split(
        &mut self,
        bytes: &[u8],
        before: usize,
        more: More,
        split: Option<SpeculativeSplit>,
    ) -> Starts {
        let mut starts = Starts::default();
        if self.begins_game {
            starts.push_begun();
        }
        if let Some(split) = split {
            let line = before + split.line.start..before + split.line.end;
            self.scanned =
                self.splitter.scan(&bytes[..line.end], self.scanned, More::Yes, &mut starts);
            let begins_there = starts.last() == Some(line.start);
            let is_same_state = self.scanned == line.end && self.splitter == split.state;
            if begins_there && is_same_state {
                // The speculative result has this start as well, with all its tags.
                starts.pop_from(line.start);
                starts.append(&split.starts, before);
                (self.splitter, self.scanned) = (split.splitter, before + split.scanned);
                return starts;
            }
        }
        self.scanned = self.splitter.scan(bytes, self.scanned, more, &mut starts);
        starts
    }
}
