//! Games from a stream that is pushed.

use super::{
    block::{Block, BlockOptions, is_broken},
    buffers::Buffer,
    split::{More, Splitter, Starts},
    text::ends_at_line_start,
};

/// Whether the stream ended, or failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamEnd {
    Complete,
    Failed,
}

/// Reads a stream of PGN that is pushed in parts of any size: from a socket, a browser, a decoder.
///
/// It returns the same games as [`Blocks`](super::Blocks), however the stream is cut. It holds no
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
#[derive(Debug)]
pub struct PushReader {
    options: BlockOptions,
    splitter: Splitter,
    pub(super) buffer: Vec<u8>,
    starts: Starts,
    scanned: usize,
    /// The number of bytes that the buffer must hold before the next block is tried.
    wanted: usize,
    games_before: u64,
    offset: u64,
    begins_line: bool,
}

impl PushReader {
    /// A reader that has seen nothing yet.
    #[must_use]
    pub fn new(options: BlockOptions) -> Self {
        Self {
            options,
            splitter: Splitter::new(),
            buffer: Vec::new(),
            starts: Starts::default(),
            scanned: 0,
            wanted: options.block_size.max(1),
            games_before: 0,
            offset: 0,
            begins_line: true,
        }
    }

    /// Takes the next bytes of the stream. Returns a block of the games that are complete by now,
    /// once they amount to [`BlockOptions::block_size`] bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Option<Block> {
        self.buffer.extend_from_slice(bytes);
        self.next_block()
    }

    /// Ends the stream and returns a block of the games that are left.
    #[must_use]
    pub fn finish(mut self) -> Block {
        self.last_block(StreamEnd::Complete)
    }

    /// The number of bytes to add to the buffer before the next block is tried.
    pub(super) fn missing(&self) -> usize {
        self.wanted.saturating_sub(self.buffer.len())
    }

    /// Cuts a block off the buffer, if it holds enough.
    pub(super) fn next_block(&mut self) -> Option<Block> {
        if self.missing() > 0 {
            return None;
        }
        self.scan(More::Yes);
        let Some(at) = self.block_end() else {
            self.wanted = self.buffer.len() + self.options.block_size.max(self.buffer.len());
            return None;
        };
        self.wanted = self.options.block_size.max(1);
        Some(self.cut(at))
    }

    /// Cuts the last block off the buffer. If the stream failed, the last game is left out, unless
    /// it has its result.
    pub(super) fn last_block(&mut self, stream_end: StreamEnd) -> Block {
        self.scan(More::No);
        let end = self.buffer.len();
        let broken = self.starts.last().filter(|start| {
            stream_end == StreamEnd::Failed
                && is_broken(&self.splitter, *start, end, self.options.max_game)
        });
        if let Some(start) = broken {
            self.starts.pop_from(start);
        }
        self.scanned = end;
        Block { games_end: broken.unwrap_or(end), ..self.cut(end) }
    }

    fn scan(&mut self, more: More) {
        self.scanned = self.splitter.scan(&self.buffer, self.scanned, more, &mut self.starts);
    }

    /// Returns where a block can end, if more bytes follow.
    fn block_end(&self) -> Option<usize> {
        match self.starts.last() {
            Some(start) if start > 0 => Some(start),
            // The middle of a long game, or text before the first game.
            Some(_) => (self.scanned > self.options.max_game).then_some(self.scanned),
            None => (self.scanned > 0).then_some(self.scanned),
        }
    }

    /// Cuts off a block of the first `at` bytes.
    fn cut(&mut self, at: usize) -> Block {
        let rest = self.buffer.split_off(at);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let starts = self.starts.split_off_before(at);
        self.scanned -= at;
        let games_before = self.games_before;
        self.games_before += starts.len() as u64;
        let offset = self.offset;
        self.offset += at as u64;
        let max_game = self.options.max_game;
        let begins_line = self.begins_line;
        self.begins_line = ends_at_line_start(&bytes, begins_line);
        let buffer = Buffer::from(bytes);
        Block {
            buffer,
            within: 0..at,
            starts,
            games_end: at,
            games_before,
            offset,
            max_game,
            begins_line,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::Blocks;

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
            for block in Blocks::new(&stream[..], whole) {
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
            assert!(reader.buffer.len() < 3 * (options.block_size + options.max_game));
        }
    }
}
