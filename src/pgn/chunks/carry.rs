//! What one chunk hands over to the next: how chunks, one after the other, become blocks.
//!
//! All readers of streams stand on this. [`PushReader`] has nothing else; `Chunks` splits on
//! speculation, before it is known what comes before a chunk.

use std::{io, io::Read, mem, ops::Range};

use memchr::memchr_iter;

use crate::pgn::buffers::{ALIGNMENT, Buffer, Buffers};
use crate::pgn::game::{Block, BlockOptions};
use crate::pgn::split::{More, Splitter, Starts};
use crate::pgn::{tags::TagLine, text::ends_at_line_start};

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
    pub(super) fn take(&mut self, raw: Raw, split: Option<SpeculativeSplit>) -> Block {
        if self.has_ended {
            return Block::default();
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
            return Block::default();
        }
        let offset = self.offset;
        self.offset += at as u64;
        let begins_line = self.begins_line;
        self.begins_line = ends_at_line_start(&bytes[..at], begins_line);
        self.bytes = bytes[at..].to_vec();
        let within = within.start..within.start + at;
        let games_end = broken.unwrap_or(at);
        Block { buffer, within, starts, games_end, games_before, offset, max_game, begins_line }
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

/// A buffer, where the bytes in it end, and how the stream ends, if it does after them.
pub(super) type Filled = (Buffer, usize, Option<io::Result<()>>);

/// The next chunk of a stream.
pub(super) fn read_chunk(buffers: &Buffers, options: BlockOptions, reader: impl Read) -> Filled {
    let mut buffer = buffers.take(HEADROOM + options.block_size.max(1));
    let (end, stream_end) = fill(&mut buffer, HEADROOM, reader);
    (buffer, end, stream_end)
}

/// Reads into a buffer, after the bytes that it has, until it is full or the stream ends. Returns
/// where the bytes end, and how the stream does.
pub(super) fn fill(
    buffer: &mut [u8],
    mut end: usize,
    mut reader: impl Read,
) -> (usize, Option<io::Result<()>>) {
    while end < buffer.len() {
        match reader.read(&mut buffer[end..]) {
            Ok(0) => return (end, Some(Ok(()))),
            Ok(count) => end += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (end, Some(Err(error))),
        }
    }
    (end, None)
}

/// Where games begin in bytes if one begins at a certain line of them.
///
/// Once it is known what comes before, that splitter goes on past the line. If it is in
/// [`state`](Self::state) then, the rest holds.
pub(super) struct SpeculativeSplit {
    /// The line, with its line end.
    pub(super) line: Range<usize>,
    /// The state of the splitter after the line.
    state: Splitter,
    /// Where games begin, from the line on.
    pub(super) starts: Starts,
    /// The state of the splitter after all bytes.
    splitter: Splitter,
    /// The number of bytes that this splitter has finished.
    scanned: usize,
}

impl SpeculativeSplit {
    /// Splits `bytes` from the first line on at which a game is likely to begin, if there is one.
    pub(super) fn new(bytes: &[u8], more: More) -> Option<Self> {
        let line = likely_start(bytes)?;
        let (mut splitter, mut starts) = (Splitter::new(), Starts::for_bytes(bytes.len()));
        splitter.scan(&bytes[..line.end], line.start, More::Yes, &mut starts);
        if !starts.all().eq([line.start]) {
            return None;
        }
        let state = splitter.clone();
        let scanned = splitter.scan(bytes, line.end, more, &mut starts);
        Some(Self { line, state, starts, splitter, scanned })
    }
}

/// Finds the first tag line after a line that is none.
fn likely_start(bytes: &[u8]) -> Option<Range<usize>> {
    // The start of the first line may be missing.
    let mut is_below_tag = true;
    memchr_iter(b'\n', bytes).find_map(|line_end| {
        let start = line_end + 1;
        let line = &bytes[start..];
        let is_tag = line.first() == Some(&b'[');
        let tag_line = if is_tag && !is_below_tag { TagLine::read_one(line) } else { None };
        is_below_tag = is_tag;
        tag_line.map(|tag_line| start..start + tag_line.line_length())
    })
}

/// Whether an error in the stream at `end` leaves the last game, which begins at `start`,
/// incomplete. A game of which no more bytes would be looked at is complete.
fn is_broken(splitter: &Splitter, start: usize, end: usize, max_game: usize) -> bool {
    !splitter.is_after_result && end - start <= max_game
}

/// Reads a stream of PGN that is pushed in parts of any size: from a socket, a browser, a decoder.
///
/// It returns the same games as [`Chunks`](super::Chunks), however the stream is cut. It holds no
/// more bytes than [`BlockOptions::block_size`], [`BlockOptions::max_game`], 64 KiB of a line with
/// comments, and the part that was pushed last.
///
/// ```
/// use eco::pgn::{BlockOptions, PushReader};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 c5 *\n";
/// // Small blocks, so that games come out early.
/// let mut reader = PushReader::new(BlockOptions { block_size: 16, ..BlockOptions::default() });
/// let mut numbers = Vec::new();
/// for part in pgn.chunks(7) {
///     if let Some(block) = reader.push(part) {
///         numbers.extend(block.games().map(|game| game.number()));
///     }
/// }
/// numbers.extend(reader.finish().games().map(|game| game.number()));
/// assert_eq!(numbers, [1, 2]);
/// ```
pub struct PushReader {
    options: BlockOptions,
    /// What was pushed and is no chunk yet, after the [`HEADROOM`].
    bytes: Vec<u8>,
    carry: Carry,
}

impl PushReader {
    /// A reader that has seen nothing yet.
    pub fn new(options: BlockOptions) -> Self {
        Self { options, bytes: vec![0; HEADROOM], carry: Carry::new(0) }
    }

    /// Takes the next bytes of the stream. Returns a block of the games that are complete by now,
    /// once [`BlockOptions::block_size`] more bytes have come.
    pub fn push(&mut self, bytes: &[u8]) -> Option<Block> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() - HEADROOM < self.options.block_size.max(1) {
            return None;
        }
        Some(self.next_block(Follows::Chunk)).filter(|block| !block.bytes().is_empty())
    }

    /// Ends the stream and returns a block of the games that are left.
    pub fn finish(mut self) -> Block {
        self.next_block(Follows::Nothing)
    }

    fn next_block(&mut self, follows: Follows) -> Block {
        let bytes = mem::replace(&mut self.bytes, vec![0; HEADROOM]);
        let (end, max_game) = (bytes.len(), self.options.max_game);
        let raw = Raw { buffer: Buffer::from(bytes), end, follows, max_game };
        self.carry.take(raw, None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::Chunks;

    /// The bytes of a stream, and its games: number, offset, length and whether it is cut.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct Contents {
        bytes: Vec<u8>,
        games: Vec<(u64, usize, usize, bool)>,
    }

    impl Contents {
        fn add(&mut self, block: &Block) {
            let before = self.bytes.len();
            self.games.extend(block.games().map(|game| {
                (game.number(), before + game.start(), game.bytes().len(), game.is_cut())
            }));
            self.bytes.extend_from_slice(block.bytes());
        }
    }

    fn fragment() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "[Event \"x\"]\n",
            "[White \"a\"]\n",
            "[Result \"0-1\"]",
            "\n",
            "\r\n",
            "1. e4 e5 *\n",
            "1. Nf3",
            "1. d4 {a\n\n",
            "}",
            "1-0\n",
            ";",
            "%",
            "\u{feff}",
            "text ",
            "[Event \"y\"]\n\n1. c4 c5 1-0\n\n",
            "  ",
            "*",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn pushed_parts_of_any_size_hold_the_games_of_the_stream(
            fragments in prop::collection::vec(fragment(), 0..40),
            sizes in prop::collection::vec(0_usize..60, 1..20),
            block_size in 1_usize..100,
            max_game in prop::sample::select(vec![30, 8 << 20]),
        ) {
            let stream = fragments.concat().into_bytes();
            let whole = BlockOptions { block_size: 1 << 20, max_game };
            let mut expected = Contents::default();
            for block in Chunks::new(&stream[..], whole).blocks() {
                expected.add(&block.unwrap());
            }
            let mut reader = PushReader::new(BlockOptions { block_size, max_game });
            let (mut found, mut rest) = (Contents::default(), &stream[..]);
            for size in sizes.iter().cycle().take(10 * stream.len()) {
                let (part, after) = rest.split_at(rest.len().min(*size));
                rest = after;
                if let Some(block) = reader.push(part) {
                    found.add(&block);
                }
            }
            if let Some(block) = reader.push(rest) {
                found.add(&block);
            }
            found.add(&reader.finish());
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn no_more_is_held_than_a_game_and_a_block() {
        let options = BlockOptions { block_size: 100, max_game: 1000 };
        let mut reader = PushReader::new(options);
        reader.push(b"[Event \"endless\"]\n\n");
        for _ in 0..10_000 {
            reader.push(b"1. Nf3 Nf6 2. Ng1 Ng8 ");
            let held = reader.bytes.len() - HEADROOM + reader.carry.bytes.len();
            assert!(held < 3 * (options.block_size + options.max_game));
        }
    }
}
